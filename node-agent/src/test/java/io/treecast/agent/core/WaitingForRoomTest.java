package io.treecast.agent.core;

import static io.treecast.agent.core.AgentHost.runUntilReady;
import static io.treecast.agent.core.VirtualNetwork.MILLI;
import static org.assertj.core.api.Assertions.assertThat;

import io.treecast.agent.core.AgentHost.Outcome;
import io.treecast.agent.core.contract.PublishCounters;
import io.treecast.agent.core.publish.Publication.Attempt;
import io.treecast.collectives.broadcast.contract.BroadcastLimits;
import io.treecast.collectives.broadcast.contract.BroadcastRefusedException.Reason;
import io.treecast.collectives.broadcast.message.Chunk;
import io.treecast.ghs.NodeId;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

/**
 * A broadcast for which there is no room, since a subscriber is slow, waits for its turn; what is
 * told of it is true. Agents h0, h1 and h2.
 */
class WaitingForRoomTest {
  private static final BroadcastLimits LIMITS =
      BroadcastLimits.builder()
          .chunkBytes(1_000)
          .payloadBytes(2_000)
          .publishBufferBytes(20_000)
          .logBytes(1 << 20)
          .edgeWindowBytes(10_000)
          .subscriberWindowBytes(5_000)
          .subscribers(10)
          .topics(10)
          .origins(10)
          .build();
  private static final long LONG_MILLIS = 3_600_000;

  private VirtualNetwork network = VirtualNetwork.measurable(1, MILLI);
  private List<AgentHost> hosts = List.of();
  private int lastNumber;

  private AgentHost host(int node) {
    return hosts.get(node);
  }

  private void start(long seed) {
    network = VirtualNetwork.measurable(seed, MILLI);
    hosts = AgentHost.cluster(network, 3, LIMITS);
    runUntilReady(network, hosts, seed);
  }

  /** The subscriber of h2 stalls, and h0 publishes until nothing fits any more. */
  private int fill() {
    start(1);
    host(2).stall();
    int accepted = 0;
    boolean full = false;
    while (!full) {
      full = publish(0, 1_000, 0).refusal != null;
      accepted += full ? 0 : 1;
      assertThat(accepted).isLessThan(1_000);
      network.run(50);
    }
    return accepted;
  }

  /** Publishes the next number. */
  private Outcome publish(int node, int bytes, long waitMillis) {
    return publish(node, "client", bytes, waitMillis);
  }

  private Outcome publish(int node, String client, int bytes, long waitMillis) {
    byte[] payload = new byte[Math.max(Integer.BYTES, bytes)];
    ByteBuffer.wrap(payload).putInt(++lastNumber);
    return host(node).publish(client, payload, waitMillis);
  }

  private PublishCounters counters(int node) {
    return host(node).core().snapshot().publishing();
  }

  private void dropUnwanted(int node) {
    host(node).core().dropCancelled(network.nowNanos());
  }

  /** Returns the numbers that a host's subscriber got, by origin. */
  private static Map<NodeId, List<Integer>> numbers(AgentHost host) {
    Map<NodeId, List<Integer>> numbers = new TreeMap<>();
    for (Chunk chunk : host.delivered()) {
      if (chunk.index() == 0) {
        numbers
            .computeIfAbsent(chunk.messageId().origin(), origin -> new ArrayList<>())
            .add(chunk.payload().getInt(0));
      }
    }
    return numbers;
  }

  private List<Integer> numbersOfH0() {
    return numbers(host(2)).getOrDefault(NodeId.of("h0"), List.of());
  }

  @Test
  void broadcasts_wait_and_go_in_the_order_in_which_they_came_when_the_subscriber_reads() {
    int accepted = fill();
    int refused = lastNumber;
    List<Outcome> waiting = new ArrayList<>();
    for (int i = 0; i < 20; i++) {
      waiting.add(publish(0, i % 3 == 0 ? 1_000 : 10, LONG_MILLIS));
    }
    network.run(60_000);
    assertThat(waiting).noneMatch(Outcome::isKnown);
    assertThat(counters(0)).returns(20, PublishCounters::waiting);

    host(2).resume();
    network.run(10_000);
    assertThat(waiting).allMatch(outcome -> outcome.messageId != null);
    List<Integer> expected = new ArrayList<>();
    for (int number = 1; number <= lastNumber; number++) {
      if (number != refused) {
        expected.add(number);
      }
    }
    assertThat(numbersOfH0()).hasSize(accepted + 20).isEqualTo(expected);
    assertThat(counters(0))
        .returns(0, PublishCounters::waiting)
        .returns(20L, PublishCounters::waits)
        .satisfies(c -> assertThat(c.waitedNanos()).isGreaterThan(20 * 60_000 * MILLI));
  }

