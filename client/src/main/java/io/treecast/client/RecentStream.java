package io.treecast.client;

import org.jspecify.annotations.Nullable;

/**
 * The name of the stream of the latest message, since the next message mostly belongs to the same
 * stream, and a name costs as much as the rest of its handling. For one thread.
 */
final class RecentStream {
  private @Nullable MessageId latest;
  private String name = "";

  /** Returns {@link Positions#stream} of a message. */
  String name(MessageId message) {
    MessageId before = latest;
    if (before == null
        || before.incarnation() != message.incarnation()
        || before.lane() != message.lane()
        || !before.origin().equals(message.origin())
        || !before.topic().equals(message.topic())) {
      name = Positions.stream(message);
      latest = message;
    }
    return name;
  }
}
