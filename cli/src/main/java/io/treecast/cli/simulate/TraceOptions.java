package io.treecast.cli.simulate;

import io.treecast.agent.config.FileReason;
import io.treecast.cli.console.CommandFailure;
import io.treecast.monitor.weight.SignificancePolicy;
import io.treecast.testkit.network.MatrixFormatException;
import io.treecast.testkit.network.RoundTripTrace;
import io.treecast.testkit.network.RttUnit;
import io.treecast.testkit.network.TraceDirectory;
import io.treecast.testkit.schedule.Thresholds;
import io.treecast.testkit.trace.TraceReport;
import io.treecast.testkit.trace.TraceRun;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** The options of {@code treecast simulate} for a recorded network. */
final class TraceOptions {
  private static final Pattern RANGE = Pattern.compile("(\\d{1,9})-(\\d{1,9})");

  /** The units of round trips on a command line. */
  enum Unit {
    S(RttUnit.SECONDS),
    MS(RttUnit.MILLISECONDS);

    private final RttUnit unit;

    Unit(RttUnit unit) {
      this.unit = unit;
    }

    @Override
    public String toString() {
      return name().toLowerCase(Locale.ROOT);
    }
  }

  @Option(
      names = "--trace",
      required = true,
      paramLabel = "DIR",
      description =
          "Recorded round-trip times: a matrix for each slice of time, in files whose names end in the number of the slice.")
  private Path directory = Path.of("");

  @Option(
      names = "--slice-seconds",
      paramLabel = "N",
      defaultValue = "60",
      description = "Duration of a slice of the trace, 20 to 3600; default: ${DEFAULT-VALUE}.")
  private long sliceSeconds;

  @Option(
      names = "--unit",
      paramLabel = "UNIT",
      defaultValue = "ms",
      description =
          "The unit of the trace's round-trip times: ${COMPLETION-CANDIDATES}; default: ${DEFAULT-VALUE}.")
  private Unit unit = Unit.MS;

  @Option(
      names = "--slices",
      paramLabel = "A-B",
      description = "The numbers of the slices to run; default: all.")
  private @Nullable String slices;

  /** Runs agents on the trace. */
  TraceReport run(long seed, Thresholds thresholds) {
    if (sliceSeconds < TraceRun.MIN_SLICE.toSeconds()
        || sliceSeconds > TraceRun.MAX_SLICE.toSeconds()) {
      throw CommandFailure.usage(
          "--slice-seconds: "
              + sliceSeconds
              + " is not allowed; allowed is "
              + TraceRun.MIN_SLICE.toSeconds()
              + " to "
              + TraceRun.MAX_SLICE.toSeconds());
    }
    return TraceRun.run(
        read(),
        Duration.ofSeconds(sliceSeconds),
        thresholds.applyTo(SignificancePolicy.DEFAULT),
        seed);
  }

  private RoundTripTrace read() {
    int first = 0;
    int last = Integer.MAX_VALUE - 1;
    String range = slices;
    if (range != null) {
      Matcher matcher = RANGE.matcher(range.strip());
      if (!matcher.matches()) {
        throw CommandFailure.usage(
            "--slices: '" + range + "' is not allowed; allowed is A-B as in 1-300");
      }
      first = Integer.parseInt(matcher.group(1));
      last = Integer.parseInt(matcher.group(2));
    }
    if (first > last) {
      throw CommandFailure.usage("--slices: '" + range + "' ends before it begins");
    }
    try {
      return TraceDirectory.read(directory, unit.unit, first, last);
    } catch (MatrixFormatException e) {
      throw CommandFailure.usage("--trace: " + e.getMessage());
    } catch (IOException e) {
      throw CommandFailure.usage("--trace: " + directory + " cannot be read: " + FileReason.of(e));
    }
  }
}
