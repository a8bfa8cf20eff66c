package io.treecast.collectives.broadcast.stream;

import io.treecast.collectives.broadcast.contract.BroadcastLimits;
import io.treecast.collectives.broadcast.contract.BroadcastRefusedException;
import io.treecast.collectives.broadcast.edge.DataEdges;
import io.treecast.collectives.broadcast.log.Incarnations;
import io.treecast.collectives.broadcast.log.Orphans;
import io.treecast.collectives.broadcast.log.ReplicationLog;
import io.treecast.collectives.broadcast.log.StreamLog;
import io.treecast.collectives.broadcast.message.Channel;
import io.treecast.collectives.broadcast.message.EdgeMessage;
import io.treecast.collectives.broadcast.message.EdgeMessage.Digest;
import io.treecast.collectives.broadcast.message.Gap;
import io.treecast.collectives.broadcast.message.LogItem;
import io.treecast.collectives.broadcast.message.Position;
import io.treecast.collectives.broadcast.message.StreamId;
import io.treecast.collectives.broadcast.message.StreamPosition;
import io.treecast.collectives.broadcast.stability.Absences;
import io.treecast.collectives.broadcast.subscribe.LocalSubscribers;
import io.treecast.collectives.broadcast.topic.Interests.InterestState;
import io.treecast.ghs.NodeId;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.SortedSet;
import java.util.function.Predicate;

/**
 * The streams that a member knows: its own, one for each topic and lane, and at most {@code
 * limits.origins} others.
 *
 * <p>A stream is orphaned when its origin is not a member of the committed tree, or a later
 * incarnation of the origin is known here: its agent restarted. When there is no room for another
 * stream, the orphan that was silent for longest and of which nothing is held is forgotten; so is
 * each stream that has been an orphan for long, when nothing of it is retained. Its position stays
 * known for a while, so that neighbours that remember the stream do not bring it back. If no stream
 * may be forgotten, items of a new one are skipped: they count as received and forgotten at once.
 *
 * <p>The streams of a topic are forgotten, too, while their origins live. The conditions are: for
 * {@link #IDLE_NANOS}, no member of the committed tree has wanted the topic, no member that may
 * return has lacked any of them, and no content has arrived; and nothing of them is retained, or
 * there is no room for others. When they are needed again, they resume at their positions. Only
 * their origin begins new streams, on other lanes ({@link OwnStreams}), because it does not
 * remember all topics on which it has published.
 */
public final class Streams {
  /** The operations that streams need from their relay. */
  public interface StreamContext {
    /** Returns whether any member of the committed tree wants the topic. */
    InterestState interest(String topic);

    /** Returns whether a local publisher uploads on this lane. */
    boolean isUploading(StreamId lane);

    /** Notes that a later incarnation of an origin has become known. */
    void restarted(NodeId origin);

    /** Notes that a forgotten stream is known again. */
    void recalled(StreamId stream);

    /** Notes that a stream is being forgotten, before its gap is sent to any outlet. */
    public void forgotten(StreamLog stream);

    /**
     * Notes that subscribers got the gap for a stream that is not here, and so miss its content.
     *
     * @param byNeighbours whether neighbours got the gap, too
     */
    void missed(StreamLog left, boolean byNeighbours);

    /** Notes that the position of a forgotten stream is no longer known here. */
    void unremembered();

    /** Notes that these incarnations must be announced to neighbours other than {@code from}. */
    void incarnationsLearnt(NodeId from, List<StreamPosition> incarnations);
  }

  /** The time for which an unwanted topic is remembered: as long as absent members are awaited. */
  public static final long IDLE_NANOS = Absences.PATIENCE_NANOS;

  /** The interval between searches for streams to forget. */
  private static final long REVIEW_NANOS = 10_000_000_000L;

  private final BroadcastLimits limits;
  private final ReplicationLog log;
  private final DataEdges edges;
  private final LocalSubscribers subscribers;
  private final StreamContext relay;
  private final OwnStreams own;
  private final Orphans orphans;
  private final EvictableStreams evictable;
  private final Incarnations incarnations;
  private final StreamClaims claims;

  private long nextReviewNanos = Long.MIN_VALUE;

  /**
   * Creates the streams of a member that has published nothing.
   *
   * @param forgetNanos how long an orphan is remembered
   */
  public Streams(
      StreamId own,
      BroadcastLimits limits,
      long forgetNanos,
      ReplicationLog log,
      DataEdges edges,
      LocalSubscribers subscribers,
      StreamContext relay) {
    this.limits = limits;
    this.log = log;
    this.edges = edges;
    this.subscribers = subscribers;
    this.relay = relay;
    this.evictable =
        new EvictableStreams(forgetNanos, log, edges, subscribers, relay, this::isPublishedHere);
    this.own = new OwnStreams(own, limits, log, evictable::isIdle, this::forget);
    this.orphans = new Orphans(log, this::abandon);
    this.incarnations = new Incarnations(own, limits.origins());
    this.claims = new StreamClaims(this, log, limits);
  }

