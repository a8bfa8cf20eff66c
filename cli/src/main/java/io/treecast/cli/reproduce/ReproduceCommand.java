package io.treecast.cli.reproduce;

import io.treecast.agent.config.ConfigException;
import io.treecast.agent.config.FileReason;
import io.treecast.cli.cluster.LiveProgress;
import io.treecast.cli.console.CommandFailure;
import io.treecast.cli.console.ExitCode;
import io.treecast.monitor.weight.SignificancePolicy;
import io.treecast.testkit.cluster.Cluster;
import io.treecast.testkit.local.LocalCluster;
import io.treecast.testkit.network.Topology;
import io.treecast.testkit.reproduce.Experiment;
import io.treecast.testkit.reproduce.Experiments;
import io.treecast.testkit.reproduce.Lab;
import io.treecast.testkit.reproduce.LiveRun;
import io.treecast.testkit.reproduce.Result;
import io.treecast.testkit.schedule.Thresholds;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/** {@code treecast reproduce}. */
@Command(
    name = "reproduce",
    description = {
      "Repeats the experiments of an evaluation published in 2006 in virtual time, "
          + "and prints published and own figures. Without an experiment it lists them."
    },
    mixinStandardHelpOptions = true,
    footer = {
      "",
      "Examples:",
      "  treecast reproduce",
      "  treecast reproduce 4.16",
      "  treecast reproduce table-4.4 --output json",
      "  treecast reproduce 4.17a --live",
      "  treecast reproduce --all --output markdown --drawings reproduction > reproduction.md"
    })
public final class ReproduceCommand implements Callable<Integer> {
  @Mixin private ReproduceOutputOption output = new ReproduceOutputOption();

  @Parameters(
      arity = "0..1",
      paramLabel = "ID",
      description = "The number of the table or figure, as in the list.")
  private @Nullable String id;

  @Option(names = "--all", description = "Runs all experiments; takes a few minutes.")
  private boolean all;

  @Option(
      names = "--seed",
      paramLabel = "N",
      defaultValue = "1",
      description =
          "Seed of the first run; further runs have the following seeds. Default: "
              + "${DEFAULT-VALUE}.")
  private long seed;

  @Option(
      names = "--runs",
      paramLabel = "N",
      defaultValue = "3",
      description =
          "Number of runs for the mean of each figure, 1 to "
              + Lab.MAX_RUNS
              + "; default: ${DEFAULT-VALUE}, as published.")
  private int runs;

  @Option(
      names = "--drawings",
      paramLabel = "DIR",
      description = "With --output markdown: the directory for the drawings of the text.")
  private @Nullable Path drawings;

  @Option(
      names = "--live",
      description =
          "Runs one experiment on real agents in this process, once and in real time; changes of less than 1 ms or half the"
              + " error of a forecast do not count then. Without an experiment it lists those that can run live, and how long they take."
              + " Reports its progress on standard error. Waits five minutes at most for the first tree, and for rest.")
  private boolean live;

  @Override
  public Integer call() {
    String asked = id;
    if (asked != null && all) {
      throw CommandFailure.usage("--all and an experiment exclude each other");
    }
    if (drawings != null && output.format() != ReproduceOutputOption.Format.MARKDOWN) {
      throw CommandFailure.usage("--drawings is for --output markdown");
    }
    if (live && all) {
      throw CommandFailure.usage("--live runs one experiment: " + runLive());
    }
    Lab virtual = lab();
    if (asked == null) {
      if (all) {
        print(Experiments.all().parallelStream().map(one -> one.run(virtual)).toList());
      } else {
        list(live ? liveExperiments() : Experiments.all());
      }
      return ExitCode.OK;
    }
    Experiment experiment = experiment(asked);
    Lab lab = live ? liveLab(experiment) : virtual;
    print(List.of(result(experiment, lab)));
    lab.shortcomings().forEach(line -> output.note("treecast: " + line));
    return lab.shortcomings().isEmpty() ? ExitCode.OK : ExitCode.PARTIAL;
  }

  private static List<Experiment> liveExperiments() {
    return Experiments.all().stream().filter(one -> one.live().refusal() == null).toList();
  }

