package io.treecast.collectives.operation;

import io.treecast.collectives.group.GroupView;
import io.treecast.collectives.operation.contract.CombiningEffects;
import io.treecast.collectives.operation.contract.CombiningLimits;
import io.treecast.collectives.operation.contract.CombiningMessage;
import io.treecast.collectives.operation.contract.Operation;
import io.treecast.collectives.operation.contract.Outcome;
import io.treecast.collectives.operation.contract.Value;
import io.treecast.ghs.LinkWeight;
import io.treecast.ghs.NodeId;
import io.treecast.mst.CommittedTree;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * A few members in virtual time, for a story: a message arrives at once and in order, unless it is
 * held up. The test plays some of the members.
 */
final class CombiningNetwork {
  static final long SECOND = 1_000_000_000L;

  /** How long applications wait unless a test states otherwise. */
  static final long PATIENCE = 100 * SECOND;

  /** A sent message. */
  record Sent(NodeId from, NodeId to, CombiningMessage message) {}

  private final CombiningLimits limits;
  private final long windowBytes;
  private final Map<NodeId, Combining> members = new TreeMap<>();
  private final Map<NodeId, CombiningLimits> limitsOf = new HashMap<>();
  private final Set<NodeId> played = new HashSet<>();
  private final Set<Set<NodeId>> open = new HashSet<>();
  private final Set<List<NodeId>> held = new HashSet<>();
  private final ArrayDeque<Sent> underWay = new ArrayDeque<>();
  private final Map<Long, Outcome> outcomes = new HashMap<>();
  final List<Sent> sent = new ArrayList<>();
  final List<String> violations = new ArrayList<>();
  private final Set<List<Object>> over = new HashSet<>();
  private long nanos;
  private long calls;

  CombiningNetwork() {
    this(CombiningLimits.defaults());
  }

  CombiningNetwork(CombiningLimits limits) {
    this(limits, Credits.WINDOW_BYTES);
  }

  CombiningNetwork(CombiningLimits limits, long windowBytes) {
    this.limits = limits;
    this.windowBytes = windowBytes;
  }

  /**
   * A tree.
   *
   * @param edges for example {@code "a-b b-c"}; none for the root alone
   */
  static CommittedTree tree(long version, String root, String edges) {
    List<LinkWeight> links = new ArrayList<>();
    for (String edge : edges.split(" ", -1)) {
      if (!edge.isEmpty()) {
        String[] ends = edge.split("-", -1);
        links.add(LinkWeight.between(NodeId.of(ends[0]), NodeId.of(ends[1]), 1_000));
      }
    }
    return new CommittedTree(version, NodeId.of(root), links);
  }

  /** Makes the test play this member. */
  void play(String name) {
    played.add(NodeId.of(name));
  }

  void limit(String name, CombiningLimits limits) {
    limitsOf.put(NodeId.of(name), limits);
  }

  /** Commits the tree at all its members, with streams on its edges. */
  void commitAll(CommittedTree tree) {
    tree.members().forEach(id -> commit(id.toString(), tree));
  }

  /** Commits the tree at one member, which dials its neighbours. */
  void commit(String name, CommittedTree tree) {
    NodeId id = NodeId.of(name);
    if (!played.contains(id)) {
      member(id).treeCommitted(tree, nanos);
      tree.neighbours(id).forEach(neighbour -> open(name, neighbour.toString()));
      settle();
    }
  }

  Combining member(String name) {
    return member(NodeId.of(name));
  }

  private Combining member(NodeId id) {
    return members.computeIfAbsent(
        id,
        self ->
            new Combining(self, limitsOf.getOrDefault(self, limits), windowBytes, new Told(self)));
  }

  /** Opens a stream, if there was none. */
  void open(String one, String other) {
    NodeId dialer = NodeId.of(one);
    NodeId acceptor = NodeId.of(other);
    if (open.add(Set.of(dialer, acceptor))) {
      if (!played.contains(dialer)) {
        member(dialer).opened(acceptor, nanos);
      }
      if (!played.contains(acceptor)) {
        member(acceptor).opened(dialer, nanos);
      }
      settle();
    }
  }

  /** Closes the stream, with everything under way on it. */
  void close(String one, String other) {
    Set<NodeId> ends = Set.of(NodeId.of(one), NodeId.of(other));
    if (open.remove(ends)) {
      underWay.removeIf(message -> ends.equals(Set.of(message.from, message.to)));
      members.computeIfPresent(NodeId.of(one), (id, end) -> closed(end, other));
      members.computeIfPresent(NodeId.of(other), (id, end) -> closed(end, one));
    }
  }

