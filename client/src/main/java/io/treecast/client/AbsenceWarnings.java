package io.treecast.client;

import java.time.Duration;
import java.util.function.Consumer;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Decides when to warn that a stream is not in place: at its beginning and after each interruption,
 * once it has been absent for {@link #SILENT_WAIT}; and again whenever the reason changes.
 *
 * <p>Any thread may begin and end an absence. The owner of {@code later} looks up the reason and
 * warns.
 */
final class AbsenceWarnings {
  /** How long a stream may be absent before a warning. */
  static final Duration SILENT_WAIT = Duration.ofSeconds(5);

  private final Function<String, TreecastException> why;
  private final Consumer<TreecastException> warn;
  private final Consumer<Runnable> later;

  /** The absence under way; null while the stream is in place. */
  private volatile @Nullable Absence current;

  /**
   * Creates it idle, until {@link #begin}.
   *
   * @param why the stream is not in place, given how the message of that begins
   * @param warn logs or delivers the warning
   * @param later runs an action in {@link #SILENT_WAIT}
   */
  AbsenceWarnings(
      Function<String, TreecastException> why,
      Consumer<TreecastException> warn,
      Consumer<Runnable> later) {
    this.why = why;
    this.warn = warn;
    this.later = later;
  }

  /** Notes that the stream is not in place from now on. */
  void begin() {
    Absence absence = new Absence();
    current = absence;
    later.accept(absence);
  }

  /** Notes that the stream is in place, or will never be. */
  void end() {
    current = null;
  }

  private final class Absence implements Runnable {
    private int waits;
    private @Nullable String told;

    @Override
    public void run() {
      if (current != this) {
        return;
      }
      waits++;
      String since =
          "the subscription is not in place after "
              + SILENT_WAIT.multipliedBy(waits).toMillis()
              + " ms: ";
      TreecastException now = why.apply(since);
      String reason = String.valueOf(now.getMessage()).replace(since, "");
      if (!reason.equals(told)) {
        told = reason;
        warn.accept(now);
      }
      later.accept(this);
    }
  }
}
