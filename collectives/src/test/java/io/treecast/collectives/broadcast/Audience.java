package io.treecast.collectives.broadcast;

import io.treecast.collectives.broadcast.contract.SubscribeOptions;
import io.treecast.collectives.broadcast.contract.SubscriptionStart;
import io.treecast.collectives.broadcast.contract.WhenSlow;
import io.treecast.collectives.broadcast.message.Chunk;
import io.treecast.collectives.broadcast.message.Gap;
import io.treecast.collectives.broadcast.message.MessageId;
import io.treecast.collectives.broadcast.message.MissedReason;
import io.treecast.collectives.broadcast.message.OrderPosition;
import io.treecast.collectives.broadcast.message.Position;
import io.treecast.collectives.broadcast.message.StreamId;
import io.treecast.collectives.broadcast.message.StreamPosition;
import io.treecast.ghs.NodeId;
import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * An application that subscribes at simulated nodes, one after the other: takes items when told to,
 * assembles messages, remembers the finished ones, and fails on every item that is repeated, out of
 * order or damaged.
 */
final class Audience {
  /** The application's knowledge of one stream. */
  private static final class Heard {
    long partSequence;
    int partIndex;
    int partBytes;

    /** The last message before the first subscription. */
    long before;

    /**
     * The last message that its first node had forgotten by then: it cannot come from that node,
     * but may come from another.
     */
    long behind;

    long lastSequence;
    boolean heardOfNow;
    final TreeSet<Long> delivered = new TreeSet<>();
    final TreeSet<Long> missed = new TreeSet<>();
    final TreeSet<Long> abandoned = new TreeSet<>();

    boolean inPart() {
      return partSequence > 0;
    }

    void endPart() {
      partSequence = 0;
      partIndex = 0;
      partBytes = 0;
    }

    boolean knowsToMiss(long sequence) {
      return sequence <= Math.max(before, behind) || missed.contains(sequence);
    }

    boolean has(long sequence) {
      return knowsToMiss(sequence) || delivered.contains(sequence);
    }
  }

  /** An event of the subscription that waits to be handled. */
  private record Event(long bytes, Runnable handling) {}

  private final Published published;
  private final long windowBytes;
  private final ArrayDeque<Event> unconsumed = new ArrayDeque<>();
  private final Map<StreamId, Heard> heard = new TreeMap<>();
  private final RunKind kind;
  private final RunCoverage coverage;
  private SubscribeOptions options;
  private @Nullable NodeId member;
  private boolean began;
  private boolean moved;
  private boolean live;

  /** Whether it was notified of a miss more than once. */
  private boolean toldTwice;

  private long unconsumedBytes;

  /** The version of the tree under which its first subscription began. */
  private long begunVersion;

  /** How much of each stream was published when its first subscription began. */
  private Map<StreamId, Long> publishedBefore = Map.of();

  /** The positions of the node when the present subscription began; null before. */
  private @Nullable List<StreamPosition> hadAtBegin;

  /** The missed messages by reason; looked up in any order. */
  private final Map<MissedReason, List<MessageId>> missed = new EnumMap<>(MissedReason.class);

  /** The messages received whole in total order, with their positions. */
  private final LinkedHashMap<MessageId, OrderPosition> inOrder = new LinkedHashMap<>();

  Audience(
      Published published,
      long windowBytes,
      SubscribeOptions options,
      RunKind kind,
      RunCoverage coverage) {
    this.published = published;
    this.windowBytes = windowBytes;
    this.options = options;
    this.kind = kind;
    this.coverage = coverage;
  }

  Published published() {
    return published;
  }

  SubscribeOptions options() {
    return options;
  }

  /** Returns the messages that it was notified of missing for the given reason. */
  List<MessageId> missed(MissedReason reason) {
    return missed.getOrDefault(reason, List.of());
  }

  /** Returns whether its subscription has begun. */
  boolean hasBegun() {
    return began;
  }

  /** Subscribes at a member. */
  void at(NodeId newMember) {
    member = newMember;
  }

  /** Ends the subscription; unhandled items are lost. It will resume elsewhere, with any policy. */
  void leave(WhenSlow whenSlow) {
    moved = true;
    unconsumed.clear();
    unconsumedBytes = 0;
    live = false;
    hadAtBegin = null;
    List<MessageId> last = new ArrayList<>();
    heard.forEach(
        (stream, known) -> {
          known.endPart();
          known.heardOfNow = false;
          if (known.lastSequence > 0) {
            last.add(new MessageId(stream, known.lastSequence));
          }
        });
    options =
        options
            .withStart(new SubscriptionStart.After(last))
            .withWhenSlow(
                options.inTotalOrder() && whenSlow == WhenSlow.GAP ? WhenSlow.CATCH_UP : whenSlow);
  }

  // Events.

