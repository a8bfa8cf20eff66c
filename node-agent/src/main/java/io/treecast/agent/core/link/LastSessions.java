package io.treecast.agent.core.link;

import io.treecast.agent.core.message.Membership;
import io.treecast.ghs.NodeId;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;

/**
 * The last session with each node that is or was linked. The numbers of the sessions of two nodes
 * increase. Beyond {@link #MAX_REMEMBERED} nodes, the node without a link whose last session is the
 * oldest is forgotten.
 */
final class LastSessions {
  /** The maximum number of remembered nodes, with and without a link. */
  static final int MAX_REMEMBERED = 2 * Membership.MAX_MEMBERS;

  /**
   * A session.
   *
   * @param incarnation the other node's incarnation
   * @param number the session's number
   */
  private record Session(long incarnation, long number) {}

  /** The sessions by node, least recently set first. */
  private final Map<NodeId, Session> sessions = new LinkedHashMap<>();

  /** The highest number of a session with a forgotten node. */
  private long highestForgotten;

  /**
   * Returns a number that no earlier session with this node had, even if the node was forgotten.
   */
  long next(NodeId node) {
    Session last = sessions.get(node);
    return (last == null ? highestForgotten : last.number) + 1;
  }

  /**
   * Sets the last session with a node.
   *
   * @param linked the nodes that must not be forgotten; fewer than {@link #MAX_REMEMBERED}
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
   * Returns whether this session, or a later one with the same incarnation of the node, has been
   * opened.
   */
  boolean isOver(NodeId node, long incarnation, long number) {
    Session last = sessions.get(node);
    return last != null && last.incarnation == incarnation && number <= last.number;
  }

  /** Returns whether the last session was with a later incarnation of the node. */
  boolean hasLaterIncarnation(NodeId node, long incarnation) {
    Session last = sessions.get(node);
    return last != null && last.incarnation > incarnation;
  }

  int size() {
    return sessions.size();
  }
}
