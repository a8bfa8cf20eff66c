package io.treecast.cli;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import io.treecast.agent.config.ConfigException;
import io.treecast.agent.runtime.Agent;
import io.treecast.agent.runtime.AgentOptions;
import io.treecast.cli.console.CommandFailure;
import io.treecast.cli.console.ExitCode;
import io.treecast.cli.query.CommandChannels;
import io.treecast.testkit.local.LocalCluster;
import io.treecast.testkit.network.Topology;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.io.Writer;
import java.util.List;
import java.util.Set;
import java.util.concurrent.Callable;
import org.slf4j.LoggerFactory;
import picocli.CommandLine;
import picocli.CommandLine.Command;

/**
 * {@code treecast warm-up}. Loads the classes of agents and commands by running them. The script
 * {@code treecast} runs it with an option by which Java archives these classes at exit.
 */
@Command(
    name = "warm-up",
    description = {
      "Makes later commands and agents start in about half the time.",
      "Runs two agents in this process for a moment, and stores the loaded classes "
          + "beside the jar. Run it again after an update of Java or Treecast."
    },
    mixinStandardHelpOptions = true,
    footer = {"", "Example:", "  treecast warm-up"})
final class WarmUpCommand implements Callable<Integer> {
  private static final long RTT_MICROS = 1_000;
  private static final String ALONE = "warm-up";

  @Override
  public Integer call() {
    CommandChannels.chooseBesideAgents();
    // Operators do not need the log of agents that run for a moment.
    if (LoggerFactory.getLogger(Logger.ROOT_LOGGER_NAME) instanceof Logger root) {
      root.setLevel(Level.WARN);
    }
    try (LocalCluster cluster =
        LocalCluster.start(
            Topology.of(2, List.of(new Topology.Link(0, 1, RTT_MICROS))),
            LocalCluster.Settings.DEFAULT)) {
      run("broadcast", "--agent", cluster.address(0), "--wait", "30", "--text", "warm-up");
      run("subscribe", "--agent", cluster.address(0), "--from", "retained", "--count", "1");
      // On a busy machine the cluster may have problems, which status reports.
      runWith(Set.of(ExitCode.OK, ExitCode.FAILED), "status", "--agent", cluster.address(0));
      run("tree", "show", "--agent", cluster.address(0));
      run("members", "--agent", cluster.address(0));
      run("version");
      run("links", "--agent", cluster.address(0));
      runByTls();
    } catch (ConfigException e) {
      throw CommandFailure.failed(String.valueOf(e.getMessage()));
    }
    return ExitCode.OK;
  }

  /** Classes of TLS take half a second without an archive. */
  private void runByTls() throws ConfigException {
    try (WarmUpCertificate certificate = new WarmUpCertificate(ALONE);
        Agent agent =
            Agent.builder()
                .id(ALONE)
                .listen("127.0.0.1:0")
                .tls(certificate.directory())
                .registry(AgentOptions.standard().registry())
                .notices(notice -> {})
                .start()) {
      String address = agent.address().toString();
      String tls = certificate.directory().toString();
      run("broadcast", "--agent", address, "--tls", tls, "--wait", "30", "--text", "warm-up");
      run("tree", "show", "--agent", address, "--tls", tls);
    } catch (IOException e) {
      throw CommandFailure.failed(
          "no certificate for TLS, so no classes are stored: " + e.getMessage());
    }
  }

  private static void run(String... arguments) {
    runWith(Set.of(ExitCode.OK), arguments);
  }

  private static void runWith(Set<Integer> allowed, String... arguments) {
    CommandLine command = Main.commandLine(arguments);
    command.setOut(new PrintWriter(Writer.nullWriter()));
    StringWriter notes = new StringWriter();
    command.setErr(new PrintWriter(notes, true));
    if (!allowed.contains(command.execute(arguments))) {
      throw CommandFailure.failed(
          "'" + String.join(" ", arguments) + "' failed, so no classes are stored: " + notes);
    }
  }
}
