package io.treecast.collectives.broadcast;

import static org.assertj.core.api.Assertions.assertThat;

import io.treecast.collectives.broadcast.contract.BroadcastLimits;
import io.treecast.collectives.broadcast.log.Orphans;
import io.treecast.collectives.broadcast.message.Position;
import io.treecast.collectives.broadcast.message.StreamId;
import io.treecast.collectives.broadcast.message.StreamPosition;
import io.treecast.collectives.broadcast.message.Topic;
import io.treecast.collectives.broadcast.stability.Absences;
import io.treecast.collectives.broadcast.stability.Stability;
import io.treecast.collectives.broadcast.stream.Streams;
import io.treecast.ghs.NodeId;
import io.treecast.mst.CommittedTree;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.BooleanSupplier;
import java.util.function.LongFunction;
import org.jspecify.annotations.Nullable;

/**
 * A network of relays whose active edges, committed trees, links and nodes change at random, as a
 * function of one seed. Nodes publish messages of all sizes, subscribers are slow, windows are
 * often as small as allowed, and each node learns of each change in its own time. At last the
 * changes stop, all commit one tree, and all subscribers consume; then every member must have the
 * content of all members, and have delivered it once and in order.
 *
 * <p>Returns what is wrong, or an empty text.
 */
public final class ReplicationRun implements LongFunction<String> {
  private static final int MAX_STEPS = 60_000; // The longest of thousands of runs takes a third.
  private static final int SELECTIONS = 4;
  private static final int MAX_ROUNDS = 1_000;

  private final RunCoverage coverage;
  private final boolean ordered;
  private final boolean crowded;
  private final boolean hasShortcuts;
  private final boolean hasRings;
  private final boolean hasSelections;

  /** Creates a run that looks for mistakes: without shortcuts, which hide some of them. */
  public ReplicationRun() {
    this(new RunCoverage(), false, false, false);
  }

  /**
   * Creates a run.
   *
   * @param ordered whether it is an {@link OrderedRun}
   * @param crowded whether it is {@link RunKind#CROWDED}
   * @param hasShortcuts whether some messages go ahead of the tree, for some seeds
   */
  public ReplicationRun(
      RunCoverage coverage, boolean ordered, boolean crowded, boolean hasShortcuts) {
    this(coverage, ordered, crowded, hasShortcuts, false, false);
  }

  private ReplicationRun(
      RunCoverage coverage,
      boolean ordered,
      boolean crowded,
      boolean hasShortcuts,
      boolean hasRings,
      boolean hasSelections) {
    this.coverage = coverage;
    this.ordered = ordered;
    this.crowded = crowded;
    this.hasShortcuts = hasShortcuts;
    this.hasRings = hasRings;
    this.hasSelections = hasSelections;
  }

  /** A run in which uploads often go round a ring, and at last. */
  static ReplicationRun withRings(RunCoverage coverage) {
    return new ReplicationRun(coverage, false, false, false, true, false);
  }

  /** A run in which most messages are for selected members. */
  static ReplicationRun withSelections(RunCoverage coverage) {
    return new ReplicationRun(coverage, false, false, false, false, true);
  }

  @Override
  public String apply(long seed) {
    try {
      new Network(seed, this).run();
      return "";
    } catch (AssertionError | RuntimeException failure) {
      String sweep = ordered ? "OrderSweepTest" : "ReplicationSweepTest";
      String alone = hasSelections ? "SelectionSweepTest" : sweep;
      String test = crowded ? "CrowdedSweepTest" : hasRings ? "RingSweepTest" : alone;
      return SeedSweep.failure(seed, failure, test);
    }
  }

  /** One seed's network. */
  private static final class Network {
    private final Random random;
    private final RunCoverage coverage;
    private final RunKind kind;
    private final BroadcastLimits limits;
    private final Published published = new Published();
    private final Audiences audiences;
    private final Map<NodeId, SimulatedNode> nodes = new TreeMap<>();
    private final ConfirmationTruth truth;
    private final MissedTruth missedTruth;
    private final OrderTruth orderTruth;
    private final List<NodeId> down = new ArrayList<>();
    private final Set<NodeId> silent = new TreeSet<>();
    private final List<SimulatedLink> links = new ArrayList<>();
    private final int size;
    private final int faultPercent;
    private final int consumePercent;
    private final boolean ordered;
    private final ReplicationShapes shapes;
    private final SimulatedShortcuts shortcuts;

