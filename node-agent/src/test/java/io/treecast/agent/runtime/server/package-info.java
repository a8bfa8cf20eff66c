@NullMarked
package io.treecast.agent.runtime.server;

import org.jspecify.annotations.NullMarked;
