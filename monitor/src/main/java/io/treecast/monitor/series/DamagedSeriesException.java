package io.treecast.monitor.series;

/** The file is none of a series, or its header is damaged; the message says how. */
public final class DamagedSeriesException extends Exception {
  private static final long serialVersionUID = 1L;

  DamagedSeriesException(String message) {
    super(message);
  }
}