  @Test
  void waiting_broadcasts_are_not_overtaken_by_smaller_or_impatient_ones() {
    fill();
    Outcome large = publish(0, 2_000, LONG_MILLIS);
    Outcome small = publish(0, "other", 4, LONG_MILLIS);
    // There is room for the small one, and for that alone.
    assertThat(host(0).core().snapshot().broadcast().waitingBytes()).isLessThan(20_000 - 100);
    assertThat(small.isKnown()).isFalse();
    assertThat(publish(0, 4, 0))
        .returns(Reason.PUBLISH_BUFFER_FULL, outcome -> outcome.refusal)
        .returns(true, o -> String.valueOf(o.text).contains("2000 bytes"));
    large.giveUp();
    dropUnwanted(0);
    assertThat(small.messageId).isNotNull();
  }

  @Test
  void a_broadcast_whose_time_is_over_fails_with_the_setting_and_is_never_sent() {
    fill();
    int before = lastNumber;
    Outcome outcome = publish(0, 1_000, 500);
    Outcome later = publish(0, 1_000, 60_000);
    network.run(499);
    assertThat(outcome.isKnown()).isFalse();
    network.run(1);
    assertThat(outcome.refusal).isEqualTo(Reason.PUBLISH_BUFFER_FULL);
    assertThat(outcome.text)
        .contains("500 ms", "1000 bytes")
        .endsWith("limits.publishBufferBytes = 20000");

    host(2).resume();
    network.run(10_000);
    assertThat(later.messageId).isNotNull();
    assertThat(numbersOfH0()).doesNotContain(before + 1).endsWith(before + 2);
    assertThat(counters(0)).returns(2L, PublishCounters::refused);
  }

  @Test
  void one_that_is_tried_again_waits_as_long_as_the_more_patient_attempt() {
    fill();
    Attempt attempt = new Attempt("token", network.nowNanos());
    byte[] payload = new byte[1_000];
    Outcome first = host(0).publish("client", payload, 500, attempt);
    Outcome behind = publish(0, 1_000, 400);
    network.run(300);
    Outcome retry = host(0).publish("client", payload, 60_000, attempt);
    Outcome hasty = host(0).publish("client", payload, 1, attempt);
    host(0).publish("client", new byte[999], LONG_MILLIS, attempt);
    network.run(59_999);
    assertThat(behind.refusal).isEqualTo(Reason.PUBLISH_BUFFER_FULL);
    assertThat(List.of(first, retry, hasty)).noneMatch(Outcome::isKnown);
    network.run(1);
    assertThat(List.of(first, retry, hasty))
        .allMatch(outcome -> outcome.refusal == Reason.PUBLISH_BUFFER_FULL)
        .allMatch(outcome -> String.valueOf(outcome.text).contains("60300 ms"));
  }

  @Test
  void one_that_is_given_up_is_never_sent() {
    fill();
    int before = lastNumber;
    Outcome first = publish(0, 1_000, LONG_MILLIS);
    Outcome second = publish(0, 1_000, LONG_MILLIS);
    Outcome third = publish(0, 1_000, LONG_MILLIS);
    second.giveUp();
    dropUnwanted(0);
    assertThat(counters(0)).returns(2, PublishCounters::waiting);
    // The agent has not heard of it when its turn comes.
    first.giveUp();

    host(2).resume();
    network.run(10_000);
    assertThat(numbersOfH0()).doesNotContain(before + 1, before + 2).endsWith(before + 3);
    assertThat(third.messageId).isNotNull();
  }

  @Test
  void an_agent_that_leaves_refuses_what_waits_and_has_not_sent_it() {
    fill();
    int before = lastNumber;
    Outcome outcome = publish(0, 1_000, LONG_MILLIS);
    host(0).core().leave();
    assertThat(outcome.refusal).isEqualTo(Reason.SHUTTING_DOWN);
    host(2).resume();
    network.run(10_000);
    assertThat(numbersOfH0()).doesNotContain(before + 1);
    assertThat(host(0).core().nextDeadlineNanos()).isGreaterThan(network.nowNanos());
  }

  @Test
  void a_slow_subscriber_of_the_same_agent_that_goes_lets_publishers_go_on_at_once() {
    start(1);
    host(0).stall();
    while (publish(0, 1_000, 0).refusal == null) {
      assertThat(lastNumber).isLessThan(1_000);
      network.run(50);
    }
    Outcome outcome = publish(0, 1_000, LONG_MILLIS);
    assertThat(outcome.isKnown()).isFalse();
    host(0).core().unsubscribe(AgentHost.SUBSCRIBER, network.nowNanos());
    assertThat(outcome.messageId).isNotNull();
  }