  /**
   * Returns this member's stream of a topic and a lane.
   *
   * @param lane as if the topic had never been forgotten
   * @throws BroadcastRefusedException TOO_MANY_TOPICS
   */
  public StreamLog own(String topic, int lane) throws BroadcastRefusedException {
    return own.on(topic, lane);
  }

  /** Returns whether a topic that was published on here holds a place that no other may take. */
  public boolean publishesOn(String topic) {
    return own.needs(topic);
  }

  /** Returns the streams that were published here. */
  public Collection<StreamLog> own() {
    return own.all();
  }

  public NodeId self() {
    return own.self();
  }

  /** Returns the incarnation of this member. */
  public long incarnation() {
    return own.incarnation();
  }

  /** Returns whether a member is known to have restarted since. */
  public boolean hasLaterIncarnation(NodeId member, long incarnation) {
    return incarnations.hasLaterIncarnation(member, incarnation);
  }

  /** Returns the checks of claims about the streams. */
  public StreamClaims claims() {
    return claims;
  }

  /** Returns whether the stream can only be published here. */
  public boolean isOwn(StreamId id) {
    return own.isOwn(id);
  }

  /**
   * Returns whether the stream was published here, on a topic that was forgotten since, as far as
   * is known.
   */
  boolean isForgottenOwn(StreamId id) {
    return own.isOver(id);
  }

  /**
   * Returns whether all of the stream's publications here are known, so that there is no more of
   * it.
   */
  boolean isPublishedHere(StreamId id) {
    return isOwn(id) && !isForgottenOwn(id);
  }

  /**
   * Returns whether there is room for another stream of another agent, or one that gives way to it.
   */
  boolean hasRoomForAnother() {
    return hasRoom() || evictable.leastRecent() != null;
  }

  private boolean hasRoom() {
    return log.streams().size() - own().size() < limits.origins();
  }

  /**
   * Begins a stream of another agent, for which there is room, or one that gives way. The latter is
   * forgotten afterwards: forgotten before, it could displace the remembered position of this one.
   */
  StreamLog begin(StreamId id, NodeId from) {
    StreamLog givesWay = hasRoom() ? null : evictable.leastRecent();
    StreamLog begun = log.begin(id);
    if (Position.START.isBefore(begun.next())) {
      subscribers.revived(begun);
    }
    if (givesWay != null) {
      forget(givesWay);
    }
    boolean isKnown = incarnations.contains(id.origin());
    if (incarnations.published(id)) {
      begun(id.origin(), isKnown);
      if (id.isOfTopic()) { // Streams of the default topic announce their incarnations themselves.
        relay.incarnationsLearnt(from, List.of(new StreamPosition(id.publisher(), Position.START)));
      }
    }
    judge(begun);
    return begun;
  }

  /** Handles a new incarnation of an origin. */
  private void begun(NodeId origin, boolean isRestart) {
    judge(origin);
    if (isRestart) {
      relay.restarted(origin);
    }
  }

  /** Handles the positions of a neighbour, some of which may only name an incarnation. */
  public void named(NodeId neighbour, List<StreamPosition> positions) {
    List<StreamPosition> news = new ArrayList<>();
    for (StreamPosition position : positions) {
      boolean isKnown = incarnations.contains(position.stream().origin());
      if (incarnations.named(position)) {
        begun(position.stream().origin(), isKnown);
        news.add(position);
      }
    }
    if (!news.isEmpty()) {
      relay.incarnationsLearnt(neighbour, news);
    }
  }

  private void forget(StreamLog stream) {
    if (log.forget(stream)) {
      relay.unremembered();
    }
    NodeId origin = stream.id().origin();
    if (!log.hasStreamOf(origin)) {
      incarnations.forget(origin);
    }
    orphans.forget(stream);
    relay.forgotten(stream);
    edges.forget(stream);
    subscribers.forget(stream);
  }

  /**
   * Skips the next item of a stream for lack of room: every outlet that would get it gets a gap.
   */
  void leaveOut(LogItem item, NodeId from) {
    Position before = reportedTo(item.stream());
    if (log.leaveOut(item)) {
      relay.unremembered();
    }
    StreamLog left = Objects.requireNonNull(log.forgotten(item.stream()));
    edges.leaveOut(left, from);
    subscribers.leaveOut(left, before);
    relay.missed(left, true);
  }

  private Position reportedTo(StreamId id) {
    StreamLog left = log.forgotten(id);
    return left == null ? Position.START : left.reportedTo();
  }

  /**
   * Handles content of a stream that a neighbour has or sends. A forgotten stream is known again if
   * its origin may publish more, because the neighbour may lack some of it, or wait for others to
   * have it. If there is no room for it, the outlets get a gap, and its position stays remembered.
   */
  public void recall(StreamId id) {
    StreamLog left = log.forgotten(id);
    if (left == null || !incarnations.mayPublishMoreOf(id)) {
      return;
    }
    if (hasRoom() || (left.isTruncated() && hasRoomForAnother())) {
      missAgain(begin(id, self()));
      relay.recalled(id);
    } else if (!left.isTruncated()) {
      left.markTruncated();
      missAgain(left);
      relay.missed(left, true);
    }
  }

