package io.treecast.cli.collective;

import io.treecast.cli.console.CommandFailure;
import io.treecast.cli.console.ExitCode;
import io.treecast.cli.console.OutputOption;
import io.treecast.cli.query.AgentInquiry;
import io.treecast.cli.query.AgentOption;
import io.treecast.client.CollectiveResult;
import io.treecast.client.DoubleReduction;
import io.treecast.client.LongReduction;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.stream.Collectors;
import java.util.stream.DoubleStream;
import java.util.stream.LongStream;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.ArgGroup;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/** {@code treecast reduce}. */
@Command(
    name = "reduce",
    description =
        "Combines the vectors of all members of the tree into one, element by "
            + "element. Exit code 3: some members are missing.",
    mixinStandardHelpOptions = true,
    // The parser's own has the name last, where it would be taken for a number.
    customSynopsis = {
      "treecast reduce [-hV] NAME (--sum | --min | --max) NUMBER...",
      "                       [--to=MEMBER] [--among=MEMBER[,MEMBER...]]",
      "                       [--wait=SECONDS] [--retry=TOKEN]",
      "                       [--agent=HOST:PORT] [--tls=DIRECTORY] [--output=FORMAT]"
    },
    footer = {
      "",
      "Examples:",
      "  treecast reduce load-17 --sum 3 --agent 127.0.0.1:7700",
      "  treecast reduce bounds-17 --max 0.5 -2.0 7.25",
      "  treecast reduce load-18 --sum 3 --to h1"
    })
public final class ReduceCommand implements Callable<Integer> {
  /** One of them, with this member's vector. */
  static final class Reductions {
    private static final String NUMBERS =
        " of each; whole numbers of 64 bits, or doubles if one has a decimal point or an exponent.";

    @Option(
        names = "--sum",
        paramLabel = "NUMBER",
        arity = "1..*",
        description = "The sum" + NUMBERS)
    private @Nullable List<String> sum;

    @Option(
        names = "--min",
        paramLabel = "NUMBER",
        arity = "1..*",
        description = "The least" + NUMBERS)
    private @Nullable List<String> min;

    @Option(
        names = "--max",
        paramLabel = "NUMBER",
        arity = "1..*",
        description = "The greatest" + NUMBERS)
    private @Nullable List<String> max;
  }

  @Mixin private AgentOption agent = new AgentOption();
  @Mixin private OutputOption output = new OutputOption();
  @Mixin private CollectiveFlags flags = new CollectiveFlags();

  @Parameters(
      index = "0",
      paramLabel = "NAME",
      description = "Name of the operation: the same at all members, and a new one each time.")
  private String name = "";

  @ArgGroup(exclusive = true, multiplicity = "0..1")
  private Reductions reductions = new Reductions();

  @Option(
      names = "--to",
      paramLabel = "MEMBER",
      description = "Only this member gets the result; default: all members.")
  private @Nullable String to;

  @Override
  public Integer call() {
    if (to != null) {
      flags.checkedHub("--to", to);
    }
    try (AgentInquiry agents = agent.inquiry(output)) {
      reduce(agents);
    }
    return ExitCode.OK;
  }

  private void reduce(AgentInquiry agents) {
    List<String> sum = reductions.sum;
    List<String> min = reductions.min;
    List<String> max = reductions.max;
    if (sum != null) {
      reduce(agents, Numbers.of("--sum", sum), LongReduction.SUM, DoubleReduction.SUM);
    } else if (min != null) {
      reduce(agents, Numbers.of("--min", min), LongReduction.MIN, DoubleReduction.MIN);
    } else if (max != null) {
      reduce(agents, Numbers.of("--max", max), LongReduction.MAX, DoubleReduction.MAX);
    } else {
      throw CommandFailure.usage("expected --sum, --min or --max with numbers, as in --sum 3");
    }
  }

  private void reduce(
      AgentInquiry agents, Numbers given, LongReduction ofLongs, DoubleReduction ofDoubles) {
    if (given.areLongs()) {
      CollectiveResult<Optional<long[]>> result = longs(agents, given.longs(), ofLongs);
      print(result, result.value().map(LongStream::of).map(LongStream::boxed).map(s -> s.toList()));
    } else {
      CollectiveResult<Optional<double[]>> result = doubles(agents, given.doubles(), ofDoubles);
      print(
          result,
          result.value().map(DoubleStream::of).map(DoubleStream::boxed).map(s -> s.toList()));
    }
  }

  private CollectiveResult<Optional<long[]>> longs(
      AgentInquiry agents, long[] vector, LongReduction reduction) {
    String hub = to;
    return hub == null
        ? forAll(
            flags.call(
                agents, output, (all, options) -> all.allReduce(name, reduction, vector, options)))
        : flags.call(
            agents, output, (all, options) -> all.reduce(name, hub, reduction, vector, options));
  }

  private CollectiveResult<Optional<double[]>> doubles(
      AgentInquiry agents, double[] vector, DoubleReduction reduction) {
    String hub = to;
    return hub == null
        ? forAll(
            flags.call(
                agents, output, (all, options) -> all.allReduce(name, reduction, vector, options)))
        : flags.call(
            agents, output, (all, options) -> all.reduce(name, hub, reduction, vector, options));
  }

  private static <T> CollectiveResult<Optional<T>> forAll(CollectiveResult<T> result) {
    return new CollectiveResult<>(
        Optional.of(result.value()), result.contributors(), result.treeVersion());
  }

  private void print(CollectiveResult<?> result, Optional<? extends List<? extends Number>> value) {
    if (output.isJson()) {
      ObjectNode json = CollectiveReport.json(name, result);
      if (value.isPresent()) {
        ArrayNode vector = json.putArray("vector");
        for (Number element : value.get()) {
          if (element instanceof Long whole) {
            vector.add(whole);
          } else {
            vector.add(element.doubleValue());
          }
        }
      } else {
        json.putNull("vector");
      }
      output.println(json);
      return;
    }
    output.println(
        value
            .map(all -> all.stream().map(String::valueOf).collect(Collectors.joining(" ")))
            .orElse("the result is at " + to));
    CollectiveReport.printEnd(output, "reduced from", result);
  }
}
