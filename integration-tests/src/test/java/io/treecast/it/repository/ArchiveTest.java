package io.treecast.it.repository;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.jar.JarEntry;
import java.util.jar.JarFile;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The archive for machines without a checkout, unpacked as on such a machine. */
class ArchiveTest {
  @TempDir static Path directory;

  private static Path unpacked;

  @BeforeAll
  static void unpack() throws Exception {
    Path target = Repository.root().resolve("dist/target");
    List<Path> archives = Files.isDirectory(target) ? files(target, ".tar.gz") : List.of();
    // Created by mvn verify, but not by mvn test.
    assumeThat(archives).as("archives in %s", target).isNotEmpty();
    assertThat(archives).hasSize(1);
    Process tar =
        new ProcessBuilder("tar", "xzf", archives.get(0).toString(), "-C", directory.toString())
            .inheritIO()
            .start();
    assertThat(tar.waitFor()).isZero();
    List<Path> folders = files(directory, "");
    assertThat(folders).hasSize(1);
    unpacked = folders.get(0);
  }

  private static List<Path> files(Path directory, String ending) throws IOException {
    try (Stream<Path> files = Files.list(directory)) {
      return files.filter(file -> file.toString().endsWith(ending)).toList();
    }
  }

  @Test
  void runs_where_it_is_unpacked_through_a_link_on_the_path() throws Exception {
    Path link =
        Files.createSymbolicLink(
            directory.resolve("treecast"), unpacked.resolve("bin").resolve("treecast"));

    Process version =
        new ProcessBuilder(link.toString(), "version").redirectErrorStream(true).start();

    try (var printed = version.inputReader(StandardCharsets.UTF_8)) {
      assertThat(printed.readLine()).startsWith("treecast ");
    }
    assertThat(version.waitFor()).isZero();
  }

  @Test
  void is_named_after_its_version() {
    assertThat(unpacked.getFileName().toString()).matches("treecast-\\d+\\.\\d+\\.\\d+.*");
  }

  @Test
  void has_the_schedules_and_networks_that_examples_name() throws IOException {
    assertThat(files(unpacked.resolve("schedules"), ".txt"))
        .hasSameSizeAs(files(Repository.root().resolve("schedules"), ".txt"));
    assertThat(files(unpacked.resolve("networks"), ".csv"))
        .extracting((Path file) -> file.getFileName().toString())
        .contains("reference-24.csv", "reference-24-1ms.csv", "five-nodes.csv");
  }

  @Test
  void has_what_operators_and_authors_of_clients_need() {
    assertThat(
            List.of(
                "README.md",
                "CHANGELOG.md",
                "LICENSE",
                "licenses/THIRD-PARTY.txt",
                "docs/operating.md",
                "docs/kubernetes.md",
                "docs/alerts.yml",
                "docs/grafana.json",
                "clients/node/treecast.js",
                "grafana.json",
                "alerts.yml",
                "agent.example.yaml",
                "completion/treecast.bash",
                "completion/treecast.zsh",
                "completion/treecast.fish",
                "kubernetes/statefulset.yaml",
                "proto/treecast/v1/client.proto"))
        .allSatisfy(file -> assertThat(unpacked.resolve(file)).exists());
  }

  @Test
  void links_of_its_pages_lead_to_files_that_it_has() throws Exception {
    List<Path> pages;
    try (Stream<Path> files = Files.walk(unpacked)) {
      pages = files.filter(file -> file.toString().endsWith(".md")).toList();
    }

    assertThat(pages).hasSizeGreaterThan(20);
    for (Path page : pages) {
      assertThat(
              Pattern.compile("\\]\\(([^)#:]+)(#[^)]*)?\\)")
                  .matcher(Files.readString(page))
                  .results()
                  .map((MatchResult found) -> found.group(1))
                  // Sources are only in the repository.
                  .filter(link -> !link.matches("\\.\\./(example|proto)[/-].*"))
                  .map(link -> page.resolveSibling(link).normalize()))
          .as("links of %s", page)
          .allSatisfy(file -> assertThat(file).exists());
    }
  }

