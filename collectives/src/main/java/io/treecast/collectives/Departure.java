package io.treecast.collectives;

/**
 * What a member that is about to leave owes its neighbours: that they have all that its log had
 * when it said so, its own broadcasts above all, of which nobody else may have a copy. Relay's
 * thread.
 *
 * <p>What was sent may still be on its way, and is lost if the sender goes: there is credit for far
 * more than a slow link carries in a second. So each neighbour that was sent everything is asked
 * what it has; its answer is the end of it. Nobody is asked about what all members have.
 */
public final class Departure {
  private final DataEdges edges;
  private final ReplicationLog log;
  private final Streams streams;
  private final long loggedUntil;

  Departure(DataEdges edges, ReplicationLog log, Streams streams) {
    this.edges = edges;
    this.log = log;
    this.streams = streams;
    this.loggedUntil = log.nextNumber();
  }

  /**
   * Whether every neighbour on an active edge has what it lacked of that; asks them, where that is
   * due. Not while a data stream is down, or a neighbour has no room.
   */
  public boolean isOver() {
    boolean allHaveAll = log.unstableBytes() == 0 && allHaveOwn();
    return allHaveAll ? edges.haveSent(loggedUntil) : edges.haveTaken(loggedUntil);
  }

  /** Whether nobody lacks what was published here, nor anybody who may come back. */
  private boolean allHaveOwn() {
    return streams.own().stream().allMatch(own -> own.oldestUnsettled() == null);
  }
}
