package io.treecast.collectives.broadcast.topic;

import io.treecast.collectives.broadcast.message.Channel;
import io.treecast.collectives.broadcast.message.EdgeMessage;
import io.treecast.collectives.broadcast.message.EdgeMessage.Digest;
import io.treecast.collectives.broadcast.message.EdgeMessage.Interest;
import io.treecast.collectives.broadcast.message.EdgeMessage.InterestKnown;
import io.treecast.collectives.broadcast.message.Gap;
import io.treecast.collectives.broadcast.message.Position;
import io.treecast.collectives.broadcast.message.StreamId;
import io.treecast.collectives.broadcast.message.StreamPosition;
import io.treecast.collectives.broadcast.message.Topic;
import io.treecast.collectives.broadcast.tree.TreePaths;
import io.treecast.collectives.broadcast.tree.TreePlace;
import io.treecast.ghs.NodeId;
import io.treecast.mst.CommittedTree;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The topics that this member and its neighbours want from each other.
 *
 * <p><b>Gathering.</b> For each committed tree, a member reports to a neighbour the topics that it
 * wants: those of its own subscribers and those that its other neighbours in the tree want. It
 * reports as soon as all of these have reported, so leaves begin, and a report is complete: no
 * member on that side wants a topic that it does not name. That takes one {@link Interest} in each
 * direction of each edge; later, only differences are sent, and nothing while nothing changes. No
 * interest travels in a circle, so it ends with its last subscriber; cycles of active edges do not
 * matter. Until a neighbour reports for the new tree, its report for the previous one stays in
 * effect, so that topics flow on while the tree changes. A neighbour on an active edge beside the
 * tree receives all interests.
 *
 * <p><b>In place.</b> For a new subscription, the member requests acknowledgements from its
 * neighbours, and these from theirs, unless their reports are acknowledged already. When all have
 * answered, every member of the tree knows the subscription, and no later publication is released
 * before the subscriber has it. The answers also state where the streams of the topics end, which
 * is where the subscription begins. If a tree is committed meanwhile, the request is repeated.
 *
 * <p><b>The default topic</b> is wanted everywhere. A subscription to it requests only the
 * positions at which streams ended when the tree was committed, once in each tree: everything
 * published under the tree is new here, or has arrived already.
 *
 * <p><b>Selections</b> are wanted by the receivers that they name. Each member derives from the
 * committed tree which selections its neighbours want, so no message states that. A neighbour
 * counts as not wanting a selection only when it has reported, which shows that it has committed
 * the tree, too. A neighbour on an active edge beside the tree wants each selection with another
 * receiver than this member.
 *
 * <p><b>Forgotten streams.</b> The answers also name forgotten streams, because no neighbour sends
 * them to a subscriber that returns and lacks some. A member with subscribers also requests answers
 * when it may have been separated from other members of a tree: it lacks streams that those have
 * forgotten meanwhile.
 */
public final class Interests {
  /** Whether a neighbour's side of the committed tree wants a topic. */
  public enum InterestState {
    YES,
    NO,
    /** The neighbour has not reported. */
    UNKNOWN
  }

  /** The operations that interests need from their relay. */
  public interface InterestContext {
    /** Returns the neighbours on whose open data streams this member sends. */
    SortedSet<NodeId> active();

    void send(NodeId neighbour, EdgeMessage message);

    /** Returns the topics that local subscribers want. */
    public SortedSet<String> subscribed();

    /** Returns the positions of the topics' streams here. */
    List<StreamPosition> positions(Collection<String> topics);

    /**
     * Returns where content published under the tree begins in the streams of the default topic.
     */
    List<StreamPosition> startsUnder(long treeVersion);

    /**
     * Returns the content, as one gap each, of the streams of the topics that were forgotten here.
     */
    List<Gap> forgotten(Collection<String> topics);

    /**
     * Notes that all neighbours have stated the ends of the streams to which this member
     * subscribes.
     */
    public void endsReported(StreamEnds subscribed);

    /** Notes that the neighbour wants other topics of this member than before. */
    void interestChanged(NodeId neighbour, List<String> added, List<String> removed);

    /** Notes that the subscription is in place, and begins where these streams end. */
    void inPlace(long subscriber, Map<StreamId, Position> ends);
  }

