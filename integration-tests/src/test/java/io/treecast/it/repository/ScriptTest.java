package io.treecast.it.repository;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Instant;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The script {@code treecast}, which finds a Java and builds. */
class ScriptTest {

  @Test
  void a_java_home_without_java_is_named() throws Exception {
    ProcessBuilder script =
        new ProcessBuilder(Repository.root().resolve("treecast").toString(), "version")
            .redirectErrorStream(true);
    script.environment().put("JAVA_HOME", "/no/such/jdk");

    Process process = script.start();

    try (var printed = process.inputReader(StandardCharsets.UTF_8)) {
      assertThat(printed.lines())
          .singleElement()
          .asString()
          .startsWith("treecast: JAVA_HOME=/no/such/jdk ")
          .contains("17");
    }
    assertThat(process.waitFor()).isEqualTo(1);
  }

  @Test
  void a_source_is_built_once_though_maven_finds_nothing_to_do(@TempDir Path directory)
      throws Exception {
    Path script = Files.copy(Repository.root().resolve("treecast"), directory.resolve("treecast"));
    Path jar = directory.resolve("cli/target/treecast-all.jar");
    Path pom = Files.createFile(directory.resolve("pom.xml"));
    Path builds = directory.resolve("builds");
    Files.createDirectories(jar.getParent());
    Files.createFile(jar);
    Instant longAgo = Instant.parse("2020-01-01T00:00:00Z");
    Files.setLastModifiedTime(jar, FileTime.from(longAgo));
    Files.setLastModifiedTime(pom, FileTime.from(longAgo.plusSeconds(1)));
    program(directory.resolve("bin/mvn"), "echo built >>'" + builds + "'");
    program(directory.resolve("bin/java"), "exit 0");

    assertThat(run(script, directory.resolve("bin"))).isZero();
    assertThat(builds).hasContent("built");
    assertThat(run(script, directory.resolve("bin"))).isZero();
    assertThat(builds).hasContent("built");

    Files.setLastModifiedTime(pom, FileTime.from(Instant.now().plusSeconds(60)));
    assertThat(run(script, directory.resolve("bin"))).isZero();
    assertThat(builds).hasContent("built\nbuilt");
  }

  @Test
  void an_archive_without_its_jar_says_what_to_do(@TempDir Path directory) throws Exception {
    Path bin = Files.createDirectory(directory.resolve("bin"));
    Path script = Files.copy(Repository.root().resolve("treecast"), bin.resolve("treecast"));

    Process process = new ProcessBuilder(script.toString()).redirectErrorStream(true).start();

    try (var printed = process.inputReader(StandardCharsets.UTF_8)) {
      assertThat(printed.lines())
          .singleElement()
          .asString()
          .contains("lib/treecast.jar")
          .contains("bin/treecast");
    }
    assertThat(process.waitFor()).isEqualTo(1);
  }

  @ParameterizedTest
  @CsvSource({
    "TREECAST_JAVA_OPTS, -XX:+UseG1GC",
    "TREECAST_JAVA_OPTS, -XX:+UseParallelGC",
    "TREECAST_JAVA_OPTS, -XX:+UseSerialGC",
    "JAVA_TOOL_OPTIONS, -XX:+UseParallelGC",
    "JDK_JAVA_OPTIONS, -XX:+UseG1GC",
    "TREECAST_JAVA_OPTS, -XX:MaxHeapFreeRatio=50",
    "TREECAST_JAVA_OPTS, -XX:MinHeapFreeRatio=75",
    "TREECAST_JAVA_OPTS, -XX:NewRatio=3"
  })
  void options_of_the_environment_win(String variable, String option, @TempDir Path directory)
      throws Exception {
    Path script = archive(directory);
    String java = Path.of(System.getProperty("java.home"), "bin", "java").toString();
    Path programs = directory.resolve("programs");
    program(
        programs.resolve("java"),
        "arguments=\"$*\"\nexec '"
            + java
            + "' ${arguments%% -jar *} -XX:+PrintCommandLineFlags -version");

    ProcessBuilder builder = version(script, programs).redirectErrorStream(true);
    builder
        .environment()
        .keySet()
        .removeAll(
            Set.of("TREECAST_JAVA_OPTS", "JAVA_TOOL_OPTIONS", "JDK_JAVA_OPTIONS", "_JAVA_OPTIONS"));
    builder.environment().put(variable, option);
    Process process = builder.start();

    try (var printed = process.inputReader(StandardCharsets.UTF_8)) {
      assertThat(printed.lines())
          .filteredOn(line -> line.startsWith("-XX:"))
          .singleElement()
          .asString()
          .contains(option);
    }
    assertThat(process.waitFor()).isZero();
  }

  private static Path archive(Path directory) throws IOException {
    Path bin = Files.createDirectory(directory.resolve("bin"));
    Path lib = Files.createDirectory(directory.resolve("lib"));
    Files.createFile(lib.resolve("treecast.jar"));
    Files.createFile(lib.resolve("libraries.jar"));
    return Files.copy(Repository.root().resolve("treecast"), bin.resolve("treecast"));
  }

  private static void program(Path path, String text) throws IOException {
    Files.createDirectories(path.getParent());
    Files.writeString(path, "#!/bin/sh\n" + text + "\n");
    assertThat(path.toFile().setExecutable(true)).isTrue();
  }

  private static int run(Path script, Path programs) throws Exception {
    return version(script, programs)
        .redirectErrorStream(true)
        .redirectOutput(ProcessBuilder.Redirect.DISCARD)
        .start()
        .waitFor();
  }

  private static ProcessBuilder version(Path script, Path programs) {
    ProcessBuilder builder = new ProcessBuilder(script.toString(), "version");
    builder.environment().remove("JAVA_HOME");
    builder.environment().merge("PATH", programs.toString(), (path, first) -> first + ":" + path);
    return builder;
  }
}
