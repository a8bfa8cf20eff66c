package io.treecast.agent.runtime.admin;

import io.grpc.netty.shaded.io.netty.channel.Channel;
import java.util.LinkedHashSet;
import java.util.Set;

/**
 * The open connections to an agent's admin port. Connections without an answer, and connections
 * with an unread answer, have a limit each; beyond it the oldest one is closed. So clients that do
 * not read close only each other's connections, not those of clients whose answer is being made.
 * For the port's thread.
 */
final class AdminConnections {
  static final int MOST_UNANSWERED = 256;

  /** The limit of connections with an unread answer, each of which may keep a page in memory. */
  static final int MOST_UNREAD = 64;

  // Oldest first.
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
