/** {@code treecast fault}: breaks links and agents of a cluster that allows it. */
@NullMarked
package io.treecast.cli.fault;

import org.jspecify.annotations.NullMarked;
