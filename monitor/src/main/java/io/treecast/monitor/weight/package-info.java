/**
 * The weight of a link: how a forecast becomes a cost on a grid, and when a change of it is worth a
 * new tree. {@link io.treecast.monitor.weight.SignificantWeight} decides that; {@link
 * io.treecast.monitor.weight.DampingPolicy} slows down links that change often.
 *
 * <p>This room sends nothing and does not know how a link is measured.
 */
@NullMarked
package io.treecast.monitor.weight;

import org.jspecify.annotations.NullMarked;
