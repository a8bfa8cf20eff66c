package io.treecast.agent.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.treecast.agent.config.SettingTable.Row;
import io.treecast.agent.config.SettingTable.Values;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * At the ends of their ranges, alone and two at a time, settings are accepted or refused with a
 * reason. The example file contains all settings of the tables.
 */
class AgentConfigRangesTest {
  private static final Path EXAMPLE = Path.of("../docs/agent.example.yaml");

  static List<SettingTable> tables() {
    return AgentConfigSections.TABLES;
  }

  /** One setting at one end of its range. */
  private record End(String key, long value) {}

  private static List<End> ends(SettingTable table, Map<String, Long> others) {
    Values values = table.values(others);
    List<End> ends = new ArrayList<>();
    for (Row row : table.rows()) {
      if (!row.isFlag() && !others.containsKey(row.key())) {
        ends.add(new End(row.key(), row.least().of(values)));
        ends.add(new End(row.key(), row.most().of(values)));
      }
    }
    return ends;
  }

  @ParameterizedTest
  @MethodSource("tables")
  void settings_at_the_ends_of_their_ranges_are_used_or_refused(SettingTable table) {
    int used = 0;
    for (End first : ends(table, Map.of())) {
      for (End second : ends(table, Map.of(first.key, first.value))) {
        used += isUsed(table, first, second) ? 1 : 0;
      }
    }
    assertThat(used).isGreaterThan(4 * table.rows().size());
  }

  private static boolean isUsed(SettingTable table, End first, End second) {
    String yaml = yaml(table, Map.of(first.key, first.value, second.key, second.value));
    try {
      assertThat(AgentConfigFile.parse("a.yaml", yaml).toConfig()).isNotNull();
      return true;
    } catch (ConfigException refused) {
      assertThat(refused).as(yaml).hasMessageContaining(table.section());
      return false;
    } catch (RuntimeException crashed) {
      throw new AssertionError(yaml, crashed);
    }
  }

  @ParameterizedTest
  @MethodSource("tables")
  void a_setting_beyond_an_end_of_its_range_is_refused_by_name(SettingTable table) {
    Values defaults = table.values(Map.of());
    for (Row row : table.rows()) {
      if (!row.isFlag()) {
        for (long value : new long[] {row.least().of(defaults) - 1, row.most().of(defaults) + 1}) {
          assertThatThrownBy(
                  () -> AgentConfigFile.parse("a.yaml", yaml(table, Map.of(row.key(), value))))
              .isInstanceOf(ConfigException.class)
              .hasMessageContainingAll(
                  table.section() + "." + row.key() + ": '" + value + "'",
                  row.least().of(defaults) + " to " + row.most().of(defaults));
        }
      }
    }
  }

  private static String yaml(SettingTable table, Map<String, Long> settings) {
    StringBuilder yaml = new StringBuilder("id: a\nlisten: 127.0.0.1:7700\n");
    yaml.append(table.section()).append(":\n");
    settings.forEach((key, value) -> yaml.append("  " + key + ": " + value + "\n"));
    return yaml.toString();
  }

  @Test
  void the_example_file_has_each_setting_of_the_tables_with_its_default() throws IOException {
    Map<String, String> shown = new LinkedHashMap<>();
    String section = "";
    for (String line : Files.readAllLines(EXAMPLE)) {
      if (line.matches("\\w+:")) {
        section = line;
      } else if (line.matches("  \\w+: \\w+")) {
        int colon = line.indexOf(": ");
        shown.put(section + line.substring(2, colon), line.substring(colon + 2));
      }
    }
    Map<String, String> expected = new HashMap<>();
    for (SettingTable table : tables()) {
      Values defaults = table.values(Map.of());
      for (Row row : table.rows()) {
        expected.put(
            table.section() + ":" + row.key(),
            row.isFlag()
                ? String.valueOf(defaults.flag(row.key()))
                : String.valueOf(defaults.number(row.key())));
      }
    }
    assertThat(shown).containsExactlyInAnyOrderEntriesOf(expected);
  }

  @Test
  void the_example_file_has_each_setting_of_the_first_level() throws IOException {
    assertThat(Files.readAllLines(EXAMPLE))
        .extracting(line -> line.replaceFirst("^# ", "").replaceFirst(":.*", ""))
        .containsAll(Setting.keys());
  }
}
