package io.treecast.monitor.series;

import java.util.Arrays;
import java.util.Optional;

/** A measured property of a link. */
public enum SeriesResource {
  /** The round-trip time, microseconds. */
  RTT("rtt", Unit.MICROSECONDS),

  /** Mean difference of consecutive round trips, in microseconds. */
  JITTER("jitter", Unit.MICROSECONDS),

  /** Percentage of probes that were delayed by a retransmission. */
  LOSS("loss", Unit.PERCENT),

  /** Throughput, in kilobits (1,000 bits) per second. */
  THROUGHPUT("throughput", Unit.KILOBITS_PER_SECOND);

  /** The unit of a series' values. */
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

  /** Returns the unit of the values. */
  public Unit unit() {
    return unit;
  }

  /** Returns the name that people, files and the wire use. */
  public String label() {
    return label;
  }

  /** Returns the resource of that name; empty if there is none. */
  public static Optional<SeriesResource> labelled(String label) {
    return Arrays.stream(values()).filter(resource -> resource.label.equals(label)).findFirst();
  }

  @Override
  public String toString() {
    return label;
  }
}