  /**
   * Handles the beginning of its subscription.
   *
   * @param after the last messages before it
   * @param allHad the positions of the node
   * @param everHad the positions that it ever had; content that it has forgotten since is not for
   *     new subscribers, unless they ask for missed messages
   */
  void began(
      long treeVersion,
      List<MessageId> after,
      List<StreamPosition> allHad,
      List<StreamPosition> everHad) {
    if (hadAtBegin != null || !unconsumed.isEmpty()) {
      throw new AssertionError("a subscription began twice, or too late");
    }
    hadAtBegin = allHad.stream().filter(had -> accepts(had.stream())).toList();
    if (began && !after.isEmpty()) {
      throw new AssertionError("it goes on after " + after);
    }
    if (!began) {
      began = true;
      begunVersion = treeVersion;
      publishedBefore = published.counts();
      if (!(options.start() instanceof SubscriptionStart.After)) {
        everHad.stream().filter(had -> isForgotten(had, allHad)).forEach(this::beginBehind);
      }
      after.forEach(
          message -> {
            if (message.sequence() > publishedBefore.getOrDefault(message.stream(), 0L)) {
              throw new AssertionError("it begins after " + message + ", which is not published");
            }
            heard(message.stream()).before = message.sequence();
            heard(message.stream()).lastSequence = message.sequence();
          });
    }
  }

  private boolean isForgotten(StreamPosition had, List<StreamPosition> has) {
    return accepts(had.stream()) && has.stream().noneMatch(p -> p.stream().equals(had.stream()));
  }

  private void beginBehind(StreamPosition had) {
    Position next = had.next();
    heard(had.stream()).behind = next.insideMessage() ? next.sequence() : next.sequence() - 1;
  }

  void live() {
    await(0, this::becomeLive);
  }

  /**
   * Returns whether it was subscribed when the message was published, on the same tree or a later
   * one.
   */
  boolean wasThereFor(MessageId message) {
    return began
        && message.sequence() > publishedBefore.getOrDefault(message.stream(), 0L)
        && published.get(message.stream(), message.sequence()).treeVersion() >= begunVersion;
  }

  /** Returns whether it subscribed at one member all the time. */
  boolean isOfOneMember() {
    return began && !moved;
  }

  long begunVersion() {
    return begunVersion;
  }

  Set<MessageId> inOrder() {
    return inOrder.keySet();
  }

  OrderPosition position(MessageId message) {
    return Objects.requireNonNull(inOrder.get(message));
  }

  void deliver(Chunk chunk, @Nullable OrderPosition position) {
    if (options.inTotalOrder() != (position != null)) {
      throw new AssertionError(chunk + " came at position " + position);
    }
    if (position != null && chunk.last()) {
      inOrder.put(chunk.messageId(), position);
    }
    await(chunk.cost(), () -> handle(chunk));
  }

  void missed(Gap gap, MissedReason reason) {
    await(gap.cost(), () -> handle(gap, reason));
  }

  void abandoned(MessageId message) {
    await(0, () -> handleAbandoned(message));
  }

  private void await(long bytes, Runnable handling) {
    if (hadAtBegin == null) {
      throw new AssertionError("an event came before the begin");
    }
    unconsumed.add(new Event(bytes, handling));
    unconsumedBytes += bytes;
    if (unconsumedBytes > windowBytes) {
      throw new AssertionError(unconsumedBytes + " bytes are more than a subscriber's window");
    }
  }

  boolean hasUnconsumed() {
    return !unconsumed.isEmpty();
  }

  /** Handles one event and returns its cost. */
  long consume() {
    Event event = unconsumed.remove();
    unconsumedBytes -= event.bytes();
    event.handling().run();
    return event.bytes();
  }

  /** Returns whether it gets messages of the stream at its present member. */
  boolean accepts(StreamId stream) {
    return member != null && options.accepts(stream, member);
  }

  private Heard heard(StreamId stream) {
    if (!accepts(stream)) {
      throw new AssertionError(stream + " is not for a subscriber of " + options.topics());
    }
    return heard.computeIfAbsent(stream, id -> new Heard());
  }

  /** Whether it has the message, or was notified of missing it. */
  private boolean isFinished(MessageId message) {
    StreamId stream = message.stream();
    long sequence = message.sequence();
    return heard(stream).has(sequence)
        || (isAbandoned(message)
            && (kind == RunKind.CROWDED || published.get(stream, sequence).isAbandoned()));
  }

  /** Checks that all entitled content of the node has arrived, or was reported as missed. */
  private void becomeLive() {
    if (live) {
      throw new AssertionError("it is live twice");
    }
    live = true;
    coverage.count("live");
    for (StreamPosition had : Objects.requireNonNull(hadAtBegin)) {
      for (long s = 1; s < had.next().sequence(); s++) {
        if (!isFinished(new MessageId(had.stream(), s))) {
          throw new AssertionError("it is live without " + had.stream() + "/" + s);
        }
      }
    }
  }