  /** The reports exchanged with a neighbour on the present data stream. */
  private static final class Neighbour {
    final TreeSet<String> sent = new TreeSet<>();
    long sentTree;
    long sentNumber;
    long askedNumber;
    long knownNumber;

    final TreeSet<String> received = new TreeSet<>();
    long receivedTree;

    /** The tree for which the ends of the default topic's streams were requested; 0 for none. */
    long askedOfDefaultTopicTree;

    /** The number and the tree of the last question; 0 if it is answered. */
    long questionNumber;

    long questionTree;

    /**
     * Whether that question, or an earlier one without an answer, also covers the default topic.
     */
    boolean questionOfDefaultTopic;
  }

  /** A wait until the neighbours know the reports sent to them. */
  private static final class Await {
    /** The neighbour that asked, and the number of its question; null for a local subscription. */
    final @Nullable NodeId asker;

    final long number;
    final boolean ofDefaultTopic;
    final Map<NodeId, Long> required = new HashMap<>();

    Await(@Nullable NodeId asker, long number, boolean ofDefaultTopic) {
      this.asker = asker;
      this.number = number;
      this.ofDefaultTopic = ofDefaultTopic;
    }
  }

  private final InterestContext relay;
  private final TreeMap<NodeId, Neighbour> neighbours = new TreeMap<>();
  private final TreeMap<NodeId, Await> questions = new TreeMap<>();
  private final TreeMap<Long, Await> subscriptions = new TreeMap<>();

  /** The ends of streams, as far as answers stated them. */
  private final StreamEnds ends;

  /** The wait for the names of streams that other members forgot while this one was separated. */
  private @Nullable Await reunion;

  private final NodeId self;

  /** The side of the committed tree on which each member is. */
  private final TreePaths paths;

  private SortedSet<NodeId> members = Collections.emptySortedSet();
  private long treeVersion;
  private List<NodeId> treeNeighbours = List.of();
  private boolean isRoot;

  /**
   * The number of tree neighbours that have reported for the present tree, and by topic how many
   * want it.
   */
  private int reportedInTree;

  private final TreeMap<String, Integer> interestCounts = new TreeMap<>();

  private long lastNumber;

  /**
   * Creates interests without any topic.
   *
   * @param mostNamed the number of streams named by answers that are remembered
   */
  public Interests(InterestContext relay, NodeId self, int mostNamed) {
    this.relay = relay;
    this.self = self;
    this.paths = new TreePaths(self);
    this.ends = new StreamEnds(mostNamed);
  }

  // Views.

  /** Returns whether this member has reported to the neighbour that it wants the topic. */
  public boolean isReportedTo(NodeId neighbour, String topic) {
    if (Topic.isSelection(topic)) {
      return Topic.receivers(topic).stream()
          .map(paths::to)
          .anyMatch(path -> path != null && !path.by().equals(neighbour));
    }
    Neighbour known = neighbours.get(neighbour);
    return topic.equals(Topic.DEFAULT) || (known != null && known.sent.contains(topic));
  }

  /** Returns whether any member on the neighbour's side of the committed tree wants the topic. */
  public InterestState interest(NodeId neighbour, String topic) {
    if (topic.equals(Topic.DEFAULT)) {
      return InterestState.YES;
    }
    if (Topic.isSelection(topic)) {
      return selectionInterest(neighbour, topic);
    }
    Neighbour known = neighbours.get(neighbour);
    if (known == null || known.receivedTree != treeVersion) {
      return InterestState.UNKNOWN;
    }
    return known.received.contains(topic) ? InterestState.YES : InterestState.NO;
  }

  private InterestState selectionInterest(NodeId neighbour, String topic) {
    if (treeVersion == TreePlace.NO_TREE) {
      return InterestState.UNKNOWN;
    }
    boolean inTree = treeNeighbours.contains(neighbour);
    for (NodeId receiver : Topic.receivers(topic)) {
      TreePaths.Path path = paths.to(receiver);
      boolean isThere = path != null && path.by().equals(neighbour);
      if (inTree ? isThere : !receiver.equals(self)) {
        return InterestState.YES;
      }
    }
    // Before a neighbour has committed the tree, it cannot learn what is stable in it.
    return inTree && !hasReported(neighbour) ? InterestState.UNKNOWN : InterestState.NO;
  }

