package io.treecast.testkit.reproduce;

import io.treecast.testkit.cluster.ControlTraffic;
import io.treecast.testkit.network.ReferenceNetwork;
import io.treecast.testkit.reproduce.Result.Row;
import io.treecast.testkit.schedule.Schedule;
import io.treecast.testkit.schedule.ScheduleEvent;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.List;

/** The cost of looking for changes when there are none. Stateless. */
record NothingChanges(String id, String title) implements Experiment {
  private static final int MINUTES = 10;

  @Override
  public LiveRun live() {
    return LiveRun.of(Lab.liveMillis(schedule()));
  }

  private static Schedule schedule() {
    // Setting a round trip to its present value marks the time from which messages are counted.
    List<Schedule.Step> steps = new ArrayList<>();
    steps.add(new Schedule.Step(60_000, new ScheduleEvent.Rtt(0, 4, new BigDecimal("485.4")), 1));
    steps.add(
        new Schedule.Step(
            (MINUTES + 1) * 60_000L,
            new ScheduleEvent.Broadcast(ReferenceNetwork.SOURCE, 24, ""),
            2));
    return new Schedule("no change", steps);
  }

  @Override
  public Result run(Lab lab) {
    List<SetRun> runs = lab.run(schedule(), ReferenceNetwork.NAME);
    double messages =
        runs.stream()
            .map(run -> run.report().events().get(0).traffic())
            .mapToLong(ControlTraffic::count)
            .average()
            .orElse(Double.NaN);
    double adaptMillis =
        runs.stream()
            .mapToDouble(run -> AgentCosts.changes(run.report()).millis())
            .average()
            .orElse(Double.NaN);
    return new Result(
        id,
        title,
        "24 nodes in six sites. The published tree looks for changes before a broadcast; Treecast's"
            + " agents measure all the time, here for "
            + MINUTES
            + " minutes without a change.",
        "Looking for changes when there are none takes 0.57 s on average, and about "
            + "254 messages.",
        List.of(
            new Row(
                "published: one look; Treecast: " + MINUTES + " minutes",
                Figures.NONE.with(Measure.CONTROL_MESSAGES, 254).with(Measure.ADAPT_MILLIS, 570),
                Figures.NONE
                    .with(Measure.CONTROL_MESSAGES, messages)
                    .with(Measure.ADAPT_MILLIS, adaptMillis))),
        List.of(),
        "Agents detect changes by probes, at most five a second for each agent, and send no "
            + "message of the tree while nothing changes. Broadcasts do not wait.");
  }
}
