package io.treecast.client;

import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The messages that a subscription has finished since it began: the last one of each stream, of
 * {@link Positions#MOST_STREAMS} streams or a few more. For the handler's thread.
 */
final class FinishedMessages {
  private final int mostStreams;

  /** Where the subscription began; null until it has begun. */
  private @Nullable Positions until;

  /** The last finished message since then, by stream. */
  private final Map<String, MessageId> since = new HashMap<>();

  /** Creates it empty. */
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

  /** Returns the positions after which a subscription resumes; null if this one has not begun. */
  @Nullable Positions positions() {
    return until == null ? null : until.with(since.values(), mostStreams);
  }
}