    /** Decides who may take more than its share of the logs; null if nobody may. */
    private final @Nullable Random loans;

    /** Decides which messages are for selected members; null if none is. */
    private final @Nullable Random selecting;

    private final List<String> selections = new ArrayList<>();

    private long nanos;
    private int events;
    private int messages;
    private int steps;
    private boolean longAway;

    /** Whether changes took so long that receivers of selections may not have been awaited. */
    private boolean selectionsGivenUp;

    private long starts;

    /** All proposed trees, in the order of their versions. */
    private final List<CommittedTree> trees = new ArrayList<>();

    Network(long seed, ReplicationRun run) {
      this.random = new Random(seed);
      this.coverage = run.coverage;
      this.truth = new ConfirmationTruth(seed, coverage);
      this.ordered = run.ordered;
      this.size = 2 + random.nextInt(!ordered && random.nextInt(4) == 0 ? 19 : 7);
      RunKind any = ordered ? RunKind.anyOrdered(random) : RunKind.any(random);
      this.kind = run.crowded ? RunKind.CROWDED : any;
      this.limits = kind.limits(random, size);
      this.missedTruth = new MissedTruth(kind, limits, published, trees, coverage);
      this.audiences = new Audiences(random, kind, limits, published, coverage, ordered);
      this.events = random.nextInt(25);
      this.messages = 5 + random.nextInt(40);
      this.faultPercent = 1 + random.nextInt(6);
      this.orderTruth = new OrderTruth(trees, coverage);
      this.consumePercent = random.nextInt(3) == 0 ? 3 : 30;
      this.shortcuts = new SimulatedShortcuts(run.hasShortcuts, new Random(~seed), nodes, coverage);
      this.loans = kind == RunKind.TIGHT ? new Random(~seed) : null;
      this.shapes =
          new ReplicationShapes(random, kind, ordered, nodes, links, trees, coverage, run.hasRings);
      for (int i = 0; i < size; i++) {
        start(NodeId.of("n" + i));
      }
      this.selecting = run.hasSelections ? new Random(~seed) : null;
      if (selecting != null) {
        for (int i = 0; i < SELECTIONS; i++) {
          selections.add(anySelection(selecting));
        }
      }
    }

    private String anySelection(Random choice) {
      TreeSet<NodeId> receivers = new TreeSet<>();
      for (int i = choice.nextInt(size); i >= 0; i--) {
        receivers.add(NodeId.of("n" + choice.nextInt(size)));
      }
      String topic = Audiences.TOPICS.get(choice.nextInt(Audiences.TOPICS.size()));
      return Topic.to(receivers) + (topic.equals(Topic.DEFAULT) ? "" : "/" + topic);
    }

    /** The topic, or most often a selection instead. */
    private String orSelection(String topic) {
      return selecting == null || selecting.nextInt(3) == 0
          ? topic
          : selections.get(selecting.nextInt(SELECTIONS));
    }

    void run() {
      shapes.reshape(kind.nobodyCrashes());
      if (kind.nobodyCrashes()) {
        learnAll();
      }
      while (events > 0 || messages > 0) {
        step();
      }
      longAway = nanos >= kind.longAwayNanos();
      selectionsGivenUp = nanos >= Streams.IDLE_NANOS;
      if (selecting != null && !selectionsGivenUp) {
        coverage.count("all selected members are due all");
      }
      settle();
      if (kind == RunKind.CROWDED) {
        checkCrowded();
        return;
      }
      nodes.values().forEach(node -> node.assertRetainsWhatItMay(nanos));
      shortcuts.close();
      checkReach();
      if (kind.hasUploads()) {
        checkUploadReach();
      }
      check();
      forget();
    }

