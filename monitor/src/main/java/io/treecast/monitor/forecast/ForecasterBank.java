package io.treecast.monitor.forecast;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * Forecasts one series by the forecaster with the least error so far. One instance for each link
 * and resource; single-threaded.
 *
 * <p>All forecasters see every sample, and each is judged by its prediction of it. Errors are
 * absolute: squared ones would be decided by a few unforeseen spikes, and show little about the
 * rest. The choice is made at each forecast, from everything known then.
 *
 * <p><b>Fading.</b> An error weighs {@value #RETENTION} times as much as the one after it, so that
 * about the last 200 samples decide: after a change of the path, another forecaster may be the
 * best. That is long enough to cost nothing on a series that does not change.
 *
 * <p><b>Shared experience.</b> The performance of the forecasters on the other series of the same
 * agent counts as much as {@value #EXPERIENCE_SAMPLES} samples of this one. So the choice is good
 * from the first samples on, and depends more on the series' own samples as their number grows. The
 * first forecaster in the list has an advantage of {@value #BENEFIT_SAMPLES} samples: another one
 * must be better by more than chance.
 *
 * <p><b>Common shift.</b> If nearly all other series of the agent have just deviated from their
 * expected values in the same direction, this one is expected to deviate, too: by no more than the
 * mean error of its forecasts, because causes that move others may not affect one that is always
 * steady, and by no more than half of the expected value. The name of the forecaster then ends with
 * {@value #SHIFTED}.
 *
 * <p>Memory and time for each sample are those of the forecasters, and two numbers for each.
 */
public final class ForecasterBank {
  /** The weight of an error, relative to the one after it. */
  public static final double RETENTION = 0.995;

  /** The number of own samples that the shared experience is worth. */
  public static final int EXPERIENCE_SAMPLES = 160;

  /** The number of samples of a mean error by which the first forecaster is favoured. */
  public static final int BENEFIT_SAMPLES = 12;

  /** The suffix of a forecaster's name where a common shift is added to its forecast. */
  public static final String SHIFTED = "+shift";

  /** The largest part of the own forecast that a common shift may be. */
  private static final double MOST_SHIFTED_SHARE = 0.5;

  /** The largest number of forecasters of a bank. */
  public static final int MAX_FORECASTERS = 100;

  private final List<Forecaster> forecasters;
  private final SharedExperience experience;
  private final CommonShift commonShift;
  private final List<MeanError> errors = new ArrayList<>();
  private final MeanError ofChosen = new MeanError(RETENTION);
  private long samples;

  /**
   * Creates a bank of the {@linkplain Forecasters#standard() standard forecasters}, for a series
   * without a common shift.
   *
   * @param experience experience of all banks of this agent
   */
  public ForecasterBank(SharedExperience experience) {
    this(Forecasters.standard(), experience, new CommonShift());
  }

  /** Creates a bank that shares no experience. */
  ForecasterBank(List<Forecaster> forecasters) {
    this(forecasters, new SharedExperience(Math.max(1, forecasters.size())), new CommonShift());
  }

  /**
   * Creates a bank without samples.
   *
   * @param forecasters without samples, of this bank alone, with different names, 1 to {@value
   *     #MAX_FORECASTERS}
   * @param experience experience of all banks of this agent
   * @param commonShift shift of all banks of this agent whose series are in the same unit
   */
  public ForecasterBank(
      List<Forecaster> forecasters, SharedExperience experience, CommonShift commonShift) {
    int count = forecasters.size();
    if (count < 1 || count > MAX_FORECASTERS) {
      throw new IllegalArgumentException(
          "there are " + count + " forecasters; allowed is 1 to " + MAX_FORECASTERS);
    }
    if (experience.forecasters() != count) {
      throw new IllegalArgumentException(
          "the experience is of %s forecasters; this bank has %s"
              .formatted(experience.forecasters(), count));
    }
    Set<String> names = new HashSet<>();
    for (Forecaster forecaster : forecasters) {
      if (!names.add(forecaster.name())) {
        throw new IllegalArgumentException("two forecasters are called " + forecaster.name());
      }
      errors.add(new MeanError(RETENTION));
    }
    this.forecasters = List.copyOf(forecasters);
    this.experience = experience;
    this.commonShift = commonShift;
  }

  /**
   * Takes in the next sample: judges each forecaster's prediction of it, and shows it to each.
   *
   * @param value finite
   */
  public void add(double value) {
    if (!Double.isFinite(value)) {
      throw new IllegalArgumentException("value is " + value + "; allowed is a finite number");
    }
    if (samples > 0) {
      judge(value);
    }
    samples++;
    forecasters.forEach(forecaster -> forecaster.add(value));
  }

  private void judge(double value) {
    double ownForecast = forecasters.get(leastWrong()).forecast();
    double errorOfChosen = ownForecast + shift(ownForecast) - value;
    ofChosen.add(errorOfChosen);
    commonShift.deviated(this, value - ownForecast);
    double[] absolute = new double[errors.size()];
    for (int i = 0; i < absolute.length; i++) {
      double error = forecasters.get(i).forecast() - value;
      errors.get(i).add(error);
      absolute[i] = Math.abs(error);
    }
    experience.add(absolute, Math.abs(errorOfChosen), meanOfAll());
  }

  private double meanOfAll() {
    double mean = 0;
    for (MeanError error : errors) {
      mean += error.mean() / errors.size();
    }
    return mean;
  }

  private int leastWrong() {
    double meanOfAll = meanOfAll();
    int best = 0;
    double leastScore = Double.POSITIVE_INFINITY;
    for (int i = 0; i < errors.size(); i++) {
      MeanError own = errors.get(i);
      double ownRelative = meanOfAll == 0 ? 1 : own.mean() / meanOfAll;
      double handicap = i == 0 ? 0 : BENEFIT_SAMPLES;
      double score =
          own.weight() * ownRelative + EXPERIENCE_SAMPLES * experience.relativeError(i) + handicap;
      if (score < leastScore) {
        leastScore = score;
        best = i;
      }
    }
    return best;
  }

  /** The correction of the series' own forecast. */
  private double shift(double ownForecast) {
    double most = MOST_SHIFTED_SHARE * Math.abs(ownForecast);
    if (ofChosen.weight() > 0) {
      most = Math.min(most, ofChosen.mean());
    }
    return Math.max(-most, Math.min(most, commonShift.of(this)));
  }

  /**
   * Returns the prediction of the next sample.
   *
   * @throws IllegalStateException before the first sample
   */
  public Forecast forecast() {
    if (samples == 0) {
      throw new IllegalStateException("no sample yet");
    }
    Forecaster creditedName = forecasters.get(leastWrong());
    double ownForecast = creditedName.forecast();
    double shift = shift(ownForecast);
    return new Forecast(
        ownForecast + shift,
        shift == 0 ? creditedName.creditedName() : creditedName.creditedName() + SHIFTED,
        ofChosen.mean(),
        samples);
  }
}
