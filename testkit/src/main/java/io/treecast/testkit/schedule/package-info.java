/** Schedules: what is to happen to a cluster and when, as a text that a person writes. */
@NullMarked
package io.treecast.testkit.schedule;

import org.jspecify.annotations.NullMarked;