    private void step() {
      if (++steps > MAX_STEPS) {
        throw new AssertionError("no end after " + MAX_STEPS + " steps");
      }
      if (loans != null && loans.nextInt(50) == 0) {
        lend(loans.nextInt(2 * size));
      }
      int dice = random.nextInt(100);
      if (events > 0 && dice < faultPercent) {
        events--;
        change();
      } else if (messages > 0 && dice < faultPercent + 5) {
        if (asks(any()) || random.nextInt(20) == 0) {
          messages--; // The network may have come to a halt until its next change.
        }
      } else if (dice < faultPercent + 15) {
        any().upload(random, published, coverage);
      } else if (dice < faultPercent + 15 + consumePercent) {
        any().consume(random);
      } else if (dice >= 97) {
        learn(any());
      } else if (dice >= 95) {
        pass(random.nextLong(2 * Stability.INTERVAL_NANOS));
      } else {
        deliver();
      }
    }

    /** Lends some of the logs to a node, if there is one of that number. */
    private void lend(int borrower) {
      int number = 0;
      for (SimulatedNode node : nodes.values()) {
        node.borrow(number++ == borrower);
      }
      coverage.count("loan");
    }

    /** Lets time pass. */
    private void pass(long duration) {
      nanos += duration;
      if (nanos >= Streams.IDLE_NANOS) {
        published.selectionsMayBeGivenUp();
      }
      for (SimulatedNode node : nodes.values()) {
        if (node.relay.nextDeadlineNanos() <= nanos || random.nextInt(4) == 0) {
          node.tick(nanos);
        }
      }
    }

    private SimulatedNode any() {
      return List.copyOf(nodes.values()).get(random.nextInt(nodes.size()));
    }

    // Actions of nodes.

    private boolean deliver() {
      shortcuts.step();
      links.removeIf(SimulatedLink::isOver);
      if (links.isEmpty()) {
        return false;
      }
      int first = random.nextInt(links.size());
      for (int i = 0; i < links.size(); i++) {
        SimulatedNode receiver = links.get((first + i) % links.size()).step(random);
        if (receiver != null) {
          receiver.assertWithinBounds();
          return true;
        }
      }
      return false;
    }

    private boolean publish(SimulatedNode node, String topic) {
      byte[] payload = Published.anyPayload(random, limits);
      return node.publish(topic, payload, truth.anyReceiptMillis(topic), published);
    }

    /** Publishes a message or begins an upload, if the node may. */
    private boolean asks(SimulatedNode node) {
      String topic = audiences.anyTopic();
      if (!kind.hasUploads() || (kind.hasWholeMessages() && random.nextInt(3) > 0)) {
        return publish(node, orSelection(topic));
      }
      int bytes = random.nextInt(4 * limits.payloadBytes() + 1);
      return node.beginUpload(topic, bytes, truth.anyReceiptMillis(topic), random, published);
    }

    private boolean learn(SimulatedNode node) {
      boolean learnt = node.learn();
      nodes.values().forEach(SimulatedNode::assertWithinBounds);
      return learnt;
    }

    // Changes of the network.

    private void change() {
      int event = random.nextInt(12);
      if (event < 4) {
        shapes.reshape(false);
        if (ordered && random.nextBoolean()) {
          learnAll(); // Parts then order messages before they meet.
        }
      } else if (event < 6 && !links.isEmpty()) {
        links.get(random.nextInt(links.size())).lose(null, random);
        coverage.count("link lost");
      } else if (event == 6 && nodes.size() > 1 && !kind.nobodyCrashes()) {
        crash(any());
      } else if (event == 7 && !down.isEmpty()) {
        start(down.remove(random.nextInt(down.size())));
        coverage.count("restart");
      } else if (event == 8) {
        if (random.nextBoolean()) {
          audiences.join(any());
        } else {
          audiences.leave(any());
        }
      } else if (event < 11) {
        audiences.move(any(), any());
      } else if (random.nextInt(8) == 0) {
        passIdleTime();
      } else {
        // Twice, so that members that wait for the rest of an orphaned message give up.
        passPatience();
        passPatience();
        audiences.join(any());
      }
    }

    private void start(NodeId id) {
      long incarnation = ++starts << 32 | random.nextLong() >>> 32;
      SimulatedNode node =
          new SimulatedNode(id, incarnation, limits, size - 1, truth::check, shortcuts);
      nodes.put(id, node);
      audiences.joinPlainly(node);
      if (ordered && random.nextInt(3) > 0) {
        audiences.joinInTotalOrder(node);
      }
      truth.started(node);
    }

