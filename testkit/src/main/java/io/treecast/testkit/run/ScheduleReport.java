package io.treecast.testkit.run;

import io.treecast.agent.core.AgentSnapshot;
import io.treecast.testkit.cluster.BroadcastVerdict;
import io.treecast.testkit.cluster.ControlTraffic;
import io.treecast.testkit.cluster.TreeVerdict;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The results of a schedule on a cluster.
 *
 * @param built where the agents stood at time 0 of the schedule
 * @param buildTraffic the control messages until then
 * @param events one for each step, in their order
 * @param notAtRest what was waited for, if the cluster did not come to rest after the last one
 *     within the bound; null if it did
 * @param restBoundMillis that bound
 * @param endMillis when the run ended, from time 0 of the schedule
 * @param traffic all control messages
 * @param trees whether the trees at the end are the right ones
 * @param broadcasts whether every broadcast was delivered once
 */
public record ScheduleReport(
    List<AgentSnapshot> built,
    ControlTraffic buildTraffic,
    List<EventReport> events,
    @Nullable String notAtRest,
    long restBoundMillis,
    double endMillis,
    ControlTraffic traffic,
    TreeVerdict trees,
    BroadcastVerdict broadcasts) {

  /** Copies the lists. */
  public ScheduleReport {
    built = List.copyOf(built);
    events = List.copyOf(events);
  }

  /** Returns how many events could not happen. */
  public long skipped() {
    return events.stream().filter(event -> event.skipped() != null).count();
  }

  /** Returns whether the cluster came to rest after the last event, within the bound. */
  public boolean atRest() {
    return notAtRest == null;
  }

  /** Returns whether all is as it has to be after what could happen. */
  public boolean passed() {
    return atRest() && trees.minimal() && broadcasts.everyBroadcastDeliveredOnce();
  }
}
