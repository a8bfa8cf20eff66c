/**
 * Minimum spanning forests, computed two independent ways: what the tests, {@code simulate} and
 * {@code verify} compare the distributed protocol with. Knows nothing of the protocol.
 */
@NullMarked
package io.treecast.oracle;

import org.jspecify.annotations.NullMarked;
