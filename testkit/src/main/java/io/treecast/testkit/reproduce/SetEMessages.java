package io.treecast.testkit.reproduce;

import io.treecast.testkit.compare.Cost;
import io.treecast.testkit.compare.LinkState;
import io.treecast.testkit.compare.PaperBuild;
import io.treecast.testkit.network.Topology;
import io.treecast.testkit.reproduce.Result.Row;
import io.treecast.testkit.schedule.Schedule;
import io.treecast.testkit.schedule.Thresholds;
import java.math.BigDecimal;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;

/** Table 4.4: the messages of set E, by type. Stateless. */
final class SetEMessages {
  /** The default thresholds of an agent. */
  static final Thresholds OF_AGENTS =
      new Thresholds(
          BigDecimal.valueOf(20), BigDecimal.ONE, BigDecimal.valueOf(50), BigDecimal.valueOf(100));

  /**
   * The published threshold, with a margin of half the mean error of forecasts that a change must
   * also exceed.
   */
  private static final Thresholds WITH_MARGIN =
      new Thresholds(null, null, BigDecimal.valueOf(50), null);

  /** The measures that concern messages. */
  private static final List<Measure> MEASURES =
      List.of(
          Measure.EDGES_REPLACED,
          Measure.EDGES_BY_VALUES,
          Measure.CONTROL_MESSAGES,
          Measure.BUILD_MESSAGES,
          Measure.BROADCAST_MESSAGES,
          Measure.ADAPT_MILLIS);

  private SetEMessages() {}

  /** Returns the duration at three thresholds. */
  static LiveRun live() {
    return LiveRun.of(3 * Lab.liveMillis(Lab.set("E")));
  }

  static Result run(String id, String title, Lab lab) {
    Schedule set = Lab.set("E");
    List<SetRun> asPublished = lab.run(set, null);
    List<SetRun> withMargin = lab.run(set.with(WITH_MARGIN), null);
    List<SetRun> asConfigured = lab.run(set.with(OF_AGENTS), null);
    Topology network = asPublished.get(0).networks().get(0);
    Cost paper = PaperBuild.of(network);
    Figures linkState = Figures.NONE;
    Cost flooding = LinkState.build(network);
    linkState =
        linkState
            .with(Measure.BUILD_MESSAGES, (double) flooding.messages())
            .with(
                Measure.CONTROL_MESSAGES,
                asPublished
                    .get(0)
                    .figures()
                    .values()
                    .getOrDefault(Measure.LINK_STATE_MESSAGES, Double.NaN));
    return new Result(
        id,
        title,
        "24 nodes, 20 broadcasts of 24 bytes from node 12; at broadcasts 4, 8, 12 and 16: 4-6 worse,"
            + " 0-2 better, 12-20 worse, 12-16 better. Means of three runs.",
        "More than two thirds of all messages detect termination, most of it while nothing changes.",
        List.of(
            new Row(
                "two-level tree",
                Figures.NONE.with(Measure.BROADCAST_MESSAGES, 460),
                Figures.NONE.with(Measure.BROADCAST_MESSAGES, 20 * 23)),
            new Row(
                "static MST, built by the automaton of 1983",
                withTypes(
                    Experiments.total(818, 818).with(Measure.BROADCAST_MESSAGES, 460),
                    "Initiate 72 Test 384.7 Accept 48 Connect 32 Reject 185.3 Report 72 ChangeRoot 1"
                        + " Gosleep 23"),
                StaticTables.figures(paper).with(Measure.BROADCAST_MESSAGES, 20 * 23)),
            new Row("adapted MST, at the published threshold of 0 %", adapted(), mean(asPublished)),
            new Row(
                "adapted MST, 0 % and a margin for errors of forecasts",
                adapted(), mean(withMargin)),
            new Row("adapted MST, at the agents' own thresholds", adapted(), mean(asConfigured)),
            new Row("link-state routing, for comparison", Figures.NONE, linkState)),
        List.of(),
        "The echo of each search contains the answers for which the published protocol has "
            + "separate messages (Test, Accept, Reject, Not-rec, Not-fail), and agents send no "
            + "message of the tree while nothing changes. At a threshold of 0 % without a margin, "
            + "agents follow each change of a forecast: a link that has just become slow may be "
            + "forecast as fast once more, and is then in the tree for some seconds. A margin of "
            + "half the error of forecasts prevents that, and delays improvements until the error "
            + "has shrunk. At their own thresholds, agents ignore changes that are not worth a "
            + "change of the tree.");
  }

  private static Figures adapted() {
    return withTypes(
        Experiments.total(815, 7123)
            .with(Measure.EDGES_REPLACED, 4)
            .with(Measure.BROADCAST_MESSAGES, 460),
        "Initiate 77 Test 1171.3 Accept 52 Connect 34 Reject 412.7 Report 120 ChangeRoot 1 Gosleep 23"
            + " Failure 3 Reiden 44 Reiden-ack 44 Findmoe 44 Id-check 4 Recovery 5 Privilege 5 Replace"
            + " 6 Not-rec 1057 Not-rec-ack 1741 Gosleep-rec 460 Not-fail 904 Not-fail-ack 451"
            + " Gosleep-fal 462");
  }

  static Figures withTypes(Figures figures, String types) {
    String[] words = types.split(" ", -1);
    Figures with = figures;
    for (int i = 0; i < words.length; i += 2) {
      with = with.sent(words[i], Double.parseDouble(words[i + 1]));
    }
    return with;
  }

  private static Figures mean(List<SetRun> runs) {
    Figures mean = Figures.mean(runs.stream().map(SetRun::figures).toList());
    Map<Measure, Double> values = new EnumMap<>(Measure.class);
    for (Measure measure : MEASURES) {
      values.put(measure, mean.values().getOrDefault(measure, Double.NaN));
    }
    return new Figures(values, mean.messagesByType());
  }
}
