package io.treecast.testkit.run;

import io.treecast.ghs.LinkWeight;
import io.treecast.mst.ChangeCause;
import io.treecast.testkit.cluster.ControlTraffic;
import io.treecast.testkit.schedule.ScheduleTime;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The effects of one event of a schedule: all changes until the next event that is not a broadcast;
 * for a broadcast, only its delivery.
 *
 * @param atMillis the due time, from time 0 of the schedule
 * @param event the text of the event in the schedule
 * @param skipped the reason why the event could not be applied; null if it was
 * @param causes the causes of the commits
 * @param versionBefore the highest version that a running member had committed before
 * @param versionAfter the highest version after the event
 * @param removed edges of the trees before the event that no tree has after it, lightest first
 * @param added edges of the trees after the event that no tree had before it, lightest first
 * @param traffic the control messages that were sent
 * @param detectMillis time from the event to the first reaction of an agent; null without one
 * @param firstCommitMillis time from the event to the first commit of a member; null without one
 * @param lastCommitMillis time from the event to the last commit; null without one
 * @param deliveredMillis time from a broadcast to its last delivery; null for other events, or
 *     without a delivery
 */
public record EventReport(
    long atMillis,
    String event,
    @Nullable String skipped,
    Set<ChangeCause> causes,
    long versionBefore,
    long versionAfter,
    List<LinkWeight> removed,
    List<LinkWeight> added,
    ControlTraffic traffic,
    @Nullable Double detectMillis,
    @Nullable Double firstCommitMillis,
    @Nullable Double lastCommitMillis,
    @Nullable Double deliveredMillis) {

  /** Returns the due time in the syntax of schedules. */
  public String at() {
    return ScheduleTime.text(atMillis);
  }

  EventReport withDeliveredMillis(double millis) {
    return new EventReport(
        atMillis,
        event,
        skipped,
        causes,
        versionBefore,
        versionAfter,
        removed,
        added,
        traffic,
        detectMillis,
        firstCommitMillis,
        lastCommitMillis,
        millis);
  }
}
