package io.treecast.cli.simulate;

import io.treecast.agent.core.AgentSnapshot;
import io.treecast.agent.core.settings.LinkLimits;
import io.treecast.cli.cluster.ClusterReport;
import io.treecast.cli.cluster.LiveProgress;
import io.treecast.cli.cluster.NetworkOptions;
import io.treecast.cli.cluster.Places;
import io.treecast.cli.cluster.ReportText;
import io.treecast.cli.cluster.ThresholdOptions;
import io.treecast.cli.console.CommandFailure;
import io.treecast.cli.console.ExitCode;
import io.treecast.cli.console.Plural;
import io.treecast.cli.console.TableOutputOption;
import io.treecast.collectives.broadcast.message.MessageId;
import io.treecast.ghs.NodeId;
import io.treecast.mst.CommittedTree;
import io.treecast.testkit.compare.Cost;
import io.treecast.testkit.network.BroadcastTimes;
import io.treecast.testkit.network.MatrixFile.NamedNetwork;
import io.treecast.testkit.network.RandomGraphs;
import io.treecast.testkit.network.Topology;
import io.treecast.testkit.reproduce.AgentCosts;
import io.treecast.testkit.run.ScheduleReport;
import io.treecast.testkit.schedule.Schedule;
import io.treecast.testkit.sim.SimCluster;
import io.treecast.testkit.trace.TraceReport;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.ArgGroup;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import tools.jackson.databind.node.ObjectNode;

/** {@code treecast simulate}. */
@Command(
    name = "simulate",
    description = {
      "Runs the agents of a whole cluster in virtual time: they measure, build the tree, and each node broadcasts once.",
      "With a trace, replays a recorded network slice by slice, and reports how "
          + "the tree and the forecasts follow it.",
      "With a schedule of events, reports the effect of each, whether the final "
          + "trees are minimal, and whether every broadcast was delivered once.",
      "Weights are those of the committed tree: an edge that replaced another "
          + "includes the cost of the change.",
      "CSV output has a line for each source, slice or event.",
      "The same network, schedule and seed give the same output, to the last byte."
    },
    mixinStandardHelpOptions = true,
    footer = {
      "",
      "Examples:",
      "  treecast simulate --seed 7 --output json",
      "  treecast simulate --matrix rtts.csv --site-size 8",
      "  treecast simulate --random 1000,16",
      "  treecast simulate --schedule schedules/set-E.txt --output csv",
      "  treecast simulate --schedule schedules/set-F.txt --threshold 70 --broadcasts 4",
      "  treecast simulate --compare binomial,two-level,static-mst,ghs-1983,link-state --send-millis 2",
      "  treecast simulate --matrix mine.csv --sites sites.txt --compare binomial,two-level",
      "  treecast simulate --matrix five-nodes --messages story.txt",
      "  treecast simulate --trace recorded/rtts --slice-seconds 60 --unit s --output json",
      "",
      "A schedule is text, one event per line; time 0 is when every agent has "
          + "committed the first tree:",
      "  # time  event",
      "  10s     rtt 4-6 6001",
      "  20s     down 12-20",
      "  30s     crash 7",
      "  40s     restart 7",
      "  50s     partition 0-11 | 12-23",
      "  60s     heal",
      "  70s     join 24 like 3",
      "  80s     broadcast 12 24B",
      "Further events: up A-B, loss A-B 20%%, oneway A-B, reset A-B, pause N, "
          + "resume N, leave N, subscribe N TOPIC,",
      "unsubscribe N TOPIC and broadcast N 24B TOPIC. With start as the time, "
          + "'rtt' is the initial round trip of a link,",
      "and 'network reference-1ms', 'threshold 10%%', 'floor 0', 'error 0%%' and "
          + "'change-cost 0%%' stand for --matrix,",
      "--threshold, --floor, --error and --change-cost. Options override the " + "schedule."
    })
