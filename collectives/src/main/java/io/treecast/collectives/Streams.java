package io.treecast.collectives;

import io.treecast.collectives.BroadcastRefusedException.Reason;
import io.treecast.collectives.EdgeMessage.Digest;
import io.treecast.ghs.NodeId;
import java.util.ArrayList;
import java.util.List;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * The streams that a member knows: its own, and at most {@code limits.origins} others. Relay's
 * thread.
 *
 * <p>A stream is orphaned when its origin is no member of the committed tree, or a later stream of
 * the same origin is known here: its agent restarted. When there is no room for another stream, the
 * orphan that was silent for longest and of which nothing is held is forgotten.
 */
final class Streams {
  /** What follows from it. */
  interface Events {
    /** Nobody within reach has the rest of the message in progress. */
    void abandoned(StreamLog stream);

    void forgotten(StreamLog stream);
  }

  private final int limit;
  private final ReplicationLog log;
  private final Events events;
  private final StreamLog own;
  private final Orphans orphans;

  /** By origin, its stream that was begun last here. */
  private final TreeMap<NodeId, StreamLog> latest = new TreeMap<>();

  private @Nullable SortedSet<NodeId> members;

  Streams(StreamId own, int limit, ReplicationLog log, Events events) {
    this.limit = limit;
    this.log = log;
    this.events = events;
    this.own = log.begin(own);
    this.orphans = new Orphans(log, events::abandoned);
    latest.put(own.origin(), this.own);
  }

  /** What is published here. */
  StreamLog own() {
    return own;
  }

  /** Begins a stream of another agent; null if there is no room for it. */
  @Nullable StreamLog begin(StreamId id) {
    if (log.streams().size() > limit && !forgetOne()) {
      return null;
    }
    StreamLog begun = log.begin(id);
    StreamLog earlier = latest.get(id.origin());
    if (earlier != own) {
      latest.put(id.origin(), begun);
      if (earlier != null) {
        judge(earlier);
      }
    }
    judge(begun);
    return begun;
  }

  private boolean forgetOne() {
    StreamLog longestSilent = null;
    for (StreamLog stream : log.streams()) {
      if (stream.isOrphaned()
          && !stream.isHeld()
          && (longestSilent == null || stream.lastNumber() < longestSilent.lastNumber())) {
        longestSilent = stream;
      }
    }
    if (longestSilent == null) {
      return false;
    }
    log.forget(longestSilent);
    latest.remove(longestSilent.id().origin(), longestSilent);
    orphans.forget(longestSilent);
    events.forgotten(longestSilent);
    return true;
  }

  /** A tree of these members was committed. */
  void membersAre(SortedSet<NodeId> treeMembers) {
    members = new TreeSet<>(treeMembers);
    log.streams().forEach(this::judge);
  }

  private void judge(StreamLog stream) {
    NodeId origin = stream.id().origin();
    boolean orphaned =
        latest.get(origin) != stream || (members != null && !members.contains(origin));
    if (orphaned != stream.isOrphaned()) {
      stream.markOrphaned(orphaned);
      orphans.changed(stream);
    }
  }

  /** Something was logged: of the streams of its origin, this one is alive. */
  void grew(StreamLog stream) {
    if (!stream.isOrphaned()) {
      return;
    }
    orphans.changed(stream);
    StreamLog earlier = latest.get(stream.id().origin());
    if (earlier != stream && earlier != own) {
      latest.put(stream.id().origin(), stream);
      if (earlier != null) {
        judge(earlier);
      }
      judge(stream);
    }
  }

  /** Why a neighbour that has named so many streams before can not have this; null if it can. */
  @Nullable String problemWith(List<StreamPosition> positions, int named) {
    for (StreamPosition position : positions) {
      if (position.stream().equals(own.id()) && own.next().isBefore(position.next())) {
        return position.next() + " is claimed, which was never published here";
      }
    }
    return named + positions.size() > 2L * limit
        ? "the neighbour names more streams than twice limits.origins = " + limit
        : null;
  }

  /**
   * Checks that a subscriber may have had these messages.
   *
   * @throws BroadcastRefusedException NOT_A_POSITION if not
   */
  void checkPositions(List<MessageId> messages) throws BroadcastRefusedException {
    if (messages.size() > 2L * limit) {
      throw new BroadcastRefusedException(
          Reason.NOT_A_POSITION,
          messages.size() + " positions are more than twice limits.origins = " + limit);
    }
    for (MessageId message : messages) {
      if (message.stream().equals(own.id()) && message.sequence() >= own.next().sequence()) {
        throw new BroadcastRefusedException(
            Reason.NOT_A_POSITION,
            "there is no message "
                + message
                + ": the last one published here is number "
                + (own.next().sequence() - 1));
      }
    }
  }

  /** How far each stream has come, in parts; at least one. */
  List<Digest> digest() {
    List<Digest> parts = new ArrayList<>();
    List<StreamPosition> part = new ArrayList<>();
    for (StreamLog stream : log.streams()) {
      if (part.size() == Digest.MAX_POSITIONS) {
        parts.add(new Digest(part, false));
        part.clear();
      }
      if (Position.START.isBefore(stream.next())) {
        part.add(new StreamPosition(stream.id(), stream.next()));
      }
    }
    parts.add(new Digest(part, true));
    return parts;
  }

  void tick(long nowNanos) {
    orphans.tick(nowNanos);
  }

  long nextDeadlineNanos() {
    return orphans.nextDeadlineNanos();
  }
}
