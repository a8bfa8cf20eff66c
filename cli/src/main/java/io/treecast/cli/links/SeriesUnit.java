package io.treecast.cli.links;

import io.treecast.cli.console.RttText;
import io.treecast.monitor.series.SeriesResource;
import java.util.Locale;

/** The units in which the values of a series are printed. */
enum SeriesUnit {
  MILLIS("Millis", "ms", 1e3, 3),
  PERCENT("Percent", "%", 1, 0),
  MBPS("Mbps", "Mbit/s", 1e3, 3);

  /** The suffix of a column's or key's name, after the resource. */
  private final String suffix;

  private final String label;
  private final double divisor;
  private final int decimals;

  SeriesUnit(String suffix, String label, double divisor, int decimals) {
    this.suffix = suffix;
    this.label = label;
    this.divisor = divisor;
    this.decimals = decimals;
  }

  static SeriesUnit of(SeriesResource resource) {
    return switch (resource.unit()) {
      case MICROSECONDS -> MILLIS;
      case PERCENT -> PERCENT;
      case KILOBITS_PER_SECOND -> MBPS;
    };
  }

  /** Returns the name of a column or key of a resource, for example {@code rttMillis}. */
  String key(SeriesResource resource) {
    return resource.label() + suffix;
  }

  /** Returns the unit for people. */
  String label() {
    return label;
  }

  double value(long raw) {
    return raw / divisor;
  }

  /** Returns a value with all its decimals. */
  String exact(long raw) {
    return String.format(Locale.ROOT, "%." + decimals + "f", value(raw));
  }

  /** Returns a value for people. */
  String text(long raw) {
    return this == PERCENT ? exact(raw) : RttText.millis(raw);
  }
}
