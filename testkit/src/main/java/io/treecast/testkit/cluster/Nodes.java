package io.treecast.testkit.cluster;

import io.treecast.testkit.network.NetworkConditions;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.function.Consumer;
import java.util.function.IntConsumer;
import org.jspecify.annotations.Nullable;

/**
 * The nodes of a cluster: which of them run an agent, in which of its incarnations. Each fault is
 * checked, recorded and applied, in this order; see {@link Faults}. One thread at a time may inject
 * faults; all other methods are thread-safe.
 *
 * @param <A> the agent at a node
 */
public final class Nodes<A extends NodeAgent> {
  private final NetworkConditions conditions;
  private final boolean open;
  private final Consumer<String> note;
  private final IntConsumer start;
  private final Consumer<A> ended;

  /** Running agents, by node. */
  private final ConcurrentSkipListMap<Integer, A> agents = new ConcurrentSkipListMap<>();

  /** Number of each node's latest incarnation. */
  private final Map<Integer, Integer> incarnations = new ConcurrentHashMap<>();

  /**
   * Creates nodes without agents.
   *
   * @param conditions the known nodes
   * @param open whether other nodes may join
   * @param note records a fault
   * @param start starts an agent at a node, and {@linkplain #add adds} it
   * @param ended receives each agent after its end
   */
  public Nodes(
      NetworkConditions conditions,
      boolean open,
      Consumer<String> note,
      IntConsumer start,
      Consumer<A> ended) {
    this.conditions = conditions;
    this.open = open;
    this.note = note;
    this.start = start;
    this.ended = ended;
  }

  /** Begins the next incarnation of a node. */
  public Incarnation nextIncarnation(int node) {
    return new Incarnation(node, incarnations.merge(node, 1, Integer::sum));
  }

  /** Adds an agent that runs or is about to. */
  public void add(A agent) {
    agents.put(agent.incarnation().node(), agent);
  }

  /** Returns all agents that run, by node, paused ones included. */
  public Collection<A> running() {
    return agents.values();
  }

  /** Returns the agents that run and are not paused, by node. */
  public List<A> unpaused() {
    return agents.values().stream().filter(agent -> !agent.isPaused()).toList();
  }

  /** Returns the agent that runs at a node, paused or not; null if there is none. */
  public @Nullable A at(int node) {
    return agents.get(node);
  }

  /**
   * Returns the agent that runs at a node, paused or not.
   *
   * @throws IllegalStateException if none runs there
   */
  public A running(int node) {
    A agent = agents.get(node);
    if (agent == null) {
      conditions.neighbours(node); // Throws for an unknown node.
      throw new IllegalStateException("node " + node + " does not run");
    }
    return agent;
  }

  /**
   * Returns the agent that runs at a node and is not paused.
   *
   * @throws IllegalStateException if none runs there, or it is paused
   */
  public A unpaused(int node) {
    A agent = running(node);
    if (agent.isPaused()) {
      throw new IllegalStateException("node " + node + " is paused");
    }
    return agent;
  }

  /** Returns the present incarnation of each running agent, by node. */
  public SortedMap<Integer, Incarnation> incarnations() {
    SortedMap<Integer, Incarnation> present = new TreeMap<>();
    agents.forEach((node, agent) -> present.put(node, agent.incarnation()));
    return present;
  }

  /** Returns the nodes whose agents are paused. */
  public SortedSet<Integer> paused() {
    SortedSet<Integer> paused = new TreeSet<>();
    agents.forEach(
        (node, agent) -> {
          if (agent.isPaused()) {
            paused.add(node);
          }
        });
    return paused;
  }

  /** See {@link Faults#crash}. */
  public void crash(int node) {
    A agent = running(node);
    note.accept("crash " + node);
    agents.remove(node);
    agent.crash();
    ended.accept(agent);
  }

  /** See {@link Faults#restart}. */
  public void restart(int node) {
    conditions.neighbours(node); // Throws for an unknown node.
    if (agents.containsKey(node)) {
      throw new IllegalStateException("node " + node + " runs already");
    }
    note.accept("restart " + node);
    start.accept(node);
  }

  /** See {@link Faults#pause}. */
  public void pause(int node) {
    A agent = running(node);
    if (agent.isPaused()) {
      throw new IllegalStateException("node " + node + " is paused already");
    }
    note.accept("pause " + node);
    agent.pause();
  }

  /** See {@link Faults#resume}. */
  public void resume(int node) {
    A agent = running(node);
    if (!agent.isPaused()) {
      throw new IllegalStateException("node " + node + " is not paused");
    }
    note.accept("resume " + node);
    agent.resume();
  }

  /** See {@link Faults#join}. */
  public void join(int node, int like) {
    if (!open) {
      throw new IllegalStateException(
          "agents with configured neighbours admit no other; nodes join where all are linked");
    }
    conditions.join(node, like);
    note.accept("join " + node + " like " + like);
    start.accept(node);
  }

  /** See {@link Faults#leave}. */
  public void leave(int node) {
    A agent = unpaused(node);
    note.accept("leave " + node);
    agents.remove(node);
    agent.leave();
    ended.accept(agent);
  }
}
