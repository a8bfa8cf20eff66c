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
 * Which topics this member and its neighbours want of each other.
 *
 * <p><b>Gathering.</b> For each committed tree, a member tells a neighbour which topics it wants:
 * those of its own subscribers and those that its other neighbours in the tree want. It does so as
 * soon as all of them have told, so leaves begin, and what is told is complete: what is not wanted,
 * nobody on that side wants. That takes one {@link Interest} in each direction of each edge; later
 * only differences are told, and nothing when nothing changes. Since nothing is told twice around,
 * wants end when their last subscriber ends; cycles of active edges do not matter. Until a
 * neighbour tells anew what it said of the tree before counts for what it is sent, so that topics
 * flow on while the tree changes; and an active edge beside the tree is told all that is wanted.
 *
 * <p><b>In place.</b> A subscription asks the neighbours to acknowledge, and those ask on where
 * what they have told is not acknowledged yet. When all answers are there, every member of the tree
 * knows of it, and nothing that is published from then on is released before the subscriber has it.
 * The answers also say where the streams of the topics end, which is where the subscription begins.
 * A tree that is committed meanwhile is asked anew.
 *
 * <p><b>The default topic</b> is wanted everywhere, and a subscription to it asks alone where
 * streams ended when the tree was committed: once in each tree, since all that is published under
 * it is new here, or has come already.
 *
 * <p><b>Forgotten streams.</b> The answers name those, too, since nobody sends them to a subscriber
 * that comes back and lacks some. Who has subscribers in place asks as well when it may have been
 * apart from other members of a tree: what those forgot meanwhile is lacked here.
 */
public final class Interests {
  /** Whether a neighbour's side of the committed tree wants a topic. */
  public enum Wants {
    YES,
    NO,
    /** It has not told. */
    UNKNOWN
  }

  /** What it needs of its relay. */
  public interface Relay {
    /** The neighbours on whose open data streams this member sends. */
    SortedSet<NodeId> active();

    void send(NodeId neighbour, EdgeMessage message);

    /** The topics that local subscribers want. */
    public SortedSet<String> subscribed();

    /** How far streams have come here. */
    List<StreamPosition> positions(Collection<String> topics);

    /** Where what was published under the tree begins in the streams of the default topic. */
    List<StreamPosition> beginsUnder(long treeVersion);

    /** All that there was of streams of the topics that were forgotten here. */
    List<Gap> forgotten(Collection<String> topics);

    /** All neighbours have said how far streams have come that are subscribed to. */
    public void heard(StreamEnds subscribed);

    /** The neighbour wants other topics of this member than before. */
    void wantsChanged(NodeId neighbour, List<String> added, List<String> removed);

    /** The subscription is in place, and begins where these streams end. */
    void inPlace(long subscriber, Map<StreamId, Position> ends);
  }

  /** What was said on the present data stream to a neighbour. */
  private static final class Neighbour {
    final TreeSet<String> told = new TreeSet<>();
    long toldTree;
    long toldNumber;
    long askedNumber;
    long knownNumber;

    final TreeSet<String> heard = new TreeSet<>();
    long heardTree;

    /** Of which tree it was asked where streams of the default topic end; 0 for none. */
    long askedOfDefaultTopicTree;

    /** The last that asked, and of which tree; 0 if it is answered. */
    long questionNumber;

    long questionTree;

    /** Whether that, or one before without an answer, is of the default topic, too. */
    boolean questionOfDefaultTopic;
  }

  /** Somebody waits for the neighbours to know what they have been told. */
  private static final class Await {
    /** Who asked, and with what number; null for a local subscription. */
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

  private final Relay relay;
  private final TreeMap<NodeId, Neighbour> neighbours = new TreeMap<>();
  private final TreeMap<NodeId, Await> questions = new TreeMap<>();
  private final TreeMap<Long, Await> subscriptions = new TreeMap<>();

  /** Where streams end, as far as answers said. */
  private final StreamEnds ends;

  /** What waits to hear what other members have forgotten while they were apart. */
  private @Nullable Await reunion;

  private SortedSet<NodeId> members = Collections.emptySortedSet();
  private long treeVersion;
  private List<NodeId> treeNeighbours = List.of();
  private boolean isRoot;

  /** How many tree neighbours have told of the present tree, and how many of them want a topic. */
  private int heardOfTree;

  private final TreeMap<String, Integer> wanting = new TreeMap<>();

  private long lastNumber;

  /**
   * Nothing is wanted.
   *
   * @param mostNamed how many streams are remembered that answers name
   */
  public Interests(Relay relay, int mostNamed) {
    this.relay = relay;
    this.ends = new StreamEnds(mostNamed);
  }

