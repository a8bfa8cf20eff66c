package io.treecast.monitor.forecast;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * Forecasts one series by the forecaster that was least wrong about it so far. One for each link
 * and resource; single-threaded.
 *
 * <p>All forecasters see every sample, and each is judged by what it said before it came. Mean
 * absolute and mean squared error are both kept; the choice goes by the absolute one, because the
 * squared one is decided by a few spikes that nobody foresaw, and says little about the rest. It is
 * made anew whenever a forecast is asked for, by all that is known then.
 *
 * <p><b>Fading.</b> An error weighs {@value #RETENTION} times as much as the one after it, so that
 * about the last 200 samples decide: a path that was routed anew makes another forecaster right.
 * That is long enough to cost nothing on a series that stays as it is.
 *
 * <p><b>Shared experience.</b> What the forecasters did on the other series of the same agent
 * counts as much as {@value #EXPERIENCE_SAMPLES} samples of this one. So the choice is good from
 * the first samples on, and it becomes the series' own as these come. The first in the list has the
 * benefit of the doubt, as much as {@value #BENEFIT_SAMPLES} samples: the others have to be better
 * by more than luck.
 *
 * <p><b>Common shift.</b> Where the other series of the agent just differed from what was expected
 * of them, nearly all in the same direction, this one is expected to, as well: by no more than what
 * its forecasts are wrong by on average, since what moves others may not touch one that is always
 * steady, and by no more than half of what is expected. The name of who speaks has {@value
 * #SHIFTED} behind it, then.
 *
 * <p>Memory and time for each sample are those of the forecasters, and three numbers for each.
 */
public final class ForecasterBank {
  /** What an error counts, relative to the one after it. */
  public static final double RETENTION = 0.995;

  /** How many samples of the series itself the shared experience is worth. */
  public static final int EXPERIENCE_SAMPLES = 160;

  /** By how many samples of an average error the first forecaster is favoured. */
  public static final int BENEFIT_SAMPLES = 12;

  /** What the name of a forecaster ends with where a common shift is added to what it says. */
  public static final String SHIFTED = "+shift";

  /** A common shift is no more than this part of what is expected without it. */
  private static final double MOST_SHIFTED_SHARE = 0.5;

  /** Most forecasters of a bank. */
  public static final int MAX_FORECASTERS = 100;

  private final List<Forecaster> forecasters;
  private final SharedExperience experience;
  private final CommonShift commonShift;
  private final List<ErrorMeans> errors = new ArrayList<>();
  private final ErrorMeans ofChosen = new ErrorMeans(RETENTION);
  private long samples;

  /**
   * The {@linkplain Forecasters#standard() standard forecasters}, of a series that has no shift in
   * common with others.
   *
   * @param experience that of all banks of this agent
   */
  public ForecasterBank(SharedExperience experience) {
    this(Forecasters.standard(), experience, new CommonShift());
  }

  /** As below, with no experience but its own. */
  ForecasterBank(List<Forecaster> forecasters) {
    this(forecasters, new SharedExperience(Math.max(1, forecasters.size())), new CommonShift());
  }

  /**
   * A bank without samples.
   *
   * @param forecasters without samples, of this bank alone, with different names, 1 to {@value
   *     #MAX_FORECASTERS}
   * @param experience that of all banks of this agent
   * @param commonShift that of all banks of this agent whose series are in the same unit
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
          "the experience is of "
              + experience.forecasters()
              + " forecasters; this bank has "
              + count);
    }
    Set<String> names = new HashSet<>();
    for (Forecaster forecaster : forecasters) {
      if (!names.add(forecaster.name())) {
        throw new IllegalArgumentException("two forecasters are called " + forecaster.name());
      }
      errors.add(new ErrorMeans(RETENTION));
    }
    this.forecasters = List.copyOf(forecasters);
    this.experience = experience;
    this.commonShift = commonShift;
  }

  /**
   * Takes in the next sample: judges what each forecaster said about it, and lets each see it.
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
    for (ErrorMeans error : errors) {
      mean += error.meanAbsolute() / errors.size();
    }
    return mean;
  }

  private int leastWrong() {
    double meanOfAll = meanOfAll();
    int best = 0;
    double leastScore = Double.POSITIVE_INFINITY;
    for (int i = 0; i < errors.size(); i++) {
      ErrorMeans own = errors.get(i);
      double ownRelative = meanOfAll == 0 ? 1 : own.meanAbsolute() / meanOfAll;
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

  /** What is to be added to what the series alone lets expect. */
  private double shift(double ownForecast) {
    double most = MOST_SHIFTED_SHARE * Math.abs(ownForecast);
    if (ofChosen.weight() > 0) {
      most = Math.min(most, ofChosen.meanAbsolute());
    }
    return Math.max(-most, Math.min(most, commonShift.of(this)));
  }

  /**
   * What to expect of the next sample.
   *
   * @throws IllegalStateException before the first sample
   */
  public Forecast forecast() {
    if (samples == 0) {
      throw new IllegalStateException("no sample yet");
    }
    Forecaster speaker = forecasters.get(leastWrong());
    double ownForecast = speaker.forecast();
    double shift = shift(ownForecast);
    return new Forecast(
        ownForecast + shift,
        shift == 0 ? speaker.speaker() : speaker.speaker() + SHIFTED,
        ofChosen.meanAbsolute(),
        ofChosen.meanSquared(),
        samples);
  }

  /** How wrong each forecaster was so far, in the order of the bank. */
  public List<ForecastError> errors() {
    List<ForecastError> all = new ArrayList<>();
    for (int i = 0; i < errors.size(); i++) {
      ErrorMeans own = errors.get(i);
      all.add(new ForecastError(forecasters.get(i).name(), own.meanAbsolute(), own.meanSquared()));
    }
    return all;
  }
}