  /** Returns whether the neighbour has reported the topics of its side of the committed tree. */
  public boolean hasReported(NodeId neighbour) {
    Neighbour known = neighbours.get(neighbour);
    return known != null && known.receivedTree == treeVersion;
  }

  /** Returns whether any other member of the committed tree wants the topic. */
  public InterestState interest(String topic) {
    InterestState all = treeVersion == TreePlace.NO_TREE ? InterestState.UNKNOWN : InterestState.NO;
    for (NodeId neighbour : treeNeighbours) {
      InterestState its = interest(neighbour, topic);
      if (its == InterestState.YES) {
        return its;
      }
      all = its == InterestState.UNKNOWN ? its : all;
    }
    return all;
  }

  /** Returns the topics and orders that the neighbour is known to want in the present tree. */
  public SortedSet<String> reportedTopics(NodeId neighbour) {
    Neighbour known = neighbours.get(neighbour);
    return known == null || known.receivedTree != treeVersion
        ? Collections.emptySortedSet()
        : Collections.unmodifiableSortedSet(known.received);
  }

  /** The neighbours in the committed tree. */
  public List<NodeId> treeNeighbours() {
    return treeNeighbours;
  }

  /** Returns how many topics the neighbour wants. */
  public int reportedTopicCount(NodeId neighbour) {
    Neighbour known = neighbours.get(neighbour);
    return known == null ? 0 : known.received.size();
  }

  /** Returns how many ends of streams are known. */
  public int knownEnds() {
    return ends.present().size();
  }

  // Events.

  /** Notes that this member has committed a tree. */
  public void treeCommitted(CommittedTree tree) {
    paths.treeCommitted(tree);
    // The other members may have had a tree in between, unknown here.
    boolean mayHaveBeenApart =
        !members.containsAll(tree.members()) || tree.version() > treeVersion + 1;
    members = tree.members();
    treeVersion = tree.version();
    treeNeighbours = tree.neighbours(self);
    isRoot = self.equals(tree.root());
    ends.clear();
    questions.clear();
    boolean asks = mayHaveBeenApart || reunion != null;
    reunion = asks && !relay.subscribed().isEmpty() ? new Await(null, 0, false) : null;
    subscriptions.values().forEach(await -> await.required.clear());
    treeNeighbours.forEach(this::takeQuestion);
    update();
  }

  /** Notes that the data stream to a neighbour has ended: messages sent on it may be lost. */
  public void closed(NodeId neighbour) {
    neighbours.remove(neighbour);
    questions.remove(neighbour);
    forEachAwait(await -> await.required.remove(neighbour));
  }

  /** Sends reports that have become possible, or changed with the topics of local subscribers. */
  public void update() {
    if (treeVersion != TreePlace.NO_TREE) {
      count();
      relay.active().forEach(this::report);
      settle();
    }
  }

  /** Adds a local subscription that waits to be in place. */
  public void subscribed(long subscriber, boolean toDefaultTopic) {
    subscriptions.put(subscriber, new Await(null, 0, toDefaultTopic));
    update();
  }

  public void unsubscribed(long subscriber) {
    subscriptions.remove(subscriber);
    update();
  }

  public void forget(StreamId stream) {
    ends.forget(stream);
  }

  // Messages of neighbours.

  public void received(NodeId id, Interest interest) {
    Neighbour neighbour = neighbours.computeIfAbsent(id, name -> new Neighbour());
    List<String> added = interest.added().stream().filter(neighbour.received::add).toList();
    List<String> removed = interest.removed().stream().filter(neighbour.received::remove).toList();
    if (interest.last()) {
      neighbour.receivedTree = interest.treeVersion();
      if (interest.asks()) {
        neighbour.questionNumber = interest.number();
        neighbour.questionTree = interest.treeVersion();
        neighbour.questionOfDefaultTopic |= interest.asksOfDefaultTopic();
        takeQuestion(id);
      }
    }
    relay.interestChanged(id, added, removed);
    update();
  }

