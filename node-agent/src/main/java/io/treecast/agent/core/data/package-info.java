/**
 * Data streams along the tree, for broadcast and collective operations: which are open, which
 * failed, and when their clocks can be compared.
 */
@NullMarked
package io.treecast.agent.core.data;

import org.jspecify.annotations.NullMarked;