  // Views.

  /** Whether this member has told the neighbour that it wants the topic. */
  public boolean isTold(NodeId neighbour, String topic) {
    Neighbour known = neighbours.get(neighbour);
    return topic.equals(Topic.DEFAULT) || (known != null && known.told.contains(topic));
  }

  /** Whether anybody on the neighbour's side of the committed tree wants the topic. */
  public Wants wants(NodeId neighbour, String topic) {
    if (topic.equals(Topic.DEFAULT)) {
      return Wants.YES;
    }
    Neighbour known = neighbours.get(neighbour);
    if (known == null || known.heardTree != treeVersion) {
      return Wants.UNKNOWN;
    }
    return known.heard.contains(topic) ? Wants.YES : Wants.NO;
  }

  /** Whether the neighbour has told what its side of the committed tree wants. */
  public boolean hasTold(NodeId neighbour) {
    Neighbour known = neighbours.get(neighbour);
    return known != null && known.heardTree == treeVersion;
  }

  /** Whether any other member of the committed tree wants the topic. */
  public Wants wants(String topic) {
    Wants all = treeVersion == TreePlace.NO_TREE ? Wants.UNKNOWN : Wants.NO;
    for (NodeId neighbour : treeNeighbours) {
      Wants its = wants(neighbour, topic);
      if (its == Wants.YES) {
        return its;
      }
      all = its == Wants.UNKNOWN ? its : all;
    }
    return all;
  }

  /** The topics and orders that the neighbour wants in the present tree, as far as it has told. */
  public SortedSet<String> heard(NodeId neighbour) {
    Neighbour known = neighbours.get(neighbour);
    return known == null || known.heardTree != treeVersion
        ? Collections.emptySortedSet()
        : Collections.unmodifiableSortedSet(known.heard);
  }

  /** The neighbours in the committed tree. */
  public List<NodeId> treeNeighbours() {
    return treeNeighbours;
  }

  /** How many topics the neighbour wants. */
  public int heardTopics(NodeId neighbour) {
    Neighbour known = neighbours.get(neighbour);
    return known == null ? 0 : known.heard.size();
  }

  /** How many ends of streams are known. */
  public int knownEnds() {
    return ends.present().size();
  }

  // What happens.

