@NullMarked
package io.treecast.agent.transport;

import org.jspecify.annotations.NullMarked;
