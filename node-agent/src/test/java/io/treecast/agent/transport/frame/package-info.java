@NullMarked
package io.treecast.agent.transport.frame;

import org.jspecify.annotations.NullMarked;
