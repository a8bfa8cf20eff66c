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
import io.treecast.collectives.broadcast.publish.Uploads;
import io.treecast.collectives.broadcast.stream.Streams;
import io.treecast.collectives.broadcast.topic.Interests.Wants;
import io.treecast.collectives.broadcast.tree.TreePlace;
import io.treecast.ghs.NodeId;
import io.treecast.mst.CommittedTree;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Consumer;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * Finds out which messages every member of the committed tree has.
 *
 * <p>Each member tells its parent how far its whole subtree has come ({@link Have}): of each
 * stream, the least of what it has and what its children told; of a topic, only those count whose
 * subtrees want it, and where nobody does, what was reached by anybody counts. What the root finds
 * so is stable, and it tells everybody ({@link Stable}). Of messages that are published whole, only
 * complete ones count, so that the begin of one that is never completed can be had again;
 * {@linkplain Uploads uploads}, which may be larger than every log, count by the chunk. Only what
 * has grown is told, and not more often than {@link #INTERVAL_NANOS}, or {@link
 * #PRESSED_INTERVAL_NANOS} while publishers are about to wait for it. A message after a silence
 * costs one Have and one Stable on each edge; silence costs nothing.
 *
 * <p><b>Changes of the tree.</b> All is counted anew for each committed tree, by its version. What
 * belongs to an earlier one is ignored. A Have of a later one is kept until this member commits
 * that too, since its children may be first; a Stable of a later one cannot come, since it needs
 * this member's Have. On a new data stream all is told again. What was forgotten here is told, too,
 * as long as others may wait for that ({@link Streams#counted}).
 *
 * <p><b>Absent members.</b> While any member of the tree awaits one that is {@linkplain Absences
 * absent}, what is stable is retained for it, as far as the logs have room. A member that has just
 * started, or joined, has seen nobody leave. So each member tells, with how far it has come, how
 * many it knows to be {@linkplain Absences#brief briefly} absent, and the root tells everybody the
 * most of that: before anything of a publisher is stable, the publisher knows whether to wait.
 */
public final class Stability {
  /** The least time between two tellings of one member. */
  public static final long INTERVAL_NANOS = 1_000_000_000L;

  /** The same, while much is unstable. */
  static final long PRESSED_INTERVAL_NANOS = 10_000_000L;

  /** What it needs of its relay. */
  public interface Relay {
    /** As {@link Streams#counted}. */
    Iterable<StreamLog> counted();

    /** How far this member has come in a stream. */
    Position next(StreamId stream);

    /** Whether subscribers of this member want the topic. */
    boolean isWanted(String topic);

    /** Whether anybody in the subtree of a child wants the topic. */
    Wants wants(NodeId child, String topic);

    /** Whether any member of the committed tree wants the topic. */
    Wants wants(String topic);

    /**
     * Whether so much is unstable that publishers may have to wait.
     *
     * @param members how many share the log
     */
    boolean isPressed(int members);

    /** Whether the data stream to a neighbour is open. */
    boolean isOpen(NodeId neighbour);

    void send(NodeId neighbour, EdgeMessage message);

    void stable(Stable stable);

    /** Of this stream, what is here up to an end is stable in the tree of this version. */
    void stable(StreamLog stream, Position end, long treeVersion);
  }

  /** What a neighbour has told of its subtree in the tree of one version. */
  private static final class Subtree {
    final long treeVersion;
    final Map<StreamId, Position> positions = new HashMap<>();
    boolean awaitsAbsent;
    int brieflyAbsent;

    Subtree(long treeVersion) {
      this.treeVersion = treeVersion;
    }
  }

  private final Relay relay;
  private final int limit;
  private final Absences absences;

  /** By neighbour, of the latest tree that it told of on the present data stream. */
  private final TreeMap<NodeId, Subtree> subtrees = new TreeMap<>();

  private long treeVersion;
  private @Nullable NodeId parent;
  private List<NodeId> children = List.of();

  /** What the parent was told, and of the root, everybody. */
  private final TreeMap<StreamId, Position> told = new TreeMap<>();

  private boolean toldAwaitsAbsent;
  private int toldBrieflyAbsent;

  /** What has grown since. */
  private final TreeMap<StreamId, Position> untold = new TreeMap<>();

  /** What is stable in the present tree. */
  private final TreeMap<StreamId, Position> stable = new TreeMap<>();

  private boolean stableIsRetained;

  /** As the root said last, in whatever tree: in a new one, nothing else is known yet. */
  private int brieflyAbsentAnywhere;

  private boolean stableKnown;
  private boolean hasTold;
  private long toldNanos;
  private long nowNanos;

  /**
   * Knows nothing.
   *
   * @param limit of the absent members that are awaited, and of the streams whose stable end is
   *     remembered though nothing of them is here; of a neighbour four times as many, since it also
   *     tells of its own and of those that it has forgotten
   */
  public Stability(Relay relay, int limit) {
    this.relay = relay;
    this.limit = limit;
    this.absences = new Absences(limit);
  }

  /** This member has committed a tree. */
  public void treeCommitted(NodeId self, CommittedTree tree) {
    TreePlace place = TreePlace.of(self, tree);
    treeVersion = place.treeVersion();
    parent = place.parent();
    children = place.children();
    absences.treeCommitted(tree);
    subtrees.values().removeIf(subtree -> subtree.treeVersion < treeVersion);
    stable.clear();
    stableKnown = false;
    tellAll();
  }

  /** Everything is untold. */
  private void tellAll() {
    told.clear();
    untold.clear();
    toldAwaitsAbsent = false;
    toldBrieflyAbsent = 0;
    wantsChanged(topic -> true);
  }

  /** This member, or the subtree of a child, has more of the stream than before. */
  public void grew(StreamId stream) {
    if (treeVersion == TreePlace.NO_TREE) {
      return;
    }
    Position furthest = relay.next(stream);
    Position least = relay.isWanted(stream.topic()) ? furthest : null;
    for (NodeId child : children) {
      Wants wants = relay.wants(child, stream.topic());
      Subtree subtree = subtrees.get(child);
      Position its =
          subtree == null || subtree.treeVersion != treeVersion || wants == Wants.UNKNOWN
              ? Position.START
              : subtree.positions.getOrDefault(stream, Position.START);
      if (wants != Wants.NO && (least == null || its.isBefore(least))) {
        least = its;
      }
      furthest = furthest.isBefore(its) ? its : furthest;
    }
    Position reached = counted(stream, least == null ? furthest : least);
    if (told.getOrDefault(stream, Position.START).isBefore(reached)) {
      untold.put(stream, reached);
    }
  }

  /**
   * This was logged. It may come here after all who wanted it had it, so that it is stable, and
   * nobody tells of it again.
   */
  public void logged(StreamLog stream, LogItem item) {
    StreamId id = stream.id();
    boolean forNobody = isReleasedAtOnce() && relay.wants(id.topic()) == Wants.NO;
    if (treeVersion != TreePlace.NO_TREE && id.isOfTopic()) {
      relay.stable(stream, forNobody ? stream.next() : stable(id), treeVersion);
    }
    if (!forNobody && (id.isOfUploads() || stream.next().sequence() > item.from().sequence())) {
      grew(id);
    }
  }

  /** Whether what is stable is known to be retained for nobody. */
  private boolean isReleasedAtOnce() {
    return stableKnown && !stableIsRetained;
  }

  /** Subscribers of this member have more of the stream, of which that may be stable already. */
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
   * What there was of a stream is missed here: so nobody waits for it, if there was room for it.
   */
  public void missed(StreamLog left) {
    if (!left.gaveWay()) {
      grew(left.id());
    }
  }

  /** Others than before may want these topics, in this member's subtree. */
  public void wantsChanged(Predicate<String> topics) {
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

  /** What counts of a stream that has come so far. */
  private static Position counted(StreamId stream, Position position) {
    return stream.isOfUploads() ? position : new Position(position.sequence(), 0);
  }

  /** Whether anybody in this member's subtree awaits one that the tree lacks. */
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

  /** The most members that one of this member's subtree knows to be briefly absent. */
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

  /** How many members share the logs: those of the committed tree, and those briefly absent. */
  public int memberCount() {
    return absences.present() + Math.max(absences.brief(), brieflyAbsentAnywhere);
  }

  /** Whether any member is {@linkplain Absences#brief briefly} absent, as far as the tree knows. */
  public boolean anyBrieflyAbsent() {
    return absences.brief() > 0 || brieflyAbsentAnywhere > 0;
  }

  /**
   * Whether this member is alone in its tree, and more than one other left it {@linkplain
   * Absences#brief briefly} ago. Others than the one that it was linked with may be there still.
   */
  public boolean mayMeetOthers() {
    return absences.present() == 1 && absences.brief() > 1;
  }

  /** Up to where the stream is known to be stable in the present tree. */
  private Position stable(StreamId stream) {
    return stable.getOrDefault(stream, Position.START);
  }

  /**
   * The stream was forgotten here. What is stable beyond its end here may come when somebody wants
   * it newly; nobody tells of that again.
   */
  public void forget(StreamId stream) {
    told.remove(stream);
    untold.remove(stream);
    if (!relay.next(stream).isBefore(stable(stream)) || stable.size() > limit) {
      stable.remove(stream);
    }
    subtrees.values().forEach(subtree -> subtree.positions.remove(stream));
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
    for (StreamPosition position : have.positions()) {
      StreamId stream = position.stream();
      if (subtree.positions.containsKey(stream) || subtree.positions.size() < 4 * limit) {
        subtree.positions.put(stream, position.next());
        grew(stream);
      }
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
    for (StreamPosition position : message.positions()) {
      // What is not here yet may come when somebody wants it newly; it is stable then, too.
      if (Position.START.isBefore(relay.next(position.stream())) || stable.size() < limit) {
        stable.put(position.stream(), position.next());
      }
    }
    stableIsRetained = message.isRetained();
    brieflyAbsentAnywhere = message.brieflyAbsent();
    stableKnown = true;
    for (NodeId child : children) {
      if (relay.isOpen(child)) {
        relay.send(child, message);
      }
    }
    relay.stable(message);
  }

  /** The data stream to a neighbour is open; what was said on an earlier one may be lost. */
  public void opened(NodeId neighbour) {
    if (isParent(neighbour)) {
      tellAll();
    } else if (children.contains(neighbour) && !stable.isEmpty()) {
      for (List<StreamPosition> part : parts(stable)) {
        relay.send(
            neighbour, new Stable(treeVersion, part, stableIsRetained, brieflyAbsentAnywhere));
      }
    }
  }

  public void closed(NodeId neighbour) {
    subtrees.remove(neighbour);
  }

  // Time.

  /** When {@link #tick} is due at the latest; MAX_VALUE for never. */
  public long nextDeadlineNanos() {
    long absent = absences.nextDeadlineNanos();
    return hasChanged() ? Math.min(absent, Math.max(nowNanos, tellingNanos())) : absent;
  }

  public void tick(long now) {
    nowNanos = now;
    absences.tick(now);
    if (hasChanged() && now >= tellingNanos()) {
      tell();
    }
  }

  /** Whether there is anything to tell, and a way for it. */
  private boolean hasChanged() {
    boolean changed = !untold.isEmpty() || (!told.isEmpty() && isAbsenceUntold());
    return changed && (parent == null || relay.isOpen(parent));
  }

  private boolean isAbsenceUntold() {
    return toldAwaitsAbsent != awaitsAbsent() || toldBrieflyAbsent != brieflyAbsent();
  }

  /** The first time at which something may be told. */
  private long tellingNanos() {
    long interval = relay.isPressed(memberCount()) ? PRESSED_INTERVAL_NANOS : INTERVAL_NANOS;
    return hasTold ? toldNanos + interval : Long.MIN_VALUE;
  }

  private void tell() {
    List<List<StreamPosition>> parts = parts(untold);
    told.putAll(untold);
    untold.clear();
    toldAwaitsAbsent = awaitsAbsent();
    toldBrieflyAbsent = brieflyAbsent();
    toldNanos = nowNanos;
    hasTold = true;
    for (List<StreamPosition> part : parts) {
      if (parent == null) {
        apply(new Stable(treeVersion, part, toldAwaitsAbsent, toldBrieflyAbsent));
      } else {
        relay.send(
            Objects.requireNonNull(parent),
            new Have(treeVersion, part, toldAwaitsAbsent, toldBrieflyAbsent));
      }
    }
  }

  /** In parts that fit in a message; at least one. */
  private static List<List<StreamPosition>> parts(Map<StreamId, Position> positions) {
    List<StreamPosition> all = new ArrayList<>();
    positions.forEach((stream, next) -> all.add(new StreamPosition(stream, next)));
    return EdgeMessage.parts(all, Digest.MAX_POSITIONS);
  }
}
