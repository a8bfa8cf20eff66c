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
import io.treecast.testkit.cluster.Life;
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
 * An application that subscribes at one simulated agent after the other, each time after what it
 * has finished, whether the one before lives or not. Fails on what comes twice or out of order.
 */
public final class SimSubscriber {
  private static final List<WhenSlow> POLICIES = List.of(WhenSlow.values());

  /** Its state for one stream. */
  private static final class Heard {
    /** Up to here all is delivered, missed or from before. */
    long last;

    long before;
    int nextChunk;
    final TreeSet<Long> had = new TreeSet<>();
  }

  private final Map<StreamId, Heard> heard = new HashMap<>();
  private final List<MessageId> whole = new ArrayList<>();
  private final BiConsumer<SimSubscriber, SimAgent> leaving;
  private SubscribeOptions options;
  private @Nullable SimAgent agent;
  private long name;
  private boolean began;
  private boolean live;
  private long missed;

  /**
   * One that wants the default topic.
   *
   * @param leaving told when it is about to leave an agent
   */
  SimSubscriber(BiConsumer<SimSubscriber, SimAgent> leaving) {
    this.options = SubscribeOptions.defaults();
    this.leaving = leaving;
  }

  /** One that stays. */
  SimSubscriber(SubscribeOptions options) {
    this.options = options;
    this.leaving = (subscriber, agent) -> {};
  }

  /** Goes on at a running agent, now and at random times so many times more. */
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

  /** Goes on at this agent, with that policy. */
  void moveTo(SimAgent next, WhenSlow whenSlow) {
    if (agent != null) {
      leaving.accept(this, agent);
      agent.unsubscribe(name);
    }
    if (began) {
      options = options.withStart(new SubscriptionStart.After(finished())).withWhenSlow(whenSlow);
      heard.values().forEach(stream -> stream.nextChunk = 0);
    }
    subscribeAt(next);
  }

  /** Subscribes at this agent. */
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
    heard.forEach(
        (stream, known) -> {
          if (known.last > 0) {
            finished.add(new MessageId(stream, known.last));
          }
        });
    return finished;
  }

  /** The messages that it has, in the order in which it got them. */
  List<MessageId> whole() {
    return List.copyOf(whole);
  }

  /** The agent that it is subscribed at; null before the first. */
  @Nullable SimAgent agent() {
    return agent;
  }

  private Heard heard(StreamId stream) {
    return heard.computeIfAbsent(stream, id -> new Heard());
  }

  void began(List<MessageId> after) {
    if (!began) {
      began = true;
      for (MessageId message : after) {
        heard(message.stream()).last = message.sequence();
        heard(message.stream()).before = message.sequence();
      }
    }
  }

  void live() {
    live = true;
  }

  void delivered(Chunk chunk) {
    Heard stream = heard(chunk.stream());
    long sequence = chunk.messageId().sequence();
    if (sequence <= stream.last || chunk.index() != stream.nextChunk) {
      throw new AssertionError(
          chunk + " came twice or out of order, behind message " + stream.last);
    }
    stream.nextChunk = chunk.last() ? 0 : chunk.index() + 1;
    if (chunk.last()) {
      whole.add(chunk.messageId());
      stream.had.add(sequence);
      stream.last = sequence;
    }
  }

  void missed(Gap gap) {
    Heard stream = heard(gap.stream());
    if (gap.firstMissed() <= stream.last) {
      throw new AssertionError(gap + " names what has come, up to message " + stream.last);
    }
    for (long sequence = gap.firstMissed(); sequence <= gap.lastMissed(); sequence++) {
      stream.had.add(sequence);
      missed++;
    }
    stream.nextChunk = 0;
    stream.last = gap.lastMissed();
  }

  void abandoned(MessageId message) {
    heard(message.stream()).nextChunk = 0;
  }

  /**
   * Returns messages that an agent delivered in one life and that neither arrived nor were missed.
   */
  List<MessageId> lacked(DeliveryLog deliveries, Life life) {
    return deliveries.broadcasts().stream()
        .filter(broadcast -> broadcast.deliveredNanos().containsKey(life))
        .filter(broadcast -> !isAccountedFor(broadcast.id()))
        .map(DeliveryLog.Broadcast::id)
        .toList();
  }

  private boolean isAccountedFor(MessageId message) {
    Heard stream = heard(message.stream());
    return !options.topics().contains(message.topic())
        || (options.inTotalOrder() && message.stream().isOfUploads())
        || message.sequence() <= stream.before
        || stream.had.contains(message.sequence());
  }

  /**
   * Returns whether it has all that there was when it subscribed last, or was told that it misses
   * it.
   */
  public boolean isLive() {
    return live;
  }

  /** Returns how many messages it was told that it would not get. */
  public long missedMessages() {
    return missed;
  }
}