    private void crash(SimulatedNode node) {
      nodes.remove(node.id);
      audiences.crashed(node);
      down.add(node.id);
      node.links.values().forEach(link -> link.lose(node, random));
      links.removeIf(SimulatedLink::isOver);
      coverage.count("crash");
    }

    // The end.

    private void settle() {
      untilNothingMoves(this::deliver);
      if (!kind.nobodyCrashes() && kind.hasUploads() && random.nextInt(3) == 0) {
        restartInAnUpload();
      }
      shapes.reshape(true);
      learnOneByOne();
      audiences.settle(nodes.values());
      if (!links.isEmpty() && random.nextBoolean()) {
        links.get(random.nextInt(links.size())).lose(null, random);
        untilNothingMoves(this::deliver);
        shapes.mend();
        learnAll();
      }
      moveOrConsume();
      finishUploads();
      publish(Topic.DEFAULT);
      untilNothingMoves(
          () -> random.nextBoolean() ? deliver() || anyConsumes() : anyConsumes() || deliver());
      giveUpOrphans();
      nodes.values().forEach(audiences::join);
      moveOrConsume();
      // The interest of new subscribers may have reached a node for the first time.
      giveUpOrphans();
      // Members that are gone for good are given up.
      pass(Absences.PATIENCE_NANOS);
      if (selecting != null) {
        giveUpSelections();
      }
      tellWhatIsStable();
      if (random.nextBoolean()) {
        audiences.beAwayForLong(
            nodes.values(), this::publish, this::passIdleTime, this::moveOrConsume);
        giveUpOrphans();
        tellWhatIsStable();
      }
    }

    /** Members still give up the unfinished messages of silent ones. */
    private void publish(String topic) {
      nodes.values().stream()
          .filter(node -> !silent.contains(node.id) && random.nextBoolean())
          .forEach(node -> publish(node, topic));
    }

    /** Restarts a node that had begun an upload, and then publishes nothing. */
    private void restartInAnUpload() {
      SimulatedNode node = any();
      node.beginUpload(audiences.anyTopic(), limits.payloadBytes(), 0, random, published);
      SimulatedUpload.anyPart(node, random, published, coverage, this::deliver);
      crash(node);
      down.remove(node.id);
      start(node.id);
      coverage.count("silent after a restart");
      silent.add(node.id);
      untilNothingMoves(this::deliver);
    }

    /** Lets members that wait for the rest of an orphaned message give up. */
    private void giveUpOrphans() {
      for (int i = 0; i < 3; i++) {
        passPatience();
        moveOrConsume();
      }
    }

    /** Lets time pass until absent members are not awaited, and unwanted topics are forgotten. */
    private void passIdleTime() {
      for (int i = 0; i < 4; i++) {
        pass(Streams.IDLE_NANOS / 2);
        for (int j = random.nextInt(40); j > 0; j--) {
          deliver();
        }
      }
    }

    /** Nor are receivers of selections awaited for longer. */
    private void giveUpSelections() {
      published.selectionsMayBeGivenUp();
      for (int i = 0; i < 3; i++) {
        nanos += Streams.IDLE_NANOS;
        nodes.values().forEach(node -> node.tick(nanos));
        moveOrConsume();
      }
    }

    private void passPatience() {
      nanos += Orphans.PATIENCE_NANOS;
      nodes.values().forEach(node -> node.tick(nanos));
    }

    /** Each generation learns it in turn. */
    private void tellWhatIsStable() {
      for (int i = 0; i <= 2 * size; i++) {
        untilNothingMoves(this::deliver);
        pass(Stability.INTERVAL_NANOS);
      }
    }

    /** Checks that payloads go where they are wanted and nowhere else. */
    private void checkReach() {
      CommittedTree tree = trees.get(trees.size() - 1);
      List<String> topics = new ArrayList<>(Audiences.TOPICS);
      topics.addAll(selections);
      for (String topic : topics) {
        int edges =
            TreeReach.check(tree, nodes.values(), topic, any(), published, this::moveOrConsume);
        coverage.count(edges == 0 ? "wanted nowhere" : "wanted somewhere");
        tellWhatIsStable();
      }
    }

    /** Checks that each piece of an upload goes to each other member once, along whatever tree. */
    private void checkUploadReach() {
      TreeReach.checkUpload(any(), nodes.values(), random, published, this::finishUploads);
      tellWhatIsStable();
    }

