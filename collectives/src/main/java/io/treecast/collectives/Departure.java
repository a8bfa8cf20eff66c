package io.treecast.collectives;

/**
 * What a member that is about to leave owes its neighbours: all that its log had when it said so,
 * its own broadcasts above all, of which nobody else may have a copy. Relay's thread.
 */
public final class Departure {
  private final DataEdges edges;
  private final long loggedUntil;

  Departure(DataEdges edges, long loggedUntil) {
    this.edges = edges;
    this.loggedUntil = loggedUntil;
  }

  /**
   * Whether every neighbour on an active edge has been sent what it lacks of that. Not while a data
   * stream is down, or a neighbour has no room.
   */
  public boolean isOver() {
    return edges.haveSent(loggedUntil);
  }
}