  /** Takes up a question about the present tree; keeps one about a later tree. */
  private void takeQuestion(NodeId id) {
    Neighbour neighbour = neighbours.get(id);
    if (neighbour != null
        && neighbour.questionNumber > 0
        && neighbour.questionTree == treeVersion
        && treeNeighbours.contains(id)) {
      questions.put(id, new Await(id, neighbour.questionNumber, neighbour.questionOfDefaultTopic));
    }
  }

  /** Handles an acknowledgement; returns why it is invalid, null if it is valid. */
  @Nullable
  public String received(NodeId id, InterestKnown known) {
    Neighbour neighbour = neighbours.get(id);
    if (neighbour == null || known.number() > neighbour.askedNumber) {
      return "interest " + known.number() + " is acknowledged, but requested no acknowledgement";
    }
    ends.add(known.positions(), known.forgotten());
    if (known.last()) {
      neighbour.knownNumber = Math.max(neighbour.knownNumber, known.number());
      settle();
    }
    return null;
  }

  // Reports to neighbours.

  /** Counts the interest of each topic. */
  private void count() {
    reportedInTree = 0;
    interestCounts.clear();
    relay.subscribed().forEach(topic -> interestCounts.put(topic, 1));
    for (NodeId id : treeNeighbours) {
      Neighbour neighbour = neighbours.get(id);
      if (neighbour != null && neighbour.receivedTree == treeVersion) {
        reportedInTree++;
        neighbour.received.forEach(topic -> interestCounts.merge(topic, 1, Integer::sum));
      }
    }
    if (isRoot) {
      interestCounts.keySet().stream()
          .filter(Topic::isOrder)
          .map(Topic::ofOrder)
          .filter(topic -> !topic.equals(Topic.DEFAULT))
          .toList()
          .forEach(topic -> interestCounts.merge(topic, 1, Integer::sum));
    }
  }

  /** Reports to a neighbour the changes that are known and not sent yet. */
  private void report(NodeId id) {
    Neighbour neighbour = neighbours.computeIfAbsent(id, name -> new Neighbour());
    boolean inTree = treeNeighbours.contains(id);
    boolean counts = inTree && neighbour.receivedTree == treeVersion;
    if (reportedInTree - (counts ? 1 : 0) < treeNeighbours.size() - (inTree ? 1 : 0)) {
      return; // Another neighbour has not reported.
    }
    TreeSet<String> added = new TreeSet<>();
    interestCounts.forEach(
        (topic, count) -> {
          if (count > (counts && neighbour.received.contains(topic) ? 1 : 0)) {
            added.add(topic);
          }
        });
    TreeSet<String> removed = new TreeSet<>(neighbour.sent);
    removed.removeAll(added);
    added.removeAll(neighbour.sent);
    boolean hasChanged =
        !added.isEmpty() || !removed.isEmpty() || (inTree && neighbour.sentTree != treeVersion);
    boolean isAskedOfDefaultTopic = neighbour.askedOfDefaultTopicTree == treeVersion;
    boolean asksOfDefaultTopic = inTree && !isAskedOfDefaultTopic && isAwaited(id, true);
    boolean isUnasked = hasChanged || neighbour.sentNumber > neighbour.askedNumber;
    boolean asks = asksOfDefaultTopic || (inTree && isUnasked && isAwaited(id, false));
    if (hasChanged || asks) {
      if (!removed.isEmpty() || neighbour.sentNumber == 0) {
        // A member that learns that a topic is not wanted may forget its streams.
        ends.keep(topic -> topic.equals(Topic.DEFAULT) || interestCounts.containsKey(topic));
      }
      neighbour.sent.removeAll(removed);
      neighbour.sent.addAll(added);
      neighbour.sentTree = treeVersion;
      neighbour.sentNumber = ++lastNumber;
      neighbour.askedNumber = asks ? lastNumber : neighbour.askedNumber;
      if (asksOfDefaultTopic) {
        neighbour.askedOfDefaultTopicTree = treeVersion;
      }
      send(id, added, removed, asks, asksOfDefaultTopic);
    }
    if (inTree) {
      forEachAwait(await -> await.required.putIfAbsent(id, neighbour.sentNumber));
    }
  }

