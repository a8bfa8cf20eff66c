package io.treecast.collectives.values;

import java.util.Comparator;

/**
 * The identity of a map. Maps of one name and different rules are different maps. Immutable.
 *
 * @param rule decides which of two entries stays
 * @param name 1 to 200 bytes of UTF-8
 */
public record MapName(Rule rule, String name) implements Comparable<MapName> {
  private static final Comparator<MapName> ORDER =
      Comparator.comparing(MapName::name).thenComparing(MapName::rule);

  @Override
  public int compareTo(MapName other) {
    return ORDER.compare(this, other);
  }
}
