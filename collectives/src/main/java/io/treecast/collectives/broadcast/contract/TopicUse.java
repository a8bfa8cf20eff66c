package io.treecast.collectives.broadcast.contract;

import io.treecast.ghs.NodeId;
import java.util.Collections;
import java.util.SortedSet;
import java.util.TreeSet;

/**
 * One topic that is in use at a member. Immutable.
 *
 * @param topic its name; empty for the default topic
 * @param subscriptions local subscriptions to it
 * @param published whether the member has a stream of its own on it
 * @param wantedBy neighbours in the tree that want it, for themselves or for members behind them
 */
public record TopicUse(
    String topic, int subscriptions, boolean published, SortedSet<NodeId> wantedBy) {
  public TopicUse {
    wantedBy = Collections.unmodifiableSortedSet(new TreeSet<>(wantedBy));
  }
}
