package io.treecast.monitor.series;

import java.util.Arrays;
import java.util.Optional;

/** What is measured of a link. */
public enum SeriesResource {
  /** The round-trip time, microseconds. */
  RTT("rtt", Unit.MICROSECONDS),

  /** By how much one round trip differs from the next, on average, microseconds. */
  JITTER("jitter", Unit.MICROSECONDS),

  /** How many of a hundred probes were late by a retransmission. */
  LOSS("loss", Unit.PERCENT),

  /** Kilobits (1,000 bits) a second. */
  THROUGHPUT("throughput", Unit.KILOBITS_PER_SECOND);

  /** What a value of a series counts. */
  public enum Unit {
    MICROSECONDS,
    PERCENT,
    KILOBITS_PER_SECOND
  }

  private final String label;
  private final Unit unit;

  SeriesResource(String label, Unit unit) {
    this.label = label;
    this.unit = unit;
  }

  /** What its values count. */
  public Unit unit() {
    return unit;
  }

  /** As people, files and the wire name it. */
  public String label() {
    return label;
  }

  /** The resource of that name; empty if there is none. */
  public static Optional<SeriesResource> labelled(String label) {
    return Arrays.stream(values()).filter(resource -> resource.label.equals(label)).findFirst();
  }

  @Override
  public String toString() {
    return label;
  }
}
