package io.treecast.agent.config;

import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * The settings of one section of a configuration file. The range and the default of a setting may
 * depend on settings above it in the table. Times are in milliseconds. Filled once, then immutable.
 */
final class SettingTable {
  /** A bound or a default, computed from the settings above it in the table. */
  interface Bound {
    long of(Values above);
  }

  /** One setting: a whole number, or a flag, for which 1 is true and 0 is false. */
  record Row(String key, boolean isFlag, Bound least, Bound most, Bound byDefault) {}

  private final String section;
  private final List<Row> rows = new ArrayList<>();

  SettingTable(String section) {
    this.section = section;
  }

  String section() {
    return section;
  }

  List<Row> rows() {
    return List.copyOf(rows);
  }

  SettingTable number(String key, long least, long most, long byDefault) {
    return number(key, above -> least, above -> most, above -> byDefault);
  }

  SettingTable number(String key, long least, long most, Bound byDefault) {
    return number(key, above -> least, above -> most, byDefault);
  }

  SettingTable number(String key, Bound least, Bound most, Bound byDefault) {
    rows.add(new Row(key, false, least, most, byDefault));
    return this;
  }

  SettingTable millis(String key, Duration least, Duration most, Duration byDefault) {
    return number(key, least.toMillis(), most.toMillis(), byDefault.toMillis());
  }

  SettingTable flag(String key, boolean byDefault) {
    rows.add(new Row(key, true, above -> 0, above -> 1, above -> byDefault ? 1 : 0));
    return this;
  }

  /**
   * Reads the section of a file.
   *
   * @param make creates the settings; throws an {@link IllegalArgumentException} if values within
   *     their ranges contradict each other
   * @return null if the section is absent
   */
  <T> @Nullable T read(ConfigSection root, Function<Values, T> make) throws ConfigException {
    ConfigSection keys = root.section(section, rows.stream().map(Row::key).toArray(String[]::new));
    if (keys == null) {
      return null;
    }
    Values values = new Values();
    for (Row row : rows) {
      values.numbers.put(row.key, number(keys, row, values));
    }
    try {
      return make.apply(values);
    } catch (IllegalArgumentException e) {
      throw new ConfigException(root.file() + ": " + e.getMessage());
    }
  }

  private static long number(ConfigSection keys, Row row, Values above) throws ConfigException {
    long byDefault = row.byDefault.of(above);
    if (!row.isFlag) {
      return keys.integer(row.key, row.least.of(above), row.most.of(above), byDefault);
    }
    Boolean flag = keys.bool(row.key);
    return flag == null ? byDefault : flag ? 1 : 0;
  }

  /** Returns the given values without checks, and the defaults of the others. */
  Values values(Map<String, Long> given) {
    Values values = new Values();
    for (Row row : rows) {
      Long number = given.get(row.key);
      values.numbers.put(row.key, number == null ? row.byDefault.of(values) : number);
    }
    return values;
  }

  /** The values of a section. */
  static final class Values {
    private final Map<String, Long> numbers = new LinkedHashMap<>();

    long number(String key) {
      Long number = numbers.get(key);
      if (number == null) {
        throw new IllegalStateException("the table has no key '" + key + "' above this one");
      }
      return number;
    }

    int count(String key) {
      return Math.toIntExact(number(key));
    }

    boolean flag(String key) {
      return number(key) == 1;
    }

    Duration millis(String key) {
      return Duration.ofMillis(number(key));
    }

    long nanos(String key) {
      return millis(key).toNanos();
    }

    /** Returns a percentage as a fraction. */
    double percent(String key) {
      return number(key) / 100.0;
    }
  }
}
