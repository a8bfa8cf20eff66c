package io.treecast.cli.bench;

import io.treecast.agent.config.ConfigException;
import io.treecast.cli.console.CommandFailure;
import io.treecast.cli.console.ExitCode;
import io.treecast.cli.console.OutputOption;
import io.treecast.cli.console.Plural;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/** {@code treecast bench}. */
@Command(
    name = "bench",
    description = {
      "Measures the throughput of real agents in this process, without emulated "
          + "latencies: one application publishes as fast as it can, another one, at the "
          + "far end of the tree, counts.",
      "For comparison, sends the same payloads through a single agent, over one "
          + "plain gRPC stream, and along a line of plain gRPC relays. Compare ratios, "
          + "since rates depend on the machine and its other load.",
      "The latency of broadcasts is measured by 'treecast demo --exit --all-sources'."
    },
    mixinStandardHelpOptions = true,
    footer = {
      "",
      "Examples:",
      "  treecast bench",
      "  treecast bench --agents 2 --payload-bytes 100 --seconds 20",
      "  treecast bench --payload-bytes 1073741824",
      "  treecast bench --shape star --output json",
      "  treecast bench --reduce --payload-bytes 67108864",
      "  treecast bench --jobs --agents 2"
    })
public final class BenchCommand implements Callable<Integer> {
  private static final int MAX_AGENTS = 64;
  private static final int MAX_PAYLOAD_BYTES = 1 << 30;
  private static final int MAX_SECONDS = 3_600;

  @Mixin private OutputOption output = new OutputOption();

  @Option(
      names = "--agents",
      paramLabel = "N",
      defaultValue = "8",
      description = "Number of agents; default: ${DEFAULT-VALUE}.")
  private int agents = 8;

  @Option(
      names = "--shape",
      paramLabel = "SHAPE",
      defaultValue = "line",
      description =
          "The tree: ${COMPLETION-CANDIDATES}; default: ${DEFAULT-VALUE}. In a line, "
              + "one end publishes and the other receives; in a star, the centre publishes.")
  private BenchCluster.Shape shape = BenchCluster.Shape.LINE;

  @Option(
      names = "--payload-bytes",
      paramLabel = "N",
      defaultValue = "1048576",
      description =
          "Size of each broadcast; default: ${DEFAULT-VALUE}. More than 4 MiB is "
              + "uploaded piece by piece; plain streams then have messages of 1 MiB.")
  private int payloadBytes = 1 << 20;

  @Option(
      names = "--seconds",
      paramLabel = "N",
      defaultValue = "10",
      description =
          "Duration of each of the four measurements. Each starts when the compilers rest, after "
              + "one to four times as long; default: ${DEFAULT-VALUE}.")
  private int seconds = 10;

  @Option(
      names = "--reduce",
      description =
          "Measures instead how fast applications at all agents sum up vectors of floats of "
              + "--payload-bytes, one vector after the other.")
  private boolean isReduction;

  @Option(
      names = "--jobs",
      description =
          "Measures instead how long applications at 1, 2, 4 and more agents, up to --agents, take "
              + "for a job, with one worker each, and how long a plain loop takes.")
  private boolean isJob;

  @Override
  public Integer call() throws InterruptedException {
    require("--agents", agents, 2, MAX_AGENTS);
    require("--payload-bytes", payloadBytes, 1, MAX_PAYLOAD_BYTES);
    require("--seconds", seconds, 1, MAX_SECONDS);
    if (isReduction || isJob) {
      if (isReduction && isJob) {
        throw CommandFailure.usage("--reduce and --jobs: one of them is allowed");
      }
      measureOperations();
      return ExitCode.OK;
    }
    // In this order the baselines run with the best compiled code.
    output.note("measuring " + agents + " agents in a " + shape);
    Throughput cluster = through(agents);
    output.note("measuring one agent");
    Throughput alone = through(1);
    output.note("measuring a line of plain relays");
    Throughput relays = PlainStream.measure(payloadBytes, agents - 1, seconds);
    output.note("measuring a plain gRPC stream");
    Throughput plain = PlainStream.measure(payloadBytes, 0, seconds);
    BenchReport report =
        new BenchReport(shape, agents, payloadBytes, plain, relays, alone, cluster);
    if (output.isJson()) {
      output.println(report.toJson());
    } else {
      report.print(output.out());
    }
    return ExitCode.OK;
  }

