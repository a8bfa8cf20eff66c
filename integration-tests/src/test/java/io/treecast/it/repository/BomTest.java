package io.treecast.it.repository;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** The BOM lists all libraries in the version of the project. */
class BomTest {
  private static final Pattern VERSION =
      Pattern.compile("<artifactId>treecast(?:-bom)?</artifactId>\\s*<version>([^<]+)</version>");
  private static final Pattern MANAGED =
      Pattern.compile("<artifactId>treecast-([a-z-]+)</artifactId><version>");

  /** Modules that are not libraries. */
  private static final List<String> NO_LIBRARIES =
      List.of(
          "bom",
          "static-analysis",
          "sweeps",
          "simulations",
          "example",
          "cli",
          "dist",
          "client-tests",
          "live-tests",
          "command-tests",
          "integration-tests");

  private static Stream<String> groups(Pattern pattern, String text) {
    return pattern.matcher(text).results().map(found -> found.group(1));
  }

  private static String pom(String module) {
    return Repository.text(Path.of(module, "pom.xml"));
  }

  @Test
  void the_bom_has_the_version_of_the_project() {
    assertThat(groups(VERSION, pom("bom")).toList())
        .isEqualTo(groups(VERSION, pom(".")).limit(1).toList());
  }

  @Test
  void the_bom_lists_every_library() {
    List<String> libraries =
        groups(Pattern.compile("<module>([^<]+)</module>"), pom("."))
            .filter(module -> !NO_LIBRARIES.contains(module))
            .toList();
    assertThat(libraries).hasSizeGreaterThan(5);
    assertThat(groups(MANAGED, pom("bom"))).containsExactlyInAnyOrderElementsOf(libraries);
  }

  @Test
  void every_module_has_a_name_among_modules_of_java() {
    List<String> names =
        Repository.files("pom.xml").stream()
            .flatMap(
                pom ->
                    groups(
                        Pattern.compile("<treecast.module>(io\\.treecast\\.[a-z]+)</"),
                        Repository.text(pom)))
            .toList();
    assertThat(names).hasSizeGreaterThan(10).doesNotHaveDuplicates();
  }
}
