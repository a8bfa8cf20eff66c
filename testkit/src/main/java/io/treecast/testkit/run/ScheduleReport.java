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
 * @param built the state of the agents at time 0 of the schedule
 * @param buildTraffic the control messages up to time 0
 * @param events the report of each step, in order
 * @param notAtRest the reason why the cluster was not at rest within the bound after the last
 *     event; null if it was
 * @param restBoundMillis the bound
 * @param endMillis the end of the run, from time 0 of the schedule
 * @param traffic all control messages
 * @param trees the verdict on the trees at the end
 * @param broadcasts the verdict on the broadcasts
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

  /** Returns the number of events that could not be applied. */
  public long skipped() {
    return events.stream().filter(event -> event.skipped() != null).count();
  }

  /** Returns whether the cluster was at rest within the bound after the last event. */
  public boolean atRest() {
    return notAtRest == null;
  }

  /**
   * Returns whether the cluster was at rest with minimal trees, and every broadcast was delivered
   * once.
   */
  public boolean passed() {
    return atRest() && trees.minimal() && broadcasts.everyBroadcastDeliveredOnce();
  }
}
