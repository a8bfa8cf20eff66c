/**
 * The published evaluation of 2006, experiment by experiment: its set-up, its outcome, and the
 * repetition on Treecast's agents in virtual or real time.
 *
 * <p>{@link io.treecast.testkit.reproduce.Experiments} lists them, {@link
 * io.treecast.testkit.reproduce.Result} is the result of one.
 */
@NullMarked
package io.treecast.testkit.reproduce;

import org.jspecify.annotations.NullMarked;
