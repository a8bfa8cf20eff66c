package io.treecast.client;

import java.time.Duration;
import java.util.function.Consumer;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * When it is told why a stream is not in place: after it has not been for a while, at its beginning
 * and after each interruption; then again when that is for another reason.
 *
 * <p>Any thread may begin and end an absence. What keeps the stream away is asked and told by
 * whoever runs what is to come later.
 */
final class AbsenceWarnings {
  /** A stream that is not in place after so long says why. */
  static final Duration SILENT_WAIT = Duration.ofSeconds(5);

  private final Function<String, TreecastException> why;
  private final Consumer<TreecastException> warn;
  private final Consumer<Runnable> later;

  /** What is to be told of it now; null while the stream is in place. */
  private volatile @Nullable Absence current;

  /**
   * Does nothing until {@link #begin}.
   *
   * @param why the stream is not in place, given how the message of that begins
   * @param warn tells it
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

  /** The stream is not in place from now on. */
  void begin() {
    Absence absence = new Absence();
    current = absence;
    later.accept(absence);
  }

  /** The stream is in place, or will never be. */
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