  private static Combining closed(Combining end, String neighbour) {
    end.closed(NodeId.of(neighbour));
    return end;
  }

  /** Restarts the member, without memory. */
  void restart(String name, CommittedTree tree) {
    tree.neighbours(NodeId.of(name)).forEach(neighbour -> close(name, neighbour.toString()));
    members.remove(NodeId.of(name));
    commit(name, tree);
  }

  /** Holds up messages from now on. */
  void hold(String from, String to) {
    held.add(List.of(NodeId.of(from), NodeId.of(to)));
  }

  /** Delivers the messages that were held up. */
  void release(String from, String to) {
    held.remove(List.of(NodeId.of(from), NodeId.of(to)));
    settle();
  }

  /** Sends a message from a member that the test plays. */
  void say(String from, String to, CombiningMessage message) {
    member(to).received(NodeId.of(from), message, nanos);
    settle();
  }

  /** Returns the messages from one member to another, the first first. */
  List<CombiningMessage> said(String from, String to) {
    return sent.stream()
        .filter(s -> s.from.equals(NodeId.of(from)) && s.to.equals(NodeId.of(to)))
        .map(Sent::message)
        .toList();
  }

  /** Returns the messages of one kind from one member to another. */
  <T extends CombiningMessage> List<T> said(String from, String to, Class<T> kind) {
    return said(from, to).stream().filter(kind::isInstance).map(kind::cast).toList();
  }

  /** Lets an application take part; returns the call's name. */
  long call(String member, Operation operation, Value value) {
    return call(member, operation, value, member + "'s", PATIENCE);
  }

  long call(String member, Operation operation, Value value, String token, long waitNanos) {
    long call = ++calls;
    member(member).takePart(call, token, operation, value, nanos + waitNanos, nanos);
    settle();
    return call;
  }

  /** Returns the outcome of a call; null if it has not ended. */
  @Nullable Outcome outcome(long call) {
    return outcomes.get(call);
  }

  /** Returns the result of a call. */
  Outcome.Completed completed(long call) {
    if (outcome(call) instanceof Outcome.Completed completed) {
      return completed;
    }
    throw new AssertionError("call " + call + " has come to " + outcome(call));
  }

  /** Returns the failure of a call. */
  Outcome.Failed failed(long call) {
    if (outcome(call) instanceof Outcome.Failed failed) {
      return failed;
    }
    throw new AssertionError("call " + call + " has come to " + outcome(call));
  }

  /** Lets time pass; members act at their deadlines. */
  void pass(long duration) {
    long until = nanos + duration;
    for (long due = firstDeadline(); due <= until; due = firstDeadline()) {
      nanos = Math.max(nanos, due);
      members.values().forEach(member -> member.tick(nanos));
      settle();
    }
    nanos = until;
  }

  long nanos() {
    return nanos;
  }

  private long firstDeadline() {
    return members.values().stream()
        .mapToLong(Combining::nextDeadlineNanos)
        .min()
        .orElse(Long.MAX_VALUE);
  }

  private void settle() {
    for (Sent next = first(); next != null; next = first()) {
      Combining to = members.get(next.to);
      if (to != null) {
        to.received(next.from, next.message, nanos);
      }
    }
  }

  private @Nullable Sent first() {
    for (Iterator<Sent> messages = underWay.iterator(); messages.hasNext(); ) {
      Sent next = messages.next();
      if (!held.contains(List.of(next.from, next.to))) {
        messages.remove();
        return next;
      }
    }
    return null;
  }

  /** Lets a member leave a view behind. */
  void leaveBehind(String name, GroupView.Id view) {
    over.add(List.of(NodeId.of(name), view));
    member(name).viewsChanged(nanos);
    settle();
  }

  private final class Told implements CombiningEffects {
    private final NodeId self;

    Told(NodeId self) {
      this.self = self;
    }

    @Override
    public void send(NodeId neighbour, CombiningMessage message) {
      if (!open.contains(Set.of(self, neighbour))) {
        throw new AssertionError(self + " sends without a stream to " + neighbour);
      }
      sent.add(new Sent(self, neighbour, message));
      underWay.add(new Sent(self, neighbour, message));
    }

    @Override
    public void ended(long call, Outcome outcome) {
      if (outcomes.put(call, Objects.requireNonNull(outcome)) != null) {
        throw new AssertionError("call " + call + " ended twice");
      }
    }

    @Override
    public boolean isOver(GroupView.Id view) {
      return over.contains(List.of(self, view));
    }

    @Override
    public void violated(NodeId neighbour, String reason) {
      violations.add(self + " says that " + neighbour + " sent " + reason);
    }
  }
}
