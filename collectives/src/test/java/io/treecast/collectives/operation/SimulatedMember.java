package io.treecast.collectives.operation;

import io.treecast.collectives.operation.contract.CombiningEffects;
import io.treecast.collectives.operation.contract.CombiningLimits;
import io.treecast.collectives.operation.contract.CombiningMessage;
import io.treecast.collectives.operation.contract.Operation;
import io.treecast.collectives.operation.contract.Outcome;
import io.treecast.ghs.NodeId;
import io.treecast.mst.CommittedTree;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/** One member of a {@link CombiningRun}, and the outcomes of its applications. */
final class SimulatedMember implements CombiningEffects, SimulatedStream.End {
  /** The member's environment. */
  interface World {
    void event(String text);

    void send(NodeId from, NodeId to, CombiningMessage message);

    void ended(SimulatedMember member, Operation operation, Outcome outcome);

    long nanos();
  }

  final NodeId id;
  private final World network;
  final Combining combining;
  final Map<Long, Operation> calls = new TreeMap<>();
  final Set<String> ended = new TreeSet<>();

  /** Names that it has also used for a different operation. */
  final Set<String> disagreesWithNeighbour = new TreeSet<>();

  @Nullable CommittedTree tree;
  @Nullable CommittedTree toLearn;

  /** The order of the chain on that tree; empty for none. */
  List<NodeId> chain = List.of();

  SimulatedMember(NodeId id, World network, CombiningLimits limits, long windowBytes) {
    this.id = id;
    this.network = network;
    this.combining = new Combining(id, limits, windowBytes, this);
  }

  /** Returns the members to which this one needs streams. */
  Set<NodeId> neighbours() {
    Set<NodeId> all = new TreeSet<>(tree == null ? List.of() : tree.neighbours(id));
    int at = chain.indexOf(id);
    if (at > 0) {
      all.add(chain.get(at - 1));
    }
    if (at >= 0 && at + 1 < chain.size()) {
      all.add(chain.get(at + 1));
    }
    return all;
  }

  @Override
  public void send(NodeId neighbour, CombiningMessage message) {
    network.event(id + " > " + neighbour + " " + message);
    network.send(id, neighbour, message);
  }

  @Override
  public void ended(long call, Outcome outcome) {
    Operation operation = calls.remove(call);
    if (operation == null) {
      throw new AssertionError(id + " ends call " + call + " that is not under way");
    }
    network.event(id + " ended " + operation.name() + " " + outcome);
    network.ended(this, operation, outcome);
  }

  @Override
  public void violated(NodeId neighbour, String reason) {
    throw new AssertionError(id + " says that " + neighbour + " broke the protocol: " + reason);
  }

  @Override
  public void opened(NodeId peer) {
    network.event(id + " open to " + peer);
    combining.opened(peer, network.nanos());
  }

  @Override
  public void received(NodeId peer, CombiningMessage message) {
    network.event(id + " < " + peer + " " + message);
    combining.received(peer, message, network.nanos());
  }

  @Override
  public void closed(NodeId peer) {
    network.event(id + " closed to " + peer);
    combining.closed(peer);
  }
}
