/**
 * Groups: views of the members that have joined a path, one sequence of views for each committed
 * tree. {@link io.treecast.collectives.group.Groups} is the entry point.
 *
 * <p>In scope: memberships, watchers and views. Out of scope: the operations of a view.
 *
 * <p>One thread owns every object of this package. They own no socket, thread, clock, random source
 * or logger.
 */
@NullMarked
package io.treecast.collectives.group;

import org.jspecify.annotations.NullMarked;
