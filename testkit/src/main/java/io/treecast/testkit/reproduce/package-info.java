/**
 * The published evaluation of 2006, experiment by experiment: what it ran, what it found, and the
 * same on Treecast's agents in virtual time.
 *
 * <p>{@link io.treecast.testkit.reproduce.Experiments} lists them, {@link
 * io.treecast.testkit.reproduce.Result} is what one comes to.
 */
@NullMarked
package io.treecast.testkit.reproduce;

import org.jspecify.annotations.NullMarked;
