package io.treecast.testkit.reproduce;

import java.util.Collections;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * The figures of one case of an experiment, published or measured here. Immutable.
 *
 * @param values the known values by measure
 * @param messagesByType the known numbers of control messages by type
 */
public record Figures(Map<Measure, Double> values, SortedMap<String, Double> messagesByType) {
  /** No known figures. */
  public static final Figures NONE = new Figures(new EnumMap<>(Measure.class), new TreeMap<>());

  /** Copies the maps. */
  public Figures {
    EnumMap<Measure, Double> copy = new EnumMap<>(Measure.class);
    copy.putAll(values);
    values = Collections.unmodifiableMap(copy);
    messagesByType = Collections.unmodifiableSortedMap(new TreeMap<>(messagesByType));
  }

  /** Returns these figures with another value; NaN adds none. */
  public Figures with(Measure measure, double value) {
    if (Double.isNaN(value)) {
      return this;
    }
    EnumMap<Measure, Double> more = new EnumMap<>(Measure.class);
    more.putAll(values);
    more.put(measure, value);
    return new Figures(more, messagesByType);
  }

  /** Returns these figures with the number of messages of a type. */
  public Figures sent(String type, double count) {
    SortedMap<String, Double> more = new TreeMap<>(messagesByType);
    more.put(type, count);
    return new Figures(values, more);
  }

  /** Returns the value, or null if it is not known. */
  public @Nullable Double get(Measure measure) {
    return values.get(measure);
  }

  /**
   * Returns the means of the values that all runs have, and the means of the messages, where a
   * missing type counts as 0.
   */
  static Figures mean(List<Figures> runs) {
    Figures mean = NONE;
    for (Measure measure : Measure.values()) {
      double sum = 0;
      for (Figures run : runs) {
        Double value = run.get(measure);
        sum += value == null ? Double.NaN : value;
      }
      mean = mean.with(measure, sum / runs.size());
    }
    SortedMap<String, Double> types = new TreeMap<>();
    for (Figures run : runs) {
      run.messagesByType.forEach(
          (type, count) -> types.merge(type, count / runs.size(), Double::sum));
    }
    return new Figures(mean.values, types);
  }
}
