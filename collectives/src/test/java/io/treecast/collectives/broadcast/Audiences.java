package io.treecast.collectives.broadcast;

import io.treecast.collectives.broadcast.contract.BroadcastLimits;
import io.treecast.collectives.broadcast.contract.SubscribeOptions;
import io.treecast.collectives.broadcast.contract.SubscriptionStart;
import io.treecast.collectives.broadcast.contract.WhenSlow;
import io.treecast.collectives.broadcast.message.Topic;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Objects;
import java.util.Random;
import java.util.Set;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.function.Consumer;

/**
 * The applications of a run: they subscribe at nodes with any start and policy, move to other
 * nodes, and look for another when theirs crashes.
 */
final class Audiences {
  /** The default topic, and two others. */
  static final List<String> TOPICS = List.of(Topic.DEFAULT, "t", "u");

  private static final List<WhenSlow> POLICIES = List.of(WhenSlow.values());

  private final Random random;
  private final RunKind kind;
  private final BroadcastLimits limits;
  private final Published published;
  private final RunCoverage coverage;
  private final boolean ordered;

  /** The applications whose node has crashed. */
  private final List<Audience> homeless = new ArrayList<>();

  Audiences(
      Random random,
      RunKind kind,
      BroadcastLimits limits,
      Published published,
      RunCoverage coverage,
      boolean ordered) {
    this.random = random;
    this.kind = kind;
    this.limits = limits;
    this.published = published;
    this.coverage = coverage;
    this.ordered = ordered;
  }

  /** Adds one that gets every entitled message at the node, and loses none. */
  void joinPlainly(SimulatedNode node) {
    join(node, SubscribeOptions.defaults());
  }

  void join(SimulatedNode node) {
    SubscriptionStart start =
        switch (random.nextInt(3)) {
          case 0 -> new SubscriptionStart.Now();
          case 1 -> new SubscriptionStart.Retained();
          default -> new SubscriptionStart.After(List.of());
        };
    if (ordered && random.nextInt(3) == 0) {
      join(node, inTotalOrder().withStart(start));
    } else {
      join(node, new SubscribeOptions(start, anyPolicy(), anyTopics()));
    }
  }

  /** Adds one that gets a topic in total order, from now on. */
  void joinInTotalOrder(SimulatedNode node) {
    join(node, inTotalOrder());
  }

  private SubscribeOptions inTotalOrder() {
    WhenSlow policy = random.nextInt(4) == 0 ? WhenSlow.CATCH_UP : WhenSlow.SLOW_PUBLISHER;
    return SubscribeOptions.defaults()
        .withTopics(Set.of(anyTopic()))
        .withWhenSlow(policy)
        .withTotalOrder();
  }

  private void join(SimulatedNode node, SubscribeOptions options) {
    if (hasRoom(node)) {
      node.subscribe(
          new Audience(published, limits.subscriberWindowBytes(), options, kind, coverage));
    }
  }

  /** One or two topics. */
  private SortedSet<String> anyTopics() {
    SortedSet<String> topics = new TreeSet<>();
    topics.add(anyTopic());
    topics.add(anyTopic());
    return topics;
  }

  /** Most often the default topic. */
  String anyTopic() {
    return TOPICS.get(Math.max(0, random.nextInt(2 * TOPICS.size()) - TOPICS.size()));
  }

  private boolean hasRoom(SimulatedNode node) {
    return node.audience.size() < limits.subscribers();
  }

  private WhenSlow anyPolicy() {
    return POLICIES.get(random.nextInt(POLICIES.size()));
  }

  /** Removes one of the node's applications. */
  void leave(SimulatedNode node) {
    List<Long> names = List.copyOf(node.audience.keySet());
    if (!names.isEmpty()) {
      node.unsubscribe(names.get(random.nextInt(names.size())));
      coverage.count("unsubscribed");
    }
  }

  /** Moves one of the node's applications to another node, or to the same one. */
  void move(SimulatedNode from, SimulatedNode to) {
    List<Long> names = new ArrayList<>();
    from.audience.forEach(
        (name, audience) -> {
          if (audience.hasBegun()) {
            names.add(name);
          }
        });
    if (!names.isEmpty()) {
      long name = names.get(random.nextInt(names.size()));
      homeless.add(from.unsubscribe(name));
      settle(to);
    }
  }

  /**
   * Keeps all subscribers of a topic away until it is forgotten; messages are published meanwhile.
   *
   * @param publish publishes on a topic
   * @param rest runs until nothing moves
   */
  void beAwayForLong(
      Collection<SimulatedNode> nodes,
      Consumer<String> publish,
      Runnable passIdleTime,
      Runnable rest) {
    String topic = random.nextBoolean() ? "t" : "u";
    nodes.forEach(node -> goAway(node, topic));
    rest.run();
    publish.accept(topic);
    rest.run();
    passIdleTime.run();
    settle(nodes);
    rest.run();
  }

  private void goAway(SimulatedNode node, String topic) {
    for (long name : List.copyOf(node.audience.keySet())) {
      Audience audience = Objects.requireNonNull(node.audience.get(name));
      if (audience.options().topics().contains(topic)) {
        node.unsubscribe(name);
        if (audience.hasBegun()) {
          homeless.add(audience);
        }
      }
    }
  }

  /** Makes all applications of the node look for another. */
  void crashed(SimulatedNode node) {
    node.audience.values().stream().filter(Audience::hasBegun).forEach(homeless::add);
  }

  /** Lets applications without a node subscribe at this one, as far as it has room. */
  void settle(SimulatedNode node) {
    while (!homeless.isEmpty() && hasRoom(node)) {
      Audience audience = homeless.remove(homeless.size() - 1);
      audience.leave(anyPolicy());
      node.subscribe(audience);
      coverage.count("resubscribed");
    }
  }

  void settle(Collection<SimulatedNode> nodes) {
    nodes.forEach(this::settle);
  }
}
