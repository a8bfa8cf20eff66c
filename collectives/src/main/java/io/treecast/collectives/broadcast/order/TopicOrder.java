package io.treecast.collectives.broadcast.order;

import io.treecast.collectives.broadcast.log.LogEntry;
import io.treecast.collectives.broadcast.log.OrderPlacing;
import io.treecast.collectives.broadcast.log.ReplicationLog;
import io.treecast.collectives.broadcast.log.StreamLog;
import io.treecast.collectives.broadcast.message.EdgeMessage;
import io.treecast.collectives.broadcast.message.EdgeMessage.OrderNext;
import io.treecast.collectives.broadcast.message.EdgeMessage.OrderTail;
import io.treecast.collectives.broadcast.message.Gap;
import io.treecast.collectives.broadcast.message.OrderEntry;
import io.treecast.collectives.broadcast.message.OrderLineage;
import io.treecast.collectives.broadcast.message.Position;
import io.treecast.collectives.broadcast.message.StreamId;
import io.treecast.collectives.broadcast.stability.Stability;
import io.treecast.collectives.broadcast.topic.Interests.InterestState;
import io.treecast.collectives.broadcast.tree.TreeEpoch;
import io.treecast.collectives.broadcast.tree.TreePlace;
import io.treecast.ghs.NodeId;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * One member's part in the total order of a topic.
 *
 * <p><b>In an epoch,</b> the root of the committed tree assigns each message a place as soon as it
 * has all of it, and the places ({@link OrderNext}) flow down the tree to where the order is
 * wanted. A member decides them one after the other, each when it has the message too. So some
 * member has every message that is decided anywhere.
 *
 * <p><b>Between epochs.</b> A member that commits another tree stops deciding entries of the
 * previous epoch. When all members below it have done the same, it reports to its parent the
 * entries that it and they have decided and others may lack ({@link OrderTail}). When the root has
 * all reports, it begins its epoch with them. Each member first decides the entries of members that
 * were in the same epochs as itself, then the entries of those that were separated from it. So
 * members that were in the same trees decide the same entries, in the same order, and decisions
 * from before two parts met stay before those that the other part brings. Messages that no present
 * member has decided get a new place.
 *
 * <p><b>Alone.</b> A member that has lost its only neighbour is the root of a tree of one until it
 * has linked with another member. In an epoch of its own it would decide messages alone, although
 * the network was never separated. So it begins no epoch while it {@linkplain
 * Stability#mayRejoinOthers may meet} others that were in its tree a short time ago.
 *
 * <p><b>Later.</b> A member where the order is newly wanted, or whose data stream is new, reports
 * to its parent in the same way, and receives the beginning of the epoch and the entries since. It
 * requests the places of messages that it has without one, because the root may have forgotten
 * those messages.
 */
final class TopicOrder {
  /** The operations that an order needs from its relay. */
  interface TopicContext {
    /** Returns whether any member in the subtree of a child wants the order. */
    InterestState orderInterest(NodeId child, String topic);

    /** Returns whether the data stream to a neighbour is open. */
    boolean isOpen(NodeId neighbour);

    /** Returns {@link Stability#mayRejoinOthers}. */
    boolean mayRejoinOthers();

    void send(NodeId neighbour, OrderTail tail);

    void send(NodeId neighbour, OrderNext next);

    /** Notes that more of the stream has a place, or was handed to a subscriber. */
    void advanced(StreamId stream);
  }

  private final String topic;
  private final ReplicationLog log;
  private final TopicContext relay;
  private final DecidedOrder decided;
  private final UndecidedOrder undecided;
  private final List<OrderedReader> readers = new ArrayList<>();
  private final OrderLineage lineage = new OrderLineage();
  private final UnplacedContent unplaced;
  private final ReceivedTails receivedTails = new ReceivedTails();

  private @Nullable TreeEpoch epoch;
  private @Nullable NodeId parent;
  private List<NodeId> children = List.of();
  private boolean hasReported;

  /** The tails that the present epoch began with; null if it has not begun. */
  private @Nullable OrderTails beginning;

  /**
   * The children that had reported their decisions when the present epoch began here. They and
   * others of their part know the same earlier entries; this member's part may know more.
   */
  private final TreeSet<NodeId> inEpochFromBegin = new TreeSet<>();

  /** The assignment of places, at the root once its epoch has begun; null otherwise. */
  private @Nullable OrderPlacing placing;

  TopicOrder(String topic, ReplicationLog log, TopicContext relay) {
    this.topic = topic;
    this.log = log;
    this.relay = relay;
    this.decided = new DecidedOrder(log);
    this.undecided = new UndecidedOrder(log, decided);
    this.unplaced = new UnplacedContent(topic, log);
  }

  // Local subscribers.

  DecidedOrder decided() {
    return decided;
  }

  List<OrderedReader> readers() {
    return readers;
  }

  /** Returns {@link TotalOrder#had}. */
  Position had(StreamId stream, Position here) {
    Position had = here;
    for (OrderedReader reader : readers) {
      had = min(had, decided.end(stream));
      had = reader.slowsPublishers() ? min(had, reader.next(stream)) : had;
    }
    return had;
  }

  private static Position min(Position one, Position other) {
    return one.isBefore(other) ? one : other;
  }

  // The tree.

  /** Notes that this member has committed a tree: nothing more of the previous epoch is decided. */
  void treeCommitted(TreePlace place) {
    epoch = place.epoch();
    parent = place.parent();
    children = place.children();
    hasReported = false;
    beginning = null;
    placing = null;
    undecided.clear();
    inEpochFromBegin.clear();
    receivedTails.treeCommitted(place.treeVersion());
  }

  /** Returns whether a member in this member's subtree wants the order, or may want it. */
  boolean isNeeded() {
    return !readers.isEmpty()
        || children.stream()
            .anyMatch(child -> relay.orderInterest(child, topic) != InterestState.NO)
        || receivedTails.isAnyLater();
  }

  /** Sends the reports that have become possible. */
  void update() {
    receivedTails.removePresent(
        id -> children.contains(id) && relay.orderInterest(id, topic) == InterestState.NO);
    inEpochFromBegin.removeIf(id -> relay.orderInterest(id, topic) == InterestState.NO);
    if (epoch == null
        || hasReported
        || (parent == null ? relay.mayRejoinOthers() : !relay.isOpen(parent))) {
      return;
    }
    for (NodeId child : children) {
      InterestState interest = relay.orderInterest(child, topic);
      if (interest == InterestState.UNKNOWN
          || (interest == InterestState.YES && !receivedTails.isComplete(child))) {
        return;
      }
    }
    report(epoch);
  }

  private void report(TreeEpoch present) {
    hasReported = true;
    OrderTails tails = new OrderTails();
    if (parent == null) {
      tails.add(List.of(), decided.settledEnds());
    }
    List<DecidedOrder.Place> unsettled = decided.unsettled();
    List<TreeEpoch> epochs =
        lineage.startedSince(
            unsettled.stream()
                .mapToLong(DecidedOrder.Place::sinceVersion)
                .min()
                .orElse(Long.MAX_VALUE));
    tails.add(epochs, unsettled.stream().map(DecidedOrder.Place::entry).toList());
    noteMembers();
    children.stream()
        .filter(receivedTails::isComplete)
        .forEach(child -> tails.merge(receivedTails.of(child)));
    lineage.join(present);
    NodeId above = parent;
    if (above == null) {
      begin(tails);
    } else {
      send(above, tails);
    }
  }

  private void noteMembers() {
    if (beginning == null) {
      children.stream().filter(receivedTails::isComplete).forEach(inEpochFromBegin::add);
    }
  }

  private void send(NodeId neighbour, OrderTails tails) {
    TreeEpoch present = epoch;
    if (present != null) {
      tails.forEachPart(
          OrderNext.MAX_ENTRIES,
          (part, last) ->
              relay.send(
                  neighbour,
                  new OrderTail(
                      present.treeVersion(), topic, part.getKey(), part.getValue(), last)));
    }
  }

  // Neighbours.

  /** Notes that the data stream to a neighbour is open; messages on an earlier one may be lost. */
  void opened(NodeId neighbour) {
    if (Objects.equals(parent, neighbour)) {
      hasReported = false;
    }
    update();
  }

  void closed(NodeId neighbour) {
    receivedTails.remove(neighbour);
  }

  /** Handles a neighbour's tail, of the present tree or a later one. */
  void received(NodeId neighbour, OrderTail tail) {
    receivedTails.add(neighbour, tail);
    if (receivedTails.isComplete(neighbour)) {
      isComplete(neighbour);
    }
  }

  private void isComplete(NodeId neighbour) {
    if (Objects.equals(parent, neighbour)) {
      OrderTails tails = receivedTails.of(neighbour);
      receivedTails.remove(neighbour);
      begin(tails);
    } else if (beginning != null && epoch != null && children.contains(neighbour)) {
      sendAllTo(neighbour, beginning, epoch);
    } else {
      update();
    }
  }

  /**
   * Sends the beginning of the epoch, and the entries since, to a member that joins it, or joins
   * again. A member that newly wants the order also gets the entries that were decided here before
   * the epoch; it follows this member's part. A child that was in the epoch from its beginning does
   * not get these, because other members of its part did not get them either.
   */
  private void sendAllTo(NodeId child, OrderTails began, TreeEpoch present) {
    long version = present.treeVersion();
    OrderTails all = new OrderTails();
    if (!inEpochFromBegin.contains(child)) {
      all.add(
          lineage.joinedBefore(present),
          decided.all().stream()
              .filter(place -> place.sinceVersion() < version)
              .map(DecidedOrder.Place::entry)
              .filter(entry -> !began.contains(entry))
              .toList());
    }
    all.addAll(began);
    send(child, all);
    List<OrderEntry> since = new ArrayList<>();
    decided.all().stream()
        .filter(place -> place.sinceVersion() == version)
        .forEach(place -> since.add(place.entry()));
    since.addAll(undecided.entriesSince(version));
    next(since).forEach(next -> relay.send(child, next));
  }

  /** Handles the continuation of the order, or a question about it. */
  void received(NodeId neighbour, OrderNext next) {
    if (epoch == null || beginning == null || next.treeVersion() != epoch.treeVersion()) {
      return;
    }
    if (Objects.equals(parent, neighbour)) {
      follow(next);
    } else if (children.contains(neighbour)) {
      requestPlaces(next.entries());
    }
  }

  /** Returns how many entries are known and not decided. */
  long undecided() {
    return undecided.size() + receivedTails.size();
  }

  // The epoch.

  private void begin(OrderTails tails) {
    TreeEpoch present = epoch;
    if (present == null) {
      return;
    }
    noteMembers();
    beginning = tails;
    unplaced.begin();
    children.stream().filter(receivedTails::isComplete).forEach(child -> send(child, tails));
    lineage.followIfNew(present, tails.epochs());
    List<List<TreeEpoch>> own = lineage.own(tails.epochs());
    List<List<TreeEpoch>> rest = new ArrayList<>(tails.epochs());
    rest.removeAll(own);
    // A member that has decided nothing yet follows the first group of members that has.
    List<List<TreeEpoch>> followed =
        !own.isEmpty() || !decided.isEmpty()
            ? own
            : rest.stream().filter(epochs -> !epochs.isEmpty()).limit(1).toList();
    long since = lineage.begin(present, followed);
    undecided.clear();
    own.forEach(epochs -> undecided.add(tails.tail(epochs), since));
    rest.forEach(epochs -> undecided.add(tails.tail(epochs), since));
    if (parent == null) {
      OrderPlacing places = new OrderPlacing(topic, present.treeVersion());
      // Only entries that all members have received count: other members may lack a place that was
      // decided here, and may have messages that are missed here.
      undecided.entries().forEach(places::hasPlace);
      placing = places;
      follow(places.place(log));
    }
    decide();
    requestPlaces(unplaced.find(decided, undecided.entries(), present));
  }

  /**
   * Answers a member that requests places of messages for which it knows none. The root assigns a
   * place if the message was here, too, and has been forgotten; other messages get one when they
   * arrive.
   */
  private void requestPlaces(List<OrderEntry> lacking) {
    NodeId above = parent;
    OrderPlacing places = placing;
    if (places != null) {
      unplaced.knownHere(lacking).forEach(e -> follow(places.place(e.stream(), e.end())));
    } else if (above != null && relay.isOpen(above)) {
      next(unplaced.unrequested(lacking)).forEach(question -> relay.send(above, question));
    }
  }

  private void requestPlaces(StreamId stream, Position to) {
    TreeEpoch present = epoch;
    if (present != null && beginning != null) {
      requestPlaces(unplaced.of(stream, to, present));
    }
  }

  private void follow(OrderNext next) {
    for (NodeId child : children) {
      if (receivedTails.isComplete(child)) {
        relay.send(child, next);
      }
    }
    undecided.add(next.entries(), next.treeVersion());
    decide();
  }

  private void follow(List<OrderEntry> entries) {
    next(entries).forEach(this::follow);
  }

  /** The entries in messages; none for an empty list. */
  private List<OrderNext> next(List<OrderEntry> entries) {
    TreeEpoch present = epoch;
    return present == null || entries.isEmpty()
        ? List.of()
        : EdgeMessage.parts(entries, OrderNext.MAX_ENTRIES).stream()
            .map(part -> new OrderNext(present.treeVersion(), topic, part))
            .toList();
  }

  /** Notes that content was logged. */
  void logged(LogEntry content) {
    StreamId stream = content.stream().id();
    if (placing != null) {
      follow(placing.place(stream, content.item().to()));
    } else if (content.item() instanceof Gap) {
      requestPlaces(stream, content.item().to()); // The root may have received it long ago.
    }
    decide();
  }

  private void decide() {
    if (undecided.decide(this::advanced)) {
      readers.forEach(OrderedReader::passOn);
    }
  }

  private void advanced(StreamId stream) {
    if (log.find(stream) != null) {
      relay.advanced(stream);
    }
  }

  // The log.

  void evicted(LogEntry content) {
    decided.evicted(content);
  }

  void forget(StreamId stream) {
    StreamLog left = log.forgotten(stream);
    Position had = left == null ? Position.START : left.next();
    undecided.leave(stream, had);
    if (left != null) { // Others may still have some.
      decided.leave(stream);
    } else {
      decided.forget(stream);
      receivedTails.forget(stream);
      if (beginning != null) {
        beginning.forget(stream);
      }
    }
    if (placing != null) {
      placing.forget(stream);
    }
    readers.forEach(reader -> reader.forget(stream));
    decide();
  }

  /**
   * Notes that a forgotten stream is here again: members that lack content of it wait for its
   * place.
   */
  void recalled(StreamId stream) {
    requestPlaces(stream, log.next(stream));
  }

  /**
   * Notes that the content of a stream is missed here: its places are decided as if it were here.
   */
  void missed(StreamLog left) {
    if (placing != null && !left.next().insideMessage()) {
      follow(placing.place(left.id(), left.next()));
      placing.forget(left.id());
    }
    undecided.leave(left.id(), left.next());
    decide();
  }
}
