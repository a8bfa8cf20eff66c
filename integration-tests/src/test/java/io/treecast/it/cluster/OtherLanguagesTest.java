package io.treecast.it.cluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.treecast.it.repository.Repository;
import io.treecast.testkit.network.Topology;
import java.io.BufferedReader;
import java.io.BufferedWriter;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * The clients in other languages at real agents: their checks broadcast, confirm, upload, sum and
 * resume a subscription while this test restarts the agent. Skipped if the language or a dependency
 * of the client is not installed.
 */
@Timeout(300)
@Order(2)
class OtherLanguagesTest {
  private static final Path CLIENTS = Repository.root().resolve("clients");
  private static final Path PROTOS = Repository.root().resolve("proto/src/main/proto");
  private static final Topology PAIR = Topology.of(2, List.of(new Topology.Link(0, 1, 2_000)));

  @TempDir private Path directory;

  private boolean runs(String... command) throws InterruptedException {
    try {
      Process process =
          new ProcessBuilder(command)
              .directory(directory.toFile())
              .redirectErrorStream(true)
              .redirectOutput(directory.resolve("preparation.log").toFile())
              .start();
      process.getOutputStream().close();
      boolean hasEnded = process.waitFor(60, TimeUnit.SECONDS);
      process.destroyForcibly();
      return hasEnded && process.exitValue() == 0;
    } catch (IOException notInstalled) {
      return false;
    }
  }

  private void copy(String language) throws IOException {
    try (var files = Files.list(CLIENTS.resolve(language))) {
      for (Path file : files.filter(Files::isRegularFile).toList()) {
        Files.copy(file, directory.resolve(file.getFileName()));
      }
    }
  }

  /** Runs a check, and restarts its first agent on request. */
  private void assertPasses(String... command) throws Exception {
    try (RunningCluster cluster = RunningCluster.start(PAIR)) {
      ProcessBuilder builder = new ProcessBuilder(command).directory(directory.toFile());
      builder.command().addAll(List.of(cluster.address(0), cluster.address(1)));
      builder.environment().put("TREECAST_PROTOS", PROTOS.toString());
      builder.redirectError(directory.resolve("errors").toFile());
      Process check = builder.start();
      String last = "";
      try (BufferedReader out = check.inputReader(StandardCharsets.UTF_8);
          BufferedWriter in = check.outputWriter(StandardCharsets.UTF_8)) {
        for (String line = out.readLine(); line != null; line = out.readLine()) {
          last = line;
          switch (line) {
            case "down?" -> cluster.agents().crash(0);
            case "up?" -> cluster.agents().restart(0);
            default -> {
              continue;
            }
          }
          in.write("done\n");
          in.flush();
        }
        assertThat(check.waitFor()).as(Files.readString(directory.resolve("errors"))).isZero();
        assertThat(last).isEqualTo("ok");
      } finally {
        check.destroyForcibly();
      }
    }
  }

  @Test
  void the_node_client_passes_its_check() throws Exception {
    copy("node");
    assumeTrue(
        runs("npm", "install", "--no-audit", "--no-fund", "--prefer-offline"),
        "Node.js and the npm registry");
    assertPasses("node", "check.js");
  }

  @Test
  void the_python_client_passes_its_check() throws Exception {
    copy("python");
    String python = Files.exists(Path.of("/usr/bin/python3")) ? "/usr/bin/python3" : "python3";
    assumeTrue(runs(python, "-c", "import grpc"), "Python with grpcio");
    assumeTrue(
        runs(
            "protoc",
            "-I" + PROTOS,
            "--python_out=.",
            "treecast/v1/client.proto",
            "treecast/v1/collective.proto",
            "treecast/v1/message.proto",
            "treecast/v1/tree.proto"),
        "protoc");
    assertPasses(python, "check.py");
  }
}
