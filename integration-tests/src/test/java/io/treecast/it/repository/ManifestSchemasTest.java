package io.treecast.it.repository;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * The schemas of Kubernetes, cert-manager and the Prometheus operator accept the manifests. Skipped
 * without Node.js and the npm registry.
 */
@Tag("nightly")
@Timeout(240)
class ManifestSchemasTest {
  private static final Path MANIFESTS = Repository.root().resolve("dist/src/main/kubernetes");
  private static final Path CHECK =
      Repository.root().resolve("integration-tests/src/test/resources/kubernetes");

  @TempDir static Path directory;

  private record Run(int exitCode, List<String> lines) {}

  private static Run run(List<String> command) throws IOException, InterruptedException {
    Process process =
        new ProcessBuilder(command).directory(directory.toFile()).redirectErrorStream(true).start();
    try (var out = process.inputReader(StandardCharsets.UTF_8)) {
      List<String> lines = out.lines().toList();
      return new Run(process.waitFor(), lines);
    }
  }

  @BeforeAll
  static void install() throws Exception {
    for (String file : List.of("package.json", "check.mjs")) {
      Files.copy(CHECK.resolve(file), directory.resolve(file));
    }
    boolean isInstalled;
    try {
      isInstalled =
          run(List.of("npm", "install", "--no-audit", "--no-fund", "--prefer-offline")).exitCode()
              == 0;
    } catch (IOException e) {
      isInstalled = false;
    }
    assumeTrue(isInstalled, "Node.js and the npm registry");
  }

  private static Run check(List<Path> files) throws Exception {
    List<String> command = new ArrayList<>(List.of("node", "check.mjs"));
    files.forEach(file -> command.add(file.toString()));
    return run(command);
  }

  @Test
  void schemas_accept_all_manifests() throws Exception {
    List<Path> files;
    try (Stream<Path> all = Files.list(MANIFESTS)) {
      files = all.sorted().toList();
    }

    assertThat(check(files).lines())
        .containsExactly(
            "Certificate",
            "ConfigMap",
            "PodDisruptionBudget",
            "ServiceMonitor",
            "Service",
            "StatefulSet");
  }

  @Test
  void schemas_refuse_a_port_that_is_not_a_number() throws Exception {
    String text = Files.readString(MANIFESTS.resolve("statefulset.yaml"));
    Path wrong = directory.resolve("wrong.yaml");
    Files.writeString(wrong, text.replace("containerPort: 7700", "containerPort: peers"));

    assertThat(check(List.of(wrong)).exitCode()).isNotZero();
  }
}
