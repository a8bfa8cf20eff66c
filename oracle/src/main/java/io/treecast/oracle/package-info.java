/**
 * Minimum spanning forests by two independent algorithms. Tests, {@code simulate} and {@code
 * verify} compare the tree of the distributed protocol with them.
 *
 * <p>In scope: graphs, as vertices and weighted edges. Out of scope: the protocol.
 */
@NullMarked
package io.treecast.oracle;

import org.jspecify.annotations.NullMarked;
