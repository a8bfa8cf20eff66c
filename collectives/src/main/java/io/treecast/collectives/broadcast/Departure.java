package io.treecast.collectives.broadcast;

import io.treecast.collectives.broadcast.edge.DataEdges;
import io.treecast.collectives.broadcast.log.ReplicationLog;
import io.treecast.collectives.broadcast.publish.Uploads;
import io.treecast.collectives.broadcast.stream.Streams;
import java.util.function.BooleanSupplier;

/**
 * The obligations of a member that is about to leave: its neighbours must have everything that its
 * log had at the beginning of the departure, above all its own broadcasts, of which no other member
 * may have a copy.
 *
 * <p>Sent items may still be under way, and are lost if the sender exits: the credit is far more
 * than a slow link carries in a second. Each neighbour that was sent everything is therefore asked
 * for its positions; its answer ends the obligation. Content that all members have needs no
 * question.
 *
 * <p>A member without neighbours owes its own publications to the members that are expected back.
 */
public final class Departure {
  private final DataEdges edges;
  private final ReplicationLog log;
  private final Streams streams;
  private final Uploads uploads;
  private final BooleanSupplier awaitsOthers;
  private long loggedUntil;
  private boolean taken;

  /**
   * Begins the departure.
   *
   * @param awaitsOthers whether the committed tree has other members, or an absent member is
   *     awaited
   */
  Departure(
      DataEdges edges,
      ReplicationLog log,
      Streams streams,
      Uploads uploads,
      BooleanSupplier awaitsOthers) {
    this.edges = edges;
    this.log = log;
    this.streams = streams;
    this.uploads = uploads;
    this.awaitsOthers = awaitsOthers;
    this.loggedUntil = log.nextNumber();
  }

  /**
   * Returns whether every neighbour on an active edge has everything that it lacked; requests the
   * positions of neighbours that were sent everything. False while a data stream is down, a
   * neighbour has no room, or an upload is under way. Without active edges, returns whether the
   * neighbours have confirmed before, or no awaited member lacks a publication of this one.
   */
  public boolean isOver() {
    if (uploads.isLogging()) {
      loggedUntil = log.nextNumber();
      return false;
    }
    boolean allHaveOwn = allHaveOwn();
    if (!edges.anyActive()) {
      return taken || allHaveOwn || !awaitsOthers.getAsBoolean();
    }
    boolean allHaveAll = allHaveOwn && log.unstableBytes() == 0;
    taken = allHaveAll ? edges.haveSent(loggedUntil) : edges.haveTaken(loggedUntil);
    return taken;
  }

  /** Whether neither a member of the tree nor an absent one lacks a publication of this member. */
  private boolean allHaveOwn() {
    return streams.own().stream().allMatch(own -> own.oldestUnsettled() == null);
  }
}
