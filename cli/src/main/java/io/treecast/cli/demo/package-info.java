/**
 * {@code treecast demo}: a cluster of real agents in one process, with its progress and the
 * measurement of its broadcasts.
 */
@NullMarked
package io.treecast.cli.demo;

import org.jspecify.annotations.NullMarked;
