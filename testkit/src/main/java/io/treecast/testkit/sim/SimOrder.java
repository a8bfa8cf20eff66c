package io.treecast.testkit.sim;

import io.treecast.collectives.broadcast.contract.SubscribeOptions;
import io.treecast.collectives.broadcast.message.MessageId;
import io.treecast.testkit.cluster.ClusterHistory;
import io.treecast.testkit.cluster.ClusterHistory.Commit;
import io.treecast.testkit.cluster.DeliveryLog;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * Applications, one for each incarnation of an agent, that subscribe to the default topic in total
 * order. Any two must receive it in the same order if their agents were always in each other's
 * trees.
 */
public final class SimOrder {
  private record Listener(SimAgent agent, SimSubscriber subscriber) {
    String node() {
      return Integer.toString(agent.node());
    }
  }

  private final ClusterHistory history;
  private final DeliveryLog deliveries;
  private final List<Listener> listeners = new ArrayList<>();
  private boolean begun;
  private long compared;

  SimOrder(ClusterHistory history, DeliveryLog deliveries) {
    this.history = history;
    this.deliveries = deliveries;
  }

  /** Adds applications at these agents, and at all that start later. */
  void begin(Collection<SimAgent> agents) {
    begun = true;
    agents.forEach(this::started);
  }

  /** Adds an application at a started agent, once {@link #begin} was called. */
  void started(SimAgent agent) {
    if (begun) {
      listen(agent);
    }
  }

  private void listen(SimAgent agent) {
    SimSubscriber subscriber = new SimSubscriber(SubscribeOptions.defaults().withTotalOrder());
    subscriber.subscribeAt(agent);
    listeners.add(new Listener(agent, subscriber));
  }

  /** Returns the messages that are missing or arrived in different orders. */
  public List<String> problems() {
    List<String> problems = new ArrayList<>();
    List<Commit> commits = history.commitsSince(Long.MIN_VALUE);
    for (int i = 0; i < listeners.size(); i++) {
      Listener one = listeners.get(i);
      if (!one.agent.isGone() && !one.agent.isPaused()) {
        one.subscriber
            .lacked(deliveries, one.agent.incarnation())
            .forEach(message -> problems.add(one.agent.incarnation() + " lacks " + message));
      }
      for (Listener other : listeners.subList(0, i)) {
        if (wereTogether(one, other, commits) && wereTogether(other, one, commits)) {
          compare(one, other, problems);
        }
      }
    }
    return problems;
  }

  private void compare(Listener one, Listener other, List<String> problems) {
    List<MessageId> ofOne = common(one, other);
    List<MessageId> ofOther = common(other, one);
    compared += ofOne.size() > 1 ? 1 : 0;
    if (!ofOne.equals(ofOther)) {
      problems.add(
          one.agent.incarnation()
              + " got "
              + ofOne
              + ", and "
              + other.agent.incarnation()
              + " "
              + ofOther);
    }
  }

  private static List<MessageId> common(Listener one, Listener other) {
    Set<MessageId> ofOther = new HashSet<>(other.subscriber.whole());
    return one.subscriber.whole().stream().filter(ofOther::contains).toList();
  }

  /** Returns whether the other agent was in all trees of the first one since both had a tree. */
  private static boolean wereTogether(Listener one, Listener other, List<Commit> commits) {
    long since = Math.max(firstVersion(one, commits), firstVersion(other, commits));
    return commits.stream()
        .filter(commit -> commit.incarnation().equals(one.agent.incarnation()))
        .filter(commit -> commit.tree().version() >= since)
        .allMatch(
            commit ->
                commit.tree().members().stream()
                    .anyMatch(member -> member.toString().equals(other.node())));
  }

  private static long firstVersion(Listener listener, List<Commit> commits) {
    return commits.stream()
        .filter(commit -> commit.incarnation().equals(listener.agent.incarnation()))
        .mapToLong(commit -> commit.tree().version())
        .min()
        .orElse(Long.MAX_VALUE);
  }

  /** Returns whether the application at the present agent of a node has the message. */
  public boolean hasAt(int node, MessageId message) {
    return listeners.stream()
        .filter(listener -> listener.agent.node() == node && !listener.agent.isGone())
        .anyMatch(listener -> listener.subscriber.whole().contains(message));
  }

  /** Returns the number of compared pairs with more than one common message. */
  public long compared() {
    return compared;
  }
}
