package io.treecast.collectives;

import io.treecast.ghs.NodeId;
import java.util.ArrayDeque;
import java.util.function.Consumer;

/**
 * The data stream to one neighbour, both directions, from before it opens until after it closes.
 * Relay's thread.
 */
final class DataEdge {
  /** The life of the stream: AWAITED to OPEN to CLOSED, to OPEN again. */
  enum State {
    /** The tree has this edge and its stream has yet to open: chunks for it wait. */
    AWAITED,
    OPEN,
    /** The stream has closed: chunks for it are lost, chunks from it are ignored. */
    CLOSED
  }

  private final NodeId neighbour;
  private final EdgeInlet inlet;
  private final Outlet outlet;

  /** Received before this node's own tree was committed; counted by the inlet. */
  private final ArrayDeque<Chunk> untilTree = new ArrayDeque<>();

  private State state = State.AWAITED;
  private boolean inTree;
  private boolean credited;

  DataEdge(
      NodeId neighbour, BroadcastLimits limits, BroadcastEffects effects, Consumer<Chunk> sender) {
    this.neighbour = neighbour;
    this.inlet = new EdgeInlet(limits, bytes -> effects.grant(neighbour, bytes));
    this.outlet = new Outlet(sender);
  }

  NodeId neighbour() {
    return neighbour;
  }

  State state() {
    return state;
  }

  /** Whether the committed tree has this edge. */
  boolean inTree() {
    return inTree;
  }

  EdgeInlet inlet() {
    return inlet;
  }

  Outlet outlet() {
    return outlet;
  }

  ArrayDeque<Chunk> untilTree() {
    return untilTree;
  }

  /** Whether the open stream has brought credit; notes that it has. */
  boolean markCredited() {
    boolean before = credited;
    credited = true;
    return before;
  }

  void open() {
    state = State.OPEN;
    credited = false;
    inlet.open();
  }

  /** Ends the stream; returns how many chunks for the neighbour are lost by it. */
  int close() {
    state = State.CLOSED;
    inlet.close();
    for (Chunk chunk = untilTree.poll(); chunk != null; chunk = untilTree.poll()) {
      inlet.release(chunk.cost());
    }
    return outlet.discard();
  }

  /** A tree with this edge was committed: if its stream has closed, another is awaited. */
  void joinTree() {
    inTree = true;
    if (state == State.CLOSED) {
      state = State.AWAITED;
    }
  }

  /** A tree without this edge was committed; returns how many chunks are lost by it. */
  int leaveTree() {
    inTree = false;
    if (state != State.AWAITED) {
      return 0;
    }
    state = State.CLOSED;
    return outlet.discard();
  }

  /** Whether nothing would be missed if this edge were forgotten. */
  boolean idle() {
    return !inTree && state == State.CLOSED && inlet.waitingBytes() == 0;
  }
}
