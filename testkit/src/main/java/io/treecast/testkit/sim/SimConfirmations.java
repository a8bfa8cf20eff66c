package io.treecast.testkit.sim;

import io.treecast.collectives.broadcast.message.Chunk;
import io.treecast.collectives.broadcast.message.Confirmation;
import io.treecast.collectives.broadcast.message.Confirmation.Hop;
import io.treecast.collectives.broadcast.message.MessageId;
import io.treecast.ghs.NodeId;
import io.treecast.testkit.cluster.DeliveryLog;
import io.treecast.testkit.cluster.Incarnation;
import io.treecast.testkit.sim.network.SimSettings;
import io.treecast.testkit.sim.network.VirtualTime;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.SortedMap;
import java.util.function.IntFunction;
import org.jspecify.annotations.Nullable;

/** Checks the confirmations at origins against the recorded deliveries. Single-threaded. */
final class SimConfirmations {
  private static final int MOST_OF_SHORT_MILLIS = 20_000;

  /**
   * Tolerance of dates. Agents' clocks differ by up to an hour; the errors of their comparison are
   * far smaller.
   */
  private static final long MAX_CLOCK_ERROR_NANOS = 60_000_000_000L;

  private record Asked(Incarnation origin, long publishedNanos) {}

  private boolean allowLateConfirmations;
  private boolean acceptUnchecked;
  private final Random random;
  private final VirtualTime time;
  private final DeliveryLog deliveries;
  private final Map<MessageId, Asked> asked = new LinkedHashMap<>();

  /** The time of publication of each broadcast at its first receiver. */
  private final Map<MessageId, Long> publications = new HashMap<>();

  /** The deliveries to other than the agents' own subscribers: the incarnation and the time. */
  private final Map<MessageId, List<Map.Entry<Incarnation, Long>>> toOthers = new HashMap<>();

  /**
   * The messages that subscribers lacked when they left an agent, which therefore never confirms
   * them.
   */
  private final Map<Incarnation, Set<MessageId>> leftBehind = new HashMap<>();

  SimConfirmations(long seed, VirtualTime time, DeliveryLog deliveries) {
    this.random = new Random(seed);
    this.time = time;
    this.deliveries = deliveries;
  }

  /** Returns a random timeout of receipts for the next broadcast: 0, short, or the longest. */
  int anyReceiptMillis() {
    return switch (random.nextInt(4)) {
      case 0 -> 1 + random.nextInt(MOST_OF_SHORT_MILLIS);
      case 1, 2 -> Chunk.MAX_RECEIPT_MILLIS;
      default -> 0;
    };
  }

  /** Records a broadcast with confirmation. */
  void published(MessageId message, Incarnation origin) {
    asked.put(message, new Asked(origin, time.nowNanos()));
  }

  /**
   * Compares the time of a publication at a member with that at its first receiver.
   *
   * @throws AssertionError if the difference exceeds the errors of clocks
   */
  void datedPublication(MessageId message, long publishedNanos) {
    Long first = publications.putIfAbsent(message, publishedNanos);
    if (first != null
        && !acceptUnchecked
        && Math.abs(first - publishedNanos) > MAX_CLOCK_ERROR_NANOS) {
      throw new AssertionError(
          message + " was published at " + first + ", but a member has the time " + publishedNanos);
    }
  }

  /**
   * Checks a settled confirmation.
   *
   * @throws AssertionError if it reports a delivery that did not occur at that time
   */
  void confirmed(Confirmation confirmation) {
    if (acceptUnchecked) {
      return;
    }
    // The only member of a tree confirms before its call to publish has returned.
    Asked published = asked.get(confirmation.message());
    long publishedNanos = published == null ? time.nowNanos() : published.publishedNanos();
    for (Hop hop : confirmation.delivered()) {
      boolean isSo =
          !hop.isHandedOver()
              || deliveredNanos(confirmation.message(), hop.member()).stream()
                  .map(at -> publishedNanos + hop.afterNanos() - at)
                  .anyMatch(
                      late ->
                          late >= -hop.errorNanos()
                              && (allowLateConfirmations || late <= hop.errorNanos()));
      if (!isSo) {
        throw new AssertionError(
            hop
                + " is reported for "
                + confirmation.message()
                + ", published at "
                + publishedNanos
                + "; delivered at "
                + deliveredNanos(confirmation.message(), hop.member()));
      }
    }
  }

  /** Records the messages that a subscriber lacks when it leaves an agent. */
  void leaves(SimSubscriber subscriber, SimAgent agent) {
    Set<MessageId> left =
        leftBehind.computeIfAbsent(agent.incarnation(), incarnation -> new HashSet<>());
    left.addAll(subscriber.lacked(deliveries, agent.incarnation()));
    left.addAll(agent.unfinished());
  }

  /**
   * Permits confirmations later than the recorded deliveries, since ordered subscribers receive
   * messages later.
   */
  void allowLateConfirmations() {
    allowLateConfirmations = true;
  }

  /** Accepts the confirmations of members without a check from now on. */
  void acceptUnchecked() {
    acceptUnchecked = true;
  }

  /** Records a delivery to another subscriber than the agent's own. */
  void deliveredToOther(Incarnation incarnation, MessageId message) {
    toOthers
        .computeIfAbsent(message, id -> new ArrayList<>())
        .add(Map.entry(incarnation, time.nowNanos()));
  }

  /** Returns the times at which the incarnations of a member delivered a message. */
  private List<Long> deliveredNanos(MessageId message, NodeId member) {
    List<Long> times = new ArrayList<>();
    for (Map.Entry<Incarnation, Long> to : toOthers.getOrDefault(message, List.of())) {
      if (SimSettings.id(to.getKey().node()).equals(member)) {
        times.add(to.getValue());
      }
    }
    deliveries
        .deliveredNanos(message)
        .forEach(
            (incarnation, nanos) -> {
              if (SimSettings.id(incarnation.node()).equals(member)) {
                times.add(nanos);
              }
            });
    return times;
  }

  /**
   * Returns the members for whose receipts an origin still waits although they have delivered the
   * message.
   *
   * @param running the agent of a node if it runs and is not paused, or null
   */
  List<String> unconfirmed(IntFunction<@Nullable SimAgent> running) {
    List<String> problems = new ArrayList<>();
    asked.forEach(
        (message, published) -> {
          SimAgent origin = running.apply(published.origin().node());
          Confirmation known =
              origin == null || !origin.incarnation().equals(published.origin())
                  ? null
                  : origin.confirmation(message);
          if (known != null && !known.isSettled()) {
            problems.addAll(unconfirmed(known, running));
          }
        });
    return problems;
  }

  private List<String> unconfirmed(Confirmation known, IntFunction<@Nullable SimAgent> running) {
    if (known.unknown().isEmpty()) {
      return List.of(known.message() + " is not settled although no member is unknown");
    }
    List<String> problems = new ArrayList<>();
    SortedMap<Incarnation, Long> delivered = deliveries.deliveredNanos(known.message());
    for (NodeId member : known.unknown()) {
      SimAgent agent = running.apply(Integer.parseInt(member.toString()));
      if (agent != null
          && delivered.containsKey(agent.incarnation())
          && !leftBehind.getOrDefault(agent.incarnation(), Set.of()).contains(known.message())) {
        problems.add(
            "node "
                + agent.incarnation()
                + " has delivered "
                + known.message()
                + " without a receipt at its origin");
      }
    }
    return problems;
  }
}
