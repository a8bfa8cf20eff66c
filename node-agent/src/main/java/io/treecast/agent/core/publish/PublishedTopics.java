package io.treecast.agent.core.publish;

import io.treecast.collectives.broadcast.BroadcastRelay;
import io.treecast.collectives.broadcast.contract.BroadcastRefusedException;
import io.treecast.collectives.broadcast.contract.BroadcastRefusedException.Reason;
import io.treecast.collectives.broadcast.message.Topic;
import java.util.Iterator;
import java.util.Map;
import java.util.TreeMap;

/**
 * The topics on which local clients publish. Each topic counts against the share of its first
 * client: a client has at most as many of {@code limits.topics} as it leaves to the others. Once a
 * topic exists, all clients may publish on it.
 */
final class PublishedTopics {
  private final BroadcastRelay relay;
  private final ClientShares shares;
  private final Map<String, String> clients = new TreeMap<>();

  PublishedTopics(BroadcastRelay relay, int limit) {
    this.relay = relay;
    this.shares = new ClientShares(limit);
  }

  /**
   * Checks whether a client may publish on a topic.
   *
   * @throws BroadcastRefusedException TOO_MANY_TOPICS, if the client has used up its share
   */
  void check(String client, String topic) throws BroadcastRefusedException {
    if (topic.equals(Topic.DEFAULT) || relay.publishesOn(topic)) {
      return;
    }
    forgetIdle();
    if (shares.exceedsFairShare(client)) {
      throw new BroadcastRefusedException(
          Reason.TOO_MANY_TOPICS,
          shares.refusalReason(client, "limits.topics", "published topics"));
    }
  }

  /** Notes that a client has published on a topic. */
  void published(String client, String topic) {
    if (!topic.equals(Topic.DEFAULT) && clients.putIfAbsent(topic, client) == null) {
      shares.add(client, 1);
    }
  }

  private void forgetIdle() {
    for (Iterator<Map.Entry<String, String>> each = clients.entrySet().iterator();
        each.hasNext(); ) {
      Map.Entry<String, String> entry = each.next();
      if (!relay.publishesOn(entry.getKey())) {
        each.remove();
        shares.remove(entry.getValue(), 1);
      }
    }
  }
}
