/**
 * The weight of a link: how a forecast becomes a cost on a grid, and when a change of it is worth a
 * new tree. {@link io.treecast.monitor.weight.SignificantWeight} decides that; {@link
 * io.treecast.monitor.weight.DampingPolicy} slows down links that change often.
 *
 * <p>In scope: forecasts in, weights out. Out of scope: the measurements, and sending a weight to
 * the other end.
 */
@NullMarked
package io.treecast.monitor.weight;

import org.jspecify.annotations.NullMarked;
