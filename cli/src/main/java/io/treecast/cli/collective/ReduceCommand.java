package io.treecast.cli.collective;

import io.treecast.cli.console.CommandFailure;
import io.treecast.cli.console.ExitCode;
import io.treecast.cli.console.OutputOption;
import io.treecast.cli.console.Plural;
import io.treecast.cli.query.AgentInquiry;
import io.treecast.cli.query.AgentOption;
import io.treecast.client.CollectiveResult;
import io.treecast.client.NumberVector;
import io.treecast.client.VectorReduction;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.ArgGroup;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/** {@code treecast reduce}. */
@Command(
    name = "reduce",
    description =
        "Combines the vectors of all members of the tree into one, element by "
            + "element. Exit code 3: some members are missing.",
    mixinStandardHelpOptions = true,
    // The generated synopsis has the name last, where it would be parsed as a number.
    customSynopsis = {
      "treecast reduce [-hV] NAME (--sum | --product | --min | --max | --mean)",
      "                       (NUMBER... | --file=FILE --type=TYPE --out=FILE)",
      "                       [--to=MEMBER] [--among=MEMBER[,MEMBER...]]",
      "                       [--wait=SECONDS] [--retry=TOKEN]",
      "                       [--agent=HOST:PORT] [--tls=DIRECTORY] [--output=FORMAT]"
    },
    footer = {
      "",
      "Examples:",
      "  treecast reduce load-17 --sum 3 --agent 127.0.0.1:7700",
      "  treecast reduce bounds-17 --max 0.5 -2.0 7.25",
      "  treecast reduce load-18 --sum 3 --to h1",
      "  treecast reduce model-17 --mean --file weights.bin --type float --out mean.bin"
    })
public final class ReduceCommand implements Callable<Integer> {
  /** The options for reductions, each followed by this member's vector; one must be given. */
  static final class Reductions {
    private static final String NUMBERS =
        " of each; whole numbers of 64 bits, or doubles if one has a decimal point or an exponent;"
            + " none with --file.";

    @Option(
        names = "--sum",
        paramLabel = "NUMBER",
        arity = "0..*",
        description = "The sum" + NUMBERS)
    private @Nullable List<String> sum;

    @Option(
        names = "--product",
        paramLabel = "NUMBER",
        arity = "0..*",
        description = "The product" + NUMBERS)
    private @Nullable List<String> product;

    @Option(
        names = "--min",
        paramLabel = "NUMBER",
        arity = "0..*",
        description = "The least" + NUMBERS)
    private @Nullable List<String> min;

    @Option(
        names = "--max",
        paramLabel = "NUMBER",
        arity = "0..*",
        description = "The greatest" + NUMBERS)
    private @Nullable List<String> max;

    @Option(
        names = "--mean",
        paramLabel = "NUMBER",
        arity = "0..*",
        description = "The mean of each, a double; none with --file.")
    private @Nullable List<String> mean;

    /** A reduction and the numbers after its option. */
    record Chosen(VectorReduction reduction, List<String> numbers) {
      String option() {
        return "--" + reduction.name().toLowerCase(Locale.ROOT);
      }
    }

    /** Returns the reduction of the given option. */
    Chosen chosen() {
      if (sum != null) {
        return new Chosen(VectorReduction.SUM, sum);
      } else if (product != null) {
        return new Chosen(VectorReduction.PRODUCT, product);
      } else if (min != null) {
        return new Chosen(VectorReduction.MIN, min);
      } else if (max != null) {
        return new Chosen(VectorReduction.MAX, max);
      } else if (mean != null) {
        return new Chosen(VectorReduction.MEAN, mean);
      }
      throw CommandFailure.usage(
          "expected --sum, --product, --min, --max or --mean with numbers, as in --sum 3, or with "
              + "--file");
    }
  }

  @Mixin private AgentOption agent = new AgentOption();
  @Mixin private OutputOption output = new OutputOption();
  @Mixin private CollectiveFlags flags = new CollectiveFlags();

  @ArgGroup(exclusive = true, multiplicity = "0..1")
  private Reductions reductions = new Reductions();

  @Mixin private VectorFiles files = new VectorFiles();

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
    Reductions.Chosen chosen = reductions.chosen();
    try (AgentInquiry agents = agent.inquiry(output)) {
      if (files.areGiven()) {
        if (!chosen.numbers().isEmpty()) {
          throw CommandFailure.usage(
              chosen.option() + ": numbers and --file exclude each other; give one of them");
        }
        reduceFile(agents, chosen.reduction());
      } else {
        Numbers given = numbers(chosen);
        boolean areLongs = given.areLongs() && chosen.reduction() != VectorReduction.MEAN;
        NumberVector vector =
            areLongs ? NumberVector.of(given.longs()) : NumberVector.of(given.doubles());
        print(reduce(agents, chosen.reduction(), vector, null), areLongs);
      }
    }
    return ExitCode.OK;
  }

  private static Numbers numbers(Reductions.Chosen chosen) {
    if (chosen.numbers().isEmpty()) {
      throw CommandFailure.usage(
          chosen.option() + ": expected numbers behind it, or --file with a vector");
    }
    return Numbers.of(chosen.option(), chosen.numbers());
  }

  private void reduceFile(AgentInquiry agents, VectorReduction reduction) {
    NumberVector vector = files.read();
    CollectiveResult<Optional<NumberVector>> result =
        files.write(vector, into -> reduce(agents, reduction, vector, into));
    boolean isHere = result.value().isPresent();
    if (output.isJson()) {
      ObjectNode json = CollectiveReport.json(flags.name(), result);
      json.put("elements", vector.length()).put("file", isHere ? files.out() : null);
      output.println(json);
      return;
    }
    output.println(
        isHere
            ? Plural.of(vector.length(), "element") + " written to " + files.out()
            : "the result is at " + to);
    CollectiveReport.printEnd(output, "reduced from", result);
  }

  private CollectiveResult<Optional<NumberVector>> reduce(
      AgentInquiry agents,
      VectorReduction reduction,
      NumberVector vector,
      @Nullable NumberVector into) {
    String hub = to;
    return hub == null
        ? forAll(
            flags.call(
                agents,
                output,
                (all, options) -> all.allReduce(flags.name(), reduction, vector, into, options)))
        : flags.call(
            agents,
            output,
            (all, options) -> all.reduce(flags.name(), hub, reduction, vector, into, options));
  }

  private static <T> CollectiveResult<Optional<T>> forAll(CollectiveResult<T> result) {
    return new CollectiveResult<>(
        Optional.of(result.value()), result.contributors(), result.treeVersion());
  }

  private static List<? extends Number> elements(NumberVector vector, boolean areLongs) {
    return IntStream.range(0, vector.length())
        .mapToObj(i -> areLongs ? (Number) vector.longs().get(i) : (Number) vector.doubles().get(i))
        .toList();
  }

  private void print(CollectiveResult<Optional<NumberVector>> result, boolean areLongs) {
    Optional<? extends List<? extends Number>> value =
        result.value().map(vector -> elements(vector, areLongs));
    if (output.isJson()) {
      ObjectNode json = CollectiveReport.json(flags.name(), result);
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