public final class SimulateCommand implements Callable<Integer> {
  private static final int MAX_BROADCASTS = 100_000;

  private static final byte[] PAYLOAD = new byte[24];

  /** Timeout in virtual time, one day. */
  private static final long MAX_VIRTUAL_MILLIS = 86_400_000;

  @Mixin private NetworkOptions network = new NetworkOptions();

  @Mixin private ThresholdOptions thresholds = new ThresholdOptions();

  @Mixin private CompareOptions compare = new CompareOptions();

  @ArgGroup(exclusive = false)
  private @Nullable TraceOptions trace;

  @Mixin private TableOutputOption output = new TableOutputOption();

  @Option(
      names = "--random",
      paramLabel = "NODES,DEGREE",
      description =
          "A random connected network with this number of nodes and mean number of "
              + "links per node.")
  private @Nullable String random;

  @Option(
      names = "--schedule",
      paramLabel = "FILE",
      description = "A file of events, instead of one broadcast from each node.")
  private @Nullable Path schedule;

  @Option(
      names = "--broadcasts",
      paramLabel = "N",
      description =
          "Runs the schedule with N broadcasts; events keep their relative positions. "
              + "With --compare, also the number of broadcasts sent back to back.")
  private @Nullable Integer broadcasts;

  @Option(
      names = "--messages",
      paramLabel = "FILE",
      description =
          "Writes each control message of the run to this file, in order: time, "
              + "sender, receiver, type and fields.")
  private @Nullable Path messages;

  @Option(
      names = "--live",
      description =
          "Runs the schedule on real agents in this process, in real time and with emulated latencies."
              + " Reports its progress on standard error. Waits five minutes at most for the first tree, and for rest."
              + " A floor below 1 ms and an error below 50%% in the schedule are raised to these values, since round trips of real agents vary by themselves; options are taken as they are.")
  private boolean live;

  @Override
  public Integer call() {
    if (messages != null && (live || trace != null)) {
      throw CommandFailure.usage(
          "--messages is for runs in virtual time without a trace: leave out --live and --trace");
    }
    compare.check();
    TraceOptions recorded = trace;
    if (recorded != null) {
      return runTrace(recorded);
    }
    Path file = schedule;
    if (file != null) {
      return run(read(file));
    }
    Integer count = broadcasts;
    if (count != null && (!compare.isAsked() || count < 1 || count > MAX_BROADCASTS)) {
      throw CommandFailure.usage(
          compare.isAsked()
              ? "--broadcasts: " + count + " is not allowed; allowed is 1 to " + MAX_BROADCASTS
              : "--broadcasts needs a schedule or a comparison: add --schedule FILE or --compare");
    }
    Places places = places(null);
    if (live) {
      throw CommandFailure.usage(
          "--live runs a schedule: add --schedule FILE; for a live cluster see 'treecast demo'");
    }
    int from = comparedSource(places);
    ClusterReport report;
    try (MessageFile sent = messageFile(places)) {
      report = build(places, sent);
    }
    CompareReport compared = from < 0 ? null : compared(report, from);
    ReportText text = new ReportText(report);
    switch (output.format()) {
      case JSON -> {
        ObjectNode json = report.toJson();
        if (compared != null) {
          compared.addTo(json);
        }
        output.println(json);
      }
      case CSV -> text.printCsv(output.out());
      case TEXT -> {
        text.print(output.out(), "virtual");
        if (compared != null) {
          compared.print(output.out());
        }
      }
    }
    return report.minimal() ? ExitCode.OK : ExitCode.FAILED;
  }

  /** Returns the node whose broadcasts are compared; -1 without a comparison. */
  private int comparedSource(Places places) {
    boolean isReference = !network.hasMatrix() && random == null;
    return compare.isAsked() ? compare.source(places, isReference) : -1;
  }

