package io.treecast.monitor.forecast;

/** Expects the last value: right for a series that holds its value until it jumps. */
public final class LastValue implements Forecaster {
  private final RecentValues latest = new RecentValues(1);

  @Override
  public String name() {
    return "last-value";
  }

  @Override
  public void add(double value) {
    latest.add(value);
  }

  @Override
  public double forecast() {
    return latest.sorted()[0];
  }
}
