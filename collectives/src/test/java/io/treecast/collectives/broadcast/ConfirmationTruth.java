package io.treecast.collectives.broadcast;

import io.treecast.collectives.broadcast.message.Chunk;
import io.treecast.collectives.broadcast.message.Confirmation;
import io.treecast.collectives.broadcast.message.Confirmation.Hop;
import io.treecast.collectives.broadcast.message.MessageId;
import io.treecast.collectives.broadcast.message.Topic;
import io.treecast.ghs.NodeId;
import io.treecast.mst.CommittedTree;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.TreeSet;

/** Compares the confirmations of origins with the actual deliveries. */
final class ConfirmationTruth {
  private final Random random;

  /** Whether any message of the run requests receipts. */
  private final boolean asks;

  private final RunCoverage coverage;

  /** All incarnations of all nodes. */
  private final List<SimulatedNode> lives = new ArrayList<>();

  ConfirmationTruth(long seed, RunCoverage coverage) {
    this.random = new Random(seed);
    this.asks = seed % 2 == 1;
    this.coverage = coverage;
  }

  /**
   * Returns how long a message waits for receipts: often 0, otherwise often longer than any run.
   */
  int anyReceiptMillis(String topic) {
    if (!Topic.hasKnownReceivers(topic)) {
      return 0;
    }
    return switch (asks ? random.nextInt(6) : 2) {
      case 0 -> 1 + random.nextInt(20_000);
      case 1 -> Chunk.MAX_RECEIPT_MILLIS;
      default -> 0;
    };
  }

  void started(SimulatedNode node) {
    lives.add(node);
  }

  /** Checks a settled confirmation. */
  void check(Confirmation confirmation) {
    MessageId message = confirmation.message();
    CommittedTree tree =
        Objects.requireNonNull(
            lives.stream()
                .filter(life -> life.incarnation == message.incarnation())
                .findFirst()
                .orElseThrow()
                .tree);
    for (Hop hop : confirmation.delivered()) {
      if (!hasDelivered(hop.member(), message)) {
        throw new AssertionError(
            confirmation + " says what is not so: " + hop.member() + " has not delivered it");
      }
      if (hop.isHandedOver() && !hasHandedOver(hop.member(), message)) {
        throw new AssertionError(
            confirmation + " says what is not so: " + hop.member() + " had no subscriber for it");
      }
      coverage.count(hop.isHandedOver() ? "handed over" : "without subscriber");
    }
    if (confirmation.failed().stream().anyMatch(tree::hasMember)
        || !confirmation.unknown().stream().allMatch(tree::hasMember)) {
      throw new AssertionError(confirmation + " was settled with " + tree);
    }
    if (Topic.isSelection(message.topic())) {
      checkNamesReceivers(confirmation);
    }
    boolean byAll = confirmation.failed().isEmpty() && confirmation.unknown().isEmpty();
    coverage.count(byAll ? "confirmed by all" : "confirmed by some");
    if (!confirmation.failed().isEmpty()) {
      coverage.count("confirmed when a member was gone");
    }
  }

  private static void checkNamesReceivers(Confirmation confirmation) {
    TreeSet<NodeId> named = new TreeSet<>(confirmation.failed());
    named.addAll(confirmation.unknown());
    confirmation.delivered().forEach(hop -> named.add(hop.member()));
    if (!named.equals(Topic.receivers(confirmation.message().topic()))) {
      throw new AssertionError(confirmation + " names other members than its receivers");
    }
  }

  private boolean hasDelivered(NodeId member, MessageId message) {
    return lives.stream()
        .anyMatch(
            life ->
                life.id.equals(member)
                    && life.hasDelivered(message)
                    && !life.leftBehind.surely(message));
  }

  private boolean hasHandedOver(NodeId member, MessageId message) {
    return lives.stream().anyMatch(life -> life.id.equals(member) && life.handedOver(message));
  }

  /** A member that missed all of a message does not know that it is awaited. */
  private boolean isKnownNeverToDeliver(SimulatedNode life, MessageId message) {
    boolean isOwn = life.id.equals(message.origin()) && life.incarnation == message.incarnation();
    return life.leftBehind.surely(message) && (isOwn || life.everHad.hasAnyOf(message));
  }

  /**
   * Checks that confirmations that are unsettled at rest wait for members that have not delivered.
   */
  void checkAtRest(SimulatedNode origin, Map<NodeId, SimulatedNode> living) {
    for (MessageId message : origin.asking) {
      Confirmation confirmation = Objects.requireNonNull(origin.relay.confirmation(message));
      if (!confirmation.isSettled() && confirmation.unknown().isEmpty()) {
        throw new AssertionError(confirmation + " is not settled, and nobody is awaited");
      }
      if (!confirmation.isSettled()
          && confirmation.unknown().stream()
              .map(living::get)
              .allMatch(life -> life != null && isKnownNeverToDeliver(life, message))) {
        throw new AssertionError(confirmation + " awaits those who never will deliver it");
      }
      for (NodeId member : confirmation.isSettled() ? List.<NodeId>of() : confirmation.unknown()) {
        SimulatedNode life = living.get(member);
        if (life != null && life.handedOverToAll(message) && life.hasDelivered(message)) {
          throw new AssertionError(
              message + " is not confirmed by " + member + ", which has delivered it");
        }
        coverage.count("awaits a member that restarted or missed it");
      }
    }
  }
}
