package io.treecast.monitor.forecast;

import java.util.Collections;
import java.util.List;
import java.util.stream.IntStream;

/**
 * How wrong forecasts were, added up over series.
 *
 * @param forecasts how many came to be judged
 * @param ofChosen sum of the absolute errors of what the banks said, in the unit of the samples
 * @param byForecaster the same of what each forecaster would have said, in the order of the bank
 */
public record ErrorTotals(long forecasts, double ofChosen, List<Double> byForecaster) {
  /** Copies the list. */
  public ErrorTotals {
    byForecaster = List.copyOf(byForecaster);
  }

  /** Nothing was forecast by so many forecasters. */
  public static ErrorTotals none(int forecasters) {
    return new ErrorTotals(0, 0, Collections.nCopies(forecasters, 0.0));
  }

  /** These, and those as well. */
  public ErrorTotals plus(ErrorTotals other) {
    return joined(other, 1);
  }

  /** What has been added since then. */
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
