package io.treecast.it.repository;

import static java.nio.file.StandardOpenOption.APPEND;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import io.treecast.testkit.local.FreePorts;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeSet;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/**
 * The image of the archive, built and run by buildah on a base with only Java and its libraries,
 * without a shell or users. Skipped if buildah does not work.
 */
@Tag("nightly")
@Timeout(300)
class ImageTest {
  private static final String MODULES =
      "java.base,java.logging,java.management,java.naming,java.xml,java.sql,java.instrument,"
          + "java.net.http,jdk.unsupported,jdk.management,jdk.crypto.ec,jdk.httpserver,jdk.net";
  private static final Pattern LIBRARY = Pattern.compile("\\s(/lib\\S*\\.so\\S*) \\(0x");

  @TempDir static Path directory;

  private static String container = "";
  private static String image = "";

  private static Process start(String... command) throws IOException {
    ProcessBuilder builder = new ProcessBuilder(command).directory(directory.toFile());
    builder.environment().put("STORAGE_DRIVER", "vfs");
    builder.environment().put("BUILDAH_ISOLATION", "chroot");
    return builder.redirectErrorStream(true).start();
  }

  private static String run(String... command) throws IOException, InterruptedException {
    Process process = start(command);
    String text = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    assertThat(process.waitFor()).as(text).isZero();
    return text.strip();
  }

  private static String[] buildah(String... words) {
    List<String> command =
        new ArrayList<>(List.of("buildah", "--root", directory + "/store", "--runroot"));
    command.add(directory + "/run");
    command.addAll(List.of(words));
    return command.toArray(String[]::new);
  }

  private static boolean canWork() throws InterruptedException {
    try {
      container = run(buildah("from", "scratch"));
      return true;
    } catch (IOException | AssertionError e) {
      return false;
    }
  }

  @BeforeAll
  static void build() throws Exception {
    Path target = Repository.root().resolve("dist/target");
    Path jmods = Path.of(System.getProperty("java.home"), "jmods");
    assumeThat(target).isDirectoryContaining("glob:**.tar.gz");
    assumeThat(jmods).isDirectory();
    assumeThat(canWork()).as("buildah works here").isTrue();
    base();
    run("sh", "-c", "mkdir archive && tar xzf " + target + "/*.tar.gz -C archive");
    run("sh", "-c", "mv archive/* context");
    run(buildah("commit", "-q", container, "localhost/java"));
    image = image();
    container = run(buildah("from", "--pull-never", image));
  }

  private static String image() throws IOException, InterruptedException {
    return run(
        buildah(
            "bud",
            "-q",
            "--layers", // One for each instruction, as docker does.
            "--format=docker", // The OCI format has no health checks.
            "--build-arg=BASE=localhost/java",
            "--build-arg=VERSION=1.2",
            "context"));
  }

  private static void base() throws IOException, InterruptedException {
    Path java = Path.of(System.getProperty("java.home"));
    Path root = directory.resolve("root");
    Files.createDirectories(root.resolve("opt"));
    run(
        java.resolve("bin/jlink").toString(),
        "--no-header-files",
        "--no-man-pages",
        "--add-modules=" + MODULES,
        "--output=" + root.resolve("opt/java"));
    TreeSet<String> libraries = new TreeSet<>();
    try (Stream<Path> files = Files.walk(root.resolve("opt/java"))) {
      for (Path file : files.filter(each -> each.toString().matches(".*(\\.so|/java)")).toList()) {
        if (Files.isRegularFile(file)) {
          LIBRARY
              .matcher(run("ldd", file.toString()))
              .results()
              .map((MatchResult found) -> found.group(1))
              .forEach(libraries::add);
        }
      }
    }
    for (String library : libraries) {
      Path copy = root.resolve(library.substring(1));
      Files.createDirectories(copy.getParent());
      Files.copy(Path.of(library).toRealPath(), copy);
    }
    Files.createDirectory(root.resolve("tmp"));
    run(buildah("copy", "-q", container, root.toString()));
    run(buildah("config", "--env=PATH=/opt/java/bin", container));
  }

  @AfterAll
  static void remove() throws Exception {
    if (!container.isEmpty()) {
      run(buildah("rm", "--all"));
    }
  }

  private static List<String> words(JsonNode array) {
    List<String> words = new ArrayList<>();
    array.forEach(word -> words.add(word.asString()));
    return words;
  }

  private static JsonNode settings() throws Exception {
    return JsonMapper.shared().readTree(run(buildah("inspect", container))).at("/Docker/config");
  }

  private static Process inContainer(String agent, List<String> words) throws IOException {
    List<String> command = new ArrayList<>(List.of("run", "--env=TREECAST_AGENT=" + agent));
    command.addAll(List.of(container, "--"));
    command.addAll(words);
    return start(buildah(command.toArray(String[]::new)));
  }

  @Test
  void names_its_version_and_its_base() throws Exception {
    JsonNode labels = settings().get("Labels");

    assertThat(labels.get("org.opencontainers.image.version").asString()).isEqualTo("1.2");
    assertThat(labels.get("org.opencontainers.image.base.name").asString())
        .isEqualTo("localhost/java");
    assertThat(labels.get("org.opencontainers.image.licenses").asString()).isEqualTo("Apache-2.0");
  }

  private static List<String> layers(String image) throws Exception {
    return words(
        JsonMapper.shared()
            .readTree(run(buildah("inspect", "--type=image", image)))
            .at("/OCIv1/rootfs/diff_ids"));
  }

  @Test
  void a_change_of_treecast_leaves_the_layer_of_its_libraries() throws Exception {
    List<String> before = layers(image);
    Files.write(directory.resolve("context/lib/treecast.jar"), new byte[1], APPEND);

    List<String> after = layers(image());

    assertThat(after).hasSameSizeAs(before).isNotEqualTo(before);
    assertThat(after.subList(0, 2)).as("base and libraries").isEqualTo(before.subList(0, 2));
  }

  @Test
  void an_agent_runs_without_a_shell_as_a_user_that_is_not_root_until_a_signal() throws Exception {
    JsonNode settings = settings();
    String address = "127.0.0.1:" + FreePorts.find(1).get(0);
    List<String> agent = words(settings.get("Entrypoint"));
    agent.addAll(List.of("agent", "--id=h1", "--listen=" + address));
    // Writable by users other than root.
    agent.add("--series=" + settings.get("WorkingDir").asString());
    List<String> check = words(settings.at("/Healthcheck/Test"));
    assertThat(check.remove(0)).isEqualTo("CMD");
    assertThat(settings.get("User").asString()).isEqualTo("7700:7700");
    assertThat(inContainer(address, check).waitFor()).isNotZero();

    Process process = inContainer(address, agent);

    Awaitility.await()
        .atMost(Duration.ofMinutes(1))
        .until(() -> inContainer(address, check).waitFor() == 0);
    process.descendants().reduce((first, last) -> last).orElseThrow().destroy();
    assertThat(process.waitFor()).isZero();
  }
}