    private void moveOrConsume() {
      untilNothingMoves(() -> deliver() || anyConsumes());
    }

    /** Some nodes forget earlier incarnations, and others do not: no item is delivered again. */
    private void forget() {
      nanos += Forgetting.FORGET_NANOS;
      List<Long> had = Forgetting.some(nodes.values(), nanos, random, coverage);
      links.forEach(link -> link.lose(null, random));
      untilNothingMoves(this::deliver);
      shapes.mend();
      learnAll();
      moveOrConsume();
      assertThat(nodes.values()).as("events since").map(Forgetting::handedOver).isEqualTo(had);
    }

    /** Finishes the uploads, while members report their positions. */
    private void finishUploads() {
      for (int round = 0; !nodes.values().stream().allMatch(SimulatedNode::hasNoUpload); round++) {
        untilNothingMoves(
            () ->
                deliver()
                    || anyConsumes()
                    || nodes.values().stream().anyMatch(node -> node.tickIfDue(nanos))
                    || nodes.values().stream()
                        .anyMatch(node -> node.upload(random, published, coverage)));
        pass(Stability.INTERVAL_NANOS);
        assertThat(round).as("rounds, and uploads do not end").isLessThan(MAX_ROUNDS);
      }
      moveOrConsume();
    }

    private void learnAll() {
      for (SimulatedNode node : nodes.values()) {
        while (learn(node)) {
          // Edges first, then the tree.
        }
      }
    }

    /** Nodes commit the tree in any order, while messages are delivered and time passes. */
    private void learnOneByOne() {
      List<SimulatedNode> all = new ArrayList<>(nodes.values());
      Collections.shuffle(all, random);
      for (SimulatedNode node : all) {
        while (learn(node)) {
          for (int i = random.nextInt(20); i > 0; i--) {
            deliver();
          }
          pass(random.nextLong(2 * Stability.INTERVAL_NANOS));
        }
      }
    }

    private boolean anyConsumes() {
      return nodes.values().stream().anyMatch(node -> node.consume(random));
    }

    private void untilNothingMoves(BooleanSupplier move) {
      while (move.getAsBoolean()) {
        if (++steps > 2 * MAX_STEPS) {
          throw new AssertionError("no rest after " + steps + " steps");
        }
      }
    }

    /**
     * Checks that no arrived message was lost in silence, whatever members have dropped and
     * forgotten, and that there was one order; if all members remember the positions.
     */
    private void checkCrowded() {
      boolean known =
          nodes.values().stream().allMatch(n -> n.everHad.forgotten() <= limits.origins());
      coverage.count(known ? "known" : "unknown");
      for (SimulatedNode node : nodes.values()) {
        node.assertAtRest();
        coverage.add(node);
        coverage.count(node.everHad.forgotten() > 0 ? "gave way" : "all stayed");
        if (known) {
          orderTruth.checkAtRest(node);
          node.audience.forEach(
              (name, audience) -> {
                missedTruth.check(node.id, audience, longAway);
                orderTruth.add(node.id, audience);
                audience.assertComplete(node.id + " subscriber " + name, node.everHad.positions());
              });
        }
      }
    }

    /** Returns what is due to subscribers; nothing of selections if it may have been given up. */
    private List<StreamPosition> due() {
      List<StreamPosition> due = new ArrayList<>(EverHad.ofAll(nodes.values()));
      due.removeIf(had -> selectionsGivenUp && Topic.isSelection(had.stream().topic()));
      return due;
    }

    private void check() {
      Map<StreamId, Position> furthest = SimulatedNode.furthest(nodes.values());
      for (SimulatedNode node : nodes.values()) {
        node.assertHasWhatItWants(furthest);
        node.assertAtRest();
        node.assertRetainsWhatItMay(nanos);
        orderTruth.checkAtRest(node);
        truth.checkAtRest(node, nodes);
        coverage.add(node);
        node.audience.forEach(
            (name, audience) -> {
              missedTruth.check(node.id, audience, longAway);
              if (kind != RunKind.TIGHT) {
                orderTruth.add(node.id, audience);
              }
              audience.assertComplete(node.id + " subscriber " + name, due());
            });
      }
    }
  }
}
