package io.treecast.agent.core.link;

import io.treecast.agent.core.message.Membership;
import io.treecast.ghs.NodeId;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;

/**
 * The last session with each node, whether there is a link to it or was: the sessions of two nodes
 * are numbered upwards. Beyond {@link #MAX_REMEMBERED} nodes, the one without a link whose last
 * session is the oldest is forgotten.
 */
final class LastSessions {
  /** The most nodes that are remembered, with and without a link. */
  static final int MAX_REMEMBERED = 2 * Membership.MAX_MEMBERS;

  /**
   * A session.
   *
   * @param incarnation of the other node
   */
  private record Session(long incarnation, long number) {}

  /** Sessions by node, the one that was set longest ago first. */
  private final Map<NodeId, Session> sessions = new LinkedHashMap<>();

  /** No session of a forgotten node has a higher number. */
  private long highestForgotten;

  /** Returns a number that no session with this node had, even if the node was forgotten. */
  long next(NodeId node) {
    Session last = sessions.get(node);
    return (last == null ? highestForgotten : last.number) + 1;
  }

  /**
   * Sets the last session with a node.
   *
   * @param linked nodes that are not to be forgotten; fewer than {@link #MAX_REMEMBERED}
   */
  void put(NodeId node, long incarnation, long number, Set<NodeId> linked) {
    sessions.remove(node);
    sessions.put(node, new Session(incarnation, number));
    if (sessions.size() > MAX_REMEMBERED) {
      forgetOldest(linked);
    }
  }

  private void forgetOldest(Set<NodeId> linked) {
    Iterator<Map.Entry<NodeId, Session>> oldest = sessions.entrySet().iterator();
    while (oldest.hasNext()) {
      Map.Entry<NodeId, Session> session = oldest.next();
      if (!linked.contains(session.getKey())) {
        highestForgotten = Math.max(highestForgotten, session.getValue().number);
        oldest.remove();
        return;
      }
    }
  }

  /**
   * Returns whether the last session with this incarnation of the node was this one or a later one.
   */
  boolean isOver(NodeId node, long incarnation, long number) {
    Session last = sessions.get(node);
    return last != null && last.incarnation == incarnation && number <= last.number;
  }

  /** Returns whether the last session was with a later incarnation of the node. */
  boolean wasLater(NodeId node, long incarnation) {
    Session last = sessions.get(node);
    return last != null && last.incarnation > incarnation;
  }

  int size() {
    return sessions.size();
  }
}
