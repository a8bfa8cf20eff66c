package io.treecast.monitor.series;

/**
 * Thrown for a file that is not a series, or has a damaged header; the message states the damage.
 */
public final class DamagedSeriesException extends Exception {
  private static final long serialVersionUID = 1L;

  DamagedSeriesException(String message) {
    super(message);
  }
}