  private CompareReport compared(ClusterReport report, int from) {
    List<Topology.Link> tree =
        AgentCosts.links(report.trees().stream().flatMap(t -> t.edges().stream()).toList());
    Cost build =
        new Cost(report.traffic().counted(), report.traffic().bytes(), report.buildMillis());
    return compare.compare(
        report.places(),
        List.of(report.topology()),
        from,
        broadcasts == null ? 1 : broadcasts,
        build,
        Cost.NONE,
        tree,
        tree);
  }

  private CompareReport compared(Places places, Schedule events, ScheduleReport report, int from) {
    return compare.compare(
        places,
        ScheduledRun.networks(events, places.topology()),
        from,
        broadcasts == null ? 1 : broadcasts,
        AgentCosts.build(report),
        AgentCosts.changes(report),
        AgentCosts.before(report),
        AgentCosts.after(report));
  }

  private ClusterReport build(Places places, @Nullable MessageFile file) {
    SimCluster cluster =
        SimCluster.judging(places.topology(), network.seed(), thresholds.thresholds()::applyTo);
    if (file != null) {
      cluster.listenToControl(file);
    }
    if (!cluster.runUntilReady(MAX_VIRTUAL_MILLIS) || !cluster.runUntilAtRest(MAX_VIRTUAL_MILLIS)) {
      throw CommandFailure.failed(firstNotReady(cluster));
    }
    ClusterReport built = ClusterReport.of(places, cluster.snapshots());
    return built.withSources(broadcasts(cluster, built));
  }

  private Schedule read(Path file) {
    Schedule read = ScheduledRun.read(file);
    if (live) {
      read = read.with(read.thresholds().forRealTime());
    }
    Schedule planned = read.with(thresholds.thresholds());
    Integer count = broadcasts;
    return count == null
        ? planned
        : CommandFailure.checked("--broadcasts", () -> planned.withBroadcasts(count));
  }

  private int run(Schedule events) {
    Places places = places(events.network());
    int from = comparedSource(places);
    ScheduleReport report;
    if (live) {
      report =
          ScheduledRun.live(
              events,
              places.topology(),
              new LiveProgress(output, ScheduledRun.liveMillis(events, places.topology())));
    } else {
      try (MessageFile file = messageFile(places)) {
        report = ScheduledRun.of(events, places.topology(), network.seed(), file);
      }
    }
    CompareReport compared = from < 0 ? null : compared(places, events, report, from);
    ScheduleReportText text = new ScheduleReportText(places, report);
    switch (output.format()) {
      case JSON -> {
        ObjectNode json = new ScheduleReportJson(places, report).toJson();
        if (compared != null) {
          compared.addTo(json);
        }
        output.println(json);
      }
      case CSV -> text.printCsv(output.out());
      case TEXT -> {
        text.print(output.out(), live ? "real" : "virtual");
        if (compared != null) {
          compared.print(output.out());
        }
      }
    }
    if (report.skipped() > 0) {
      output.note(
          "treecast: %s of %s could not be applied; the report has the reasons"
              .formatted(report.skipped(), Plural.of(report.events().size(), "event")));
    }
    if (!report.passed()) {
      return ExitCode.FAILED;
    }
    return report.skipped() > 0 ? ExitCode.PARTIAL : ExitCode.OK;
  }

  private @Nullable MessageFile messageFile(Places places) {
    return messages == null ? null : MessageFile.create(messages, places::name);
  }

  private int runTrace(TraceOptions recorded) {
    if (network.hasMatrix() || network.hasNodes() || random != null || schedule != null || live) {
      throw CommandFailure.usage(
          "--trace determines network and events: it excludes --matrix, --nodes, "
              + "--random, --schedule and --live");
    }
    TraceReport report = recorded.run(network.seed(), thresholds.thresholds());
    TraceReportText text = new TraceReportText(report);
    switch (output.format()) {
      case JSON -> output.println(new TraceReportJson(report).toJson());
      case CSV -> text.printCsv(output.out());
      case TEXT -> text.print(output.out());
    }
    if (report.builtMillis() == null) {
      output.note(
          "treecast: no tree ever connected all nodes that answer: "
              + (report.anyPairAnswers()
                  ? "longer slices give agents more time (--slice-seconds)"
                  : "no pair answers in any slice; check the trace and --slices"));
      return ExitCode.FAILED;
    }
    return ExitCode.OK;
  }

