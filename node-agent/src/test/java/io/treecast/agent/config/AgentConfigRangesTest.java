package io.treecast.agent.config;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * At the ends of the ranges that error messages name, alone and two at a time, settings make a
 * configuration or are refused with a reason.
 */
class AgentConfigRangesTest {
  private static final Pattern SECTION = Pattern.compile("(\\w+):");
  private static final Pattern NUMBER = Pattern.compile("  (\\w+): \\d+");
  private static final Pattern RANGE = Pattern.compile("a whole number from (-?\\d+) to (\\d+)");

  /** Returns the numbers of the example file, in which all settings are, by section. */
  static Stream<Map.Entry<String, List<String>>> sections() throws IOException {
    Map<String, List<String>> numbers = new TreeMap<>();
    String section = "";
    for (String line : Files.readAllLines(Path.of("../docs/agent.example.yaml"))) {
      Matcher begin = SECTION.matcher(line);
      Matcher number = NUMBER.matcher(line);
      if (begin.matches()) {
        section = begin.group(1);
      } else if (number.matches()) {
        numbers.computeIfAbsent(section, name -> new ArrayList<>()).add(number.group(1));
      }
    }
    return numbers.entrySet().stream();
  }

  @ParameterizedTest
  @MethodSource("sections")
  void settings_at_the_ends_of_their_ranges_are_used_or_refused(
      Map.Entry<String, List<String>> section) {
    for (String first : section.getValue()) {
      for (String ofFirst : ends(section.getKey(), "", first)) {
        String one = "  " + first + ": " + ofFirst + "\n";
        for (String second : section.getValue()) {
          for (String ofSecond :
              first.equals(second) ? List.<String>of() : ends(section.getKey(), one, second)) {
            answer(section.getKey(), one + "  " + second + ": " + ofSecond + "\n");
          }
        }
      }
    }
  }

  /** The ends of a setting's range where others are set. */
  private static List<String> ends(String section, String others, String key) {
    String refused = answer(section, others + "  " + key + ": " + Long.MIN_VALUE + "\n");
    Matcher range = RANGE.matcher(refused);
    return range.find() ? List.of(range.group(1), range.group(2)) : refusedForOthers(refused, key);
  }

  private static List<String> refusedForOthers(String refused, String key) {
    assertThat(refused).as("what is said of %s", key).isNotEmpty();
    return List.of();
  }

  /** Returns why a configuration is refused; empty if it is not. */
  private static String answer(String section, String settings) {
    String yaml = "id: a\nlisten: 127.0.0.1:7700\n" + section + ":\n" + settings;
    try {
      assertThat(AgentConfigFile.parse("a.yaml", yaml).toConfig()).isNotNull();
      return "";
    } catch (ConfigException refused) {
      assertThat(refused).as(yaml).hasMessageContaining(section);
      return String.valueOf(refused.getMessage());
    } catch (RuntimeException crashed) {
      throw new AssertionError(yaml, crashed);
    }
  }
}
