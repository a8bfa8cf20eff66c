package io.treecast.it.repository;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.List;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** The table of warnings has exactly the lines that agents log. */
class LogLinesTest {
  private static final Path OPERATING = Path.of("docs/operating.md");
  private static final String TABLE = "## Warnings in the log";

  /** Texts that are joined over several lines of a source. */
  private static final Pattern JOINT = Pattern.compile("\"\\s*\\+\\s*\"");

  private static final Pattern WARNING =
      Pattern.compile("log\\.warn\\(\\s*\"((?:[^\"\\\\]|\\\\.)*)\"");

  /** A value in a line of the table: an example, or three dots. */
  private static final Pattern VALUE = Pattern.compile("\\.\\.\\.|\\bh\\d\\b:?|\\b\\d+\\b");

  /** A value in a source. */
  private static final Pattern BRACES = Pattern.compile("\\{}");

  private static final String SOURCES = sources();

  private static String sources() {
    return Repository.files(".java").stream()
        .map(Path::toString)
        .filter(file -> file.matches("(node-agent|monitor|tls)/src/main/.*"))
        .map(file -> JOINT.matcher(Repository.text(Path.of(file))).replaceAll(""))
        .collect(Collectors.joining("\n"));
  }

  static List<String> told() {
    String page = Repository.text(OPERATING);
    String table = page.substring(page.indexOf(TABLE)).split("(?m)^$", 3)[1];
    return table
        .lines()
        .filter(row -> row.startsWith("| `"))
        .flatMap(row -> quoted(row.split(" \\| ", 2)[0]))
        .toList();
  }

  private static Stream<String> quoted(String cell) {
    return Pattern.compile("`([^`]+)`").matcher(cell).results().map(found -> found.group(1));
  }

  static List<String> logged() {
    return WARNING.matcher(SOURCES).results().map(found -> found.group(1)).toList();
  }

  @Test
  void both_are_found() {
    assertThat(told()).hasSizeGreaterThan(20);
    assertThat(logged()).hasSizeGreaterThan(8);
  }

  @ParameterizedTest
  @MethodSource("told")
  void an_agent_logs_what_the_table_has(String line) {
    assertThat(VALUE.split(line))
        .extracting(String::strip)
        .filteredOn(part -> part.length() > 1)
        .isNotEmpty()
        .allMatch(SOURCES::contains);
  }

  @ParameterizedTest
  @MethodSource("logged")
  void the_table_has_what_an_agent_logs(String text) {
    assertThat(told())
        .anyMatch(
            line ->
                pattern(VALUE, line).matcher(text).find()
                    || pattern(BRACES, text).matcher(line).find());
  }

  /** Returns a pattern of the text with any values. */
  private static Pattern pattern(Pattern values, String text) {
    StringBuilder pattern = new StringBuilder();
    int end = 0;
    for (MatchResult value : values.matcher(text).results().toList()) {
      pattern.append(Pattern.quote(text.substring(end, value.start()))).append(".*");
      end = value.end();
    }
    return Pattern.compile(pattern.append(Pattern.quote(text.substring(end))).toString());
  }
}
