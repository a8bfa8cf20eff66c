package io.treecast.agent.runtime.admin;

import io.grpc.netty.shaded.io.netty.channel.Channel;
import java.util.LinkedHashSet;
import java.util.Set;

/**
 * The connections to an agent's admin port that are open. Those that have no answer yet, and those
 * that have not read their answer yet, each have a limit of their own; beyond it the oldest of them
 * is closed. So clients that do not read close each other's connections, and not that of a client
 * whose answer is being made. For the thread of the port.
 */
final class AdminConnections {
  static final int MOST_UNANSWERED = 256;

  /** Each may keep a page in memory. */
  static final int MOST_UNREAD = 64;

  // The oldest first.
  private final Set<Channel> unanswered = new LinkedHashSet<>();
  private final Set<Channel> unread = new LinkedHashSet<>();

  void opened(Channel channel) {
    add(channel, unanswered, MOST_UNANSWERED);
  }

  /** Notes that the answer of a connection is about to be written. */
  void answered(Channel channel) {
    unanswered.remove(channel);
    add(channel, unread, MOST_UNREAD);
  }

  void closed(Channel channel) {
    unanswered.remove(channel);
    unread.remove(channel);
  }

  private static void add(Channel channel, Set<Channel> channels, int most) {
    if (channels.size() == most) {
      Channel oldest = channels.iterator().next();
      channels.remove(oldest);
      var unusedAsItIsForgotten = oldest.close();
    }
    channels.add(channel);
  }
}