  /**
   * Returns the network of the options, or else the named one, with its sites. Checked before the
   * run.
   */
  private Places places(@Nullable String name) {
    NamedNetwork named =
        random == null ? network.network(name) : NamedNetwork.ofNumbers(random(random));
    return new Places(named, network.sites(named));
  }

  private Topology random(String spec) {
    if (network.hasMatrix()) {
      throw CommandFailure.usage("--random and --matrix exclude each other");
    }
    String[] parts = spec.split(",", -1);
    try {
      if (parts.length != 2) {
        throw new IllegalArgumentException("expected NODES,DEGREE");
      }
      return network.cut(
          RandomGraphs.sparse(
              Integer.parseInt(parts[0].strip()),
              Integer.parseInt(parts[1].strip()),
              network.seed()));
    } catch (IllegalArgumentException e) {
      throw CommandFailure.usage(
          "--random: '%s' is not allowed; allowed is NODES,DEGREE as in 1000,16 (%s)"
              .formatted(spec, e.getMessage()));
    }
  }

  private static String firstNotReady(SimCluster cluster) {
    for (AgentSnapshot agent : cluster.snapshots()) {
      if (!agent.tree().ready()) {
        return "agent " + agent.self().id() + " never became ready: " + agent.tree().reason();
      }
    }
    return "the cluster never became ready";
  }

  /** Returns the network without links between trees, which agents could not open. */
  private static Topology joined(Topology topology, List<CommittedTree> trees) {
    int[] treeOf = new int[topology.nodes()];
    for (int tree = 0; tree < trees.size(); tree++) {
      for (NodeId member : trees.get(tree).members()) {
        treeOf[ClusterReport.number(member)] = tree;
      }
    }
    return Topology.of(
        topology.nodes(),
        topology.links().stream()
            .filter(link -> treeOf[link.low()] == treeOf[link.high()])
            .toList());
  }

  private void noteUnopened(Topology topology, Topology joined) {
    int unopened = topology.links().size() - joined.links().size();
    if (unopened > 0) {
      output.note(
          "treecast: "
              + Plural.of(unopened, "link")
              + " between trees could not be opened: agents open links with round trips of up to "
              + LinkLimits.DEFAULT.longestRttNanos() / 1_000_000_000
              + " s");
    }
  }

  /**
   * Broadcasts from all sources at once, since broadcasts do not delay each other in the simulated
   * network.
   */
  private List<ClusterReport.SourceReport> broadcasts(SimCluster cluster, ClusterReport built) {
    Topology topology = cluster.topology();
    List<MessageId> messages = new ArrayList<>();
    Topology joined = joined(topology, built.trees());
    noteUnopened(topology, joined);
    long expected = 0;
    for (int source = 0; source < topology.nodes(); source++) {
      messages.add(cluster.broadcast(source, ByteBuffer.wrap(PAYLOAD)));
      expected += joined.component(source).size();
    }
    long deliveries = expected;
    if (!cluster.runUntil(
        () -> cluster.deliveries().totalCount() >= deliveries, MAX_VIRTUAL_MILLIS)) {
      throw CommandFailure.failed(
          "%s of %s deliveries took place; broadcasts were lost"
              .formatted(cluster.deliveries().totalCount(), deliveries));
    }
    BroadcastTimes times = new BroadcastTimes(joined);
    List<ClusterReport.SourceReport> reports = new ArrayList<>();
    for (int source = 0; source < topology.nodes(); source++) {
      double lastMillis = cluster.deliveries().lastNanos(messages.get(source)) / 1e6;
      reports.add(built.source(source, lastMillis, times));
    }
    return reports;
  }
}
