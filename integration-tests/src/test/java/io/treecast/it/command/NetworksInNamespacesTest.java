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
import org.junit.jupiter.api.io.TempDir;

/**
 * Two hosts in network namespaces with two networks between them, one of which is cut. Skipped if
 * this process may not create namespaces.
 */
class NetworksInNamespacesTest {
  private static final String AGENT = "127.0.0.1:7700";

  @TempDir private Path directory;

  private final List<Process> hosts = new ArrayList<>();
  private final List<TreecastProcess> processes = new ArrayList<>();

  @BeforeEach
  void makeNetworks() throws IOException, InterruptedException {
    assumeTrue(
        succeeds("unshare", "--net", "true") && succeeds("ip", "-V"),
        "this process may not make network namespaces, or there is no 'ip'");
    for (int host = 1; host <= 2; host++) {
      // Ends with its standard input, which is a pipe from this process.
      hosts.add(new ProcessBuilder("unshare", "--net", "cat").start());
    }
    await()
        .atMost(TreecastProcess.LIMIT)
        .until(() -> !namespace(1).equals(namespace(2)) && isApart(1) && isApart(2));
    for (int network = 1; network <= 2; network++) {
      String name = network == 1 ? "lan" : "wan";
      run(
          List.of("ip", "link", "add", name, "netns", pid(1), "type", "veth"),
          "peer",
          "name",
          name,
          "netns",
          pid(2));
      for (int host = 1; host <= 2; host++) {
        in(host, "ip", "addr", "add", "10.99." + network + "." + host + "/24", "dev", name);
        in(host, "ip", "link", "set", name, "up");
        in(host, "ip", "link", "set", "lo", "up");
      }
    }
  }

  @AfterEach
  void endAll() {
    processes.forEach(TreecastProcess::close);
    hosts.forEach(Process::destroyForcibly);
  }

  private String pid(int host) {
    return Long.toString(hosts.get(host - 1).pid());
  }

  private String namespace(int host) throws IOException {
    return Files.readSymbolicLink(Path.of("/proc", pid(host), "ns", "net")).toString();
  }

  private boolean isApart(int host) throws IOException {
    return !namespace(host).equals(Files.readSymbolicLink(Path.of("/proc/self/ns/net")).toString());
  }

  private static boolean succeeds(String... command) throws InterruptedException {
    try {
      Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
      return process.waitFor(60, TimeUnit.SECONDS) && process.exitValue() == 0;
    } catch (IOException e) {
      return false;
    }
  }

  private static void run(List<String> command, String... more) throws InterruptedException {
    List<String> all = new ArrayList<>(command);
    all.addAll(List.of(more));
    assertThat(succeeds(all.toArray(String[]::new))).as("%s", all).isTrue();
  }

  private void in(int host, String... command) throws InterruptedException {
    run(List.of("nsenter", "-t", pid(host), "-n"), command);
  }

  private TreecastProcess start(int host, String... arguments) throws IOException {
    TreecastProcess process =
        TreecastProcess.start(
            directory, List.of("nsenter", "-t", pid(host), "-n"), List.of(arguments));
    processes.add(process);
    return process;
  }

  private String ask(int host, String... arguments) throws IOException, InterruptedException {
    Ended ended = start(host, arguments).awaitEnd();
    return ended.exitCode() == 0 ? ended.out() : "";
  }

  private void startAgent(int host) throws IOException {
    start(
        host,
        "agent",
        "--id=h" + host,
        "--listen=0.0.0.0:7700",
        "--insecure",
        "--advertise=lan=10.99.1." + host + ",wan=10.99.2." + host,
        "--seeds=10.99.1.1,10.99.1.2");
  }

  private String links() throws IOException, InterruptedException {
    return ask(1, "links", "--agent", AGENT, "--output=json");
  }

  /** {@code SeveralNetworksTest} of node-agent checks the same rule inside one process. */
  @Tag("nightly")
  @Test
  void a_cut_network_is_left_and_the_link_stays() throws Exception {
    startAgent(1);
    startAgent(2);
    await()
        .atMost(TreecastProcess.LIMIT)
        .until(() -> links().contains("\"treeEdge\":true") && links().contains("\"network\":\""));
    TreecastProcess subscriber = start(2, "subscribe", "--agent", AGENT);
    await()
        .atMost(TreecastProcess.LIMIT)
        .until(
            () -> {
              ask(1, "broadcast", "--agent", AGENT, "--text", "before");
              return subscriber.out().contains("before");
            });
    boolean isLan = links().contains("\"network\":\"lan\"");
    in(2, "ip", "link", "set", isLan ? "lan" : "wan", "down");

    String other = "\"network\":\"" + (isLan ? "wan" : "lan") + "\"";
    await().atMost(TreecastProcess.LIMIT).until(() -> links().contains(other));
    await()
        .atMost(TreecastProcess.LIMIT)
        .until(
            () -> {
              ask(1, "broadcast", "--agent", AGENT, "--text", "after");
              return subscriber.out().contains("after");
            });
    // Weights may change on a busy machine, and with them the tree.
    assertThat(ask(1, "tree", "history", "--agent", AGENT, "--output=json"))
        .contains("member-started")
        .doesNotContain("tree-link-lost");
    assertThat(links()).contains("\"session\":1");
  }
}