  @Test
  void a_client_that_asks_for_more_than_it_may_have_is_refused_and_leaves_room_for_others() {
    fill();
    int waiting = 0;
    Outcome outcome = publish(0, "greedy", 1_000, LONG_MILLIS);
    while (!outcome.isKnown()) {
      waiting++;
      outcome = publish(0, "greedy", 1_000, LONG_MILLIS);
    }
    assertThat(waiting).isEqualTo(10);
    assertThat(outcome.refusal).isEqualTo(Reason.PUBLISH_BUFFER_FULL);
    assertThat(outcome.text)
        .contains(
            "10 broadcasts", "10000 bytes", "1024 broadcasts", "limits.publishBufferBytes = ");
    assertThat(publish(0, "modest", 2_000, LONG_MILLIS).isKnown()).isFalse();
  }

  @Test
  void whatever_happens_outcomes_are_true_and_in_order() {
    long accepted = 0;
    long refused = 0;
    long waited = 0;
    for (long seed = 0; seed < 60; seed++) {
      start(seed);
      Sweep sweep = new Sweep(seed);
      for (int step = 0; step < 150; step++) {
        sweep.step();
      }
      sweep.end();
      accepted += sweep.accepted();
      refused += sweep.asked.size() - sweep.accepted();
      waited += counters(0).waits() + counters(1).waits() + counters(2).waits();
    }
    assertThat(accepted).isGreaterThan(2_000);
    assertThat(refused).isGreaterThan(800);
    assertThat(waited).isGreaterThan(2_000);
  }

  /** Publishers that wait and give up, and subscribers that stall, at random. */
  private final class Sweep {
    private record Asked(int node, int number, long deadlineNanos, Outcome outcome) {}

    private final long seed;
    private final Random random;
    private final List<Asked> asked = new ArrayList<>();
    private final List<Asked> givenUp = new ArrayList<>();

    Sweep(long seed) {
      this.seed = seed;
      this.random = new Random(seed);
    }

    void step() {
      int node = random.nextInt(hosts.size());
      switch (random.nextInt(12)) {
        case 0, 1 -> host(node).stall();
        case 2 -> host(node).resume();
        case 3 -> giveUp();
        case 4 -> network.hold(host(node).address(), host((node + 1) % 3).address());
        case 5 -> network.heal(host(node).address(), host((node + 1) % 3).address());
        default -> burst(node);
      }
      network.run(random.nextInt(300));
      assertThat(asked)
          .as("seed %d: who waited long enough knows", seed)
          .allMatch(a -> a.outcome.isKnown() || a.deadlineNanos > network.nowNanos());
    }

    private void burst(int node) {
      for (int i = random.nextInt(12); i > 0; i--) {
        long waitMillis = random.nextInt(3) == 0 ? 0 : random.nextInt(4_000);
        String client = "client " + random.nextInt(3);
        Outcome outcome = publish(node, client, random.nextInt(2_001), waitMillis);
        asked.add(new Asked(node, lastNumber, network.nowNanos() + waitMillis * MILLI, outcome));
      }
    }

    private void giveUp() {
      if (asked.isEmpty()) {
        return;
      }
      Asked one = asked.get(Math.max(0, asked.size() - 1 - random.nextInt(30)));
      one.outcome.giveUp();
      if (!one.outcome.isKnown()) {
        givenUp.add(one);
      }
      if (random.nextBoolean()) {
        dropUnwanted(one.node);
      }
    }

    void end() {
      for (AgentHost host : hosts) {
        host.resume();
        hosts.forEach(other -> network.heal(host.address(), other.address()));
      }
      network.run(60_000);
      assertThat(givenUp).as("seed %d", seed).allMatch(one -> one.outcome.refusal != null);
      Map<NodeId, List<Integer>> expected = new TreeMap<>();
      for (Asked one : asked) {
        assertThat(one.outcome.isKnown()).as("seed %d", seed).isTrue();
        if (one.outcome.messageId != null) {
          expected
              .computeIfAbsent(NodeId.of("h" + one.node), origin -> new ArrayList<>())
              .add(one.number);
        }
      }
      for (AgentHost host : hosts) {
        assertThat(numbers(host)).as("seed %d at %s", seed, host.address()).isEqualTo(expected);
      }
    }

    long accepted() {
      return asked.stream().filter(a -> a.outcome.messageId != null).count();
    }
  }
}
