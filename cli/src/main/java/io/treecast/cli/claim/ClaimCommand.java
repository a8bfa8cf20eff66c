package io.treecast.cli.claim;

import io.treecast.cli.console.CommandFailure;
import io.treecast.cli.console.EndAtSignal;
import io.treecast.cli.console.ExitCode;
import io.treecast.cli.console.OutputOption;
import io.treecast.cli.console.ProgramEnd;
import io.treecast.cli.console.ProgramFile;
import io.treecast.cli.console.WaitingNote;
import io.treecast.cli.query.AgentInquiry;
import io.treecast.cli.query.AgentOption;
import io.treecast.client.Claim;
import io.treecast.client.MemberClaims;
import io.treecast.client.Treecast;
import io.treecast.client.TreecastException;
import io.treecast.collectives.claim.ClaimLimits;
import java.io.IOException;
import java.time.Duration;
import java.time.format.DateTimeParseException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicBoolean;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code treecast claim}. */
@Command(
    name = "claim",
    description = {
      "Acquires a claim, and runs a command while it holds the claim. The command has the "
          + "fencing number in its environment, as FENCE, and is ended when the claim is lost.",
      "Exit code: that of the command; 1 if the claim was not acquired or was lost."
    },
    subcommands = ClaimShowCommand.class,
    mixinStandardHelpOptions = true,
    footer = {
      "",
      "Examples:",
      "  treecast claim nightly --among h1,h2,h3 --lease 10s -- ./backup.sh",
      "  treecast claim nightly --among h1,h2,h3 --wait 0 -- ./backup.sh",
      "  treecast claim show nightly --among h1,h2,h3"
    })
public final class ClaimCommand implements Callable<Integer> {
  /** A wait without a timeout in practice. */
  private static final long ENDLESS_SECONDS = TimeUnit.DAYS.toSeconds(365);

  @Mixin private AgentOption agent = new AgentOption();
  @Mixin private OutputOption output = new OutputOption();
  @Mixin private ClaimFlags flags = new ClaimFlags();

  @Parameters(index = "0", arity = "0..1", paramLabel = "NAME", description = "Name of the claim.")
  private String name = "";

  @Parameters(index = "1..*", arity = "0..*", paramLabel = "COMMAND", description = "The command.")
  private List<String> command = new ArrayList<>();

  @Option(
      names = "--lease",
      paramLabel = "TIME",
      defaultValue = "10s",
      description =
          "How long the claim stays with a holder that cannot renew it, as in 500ms or 10s; "
              + "default: ${DEFAULT-VALUE}.")
  private String lease = "10s";

  @Option(
      names = "--wait",
      paramLabel = "SECONDS",
      description =
          "How long to wait for the claim; 0 to fail if it is held; default: without end.")
  private long waitSeconds = ENDLESS_SECONDS;

  @Override
  public Integer call() {
    if (command.isEmpty()) {
      throw CommandFailure.usage(
          "the command is missing: write the name of the claim, --, and the command");
    }
    flags.check(name);
    Duration leaseTime = checkedLease(lease);
    Duration wait = checkedWait(waitSeconds);
    ProgramFile.require(command.get(0));
    try (AgentInquiry agents = agent.inquiry(output)) {
      agents.requireAnswer();
      try (Treecast treecast = agents.client().connect()) {
        return EndAtSignal.run(() -> holdAndRun(treecast, leaseTime, wait));
      }
    } catch (TreecastException e) {
      throw CommandFailure.failed(String.valueOf(e.getMessage()));
    }
  }

  private int holdAndRun(Treecast treecast, Duration leaseTime, Duration wait) {
    MemberClaims claims = flags.claims(treecast);
    Claim claim =
        wait.isZero()
            ? treecast.blocking().tryAcquire(claims, name, leaseTime)
            : WaitingNote.on(output, () -> waitingText(treecast, claims))
                .during(() -> treecast.blocking().acquire(claims, name, leaseTime, wait));
    AtomicBoolean isLost = new AtomicBoolean();
    Process process = start(claim);
    claim.onLost(
        () -> {
          isLost.set(true);
          end(process, leaseTime);
        });
    try {
      int exitCode = process.waitFor();
      if (isLost.get()) {
        throw CommandFailure.failed(
            claim + " was lost, and the command was ended: check the members, and run it again");
      }
      release(claim);
      return exitCode;
    } catch (InterruptedException e) {
      end(process, leaseTime);
      release(claim);
      Thread.currentThread().interrupt();
      return ExitCode.FAILED;
    }
  }

  private String waitingText(Treecast treecast, MemberClaims claims) {
    try {
      return "waiting: " + ClaimShowCommand.text(name, treecast.blocking().holder(claims, name));
    } catch (TreecastException e) {
      return "waiting: " + e.getMessage();
    }
  }

  private Process start(Claim claim) {
    ProcessBuilder builder = new ProcessBuilder(command).inheritIO();
    builder.environment().put("FENCE", Long.toString(claim.fence()));
    try {
      return builder.start();
    } catch (IOException e) {
      release(claim);
      throw CommandFailure.usage("the command cannot be started: " + e.getMessage());
    }
  }

  private static void release(Claim claim) {
    try {
      var unused = claim.release().get(1, TimeUnit.SECONDS);
    } catch (TimeoutException e) {
      // The lease expires.
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    } catch (java.util.concurrent.ExecutionException e) {
      throw new IllegalStateException("a release does not fail", e);
    }
  }

  /** Terminates the command; kills it after a sixteenth of the lease. */
  private static void end(Process process, Duration leaseTime) {
    ProgramEnd.end(process, leaseTime.dividedBy(16));
  }

  /** Parses a lease such as 500ms or 10s. */
  private static Duration checkedLease(String text) {
    Duration least = Duration.ofNanos(ClaimLimits.MIN_LEASE_NANOS);
    Duration most = Duration.ofNanos(ClaimLimits.MAX_LEASE_NANOS);
    try {
      Duration duration =
          text.endsWith("ms")
              ? Duration.ofMillis(Long.parseLong(text.substring(0, text.length() - 2)))
              : Duration.parse("PT" + text);
      if (duration.compareTo(least) >= 0 && duration.compareTo(most) <= 0) {
        return duration;
      }
    } catch (DateTimeParseException | NumberFormatException e) {
      // Reported below.
    }
    throw CommandFailure.usage(
        "--lease: '" + text + "' is not allowed; allowed are 100ms to 1h, as in 10s");
  }

  private static Duration checkedWait(long seconds) {
    if (seconds < 0 || seconds > ENDLESS_SECONDS) {
      throw CommandFailure.usage(
          "--wait: '" + seconds + "' is not allowed; allowed is 0 to " + ENDLESS_SECONDS);
    }
    return Duration.ofSeconds(seconds);
  }
}
