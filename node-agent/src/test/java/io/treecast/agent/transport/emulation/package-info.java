@NullMarked
package io.treecast.agent.transport.emulation;

import org.jspecify.annotations.NullMarked;
