package io.treecast.collectives.broadcast;

import io.treecast.collectives.broadcast.contract.BroadcastLimits;
import io.treecast.collectives.broadcast.contract.BroadcastRefusedException;
import io.treecast.collectives.broadcast.contract.SubscribeOptions;
import io.treecast.collectives.broadcast.edge.DataEdge;
import io.treecast.collectives.broadcast.message.EdgeMessage;
import io.treecast.collectives.broadcast.message.EdgeMessage.Interest;
import io.treecast.collectives.broadcast.message.EdgeMessage.InterestKnown;
import io.treecast.collectives.broadcast.message.Gap;
import io.treecast.collectives.broadcast.message.Position;
import io.treecast.collectives.broadcast.message.StreamId;
import io.treecast.collectives.broadcast.message.StreamPosition;
import io.treecast.collectives.broadcast.message.Topic;
import io.treecast.collectives.broadcast.stream.Arrivals;
import io.treecast.collectives.broadcast.stream.Streams;
import io.treecast.collectives.broadcast.subscribe.LocalSubscribers;
import io.treecast.collectives.broadcast.topic.Interests;
import io.treecast.collectives.broadcast.topic.Interests.InterestState;
import io.treecast.collectives.broadcast.topic.StreamEnds;
import io.treecast.ghs.NodeId;
import io.treecast.mst.CommittedTree;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/** Directs the content of topics to the outlets where it is wanted, and only there. */
final class TopicFlow implements Interests.InterestContext {
  private final BroadcastLimits limits;
  private final Streams streams;
  private final LocalSubscribers subscribers;
  private final Arrivals arrivals;
  private final Map<NodeId, DataEdge> edges;
  private final BiConsumer<NodeId, EdgeMessage> send;
  private final Consumer<Predicate<String>> changed;
  private final Runnable begun;
  private final Interests interests;

  /** The selections of the streams that are known here. */
  private final TreeSet<String> selections = new TreeSet<>();

  /**
   * Creates the flow for the outlets of one relay.
   *
   * @param edges of the relay
   * @param changed called with a predicate for the topics whose interested members may have changed
   * @param begun called when a subscription has begun
   */
  TopicFlow(
      BroadcastLimits limits,
      Streams streams,
      LocalSubscribers subscribers,
      Arrivals arrivals,
      Map<NodeId, DataEdge> edges,
      BiConsumer<NodeId, EdgeMessage> send,
      Consumer<Predicate<String>> changed,
      Runnable begun) {
    this.limits = limits;
    this.streams = streams;
    this.subscribers = subscribers;
    this.arrivals = arrivals;
    this.edges = edges;
    this.send = send;
    this.changed = changed;
    this.begun = begun;
    this.interests = new Interests(this, streams.self(), streams.claims().mostNamed());
  }

  Interests interests() {
    return interests;
  }

  /** Returns whether any member of the committed tree wants the topic. */
  InterestState interest(String topic) {
    return subscribers.isSubscribed(topic) ? InterestState.YES : interests.interest(topic);
  }

  /** Returns the selections of the streams that are known here. */
  SortedSet<String> selections() {
    return Collections.unmodifiableSortedSet(selections);
  }

  /** Notes that content of the topic is about to be logged. */
  void logs(String topic) {
    if (Topic.isSelection(topic) && !selections.contains(topic)) {
      if (selections.size() > limits.origins() + limits.topics()) {
        forgetSelections();
        directSelections();
      }
      selections.add(topic);
      subscribers.selectionIs(topic);
      edges.forEach(
          (neighbour, edge) -> {
            if (interests.interest(neighbour, topic) == InterestState.YES) {
              edge.topicsChanged(List.of(topic), List.of());
            }
          });
    }
  }

  /** Notes that this member has committed a tree, in which selections take other paths. */
  void treeCommitted(CommittedTree committed) {
    interests.treeCommitted(committed);
    forgetSelections();
    directSelections();
  }

  /** Notes that data streams or active edges have changed. */
  void edgesChanged() {
    interests.update();
    directSelections();
  }

  /** Forgets selections of which no stream is known any more. */
  private void forgetSelections() {
    selections.clear();
    Predicate<StreamId> isSelection = id -> Topic.isSelection(id.topic());
    streams.positions(isSelection).forEach(known -> selections.add(known.stream().topic()));
    streams.forgotten(isSelection).forEach(left -> selections.add(left.stream().topic()));
  }

