/** {@code treecast status}, {@code members} and {@code topics}: how the whole cluster is. */
@NullMarked
package io.treecast.cli.health;

import org.jspecify.annotations.NullMarked;
