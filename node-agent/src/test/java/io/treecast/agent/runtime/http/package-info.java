/** Tests of clients that publish and subscribe by plain HTTP. */
@NullMarked
package io.treecast.agent.runtime.http;

import org.jspecify.annotations.NullMarked;
