/** {@code treecast demo}: a cluster of real agents in one process. */
@NullMarked
package io.treecast.cli.demo;

import org.jspecify.annotations.NullMarked;
