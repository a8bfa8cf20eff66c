/**
 * Schedules: timed events of a cluster, in a text format, read, checked against a network, drawn at
 * random, and reduced to the smallest one that still fails. {@code io.treecast.testkit.run} runs
 * them.
 */
@NullMarked
package io.treecast.testkit.schedule;

import org.jspecify.annotations.NullMarked;