  /**
   * Whether a question of another asker waits for the neighbour's acknowledgement.
   *
   * @param ofDefaultTopic whether only questions about the default topic count
   */
  private boolean isAwaited(NodeId id, boolean ofDefaultTopic) {
    List<Await> awaits = new ArrayList<>();
    forEachAwait(awaits::add);
    return awaits.stream()
        .filter(await -> await.ofDefaultTopic || !ofDefaultTopic)
        .anyMatch(await -> !Objects.equals(await.asker, id) && !await.required.containsKey(id));
  }

  private void forEachAwait(Consumer<Await> action) {
    questions.values().forEach(action);
    subscriptions.values().forEach(action);
    if (reunion != null) {
      action.accept(reunion);
    }
  }

  private void send(
      NodeId id,
      SortedSet<String> added,
      SortedSet<String> removed,
      boolean asks,
      boolean asksOfDefaultTopic) {
    TreeSet<String> topics = new TreeSet<>(added);
    topics.remove(Topic.DEFAULT);
    List<StreamPosition> has = topics.isEmpty() ? List.of() : relay.positions(topics);
    if (!has.isEmpty()) {
      EdgeMessage.parts(has, Digest.MAX_POSITIONS)
          .forEach(part -> relay.send(id, new Digest(Channel.MESSAGES, part, false)));
    }
    List<List<String>> more = EdgeMessage.parts(List.copyOf(added), Interest.MAX_TOPICS);
    List<List<String>> less = EdgeMessage.parts(List.copyOf(removed), Interest.MAX_TOPICS);
    int parts = Math.max(more.size(), less.size());
    for (int i = 0; i < parts; i++) {
      relay.send(
          id,
          new Interest(
              treeVersion,
              lastNumber,
              i < more.size() ? more.get(i) : List.of(),
              i < less.size() ? less.get(i) : List.of(),
              asks,
              asksOfDefaultTopic,
              i == parts - 1));
    }
  }

  // Open questions.

  /** Answers the questions that all neighbours have acknowledged. */
  private void settle() {
    for (Await await : List.copyOf(questions.values())) {
      if (isSettled(await)) {
        answer(await);
      }
    }
    if (reunion != null && isSettled(reunion)) {
      reunion = null;
      reportHeard();
    }
    for (Map.Entry<Long, Await> entry : List.copyOf(subscriptions.entrySet())) {
      if (isSettled(entry.getValue())) {
        begin(entry.getKey());
      }
    }
  }

  private boolean isSettled(Await await) {
    for (NodeId id : treeNeighbours) {
      Neighbour neighbour = neighbours.get(id);
      Long required = await.required.get(id);
      if (!Objects.equals(await.asker, id)
          && (neighbour == null || required == null || neighbour.knownNumber < required)) {
        return false;
      }
    }
    return true;
  }

  private void answer(Await await) {
    NodeId asker = await.asker;
    Neighbour neighbour = asker == null ? null : neighbours.get(asker);
    if (asker == null || neighbour == null) {
      return;
    }
    questions.remove(asker);
    if (neighbour.questionNumber == await.number) {
      neighbour.questionNumber =
          0; // Otherwise a later question, about a later tree, is open already.
      neighbour.questionOfDefaultTopic = false;
    }
    Set<String> topics = new TreeSet<>(neighbour.received);
    List<StreamPosition> has = new ArrayList<>(relay.positions(topics));
    if (await.ofDefaultTopic) {
      topics.add(Topic.DEFAULT);
      has.addAll(relay.startsUnder(treeVersion));
    }
    StreamEnds known = ends.of(topics::contains);
    known.addOwn(has, relay.forgotten(topics));
    known.answer(await.number).forEach(answer -> relay.send(asker, answer));
  }

  private void reportHeard() {
    Set<String> subscribed = relay.subscribed();
    relay.endsReported(ends.of(topic -> topic.equals(Topic.DEFAULT) || subscribed.contains(topic)));
  }

  private void begin(long subscriber) {
    subscriptions.remove(subscriber);
    reportHeard();
    StreamEnds known = ends.of(topic -> true);
    known.add(relay.startsUnder(treeVersion), List.of()); // As any member of the tree reports them.
    relay.inPlace(subscriber, known.present());
  }
}
