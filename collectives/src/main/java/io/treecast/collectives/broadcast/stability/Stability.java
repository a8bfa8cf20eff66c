package io.treecast.collectives.broadcast.stability;

import io.treecast.collectives.broadcast.log.StreamLog;
import io.treecast.collectives.broadcast.message.EdgeMessage;
import io.treecast.collectives.broadcast.message.EdgeMessage.Digest;
import io.treecast.collectives.broadcast.message.EdgeMessage.Have;
import io.treecast.collectives.broadcast.message.EdgeMessage.Stable;
import io.treecast.collectives.broadcast.message.LogItem;
import io.treecast.collectives.broadcast.message.Position;
import io.treecast.collectives.broadcast.message.StreamId;
import io.treecast.collectives.broadcast.message.StreamPosition;
import io.treecast.collectives.broadcast.message.Topic;
import io.treecast.collectives.broadcast.publish.Uploads;
import io.treecast.collectives.broadcast.stream.Streams;
import io.treecast.collectives.broadcast.topic.Interests.InterestState;
import io.treecast.collectives.broadcast.tree.TreePlace;
import io.treecast.ghs.NodeId;
import io.treecast.mst.CommittedTree;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Consumer;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * Determines which messages every member of the committed tree has.
 *
 * <p>Each member reports to its parent the positions that its whole subtree has reached ({@link
 * Have}): in each stream, the minimum of its own position and those of its children. In a topic,
 * only members in subtrees that want it count; where none does, the position that any member has
 * reached counts. The minimum at the root is stable, and the root reports it to all ({@link
 * Stable}); in a selection, only towards its receivers and members that have reported a position.
 * Among messages that are published whole, only complete ones count, so that the beginning of an
 * incomplete one stays available; {@linkplain Uploads uploads}, which may be larger than every log,
 * count by the chunk. Only positions that have grown are reported, at most once per {@link
 * #INTERVAL_NANOS}, or per {@link #PRESSED_INTERVAL_NANOS} while publishers are about to wait. A
 * message after a silence costs one Have and one Stable on each edge, or on each edge that a
 * selection crosses; silence costs nothing.
 *
 * <p><b>Changes of the tree.</b> Counting restarts with each committed tree, identified by its
 * version. Messages of an earlier tree are ignored. A Have of a later tree is kept until this
 * member commits that tree, since its children may commit first; a Stable of a later tree cannot
 * arrive, since it needs this member's Have. A new data stream carries all positions again.
 * Positions of streams forgotten here are reported, too, as long as others may wait for them
 * ({@link Streams#counted}). Children report a position only once. So a report about a stream that
 * is not here is kept until the stream is stable up to that position, and a report for a later tree
 * until this member commits that tree. Then it is dropped, because other members may use any number
 * of topics over time. A member outside the paths of a selection may have content from an earlier
 * tree. If its report arrives after the end was reported, the first member that knows the end
 * answers.
 *
 * <p><b>Absent members.</b> While any member of the tree awaits an {@linkplain Absences absent}
 * one, stable content is retained for it, as far as the logs have room. A member that has just
 * started or joined has seen no member leave. So each member adds to its report how many it knows
 * to be {@linkplain Absences#brief briefly} absent, and the root reports the maximum to all. A
 * publisher therefore knows whether to wait before any of its content is stable.
 */
public final class Stability {
  /** The least time between two reports of one member. */
  public static final long INTERVAL_NANOS = 1_000_000_000L;

  /** The least time between two reports while much is unstable. */
  static final long PRESSED_INTERVAL_NANOS = 10_000_000L;

  /** The operations that stability needs from its relay. */
  public interface StabilityContext {
    /** Returns the streams to count, as {@link Streams#counted}. */
    Iterable<StreamLog> counted();

    /** Returns the position of this member in a stream. */
    Position next(StreamId stream);

    /** Returns whether the stream is in the log of this member. */
    boolean isHere(StreamId stream);

    /** Returns whether subscribers of this member want the topic. */
    boolean isWanted(String topic);

    /** Returns whether any member in the subtree of a child wants the topic. */
    InterestState interest(NodeId child, String topic);

    /** Returns whether any member of the committed tree wants the topic. */
    InterestState interest(String topic);

    /**
     * Returns whether so much is unstable that publishers may have to wait.
     *
     * @param members how many members share the log
     */
    boolean isPressed(int members);

    /** Returns whether the data stream to a neighbour is open. */
    boolean isOpen(NodeId neighbour);

    void send(NodeId neighbour, EdgeMessage message);

    void stable(Stable stable);

    /** Notes that the stream is stable up to {@code end} in the tree of this version. */
    void stable(StreamLog stream, Position end, long treeVersion);
  }

  /** A neighbour's report about its subtree in the tree of one version. */
  private static final class Subtree {
    final long treeVersion;
    final Map<StreamId, Position> positions = new HashMap<>();
    boolean awaitsAbsent;
    int brieflyAbsent;

    Subtree(long treeVersion) {
      this.treeVersion = treeVersion;
    }
  }

  private final StabilityContext relay;
  private final int limit;
  private final Absences absences;

  /** The reports for the latest tree on each neighbour's present data stream. */
  private final TreeMap<NodeId, Subtree> subtrees = new TreeMap<>();

  private long treeVersion;
  private @Nullable NodeId parent;
  private List<NodeId> children = List.of();

  /** The positions reported to the parent, or by the root to all. */
  private final TreeMap<StreamId, Position> reported = new TreeMap<>();

  /**
   * Whether anything was reported in the present tree, on the present data stream to the parent.
   */
  private boolean hasReportedInTree;

  private boolean reportedAwaitsAbsent;
  private int reportedBrieflyAbsent;

  /** The positions that have grown since they were reported. */
  private final TreeMap<StreamId, Position> unreported = new TreeMap<>();

  /** The stable positions in the present tree. */
  private final TreeMap<StreamId, Position> stable = new TreeMap<>();

  /**
   * The stable ends of the selections that were forgotten last here, oldest first: children that
   * report later are answered.
   */
  private final LinkedHashMap<StreamId, Position> endsOfForgotten = new LinkedHashMap<>();

  /** The children that have the last state of absences. */
  private final TreeSet<NodeId> informed = new TreeSet<>();

  private boolean stableIsRetained;

  /** The number that a root last reported, in any tree; in a new tree no other is known yet. */
  private int brieflyAbsentAnywhere;

  private boolean stableKnown;
  private boolean hasReported;
  private long reportedNanos;
  private long nowNanos;

  /**
   * Creates a state without positions.
   *
   * @param limit the largest number of absent members that are awaited, and of streams without
   *     content here whose stable end is remembered. For a neighbour it is four times as many,
   *     since it also reports its own streams and those that it has forgotten
   */
  public Stability(StabilityContext relay, int limit) {
    this.relay = relay;
    this.limit = limit;
    this.absences = new Absences(limit);
  }

  /** Notes that this member has committed a tree. */
  public void treeCommitted(NodeId self, CommittedTree tree) {
    TreePlace place = TreePlace.of(self, tree);
    treeVersion = place.treeVersion();
    parent = place.parent();
    children = place.children();
    absences.treeCommitted(tree);
    subtrees.values().removeIf(subtree -> subtree.treeVersion < treeVersion);
    stable.clear();
    endsOfForgotten.clear();
    informed.clear();
    stableKnown = false;
    reportAll();
  }

  /** Marks all positions as unreported. */
  private void reportAll() {
    reported.clear();
    unreported.clear();
    hasReportedInTree = false;
    reportedAwaitsAbsent = false;
    reportedBrieflyAbsent = 0;
    interestChanged(topic -> true);
  }

  /** Notes that the position of this member, or of a child's subtree, in the stream has grown. */
  public void grew(StreamId stream) {
    if (treeVersion == TreePlace.NO_TREE) {
      return;
    }
    Position furthest = relay.next(stream);
    Position least = relay.isWanted(stream.topic()) ? furthest : null;
    for (NodeId child : children) {
      InterestState interest = relay.interest(child, stream.topic());
      Subtree subtree = subtrees.get(child);
      Position its =
          subtree == null || subtree.treeVersion != treeVersion || interest == InterestState.UNKNOWN
              ? Position.START
              : subtree.positions.getOrDefault(stream, Position.START);
      if (interest != InterestState.NO && (least == null || its.isBefore(least))) {
        least = its;
      }
      furthest = furthest.isBefore(its) ? its : furthest;
    }
    Position reached = counted(stream, least == null ? furthest : least);
    if (reported.getOrDefault(stream, Position.START).isBefore(reached)) {
      unreported.put(stream, reached);
    }
  }

  /**
   * Notes that the item was logged. It may arrive when all members that want it have it already;
   * then it is stable, and no further report will state that.
   */
  public void logged(StreamLog stream, LogItem item) {
    StreamId id = stream.id();
    boolean forNobody = isReleasedAtOnce() && relay.interest(id.topic()) == InterestState.NO;
    if (treeVersion != TreePlace.NO_TREE && id.isOfTopic()) {
      relay.stable(stream, forNobody ? stream.next() : stable(id), treeVersion);
    }
    if (!forNobody && (id.isOfUploads() || stream.next().sequence() > item.from().sequence())) {
      grew(id);
    }
  }

  /** Whether stable content is known to be retained for no member. */
  private boolean isReleasedAtOnce() {
    return stableKnown && !stableIsRetained;
  }

  /**
   * Notes that subscribers of this member have more of the stream, up to a place that may be
   * stable.
   */
  public void handedOver(StreamId stream) {
    grew(stream);
    Position known = stable.get(stream);
    if (known != null) {
      relay.stable(
          new Stable(
              treeVersion,
              List.of(new StreamPosition(stream, known)),
              stableIsRetained,
              brieflyAbsentAnywhere));
    }
  }

  /**
   * Notes that this member will not get the content of a stream, so that no count waits for it
   * here; has no effect if there was no room for the stream.
   */
  public void missed(StreamLog left) {
    if (!left.isTruncated()) {
      grew(left.id());
    }
  }

  /** Notes that the interest in these topics may have changed in this member's subtree. */
  public void interestChanged(Predicate<String> topics) {
    TreeSet<StreamId> concerned = new TreeSet<>();
    Consumer<StreamId> addConcerned =
        stream -> {
          if (topics.test(stream.topic())) {
            concerned.add(stream);
          }
        };
    relay.counted().forEach(stream -> addConcerned.accept(stream.id()));
    subtrees.values().forEach(subtree -> subtree.positions.keySet().forEach(addConcerned));
    concerned.forEach(this::grew);
  }

  /** The counted part of a position in a stream. */
  private static Position counted(StreamId stream, Position position) {
    return stream.isOfUploads() ? position : new Position(position.sequence(), 0);
  }

  /** Returns whether any member of this member's subtree awaits one that the tree lacks. */
  public boolean awaitsAbsent() {
    if (absences.any()) {
      return true;
    }
    for (NodeId child : children) {
      Subtree subtree = subtrees.get(child);
      if (subtree != null && subtree.treeVersion == treeVersion && subtree.awaitsAbsent) {
        return true;
      }
    }
    return false;
  }

  /** The largest number of briefly absent members known to a member of this member's subtree. */
  private int brieflyAbsent() {
    int most = absences.brief();
    for (NodeId child : children) {
      Subtree subtree = subtrees.get(child);
      if (subtree != null && subtree.treeVersion == treeVersion) {
        most = Math.max(most, subtree.brieflyAbsent);
      }
    }
    return most;
  }

  /**
   * Returns how many members share the logs: those of the committed tree, and those briefly absent.
   */
  public int memberCount() {
    return absences.present() + Math.max(absences.brief(), brieflyAbsentAnywhere);
  }

  /**
   * Returns whether any member is {@linkplain Absences#brief briefly} absent, as far as the tree
   * knows.
   */
  public boolean anyBrieflyAbsent() {
    return absences.brief() > 0 || brieflyAbsentAnywhere > 0;
  }

  /**
   * Returns whether this member is alone in its tree, and more than one other left it {@linkplain
   * Absences#brief briefly} ago. Members other than its former neighbour may still be there.
   */
  public boolean mayRejoinOthers() {
    return absences.present() == 1 && absences.brief() > 1;
  }

  /** The position up to which the stream is known to be stable in the present tree. */
  private Position stable(StreamId stream) {
    Position end = stable.get(stream);
    return end == null ? endsOfForgotten.getOrDefault(stream, Position.START) : end;
  }

  /**
   * Notes that the stream was forgotten here. Its stable position is kept if it lies beyond the end
   * here: content up to it may arrive when the topic is wanted again, and no further report will
   * state that it is stable. That of a selection is kept for children that have not reported.
   */
  public void forget(StreamId stream) {
    Position end = stable(stream);
    dropUpTo(end, stream);
    if (relay.next(stream).isBefore(end) && stable.size() <= limit) {
      return;
    }
    stable.remove(stream);
    if (Topic.isSelection(stream.topic()) && Position.START.isBefore(end)) {
      endsOfForgotten.put(stream, end);
      if (endsOfForgotten.size() > limit) {
        endsOfForgotten.remove(endsOfForgotten.keySet().iterator().next());
      }
    }
  }

  /**
   * Drops reports about a stream that is not here, as far as they are not beyond its stable
   * position. Without them it counts from its beginning, so that nothing is reported until each
   * subtree that wants the stream has reported more.
   */
  private void dropUpTo(Position end, StreamId stream) {
    drop(end, stream, reported);
    drop(end, stream, unreported);
    for (Subtree subtree : subtrees.values()) {
      if (subtree.treeVersion == treeVersion) {
        drop(end, stream, subtree.positions);
      }
    }
  }

  private static void drop(Position end, StreamId stream, Map<StreamId, Position> reports) {
    reports.computeIfPresent(stream, (id, reached) -> end.isBefore(reached) ? reached : null);
  }

  // Neighbours.

  public void received(NodeId neighbour, Have have) {
    Subtree subtree = subtrees.get(neighbour);
    long latest = subtree == null ? treeVersion : Math.max(treeVersion, subtree.treeVersion);
    if (have.treeVersion() < latest) {
      return;
    }
    if (subtree == null || subtree.treeVersion < have.treeVersion()) {
      subtree = new Subtree(have.treeVersion());
      subtrees.put(neighbour, subtree);
    }
    subtree.awaitsAbsent = have.awaitsAbsent();
    subtree.brieflyAbsent = have.brieflyAbsent();
    List<StreamPosition> stableAlready = new ArrayList<>();
    for (StreamPosition position : have.positions()) {
      StreamId stream = position.stream();
      if (subtree.positions.containsKey(stream) || subtree.positions.size() < 4 * limit) {
        subtree.positions.put(stream, position.next());
        grew(stream);
      }
      Position end = have.treeVersion() == treeVersion ? stable(stream) : Position.START;
      if (Topic.isSelection(stream.topic())
          && Position.START.isBefore(end)
          && !end.isBefore(position.next())) {
        stableAlready.add(new StreamPosition(stream, end));
      }
    }
    if (!stableAlready.isEmpty() && children.contains(neighbour)) {
      send(neighbour, stableAlready);
      dropNotHere(stableAlready);
    }
  }

  private boolean isParent(NodeId neighbour) {
    return Objects.equals(parent, neighbour);
  }

  public void received(NodeId neighbour, Stable message) {
    if (isParent(neighbour) && message.treeVersion() == treeVersion) {
      apply(message);
    }
  }

  private void apply(Stable message) {
    TreeSet<StreamId> forgotten = new TreeSet<>();
    for (StreamPosition position : message.positions()) {
      // Content that is not here may arrive when the topic is wanted again, and is then stable,
      // too.
      if (Position.START.isBefore(relay.next(position.stream())) || stable.size() < limit) {
        stable.put(position.stream(), position.next());
      } else {
        forgotten.add(position.stream());
      }
    }
    if (!stableKnown
        || stableIsRetained != message.isRetained()
        || brieflyAbsentAnywhere != message.brieflyAbsent()) {
      informed.clear();
    }
    stableIsRetained = message.isRetained();
    brieflyAbsentAnywhere = message.brieflyAbsent();
    stableKnown = true;
    for (NodeId child : children) {
      List<StreamPosition> concerning =
          message.positions().stream()
              .filter(
                  position ->
                      forgotten.contains(position.stream()) || concerns(child, position.stream()))
              .toList();
      if (relay.isOpen(child) && (!concerning.isEmpty() || !informed.contains(child))) {
        send(child, concerning);
      }
    }
    dropNotHere(message.positions());
    relay.stable(message);
  }

  /** Drops reports about streams that are not here, up to their stable ends. */
  private void dropNotHere(List<StreamPosition> ends) {
    for (StreamPosition end : ends) {
      if (!relay.isHere(end.stream())) {
        dropUpTo(end.next(), end.stream());
      }
    }
  }

  /**
   * Returns whether the end of a stream may concern a member in the subtree of a child. Other
   * topics than selections may be wanted again by members that have reported their positions
   * before.
   */
  private boolean concerns(NodeId child, StreamId stream) {
    Subtree subtree = subtrees.get(child);
    return !Topic.isSelection(stream.topic())
        || relay.interest(child, stream.topic()) != InterestState.NO
        || (subtree != null
            && subtree.treeVersion == treeVersion
            && (subtree.positions.containsKey(stream) || subtree.positions.size() >= 4 * limit));
  }

  private void send(NodeId child, List<StreamPosition> ends) {
    informed.add(child);
    relay.send(child, new Stable(treeVersion, ends, stableIsRetained, brieflyAbsentAnywhere));
  }

  /** Notes that the data stream to a neighbour is open; reports on an earlier one may be lost. */
  public void opened(NodeId neighbour) {
    if (isParent(neighbour)) {
      reportAll();
    } else if (children.contains(neighbour) && stableKnown) {
      parts(stable).forEach(part -> send(neighbour, part));
    }
  }

  public void closed(NodeId neighbour) {
    subtrees.remove(neighbour);
    informed.remove(neighbour);
  }

  // Time.

  /** Returns when {@link #tick} is due at the latest; MAX_VALUE for never. */
  public long nextDeadlineNanos() {
    long absent = absences.nextDeadlineNanos();
    return hasChanged() ? Math.min(absent, Math.max(nowNanos, nextReportNanos())) : absent;
  }

  public void tick(long now) {
    nowNanos = now;
    absences.tick(now);
    if (hasChanged() && now >= nextReportNanos()) {
      report();
    }
  }

  /** Whether there is a change to report, and an open stream for it. */
  private boolean hasChanged() {
    boolean changed = !unreported.isEmpty() || (hasReportedInTree && isAbsenceUnreported());
    return changed && (parent == null || relay.isOpen(parent));
  }

  private boolean isAbsenceUnreported() {
    return reportedAwaitsAbsent != awaitsAbsent() || reportedBrieflyAbsent != brieflyAbsent();
  }

  /** The earliest time of the next report. */
  private long nextReportNanos() {
    long interval = relay.isPressed(memberCount()) ? PRESSED_INTERVAL_NANOS : INTERVAL_NANOS;
    return hasReported ? reportedNanos + interval : Long.MIN_VALUE;
  }

  private void report() {
    List<List<StreamPosition>> parts = parts(unreported);
    reported.putAll(unreported);
    unreported.clear();
    reportedAwaitsAbsent = awaitsAbsent();
    reportedBrieflyAbsent = brieflyAbsent();
    reportedNanos = nowNanos;
    hasReported = true;
    hasReportedInTree = true;
    for (List<StreamPosition> part : parts) {
      if (parent == null) {
        apply(new Stable(treeVersion, part, reportedAwaitsAbsent, reportedBrieflyAbsent));
      } else {
        relay.send(
            Objects.requireNonNull(parent),
            new Have(treeVersion, part, reportedAwaitsAbsent, reportedBrieflyAbsent));
      }
    }
  }

  /** The positions in parts that fit in a message; at least one. */
  private static List<List<StreamPosition>> parts(Map<StreamId, Position> positions) {
    List<StreamPosition> all = new ArrayList<>();
    positions.forEach((stream, next) -> all.add(new StreamPosition(stream, next)));
    return EdgeMessage.parts(all, Digest.MAX_POSITIONS);
  }
}