  /** Outlets of the default topic have already got the gap. */
  private void missAgain(StreamLog left) {
    if (left.id().isOfTopic()) {
      edges.miss(left);
    }
  }

  /** Recalls the streams of these positions of which the neighbour lacks some. */
  public void recall(List<StreamPosition> positions) {
    for (StreamPosition position : positions) {
      if (position.next().isBefore(log.next(position.stream()))) {
        recall(position.stream());
      }
    }
  }

  /**
   * Handles the position of a stream that is not here and that others have forgotten: it is
   * forgotten here, too, and subscribers get a gap for the content that they lack.
   */
  void learn(Gap all) {
    Position before = reportedTo(all.stream());
    if (log.learn(all)) {
      relay.unremembered();
    }
    StreamLog left = Objects.requireNonNull(log.forgotten(all.stream()));
    subscribers.learn(left, before);
    relay.missed(left, false);
  }

  /** Notes that a tree of these members was committed. */
  public void membersAre(SortedSet<NodeId> treeMembers) {
    Set<NodeId> here = new HashSet<>();
    log.streams().forEach(stream -> here.add(stream.id().origin()));
    incarnations.membersAre(treeMembers, here::contains);
    log.streams().forEach(this::judge);
  }

  private void judge(NodeId origin) {
    for (StreamLog stream : log.streams()) {
      if (stream.id().origin().equals(origin)) {
        judge(stream);
      }
    }
  }

  private void judge(StreamLog stream) {
    boolean orphaned = incarnations.isOrphan(stream.id());
    if (orphaned != stream.isOrphaned()) {
      stream.markOrphaned(orphaned);
      evictable.changed();
      orphans.changed(stream);
    }
  }

  private void abandon(StreamLog stream) {
    stream.markAbandoned();
    subscribers.abandon(stream);
    log.orphansAdvanced();
  }

  /** Notes that content was logged. */
  public void grew(StreamLog stream) {
    if (stream.isOrphaned()) {
      orphans.changed(stream);
    } else {
      stream.markBusy();
    }
  }

  /**
   * Returns the streams that count as received here up to their positions. Forgotten streams count,
   * too, while members want their topics and their origins may publish more, because members may
   * wait for them. Streams without room here do not count, so that publishers wait for them.
   */
  public List<StreamLog> counted() {
    List<StreamLog> counted = new ArrayList<>(log.streams());
    for (StreamLog left : log.forgotten()) {
      StreamId id = left.id();
      if (!left.isTruncated()
          && incarnations.mayPublishMoreOf(id)
          && relay.interest(id.topic()) == InterestState.YES) {
        counted.add(left);
      }
    }
    return counted;
  }

  /** Returns the positions of the selected streams that are beyond their beginning. */
  public List<StreamPosition> positions(Predicate<StreamId> which) {
    List<StreamPosition> positions = new ArrayList<>();
    for (StreamLog stream : log.streams()) {
      if (Position.START.isBefore(stream.next()) && which.test(stream.id())) {
        positions.add(new StreamPosition(stream.id(), stream.next()));
      }
    }
    return positions;
  }

  /** Returns where content published under the tree on the default topic begins in each stream. */
  public List<StreamPosition> startsUnder(long treeVersion) {
    List<StreamPosition> begins = new ArrayList<>();
    for (StreamLog stream : log.streams()) {
      Position begin = stream.id().isOfTopic() ? Position.START : stream.startUnder(treeVersion);
      if (Position.START.isBefore(begin)) {
        begins.add(new StreamPosition(stream.id(), begin));
      }
    }
    return begins;
  }

  /**
   * Returns the content, as one gap each, of the selected streams that are known to be forgotten.
   */
  public List<Gap> forgotten(Predicate<StreamId> which) {
    return log.forgotten().stream()
        .filter(left -> Position.START.isBefore(left.next()) && which.test(left.id()))
        .map(left -> new Gap(left.id(), Position.START, left.next(), left.evictedVersion()))
        .toList();
  }

  /**
   * Returns the positions in a channel's streams of these topics, in parts; at least one. Those of
   * messages include the known {@linkplain Incarnations incarnations}.
   */
  public List<Digest> digest(Channel channel, Predicate<String> topics) {
    List<StreamPosition> all = positions(id -> id.channel() == channel && topics.test(id.topic()));
    if (channel == Channel.MESSAGES) {
      all.addAll(incarnations.silent(life -> Position.START.isBefore(log.next(life))));
    }
    List<List<StreamPosition>> parts = EdgeMessage.parts(all, Digest.MAX_POSITIONS);
    List<Digest> digest = new ArrayList<>();
    parts.forEach(part -> digest.add(new Digest(channel, part, digest.size() == parts.size() - 1)));
    return digest;
  }

  public void tick(long now) {
    evictable.tick(now);
    orphans.tick(now);
    if (now >= nextReviewNanos) {
      nextReviewNanos = now + REVIEW_NANOS;
      evictable.review(this::forget, this::abandon);
      own.review();
      evictable.changed();
    }
  }

  public long nextDeadlineNanos() {
    return orphans.nextDeadlineNanos();
  }
}