  private void measureOperations() throws InterruptedException {
    if (isReduction) {
      reduce();
    } else {
      speedUp();
    }
  }

  private void speedUp() throws InterruptedException {
    ObjectNode json = JsonMapper.shared().createObjectNode();
    output.note("measuring a plain loop");
    double loopSeconds = JobLoad.loopSeconds(seconds);
    json.put("loopSeconds", loopSeconds);
    ArrayNode jobs = json.putArray("jobs");
    List<String> rows = new ArrayList<>();
    rows.add(String.format(Locale.ROOT, "%-10s  %7.3f s", "a loop", loopSeconds));
    for (int members = 1; members <= agents; members = 2 * members) {
      output.note("measuring a job of " + Plural.of(members, "member"));
      double jobSeconds = jobSeconds(members);
      jobs.addObject()
          .put("members", members)
          .put("seconds", jobSeconds)
          .put("speedUp", loopSeconds / jobSeconds);
      rows.add(
          String.format(
              Locale.ROOT,
              "%-10s  %7.3f s  speed-up %.2f",
              Plural.of(members, "member"),
              jobSeconds,
              loopSeconds / jobSeconds));
    }
    if (output.isJson()) {
      output.println(json);
    } else {
      output.println(
          "queens on a board of "
              + JobLoad.ROWS
              + " rows, on "
              + Plural.of(Runtime.getRuntime().availableProcessors(), "processor"));
      rows.forEach(output::println);
    }
  }

  private double jobSeconds(int members) throws InterruptedException {
    try (BenchCluster cluster = BenchCluster.start(shape, members)) {
      cluster.awaitTree();
      return JobLoad.jobSeconds(cluster.addresses(), seconds);
    } catch (ConfigException e) {
      throw CommandFailure.failed(String.valueOf(e.getMessage()));
    }
  }

  private void reduce() throws InterruptedException {
    if (payloadBytes % Float.BYTES != 0) {
      throw CommandFailure.usage(
          "--payload-bytes: with --reduce, a multiple of " + Float.BYTES + " is allowed");
    }
    try (BenchCluster cluster = BenchCluster.start(shape, agents)) {
      cluster.awaitTree();
      double rate = VectorLoad.megabytesPerSecond(cluster.addresses(), payloadBytes, seconds);
      if (output.isJson()) {
        output.println(
            JsonMapper.shared()
                .createObjectNode()
                .put("agents", agents)
                .put("shape", shape.toString())
                .put("vectorBytes", payloadBytes)
                .put("megabytesPerSecond", rate));
      } else {
        output.println(
            String.format(
                Locale.ROOT,
                "%d agents in a %s sum up vectors of %d bytes: %.1f MB/s",
                agents,
                shape,
                payloadBytes,
                rate));
      }
    } catch (ConfigException e) {
      throw CommandFailure.failed(String.valueOf(e.getMessage()));
    }
  }

  private Throughput through(int members) throws InterruptedException {
    try (BenchCluster cluster = BenchCluster.start(shape, members)) {
      cluster.awaitTree();
      return BroadcastLoad.measure(
          cluster.firstAddress(), cluster.lastAddress(), payloadBytes, seconds);
    } catch (ConfigException e) {
      throw CommandFailure.failed(String.valueOf(e.getMessage()));
    }
  }

  private static void require(String option, int value, int least, int most) {
    if (value < least || value > most) {
      throw CommandFailure.usage(
          option + ": " + value + " is not allowed; allowed are " + least + " to " + most);
    }
  }
}