  /** Sets which selections leave by which outlets. */
  private void directSelections() {
    subscribers.selectionsAre(selections);
    edges.forEach(
        (neighbour, edge) -> {
          Set<String> wanted = new TreeSet<>(selections);
          wanted.removeIf(
              selection -> interests.interest(neighbour, selection) != InterestState.YES);
          edge.selectionsChanged(wanted);
        });
  }

  /** Adds a subscription, as {@link BroadcastRelay#subscribe}. */
  void subscribe(long subscriber, SubscribeOptions options) throws BroadcastRefusedException {
    subscribers.add(subscriber, options);
    if (options.isInPlaceAtOnce()) {
      subscribers.inPlace(subscriber, Map.of());
    }
    interests.subscribed(subscriber, options.includesDefaultTopic());
    Set<String> wanted = options.interest();
    changed.accept(wanted::contains);
  }

  void unsubscribe(long subscriber) {
    Set<String> wanted = subscribers.topics();
    subscribers.remove(subscriber);
    interests.unsubscribed(subscriber);
    changed.accept(topic -> wanted.contains(topic) && !subscribers.isSubscribed(topic));
  }

  /** Handles a neighbour's interest; returns why it is invalid, null if it is valid. */
  @Nullable String received(NodeId neighbour, Interest interest) {
    int topics = interests.reportedTopicCount(neighbour) + interest.added().size();
    if (topics > limits.origins()) {
      return "the neighbour requests more topics than limits.origins = " + limits.origins();
    }
    boolean hadReported = interests.hasReported(neighbour);
    interests.received(neighbour, interest);
    // Before the neighbour has reported, its interest in every topic is unknown.
    changed.accept(
        topic ->
            hadReported != interests.hasReported(neighbour)
                || interest.added().contains(topic)
                || interest.removed().contains(topic));
    return null;
  }

  /** Handles a neighbour's acknowledgement; returns why it is invalid, null if it is valid. */
  @Nullable String received(NodeId neighbour, InterestKnown known) {
    List<StreamPosition> named = new ArrayList<>(known.positions());
    known.forgotten().forEach(gap -> named.add(new StreamPosition(gap.stream(), gap.to())));
    String problem = streams.claims().problemWith(named);
    boolean hasRoom =
        interests.knownEnds() + known.positions().size() <= streams.claims().mostNamed();
    List<StreamPosition> ends = hasRoom ? known.positions() : List.of();
    return problem == null
        ? interests.received(
            neighbour, new InterestKnown(known.number(), ends, known.forgotten(), known.last()))
        : problem;
  }

  /** Sends a message to all neighbours on active edges but one. */
  void forwardToOthers(NodeId except, EdgeMessage message) {
    SortedSet<NodeId> others = active();
    others.remove(except);
    others.forEach(neighbour -> send(neighbour, message));
  }

  @Override
  public SortedSet<NodeId> active() {
    TreeSet<NodeId> active = new TreeSet<>();
    edges.forEach(
        (neighbour, edge) -> {
          if (edge.isActive() && edge.stream() == DataEdge.Stream.OPEN) {
            active.add(neighbour);
          }
        });
    return active;
  }

  @Override
  public void send(NodeId neighbour, EdgeMessage message) {
    send.accept(neighbour, message);
  }

  @Override
  public SortedSet<String> subscribed() {
    return subscribers.topics();
  }

  @Override
  public List<StreamPosition> positions(Collection<String> topics) {
    return streams.positions(id -> topics.contains(id.topic()));
  }

  @Override
  public List<StreamPosition> startsUnder(long treeVersion) {
    return streams.startsUnder(treeVersion);
  }

  @Override
  public List<Gap> forgotten(Collection<String> topics) {
    return streams.forgotten(id -> topics.contains(id.topic()));
  }

  @Override
  public void endsReported(StreamEnds subscribed) {
    subscribed.gone().forEach(arrivals::gone);
    // Other members may wait until the content is here. Content of the default topic arrives
    // anyway.
    subscribed.present().keySet().stream().filter(StreamId::isOfTopic).forEach(streams::recall);
  }

  @Override
  public void interestChanged(NodeId neighbour, List<String> added, List<String> removed) {
    DataEdge edge = edges.get(neighbour);
    if (edge != null) {
      edge.topicsChanged(added, removed);
    }
  }

  @Override
  public void inPlace(long subscriber, Map<StreamId, Position> ends) {
    subscribers.inPlace(subscriber, ends);
    begun.run();
  }
}
