package io.treecast.client;

import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * What a subscription has had since it began, of every stream the last message; of {@link
 * Positions#MOST_STREAMS} streams or a few more. Handler's thread.
 */
final class FinishedMessages {
  private final int mostStreams;

  /** Where the subscription began, and what was finished then; null until it has begun. */
  private @Nullable Positions until;

  /** By stream, what was finished since. */
  private final Map<String, MessageId> since = new HashMap<>();

  /** None, of so many streams at most at a time. */
  FinishedMessages(int mostStreams) {
    this.mostStreams = mostStreams;
  }

  boolean hasBegun() {
    return until != null;
  }

  void begin(Positions positions) {
    until = positions;
  }

  void add(MessageId message) {
    since.put(Positions.stream(message), message);
    if (since.size() > mostStreams && until != null) {
      until = until.with(since.values(), mostStreams);
      since.clear();
    }
  }

  /** What a subscription begins after that goes on; null if this one has not begun. */
  @Nullable Positions positions() {
    return until == null ? null : until.with(since.values(), mostStreams);
  }
}
