package io.treecast.client;

import java.time.Duration;
import java.util.function.Consumer;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Decides when to warn that a stream is absent: at its beginning and after each interruption, once
 * it has been absent for {@link #SILENT_WAIT}, and again whenever the reason changes.
 *
 * <p>Any thread may begin and end an absence. The owner of {@code later} determines the reason and
 * warns.
 */
final class AbsenceWarnings {
  /** The time for which a stream may be absent without a warning. */
  static final Duration SILENT_WAIT = Duration.ofSeconds(5);

  private final Function<String, TreecastException> why;
  private final Consumer<TreecastException> warn;
  private final Consumer<Runnable> later;

  /** The present absence; null while the stream is in place. */
  private volatile @Nullable Absence current;

  /**
   * Creates an instance without an absence.
   *
   * @param why returns why the stream is absent; its argument is the beginning of the message
   * @param warn logs or delivers the warning
   * @param later runs an action after {@link #SILENT_WAIT}
   */
  AbsenceWarnings(
      Function<String, TreecastException> why,
      Consumer<TreecastException> warn,
      Consumer<Runnable> later) {
    this.why = why;
    this.warn = warn;
    this.later = later;
  }

  /** Notes the start of an absence. */
  void begin() {
    Absence absence = new Absence();
    current = absence;
    later.accept(absence);
  }

  /** Notes that the stream is in place, or has ended. */
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
