package io.treecast.testkit.sim;

import io.treecast.collectives.broadcast.contract.BroadcastRefusedException;
import io.treecast.collectives.broadcast.contract.SubscribeOptions;
import io.treecast.collectives.broadcast.contract.SubscriptionStart;
import io.treecast.collectives.broadcast.contract.WhenSlow;
import io.treecast.collectives.broadcast.message.Chunk;
import io.treecast.collectives.broadcast.message.Gap;
import io.treecast.collectives.broadcast.message.MessageId;
import io.treecast.collectives.broadcast.message.StreamId;
import io.treecast.testkit.cluster.DeliveryLog;
import io.treecast.testkit.cluster.Incarnation;
import io.treecast.testkit.sim.network.VirtualTime;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeSet;
import java.util.function.BiConsumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * An application that subscribes at one simulated agent after another, resuming after the messages
 * it has received, whether or not the previous agent still runs. Throws on duplicates and on
 * messages out of order.
 */
public final class SimSubscriber {
  private static final List<WhenSlow> POLICIES = List.of(WhenSlow.values());

  /** State of one stream. */
  private static final class StreamState {
    /** Last message that is delivered, missed, or older than the subscription. */
    long last;

    long before;
    int nextChunk;
    final TreeSet<Long> had = new TreeSet<>();
  }

  private final Map<StreamId, StreamState> states = new HashMap<>();
  private final List<MessageId> whole = new ArrayList<>();
  private final BiConsumer<SimSubscriber, SimAgent> leaving;
  private SubscribeOptions options;
  private @Nullable SimAgent agent;
  private long name;
  private boolean began;
  private boolean live;
  private long missed;

  /**
   * Creates a roaming subscriber of the default topic.
   *
   * @param leaving is called before it leaves an agent
   */
  SimSubscriber(BiConsumer<SimSubscriber, SimAgent> leaving) {
    this.options = SubscribeOptions.defaults();
    this.leaving = leaving;
  }

  /** Creates a subscriber that stays at its agent. */
  SimSubscriber(SubscribeOptions options) {
    this.options = options;
    this.leaving = (subscriber, agent) -> {};
  }

  /** Moves to a running agent now and at a number of random times. */
  void roam(
      Supplier<List<SimAgent>> agents,
      VirtualTime time,
      int moves,
      long longestStayNanos,
      Random random) {
    List<SimAgent> running = agents.get();
    if (!running.isEmpty()) {
      WhenSlow whenSlow = POLICIES.get(random.nextInt(POLICIES.size()));
      moveTo(running.get(random.nextInt(running.size())), whenSlow);
    }
    if (moves > 0) {
      time.after(
          1 + random.nextLong(longestStayNanos),
          () -> roam(agents, time, moves - 1, longestStayNanos, random));
    }
  }

  /** Resumes at another agent with a policy. */
  void moveTo(SimAgent next, WhenSlow whenSlow) {
    if (agent != null) {
      leaving.accept(this, agent);
      agent.unsubscribe(name);
    }
    if (began) {
      options = options.withStart(new SubscriptionStart.After(finished())).withWhenSlow(whenSlow);
      states.values().forEach(stream -> stream.nextChunk = 0);
    }
    subscribeAt(next);
  }

  void subscribeAt(SimAgent next) {
    live = false;
    agent = next;
    try {
      name = next.subscribe(options, this);
    } catch (BroadcastRefusedException e) {
      throw new AssertionError("an agent refuses a subscriber", e);
    }
  }

  private List<MessageId> finished() {
    List<MessageId> finished = new ArrayList<>();
    states.forEach(
        (stream, known) -> {
          if (known.last > 0) {
            finished.add(new MessageId(stream, known.last));
          }
        });
    return finished;
  }

  /** Returns the complete messages in the order of delivery. */
  List<MessageId> whole() {
    return List.copyOf(whole);
  }

  /** Returns the agent of the subscription; null before the first. */
  @Nullable SimAgent agent() {
    return agent;
  }

  private StreamState state(StreamId stream) {
    return states.computeIfAbsent(stream, id -> new StreamState());
  }

  void began(List<MessageId> after) {
    if (!began) {
      began = true;
      for (MessageId message : after) {
        state(message.stream()).last = message.sequence();
        state(message.stream()).before = message.sequence();
      }
    }
  }

  void live() {
    live = true;
  }

  void delivered(Chunk chunk) {
    StreamState stream = state(chunk.stream());
    long sequence = chunk.messageId().sequence();
    if (sequence <= stream.last || chunk.index() != stream.nextChunk) {
      throw new AssertionError(
          chunk + " arrived twice or out of order, after message " + stream.last);
    }
    stream.nextChunk = chunk.last() ? 0 : chunk.index() + 1;
    if (chunk.last()) {
      whole.add(chunk.messageId());
      stream.had.add(sequence);
      stream.last = sequence;
    }
  }

  void missed(Gap gap) {
    StreamState stream = state(gap.stream());
    if (gap.firstMissed() <= stream.last) {
      throw new AssertionError(gap + " includes delivered messages, up to message " + stream.last);
    }
    for (long sequence = gap.firstMissed(); sequence <= gap.lastMissed(); sequence++) {
      stream.had.add(sequence);
      missed++;
    }
    stream.nextChunk = 0;
    stream.last = gap.lastMissed();
  }

  void abandoned(MessageId message) {
    state(message.stream()).nextChunk = 0;
  }

  /**
   * Returns the messages that an agent's incarnation has delivered and that this subscriber has
   * neither received nor missed.
   */
  List<MessageId> lacked(DeliveryLog deliveries, Incarnation incarnation) {
    return deliveries.broadcasts().stream()
        .filter(broadcast -> broadcast.deliveredNanos().containsKey(incarnation))
        .filter(broadcast -> !isAccountedFor(broadcast.id()))
        .map(DeliveryLog.Broadcast::id)
        .toList();
  }

  private boolean isAccountedFor(MessageId message) {
    StreamState stream = state(message.stream());
    return !options.topics().contains(message.topic())
        || (options.inTotalOrder() && message.stream().isOfUploads())
        || message.sequence() <= stream.before
        || stream.had.contains(message.sequence());
  }

  /**
   * Returns whether the subscription is live: all messages that existed at its start are delivered
   * or missed.
   */
  public boolean isLive() {
    return live;
  }

  /** Returns the number of missed messages. */
  public long missedMessages() {
    return missed;
  }
}
