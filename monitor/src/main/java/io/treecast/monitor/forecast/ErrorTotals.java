package io.treecast.monitor.forecast;

import java.util.Collections;
import java.util.List;
import java.util.stream.IntStream;

/**
 * The errors of forecasts, added up over series.
 *
 * @param forecasts number of forecasts that were judged
 * @param ofChosen sum of the absolute errors of the banks' forecasts, in the unit of the samples
 * @param byForecaster that sum for each forecaster, in the order of the bank
 */
public record ErrorTotals(long forecasts, double ofChosen, List<Double> byForecaster) {
  /** Copies the list. */
  public ErrorTotals {
    byForecaster = List.copyOf(byForecaster);
  }

  /** Returns totals without a forecast. */
  public static ErrorTotals none(int forecasters) {
    return new ErrorTotals(0, 0, Collections.nCopies(forecasters, 0.0));
  }

  /** Returns the sum of both totals. */
  public ErrorTotals plus(ErrorTotals other) {
    return joined(other, 1);
  }

  /** Returns the part added since the earlier totals. */
  public ErrorTotals since(ErrorTotals earlier) {
    return joined(earlier, -1);
  }

  private ErrorTotals joined(ErrorTotals other, int sign) {
    return new ErrorTotals(
        forecasts + sign * other.forecasts,
        ofChosen + sign * other.ofChosen,
        IntStream.range(0, byForecaster.size())
            .mapToObj(i -> byForecaster.get(i) + sign * other.byForecaster.get(i))
            .toList());
  }
}