  @Test
  void the_image_starts_java_with_options_of_the_script() throws Exception {
    String script = Files.readString(unpacked.resolve("bin/treecast"));

    assertThat(Files.readAllLines(unpacked.resolve("lib/java.options")))
        .filteredOn(line -> !line.startsWith("#") && !line.contains("MaxRAMPercentage"))
        .hasSizeGreaterThan(5)
        .allSatisfy(option -> assertThat(script).contains(option));
  }

  private static List<String> entries(Path jar) {
    try (JarFile file = new JarFile(jar.toFile())) {
      return file.stream().map(JarEntry::getName).toList();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static List<String> bundled() {
    return Stream.of("lib/treecast.jar", "lib/libraries.jar")
        .flatMap(jar -> entries(unpacked.resolve(jar)).stream())
        .toList();
  }

  @Test
  void treecast_and_libraries_are_apart() {
    assertThat(entries(unpacked.resolve("lib/treecast.jar")))
        .filteredOn(name -> name.endsWith(".class"))
        .isNotEmpty()
        .allMatch(name -> name.startsWith("io/treecast/"));
    assertThat(entries(unpacked.resolve("lib/libraries.jar")))
        .isNotEmpty()
        .noneMatch(name -> name.startsWith("io/treecast/"));
  }

  /**
   * Returns the directories of third-party classes, in which versions for several releases of Java
   * count once, and of third-party scripts of the live page.
   */
  private static Stream<String> codeOfOthers() {
    return bundled().stream()
        .map(name -> name.replaceFirst("^META-INF/versions/\\d+/", ""))
        .filter(
            name ->
                (name.endsWith(".class") && !name.startsWith("io/treecast/"))
                    || name.matches(".*/live-page/[^/]+/.*\\.js"));
  }

  private static String text(String name) throws IOException {
    try (JarFile jar = new JarFile(unpacked.resolve("lib/treecast.jar").toFile());
        InputStream in = jar.getInputStream(jar.getEntry(name))) {
      return new String(in.readAllBytes(), StandardCharsets.UTF_8);
    }
  }

  @Test
  void bundled_software_has_a_licence_whose_text_is_there() throws Exception {
    List<String[]> rows =
        text("META-INF/licenses/THIRD-PARTY.txt")
            .lines()
            .dropWhile(line -> !line.startsWith("package "))
            .skip(1)
            .map(line -> line.split(" {2,}", -1))
            .toList();
    List<String> paths = rows.stream().map(row -> row[0].replace('.', '/') + "/").toList();

    List<String> all = bundled();
    assertThat(codeOfOthers())
        .anyMatch(name -> name.endsWith(".js"))
        .allMatch(name -> paths.stream().anyMatch(name::startsWith));
    assertThat(paths)
        .as("what is bundled no more needs no licence")
        .allMatch(path -> all.stream().anyMatch(name -> name.startsWith(path)));
    for (String[] row : rows) {
      for (String licence : row[2].split(" or ", -1)) {
        assertThat(text("META-INF/licenses/" + licence + ".txt"))
            .as(licence)
            .hasSizeGreaterThan(900);
      }
    }
  }

  @Test
  void the_command_bundles_no_tests() throws Exception {
    assertThat(bundled())
        .contains("io/treecast/cli/Main.class")
        .noneMatch(
            name ->
                name.startsWith("io/treecast/testkit/junit/")
                    || name.matches("org/(junit|assertj|opentest4j|awaitility)/.*"));
  }

  @Test
  void service_and_image_name_files_that_it_has() throws Exception {
    for (String file : List.of("treecast-agent.service", "Dockerfile")) {
      String text = Files.readString(unpacked.resolve(file));

      assertThat(Pattern.compile("/opt/treecast/([a-z./]+[a-z])").matcher(text).results())
          .as(file)
          .isNotEmpty()
          .extracting((MatchResult found) -> unpacked.resolve(found.group(1)))
          .allSatisfy(path -> assertThat(path).exists());
    }
  }
}