  /** This member has committed a tree. */
  public void treeCommitted(NodeId self, CommittedTree tree) {
    // Of a tree of others in between, nothing was heard here.
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

  /** The data stream to a neighbour has ended: what was said on it may be lost. */
  public void closed(NodeId neighbour) {
    neighbours.remove(neighbour);
    questions.remove(neighbour);
    forEachAwait(await -> await.required.remove(neighbour));
  }

  /** Other neighbours can be told, or local subscribers want other topics. */
  public void update() {
    if (treeVersion != TreePlace.NO_TREE) {
      count();
      relay.active().forEach(this::tell);
      settle();
    }
  }

  /** A local subscription waits to be in place. */
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

  // What neighbours say.

  public void received(NodeId id, Interest interest) {
    Neighbour neighbour = neighbours.computeIfAbsent(id, name -> new Neighbour());
    List<String> added = interest.added().stream().filter(neighbour.heard::add).toList();
    List<String> removed = interest.removed().stream().filter(neighbour.heard::remove).toList();
    if (interest.last()) {
      neighbour.heardTree = interest.treeVersion();
      if (interest.asks()) {
        neighbour.questionNumber = interest.number();
        neighbour.questionTree = interest.treeVersion();
        neighbour.questionOfDefaultTopic |= interest.asksOfDefaultTopic();
        takeQuestion(id);
      }
    }
    relay.wantsChanged(id, added, removed);
    update();
  }

  /** A question of the present tree is answered when the others know; one of a later is kept. */
  private void takeQuestion(NodeId id) {
    Neighbour neighbour = neighbours.get(id);
    if (neighbour != null
        && neighbour.questionNumber > 0
        && neighbour.questionTree == treeVersion
        && treeNeighbours.contains(id)) {
      questions.put(id, new Await(id, neighbour.questionNumber, neighbour.questionOfDefaultTopic));
    }
  }

  /** Gives why the neighbour cannot say this; null if it can. */
  @Nullable
  public String received(NodeId id, InterestKnown known) {
    Neighbour neighbour = neighbours.get(id);
    if (neighbour == null || known.number() > neighbour.askedNumber) {
      return "interest " + known.number() + " is acknowledged, which did not ask for it";
    }
    ends.add(known.positions(), known.forgotten());
    if (known.last()) {
      neighbour.knownNumber = Math.max(neighbour.knownNumber, known.number());
      settle();
    }
    return null;
  }

  // What neighbours are told.

  /** Counts who wants what. */
  private void count() {
    heardOfTree = 0;
    wanting.clear();
    relay.subscribed().forEach(topic -> wanting.put(topic, 1));
    for (NodeId id : treeNeighbours) {
      Neighbour neighbour = neighbours.get(id);
      if (neighbour != null && neighbour.heardTree == treeVersion) {
        heardOfTree++;
        neighbour.heard.forEach(topic -> wanting.merge(topic, 1, Integer::sum));
      }
    }
    if (isRoot) {
      wanting.keySet().stream()
          .filter(Topic::isOrder)
          .map(Topic::ofOrder)
          .filter(topic -> !topic.equals(Topic.DEFAULT))
          .toList()
          .forEach(topic -> wanting.merge(topic, 1, Integer::sum));
    }
  }

  /** Tells a neighbour what it has not been told yet, as far as that is known. */
  private void tell(NodeId id) {
    Neighbour neighbour = neighbours.computeIfAbsent(id, name -> new Neighbour());
    boolean inTree = treeNeighbours.contains(id);
    boolean counts = inTree && neighbour.heardTree == treeVersion;
    if (heardOfTree - (counts ? 1 : 0) < treeNeighbours.size() - (inTree ? 1 : 0)) {
      return; // Somebody else has not told.
    }
    TreeSet<String> added = new TreeSet<>();
    wanting.forEach(
        (topic, count) -> {
          if (count > (counts && neighbour.heard.contains(topic) ? 1 : 0)) {
            added.add(topic);
          }
        });
    TreeSet<String> removed = new TreeSet<>(neighbour.told);
    removed.removeAll(added);
    added.removeAll(neighbour.told);
    boolean isNews =
        !added.isEmpty() || !removed.isEmpty() || (inTree && neighbour.toldTree != treeVersion);
    boolean isAskedOfDefaultTopic = neighbour.askedOfDefaultTopicTree == treeVersion;
    boolean asksOfDefaultTopic = inTree && !isAskedOfDefaultTopic && isAwaited(id, true);
    boolean isUnasked = isNews || neighbour.toldNumber > neighbour.askedNumber;
    boolean asks = asksOfDefaultTopic || (inTree && isUnasked && isAwaited(id, false));
    if (isNews || asks) {
      if (!removed.isEmpty() || neighbour.toldNumber == 0) {
        // Who hears that nobody wants a topic may forget it.
        ends.keep(topic -> topic.equals(Topic.DEFAULT) || wanting.containsKey(topic));
      }
      neighbour.told.removeAll(removed);
      neighbour.told.addAll(added);
      neighbour.toldTree = treeVersion;
      neighbour.toldNumber = ++lastNumber;
      neighbour.askedNumber = asks ? lastNumber : neighbour.askedNumber;
      if (asksOfDefaultTopic) {
        neighbour.askedOfDefaultTopicTree = treeVersion;
      }
      send(id, added, removed, asks, asksOfDefaultTopic);
    }
    if (inTree) {
      forEachAwait(await -> await.required.putIfAbsent(id, neighbour.toldNumber));
    }
  }

  /**
   * Whether anybody else waits for the neighbour to know what it is told.
   *
   * @param ofDefaultTopic whether only those count that ask of the default topic
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

  // Who waits.

  /** Answers those for whom all neighbours know. */
  private void settle() {
    for (Await await : List.copyOf(questions.values())) {
      if (isSettled(await)) {
        answer(await);
      }
    }
    if (reunion != null && isSettled(reunion)) {
      reunion = null;
      tellWhatWasHeard();
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
      neighbour.questionNumber = 0; // Otherwise there is a later one already, of a later tree.
      neighbour.questionOfDefaultTopic = false;
    }
    Set<String> topics = new TreeSet<>(neighbour.heard);
    List<StreamPosition> has = new ArrayList<>(relay.positions(topics));
    if (await.ofDefaultTopic) {
      topics.add(Topic.DEFAULT);
      has.addAll(relay.beginsUnder(treeVersion));
    }
    StreamEnds known = ends.of(topics::contains);
    known.addOwn(has, relay.forgotten(topics));
    known.answer(await.number).forEach(answer -> relay.send(asker, answer));
  }

  private void tellWhatWasHeard() {
    Set<String> subscribed = relay.subscribed();
    relay.heard(ends.of(topic -> topic.equals(Topic.DEFAULT) || subscribed.contains(topic)));
  }

  private void begin(long subscriber) {
    subscriptions.remove(subscriber);
    tellWhatWasHeard();
    relay.inPlace(subscriber, ends.present());
  }
}