  private static String runLive() {
    return String.join(", ", liveExperiments().stream().map(Experiment::id).toList()) + " run live";
  }

  private Lab liveLab(Experiment experiment) {
    LiveRun offer = experiment.live();
    if (offer.refusal() != null) {
      throw CommandFailure.usage(
          "--live: %s does not run live, since %s; %s"
              .formatted(experiment.id(), offer.refusal(), runLive()));
    }
    return Lab.live(new LocalClusters(new LiveProgress(output, offer.expectedMillis())));
  }

  /** Clusters of real agents in this process. */
  private record LocalClusters(LiveProgress progress) implements Lab.LiveClusters {
    @Override
    public Cluster start(Topology network, Thresholds thresholds) {
      try {
        return LocalCluster.start(
            network,
            LocalCluster.Settings.DEFAULT.withSignificance(
                thresholds.applyTo(SignificancePolicy.DEFAULT)));
      } catch (ConfigException e) {
        throw CommandFailure.failed("the agents cannot be started: " + e.getMessage());
      }
    }
  }

  private static Result result(Experiment experiment, Lab lab) {
    try {
      return experiment.run(lab);
    } catch (IllegalStateException e) {
      throw CommandFailure.failed(experiment.id() + " does not terminate: " + e.getMessage());
    }
  }

  private Lab lab() {
    return CommandFailure.checked("--runs", () -> new Lab(seed, runs));
  }

  private static Experiment experiment(String asked) {
    Experiment found = Experiments.of(asked);
    if (found == null) {
      throw CommandFailure.usage(
          "no such experiment: '"
              + asked
              + "'; there are "
              + String.join(", ", Experiments.all().stream().map(Experiment::id).toList()));
    }
    return found;
  }

  private void list(List<Experiment> listed) {
    switch (output.format()) {
      case JSON -> {
        ObjectNode json = JsonMapper.shared().createObjectNode();
        ArrayNode array = json.putArray("experiments");
        for (Experiment one : listed) {
          ObjectNode item = array.addObject();
          item.put("id", one.id());
          item.put("title", one.title());
          ArrayNode others = item.putArray("alsoCalled");
          one.alsoCalled().forEach(others::add);
          LiveRun onAgents = one.live();
          if (onAgents.refusal() == null) {
            item.put("liveSeconds", onAgents.expectedMillis() / 1_000);
          } else {
            item.putNull("liveSeconds");
          }
        }
        output.println(json);
      }
      case MARKDOWN ->
          listed.forEach(one -> output.println("- **" + one.id() + "**: " + one.title()));
      case TEXT -> {
        for (Experiment one : listed) {
          String others =
              one.alsoCalled().isEmpty()
                  ? ""
                  : " (and " + String.join(", ", one.alsoCalled()) + ")";
          String onAgents =
              live ? "; about " + one.live().expectedMillis() / 1_000 + " s on real agents" : "";
          output.println(String.format("%-10s %s%s%s", one.id(), one.title(), others, onAgents));
        }
      }
    }
  }

  private void print(List<Result> results) {
    switch (output.format()) {
      case JSON -> {
        if (all) {
          ObjectNode json = JsonMapper.shared().createObjectNode();
          ArrayNode array = json.putArray("experiments");
          results.forEach(result -> array.add(ResultJson.of(result)));
          output.println(json);
        } else {
          results.forEach(result -> output.println(ResultJson.of(result)));
        }
      }
      case TEXT -> results.forEach(result -> ResultText.print(result, output.out()));
      case MARKDOWN -> {
        Page page = new Page(results, all);
        output.out().print(page.text());
        output.out().flush();
        Path directory = drawings;
        if (directory != null) {
          write(directory, page.drawings());
        }
      }
    }
  }

  private static void write(Path directory, Map<String, String> files) {
    try {
      Files.createDirectories(directory);
      for (Map.Entry<String, String> file : files.entrySet()) {
        Files.writeString(
            directory.resolve(file.getKey()), file.getValue(), StandardCharsets.UTF_8);
      }
    } catch (IOException e) {
      throw CommandFailure.failed(
          "--drawings: " + directory + " cannot be written: " + FileReason.of(e));
    }
  }
}
