package io.treecast.testkit.run;

import io.treecast.ghs.LinkWeight;
import io.treecast.mst.ChangeCause;
import io.treecast.testkit.cluster.ControlTraffic;
import io.treecast.testkit.schedule.ScheduleTime;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The effects of one event of a schedule: all events until the next one that is not a broadcast;
 * for a broadcast, only its delivery.
 *
 * @param atMillis when it was due, from time 0 of the schedule
 * @param event what the schedule says
 * @param skipped why it could not happen; null if it did
 * @param causes the causes of the commits
 * @param versionBefore the highest version that a running member had committed before
 * @param versionAfter and after
 * @param removed edges of the trees before that are in none after, lightest first
 * @param added edges of the trees after that were in none before, lightest first
 * @param traffic the control messages that were sent
 * @param detectMillis from the event until an agent first reacted; null if none did
 * @param firstCommitMillis from the event to the first commit of a member; null if there was none
 * @param lastCommitMillis from the event to the last commit; null if there was none
 * @param deliveredMillis from a broadcast to its last delivery; null for other events, or if it was
 *     not delivered
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

  /** Returns when it happened, as schedules write it. */
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
