package io.treecast.collectives.broadcast;

import io.treecast.collectives.broadcast.edge.DataEdges;
import io.treecast.collectives.broadcast.log.ReplicationLog;
import io.treecast.collectives.broadcast.publish.Uploads;
import io.treecast.collectives.broadcast.stream.Streams;
import java.util.function.BooleanSupplier;

/**
 * What a member that is about to leave owes the others: that its neighbours have all that its log
 * had when it said so, its own broadcasts above all, of which nobody else may have a copy. Relay's
 * thread.
 *
 * <p>What was sent may still be on its way, and is lost if the sender goes: there is credit for far
 * more than a slow link carries in a second. So each neighbour that was sent everything is asked
 * what it has; its answer is the end of it. Nobody is asked about what all members have.
 *
 * <p>A member without neighbours owes what was published here to those who are expected back.
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
   * Begins now.
   *
   * @param awaitsOthers whether the committed tree has other members, or one that it lacks is
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
   * Whether every neighbour on an active edge has what it lacked of that; asks them, where that is
   * due. Not while a data stream is down, a neighbour has no room, or an upload. Where there is
   * none, and none has taken all before, whether somebody who is awaited lacks what was published
   * here.
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

  /** Whether nobody lacks what was published here, nor anybody who may come back. */
  private boolean allHaveOwn() {
    return streams.own().stream().allMatch(own -> own.oldestUnsettled() == null);
  }
}
