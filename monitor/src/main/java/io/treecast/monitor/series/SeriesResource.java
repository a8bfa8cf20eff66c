package io.treecast.monitor.series;

import java.util.Arrays;
import java.util.Optional;

/** What is measured of a link. */
public enum SeriesResource {
  /** The round-trip time, microseconds. */
  RTT("rtt");

  private final String label;

  SeriesResource(String label) {
    this.label = label;
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
