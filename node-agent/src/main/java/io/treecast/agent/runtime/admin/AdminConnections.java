package io.treecast.agent.runtime.admin;

import io.grpc.netty.shaded.io.netty.channel.Channel;
import java.util.LinkedHashSet;
import java.util.Set;

/**
 * The connections to an agent's admin port that are open. Those that have sent no request yet, and
 * those that have not read their answer yet, each have a limit of their own; beyond it the oldest
 * of them is closed. For the thread of the port.
 */
final class AdminConnections {
  static final int MOST_ASKING = 256;

  /** Each may keep a page in memory. */
  static final int MOST_ANSWERED = 64;

  // The oldest first.
  private final Set<Channel> asking = new LinkedHashSet<>();
  private final Set<Channel> answered = new LinkedHashSet<>();

  void opened(Channel channel) {
    add(channel, asking, MOST_ASKING);
  }

  /** Notes that a connection has sent a request. */
  void asked(Channel channel) {
    asking.remove(channel);
    add(channel, answered, MOST_ANSWERED);
  }

  void closed(Channel channel) {
    asking.remove(channel);
    answered.remove(channel);
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
