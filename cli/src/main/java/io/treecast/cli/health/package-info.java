/**
 * {@code treecast status}, {@code members} and {@code topics}: the health, members and topics of
 * the whole cluster.
 */
@NullMarked
package io.treecast.cli.health;

import org.jspecify.annotations.NullMarked;