  private void handle(Chunk chunk) {
    Heard stream = heard(chunk.stream());
    stream.heardOfNow = true;
    long sequence = chunk.messageId().sequence();
    if (chunk.index() != stream.partIndex
        || (stream.inPart() ? sequence != stream.partSequence : sequence <= stream.lastSequence)) {
      throw new AssertionError(
          chunk + " came after " + stream.lastSequence + ", in part " + stream.partSequence);
    }
    ByteBuffer payload = published.get(chunk.stream(), sequence).payload();
    int length = Math.min(chunk.bytes(), payload.remaining() - stream.partBytes);
    ByteBuffer expected = payload.slice(stream.partBytes, length);
    stream.partBytes += chunk.bytes();
    boolean whole = stream.partBytes == payload.remaining();
    // The end of an upload is a chunk of its own.
    boolean endsInPlace = chunk.last() ? whole : !whole || chunk.stream().isOfUploads();
    if (!chunk.payload().equals(expected) || !endsInPlace) {
      throw new AssertionError(chunk + " is not what was published");
    }
    if (chunk.last()) {
      stream.endPart();
      stream.lastSequence = sequence;
      stream.delivered.add(sequence);
    } else {
      stream.partSequence = sequence;
      stream.partIndex++;
    }
  }

  private void handle(Gap gap, MissedReason reason) {
    Heard stream = heard(gap.stream());
    if (reason == MissedReason.SKIPPED && (options.whenSlow() != WhenSlow.GAP || !live)) {
      throw new AssertionError(gap + " was skipped, which is not in order");
    }
    if (reason == MissedReason.NOT_RETAINED
        && options.whenSlow() == WhenSlow.SLOW_PUBLISHER
        && stream.heardOfNow
        && kind.isRoomy()
        && !published.mayBeGivenUp(gap.stream())
        && !(gap.stream().isOfUploads() && stream.abandoned.contains(gap.firstMissed()))) {
      throw new AssertionError(gap + " was let go while its subscriber was reading");
    }
    stream.endPart();
    // An abandoned message may turn up again, or be lost for good.
    long first = gap.firstMissed();
    while (kind == RunKind.CROWDED && first <= stream.lastSequence && stream.knowsToMiss(first)) {
      toldTwice = true;
      first++;
    }
    if (first <= stream.lastSequence && first <= gap.lastMissed()) {
      throw new AssertionError(gap + " is of what was finished, up to " + stream.lastSequence);
    }
    for (long sequence = first; sequence <= gap.lastMissed(); sequence++) {
      stream.missed.add(sequence);
      missed
          .computeIfAbsent(reason, r -> new ArrayList<>())
          .add(new MessageId(gap.stream(), sequence));
    }
    stream.heardOfNow = true;
    stream.lastSequence = Math.max(stream.lastSequence, gap.lastMissed());
  }

  private void handleAbandoned(MessageId message) {
    Heard stream = heard(message.stream());
    if (stream.partSequence != message.sequence()) {
      throw new AssertionError(message + " was abandoned and is not in progress");
    }
    stream.endPart();
    stream.abandoned.add(message.sequence());
  }

  // The end.

  /** Returns whether it was told not to wait for the message. */
  boolean isAbandoned(MessageId message) {
    return heard(message.stream()).abandoned.contains(message.sequence());
  }

  /** Asserts that it has, or was notified of missing, each entitled message that its node has. */
  void assertComplete(String who, List<StreamPosition> has) {
    if (toldTwice) {
      throw new AssertionError(who + " was told twice to miss a message");
    }
    if (began && !live) {
      throw new AssertionError(who + " never became live");
    }
    for (StreamPosition position : has.stream().filter(had -> accepts(had.stream())).toList()) {
      StreamId stream = position.stream();
      Heard known = heard(stream);
      for (long s = 1; s < position.next().sequence(); s++) {
        assertComplete(who, new MessageId(stream, s), known);
      }
      if (known.inPart()) {
        throw new AssertionError(who + " waits for the rest of " + stream);
      }
    }
  }

  private void assertComplete(String who, MessageId message, Heard known) {
    long s = message.sequence();
    boolean isBehind = known.before < s && s <= known.behind;
    boolean due = s > known.before && !isBehind;
    boolean delivered = known.delivered.contains(s);
    boolean missed = known.missed.contains(s);
    if (delivered && missed) {
      throw new AssertionError(who + " got and missed " + message);
    }
    if (delivered && published.get(message.stream(), s).isAbandoned()) {
      throw new AssertionError(who + " got " + message + ", which was given up");
    }
    if (due ? !isFinished(message) : delivered && !(isBehind && moved)) {
      throw new AssertionError(who + (due ? " lacks " : " should not have got ") + message);
    }
  }
}
