package io.treecast.client;

import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The messages that a subscription has finished since its beginning: the last one of each stream,
 * for {@link Positions#MOST_STREAMS} streams or a few more. For the handler's thread.
 */
final class FinishedMessages {
  private final int mostStreams;
  private final RecentStream recent = new RecentStream();

  /** The positions at which the subscription began; null before. */
  private @Nullable Positions until;

  /** The last message finished since then, by stream. */
  private final Map<String, MessageId> since = new HashMap<>();

  /** Creates an instance without messages. */
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
    since.put(recent.name(message), message);
    if (since.size() > mostStreams && until != null) {
      until = until.with(since.values(), mostStreams);
      since.clear();
    }
  }

  /** Returns the positions after which a subscription resumes; null before the beginning. */
  @Nullable Positions positions() {
    return until == null ? null : until.with(since.values(), mostStreams);
  }
}
