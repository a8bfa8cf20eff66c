package io.treecast.it.repository;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Instant;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The script {@code treecast}, which finds a Java and builds. */
class ScriptTest {

  @Test
  void aJavaHomeWithoutJavaIsNamed() throws Exception {
    ProcessBuilder script =
        new ProcessBuilder(Repository.root().resolve("treecast").toString(), "version")
            .redirectErrorStream(true);
    script.environment().put("JAVA_HOME", "/no/such/jdk");

    Process process = script.start();

    try (var printed = process.inputReader(StandardCharsets.UTF_8)) {
      assertThat(printed.lines())
          .containsExactly(
              "treecast: JAVA_HOME=/no/such/jdk has no bin/java; set it to a JDK, 17 or newer, or unset it");
    }
    assertThat(process.waitFor()).isEqualTo(1);
  }

  @Test
  void aSourceIsBuiltOnceThoughMavenFindsNothingToDo(@TempDir Path directory) throws Exception {
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
  void anArchiveWithoutItsJarSaysWhatToDo(@TempDir Path directory) throws Exception {
    Path bin = Files.createDirectory(directory.resolve("bin"));
    Path script = Files.copy(Repository.root().resolve("treecast"), bin.resolve("treecast"));

    Process process = new ProcessBuilder(script.toString()).redirectErrorStream(true).start();

    try (var printed = process.inputReader(StandardCharsets.UTF_8)) {
      assertThat(printed.lines())
          .singleElement()
          .asString()
          .contains("lib/treecast.jar")
          .endsWith("unpack the whole archive, and run its bin/treecast, or a link to it");
    }
    assertThat(process.waitFor()).isEqualTo(1);
  }

  private static void program(Path path, String text) throws IOException {
    Files.createDirectories(path.getParent());
    Files.writeString(path, "#!/bin/sh\n" + text + "\n");
    assertThat(path.toFile().setExecutable(true)).isTrue();
  }

  private static int run(Path script, Path programs) throws Exception {
    ProcessBuilder builder =
        new ProcessBuilder(script.toString(), "version")
            .redirectErrorStream(true)
            .redirectOutput(ProcessBuilder.Redirect.DISCARD);
    builder.environment().remove("JAVA_HOME");
    builder.environment().merge("PATH", programs.toString(), (path, first) -> first + ":" + path);
    return builder.start().waitFor();
  }
}
