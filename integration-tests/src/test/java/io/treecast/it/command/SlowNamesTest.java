package io.treecast.it.command;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.treecast.it.command.TreecastProcess.Ended;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * A host whose DNS server never answers, so that a lookup takes longer than any test waits. It is a
 * namespace; the test is skipped where this process may not make one.
 */
@Timeout(300)
class SlowNamesTest {
  private static final String AGENT = "127.0.0.1:7700";
  private static final String NAME = "slow.example";

  @TempDir private Path directory;

  private final List<TreecastProcess> processes = new ArrayList<>();
  private Process host;

  @BeforeEach
  void makeHost() throws IOException, InterruptedException {
    // No host has the address to which the questions are sent.
    Path resolver = directory.resolve("resolv.conf");
    Files.writeString(resolver, "nameserver 10.99.9.2\noptions timeout:30 attempts:5\n");
    Path script = directory.resolve("host.sh");
    Files.writeString(
        script,
        """
        set -e
        ip link set lo up
        ip link add v0 type veth peer name v1
        ip addr add 10.99.9.1/24 dev v0
        ip link set v0 up
        ip link set v1 up
        ip neigh replace 10.99.9.2 lladdr 02:00:00:00:00:02 dev v0 nud permanent
        mount --bind %s /etc/resolv.conf
        touch %s
        exec cat
        """
            .formatted(resolver, directory.resolve("up")));
    host = new ProcessBuilder("unshare", "--net", "--mount", "sh", script.toString()).start();
    await()
        .atMost(TreecastProcess.LIMIT)
        .until(() -> Files.exists(directory.resolve("up")) || !host.isAlive());
    assumeTrue(host.isAlive(), "this process may not make a namespace with an interface");
  }

  @AfterEach
  void endAll() {
    processes.forEach(TreecastProcess::close);
    host.destroyForcibly();
  }

  private TreecastProcess start(String... arguments) throws IOException {
    TreecastProcess process =
        TreecastProcess.start(
            directory,
            List.of("nsenter", "-t", Long.toString(host.pid()), "-n", "-m"),
            List.of(arguments));
    processes.add(process);
    return process;
  }

  private Ended run(String... arguments) throws IOException, InterruptedException {
    return start(arguments).awaitEnd();
  }

  @Test
  @Tag("nightly")
  void agents_and_commands_do_not_wait_for_a_dns_server_that_never_answers() throws Exception {
    String[] ports = {"7700", "7701"};
    for (String port : ports) {
      start(
          "agent",
          "--id=h" + port,
          "--listen=127.0.0.1:" + port,
          "--seeds=" + NAME + ":7799," + AGENT);
    }
    await()
        .atMost(TreecastProcess.LIMIT)
        .until(() -> run("tree", "show", "--agent", AGENT).out().contains("h7701"));

    assertThat(run("broadcast", "--agent", AGENT, "--text", "x", "--confirm").exitCode()).isZero();
    for (List<String> words :
        List.of(List.of("tree", "show"), List.of("broadcast", "--text", "x", "--wait", "1"))) {
      List<String> all = new ArrayList<>(words);
      all.addAll(List.of("--agent", NAME));
      Ended ended = run(all.toArray(String[]::new));
      assertThat(ended.exitCode()).as("%s", ended).isEqualTo(1);
      assertThat(ended.err()).startsWith("treecast: AGENT_UNREACHABLE");
    }
    for (TreecastProcess agent : processes.subList(0, ports.length)) {
      agent.terminate();
      assertThat(agent.awaitEnd().exitCode()).isZero();
    }
    assertThat(host.waitFor(0, TimeUnit.SECONDS)).isFalse();
  }
}
