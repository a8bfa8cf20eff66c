package io.treecast.agent.transport.emulation;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.treecast.agent.transport.StreamDrops;
import io.treecast.agent.transport.TransportNode;
import io.treecast.ghs.NodeId;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/**
 * Faults between real transports. Node {@code a} dials; {@code witness} is a third node, whose
 * messages to {@code b} show that whatever could arrive has arrived.
 */
class LinkEmulationTest {
  private static final Duration PATIENCE = Duration.ofSeconds(60);
  private static final NodeId A = NodeId.of("a");
  private static final NodeId B = NodeId.of("b");

  private final LinkEmulation emulation = new LinkEmulation((from, to) -> 0, 1, 50);

  /** The emulation of agents that stand for processes of their own. */
  private final LinkEmulation realLinks = LinkEmulation.ofRealLinks();

  private final List<TransportNode> nodes = new ArrayList<>();
  private final TransportNode a;
  private final TransportNode b;

  LinkEmulationTest() throws IOException {
    a = node("a", emulation).known();
    b = node("b", emulation).known();
  }

  private TransportNode node(String name, LinkEmulation links) throws IOException {
    TransportNode node = new TransportNode(name, links);
    nodes.add(node);
    return node;
  }

  @BeforeEach
  void checkThatNothingIsWrongYet() {
    assertThat(emulation.faults()).isEmpty();
  }

  @AfterEach
  void closeAll() {
    nodes.forEach(TransportNode::close);
    emulation.close();
    realLinks.close();
  }

  private static void awaitEvent(TransportNode node, String event) {
    await().atMost(PATIENCE).until(() -> node.events().contains(event));
  }

  private static List<String> numbered(String kind, int first, int last) {
    return IntStream.rangeClosed(first, last).mapToObj(n -> kind + " " + n).toList();
  }

  private void link() {
    var unused = a.dialControl(b);
    awaitEvent(b, "hello a");
    b.sendProbes(0, 0);
    awaitEvent(a, "probe 0");
  }

  private void awaitHeld(NodeId from, NodeId to, int messages) {
    await()
        .atMost(PATIENCE)
        .until(
            () ->
                emulation.faults().stream()
                    .anyMatch(
                        f ->
                            f.from().equals(from)
                                && f.to().equals(to)
                                && f.heldMessages() == messages));
  }

  /** Something takes the way from a to b that nothing is wrong with, from end to end. */
  private void awaitWitness() throws IOException {
    TransportNode witness = node("witness", emulation);
    var unused = witness.dialControl(b);
    awaitEvent(b, "hello witness");
  }

  @Test
  void streams_that_are_accepted_when_the_agent_is_gone_are_not_kept() {
    b.abort();
    var unusedControl = a.dialControl(b);
    var unusedData = a.dialData(b);
    awaitEvent(b, "accepted");
    awaitEvent(b, "data accepted");
    assertThat(emulation.streamsOf(B)).isZero();
  }

  @Test
  void a_cut_holds_what_either_end_sends_and_healing_releases_it_in_order() throws IOException {
    link();
    emulation.cut(A, B);
    a.sendProbes(1, 20);
    b.sendProbes(1, 20);
    awaitHeld(A, B, 20);
    awaitHeld(B, A, 20);
    awaitWitness();
    assertThat(a.events()).doesNotContain("probe 1");
    assertThat(b.events()).doesNotContain("probe 1");

    emulation.heal(A, B);
    a.sendProbes(21, 40);
    awaitEvent(b, "probe 40");
    awaitEvent(a, "probe 20");
    assertThat(b.events()).containsSubsequence(numbered("probe", 1, 40));
    assertThat(a.events()).containsSubsequence(numbered("probe", 0, 20));
    assertThat(emulation.faults()).isEmpty();
  }

  @Test
  void a_one_way_cut_holds_only_what_one_end_sends() {
    link();
    emulation.cutOneWay(A, B);
    a.sendProbes(1, 3);
    b.sendProbes(1, 3);
    awaitEvent(a, "probe 3");
    awaitHeld(A, B, 3);
    assertThat(b.events()).doesNotContain("probe 1");
    emulation.healAll();
    awaitEvent(b, "probe 3");
  }

  @Test
  void data_streams_are_held_as_control_streams_are() throws IOException {
    link();
    var data = a.dialData(b);
    awaitEvent(b, "attach a");
    emulation.cut(A, B);
    a.sendCredits(data, 1, 10);
    awaitHeld(A, B, 1);
    awaitWitness();
    assertThat(b.events()).doesNotContain("credit 1");
    emulation.heal(A, B);
    awaitEvent(b, "credit 10");
    assertThat(b.events()).containsSubsequence(numbered("credit", 1, 10));
  }

  @Test
  void a_dial_over_a_cut_link_hangs_and_arrives_when_it_heals() throws IOException {
    emulation.cut(A, B);
    var unused = a.dialControl(b);
    // Its opening and its Hello.
    awaitHeld(A, B, 2);
    awaitWitness();
    assertThat(b.events()).containsExactly("accepted", "hello witness");
    assertThat(a.events()).isEmpty();
    emulation.heal(A, B);
    awaitEvent(b, "hello a");
  }

  @Test
  void a_dial_that_was_given_up_before_the_link_healed_never_happened() throws IOException {
    emulation.cut(A, B);
    var connection = a.dialControl(b);
    awaitHeld(A, B, 2);
    a.execute(connection::close);
    awaitHeld(A, B, 0);
    emulation.heal(A, B);
    awaitWitness();
    assertThat(b.events()).containsExactly("accepted", "hello witness");
  }

  @Test
  void an_end_that_was_not_dialed_at_a_known_address_is_held_once_it_says_who_it_is()
      throws IOException {
    NodeId stranger = NodeId.of("stranger");
    emulation.cut(stranger, B);
    TransportNode elsewhere = node("stranger", realLinks);
    var unused = elsewhere.dialControl(b);
    awaitHeld(stranger, B, 1);
    awaitEvent(b, "accepted");
    assertThat(b.events()).containsExactly("accepted");
    b.sendProbes(1, 1);
    awaitHeld(B, stranger, 1);
    emulation.healAll();
    awaitEvent(b, "hello stranger");
    awaitEvent(elsewhere, "probe 1");
  }

  @Test
  void a_process_that_alone_knows_of_a_cut_hears_nothing_through_it() throws Exception {
    TransportNode elsewhere = node("elsewhere", realLinks);
    var unused = a.dialControl(elsewhere);
    awaitEvent(elsewhere, "hello a");
    elsewhere.sendProbes(0, 0);
    // It has not said who it is yet; the address is what a knows it by.
    awaitEvent(a, "probe 0");
    emulation.located(elsewhere.id(), elsewhere.address());
    a.identified(elsewhere);
    emulation.cut(A, elsewhere.id());
    elsewhere.sendProbes(1, 5);
    awaitHeld(elsewhere.id(), A, 5);
    assertThat(a.events()).containsExactly("probe 0");
    emulation.heal(A, elsewhere.id());
    awaitEvent(a, "probe 5");
    assertThat(a.events()).containsExactlyElementsOf(numbered("probe", 0, 5));
  }

  @Test
  void a_dial_that_both_ends_gave_up_leaves_nothing_behind_a_cut_that_only_one_knows_of()
      throws IOException {
    NodeId stranger = NodeId.of("stranger");
    emulation.cut(stranger, B);
    TransportNode elsewhere = node("stranger", realLinks);
    var dialed = elsewhere.dialControl(b);
    awaitHeld(stranger, B, 1);
    b.execute(() -> b.control().close());
    awaitHeld(B, stranger, 1);
    elsewhere.execute(dialed::close);
    await().atMost(PATIENCE).until(() -> emulation.reset(B, stranger) == 0);
  }

  @Test
  void a_goodbye_over_a_slow_link_is_waited_for() throws Exception {
    emulation.setRoundTrip(A, B, 400_000L);
    var dialed = a.dialControl(b);
    a.execute(dialed::close);
    a.leave(PATIENCE);
    awaitEvent(b, "hello a");
    awaitEvent(b, "closed: closed by the other end");
  }

  @Test
  void the_end_of_a_stream_does_not_get_through_a_cut_either() throws IOException {
    link();
    emulation.cut(A, B);
    a.sendProbes(1, 2);
    a.execute(() -> a.control().close());
    awaitWitness();
    assertThat(b.events()).noneMatch(event -> event.startsWith("closed"));
    emulation.heal(A, B);
    awaitEvent(b, "closed: closed by the other end");
    assertThat(b.events())
        .containsSubsequence("probe 1", "probe 2", "closed: closed by the other end");
  }

  @Test
  void a_crash_ends_streams_at_once_and_what_was_held_is_lost() {
    link();
    emulation.cutOneWay(A, B);
    a.sendProbes(1, 2);
    awaitHeld(A, B, 2);
    emulation.cutOneWay(B, A);
    a.crash();
    emulation.healAll();
    await()
        .atMost(PATIENCE)
        .until(() -> b.events().stream().anyMatch(event -> event.startsWith("closed: ")));
    assertThat(b.events()).doesNotContain("probe 1");
  }

  @Test
  void a_reset_ends_the_streams_of_a_link_at_both_ends_and_through_a_cut() {
    link();
    emulation.cut(A, B);
    assertThat(emulation.reset(B, A)).isEqualTo(2);
    awaitEvent(a, "closed: the link b-a was reset on purpose");
    awaitEvent(b, "closed: the link b-a was reset on purpose");
    assertThat(emulation.reset(A, B)).isZero();
  }

  @Test
  void a_link_that_is_cut_for_too_much_is_reset() {
    link();
    emulation.cut(A, B);
    a.sendProbes(1, 60);
    awaitEvent(a, "closed: too many messages wait for the cut link to heal");
    assertThat(a.drops.counted(StreamDrops.Reason.SEND_QUEUE_FULL)).isPositive();
  }

  @Test
  void a_round_trip_applies_to_what_is_sent_from_then_on_and_keeps_the_order() {
    link();
    emulation.setRoundTrip(A, B, 400_000L);
    long sentNanos = System.nanoTime();
    a.sendProbes(1, 1);
    a.execute(() -> emulation.setRoundTrip(A, B, null));
    a.sendProbes(2, 10);
    awaitEvent(b, "probe 10");
    assertThat(System.nanoTime() - sentNanos)
        .as("the second probe waits for the first")
        .isGreaterThanOrEqualTo(TimeUnit.MILLISECONDS.toNanos(200));
    assertThat(b.events()).containsSubsequence(numbered("probe", 1, 10));
  }

  @Test
  void a_loss_costs_retransmission_timeouts_which_double() throws IOException {
    emulation.setRoundTrip(A, B, 1_000L);
    emulation.setLoss(A, B, 0.5);
    List<Long> delays = new ArrayList<>();
    emulation.lock.lock();
    try {
      for (int i = 0; i < 10_000; i++) {
        delays.add(emulation.nextDelayNanos(A, B));
      }
    } finally {
      emulation.lock.unlock();
    }
    long half = 500_000;
    long timeout = 201_000_000;
    for (int losses = 0; losses <= 3; losses++) {
      long expected = half + ((1 << losses) - 1) * timeout;
      double share = Collections.frequency(delays, expected) / 10_000.0;
      assertThat(share)
          .as("lost %d times", losses)
          .isBetween(0.4 / (1 << losses), 0.6 / (1 << losses));
    }
  }

  @Test
  void says_what_is_wrong_with_which_direction() {
    emulation.cutOneWay(A, B);
    emulation.setLoss(A, B, 0.2);
    emulation.setRoundTrip(A, B, 8_000L);
    assertThat(emulation.faults())
        .containsExactly(
            new LinkFault(A, B, true, 0.2, 4_000_000L, 0),
            new LinkFault(B, A, false, 0.2, 4_000_000L, 0));
    emulation.heal(A, B);
    assertThat(emulation.faults())
        .as("healing leaves the round trip")
        .containsExactly(
            new LinkFault(A, B, false, 0, 4_000_000L, 0),
            new LinkFault(B, A, false, 0, 4_000_000L, 0));
    emulation.setRoundTrip(A, B, null);
    assertThat(emulation.faults()).isEmpty();
  }

  @Test
  void an_invalid_fault_is_refused() {
    assertThatThrownBy(() -> emulation.setLoss(A, B, 1))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("0.99");
    assertThatThrownBy(() -> emulation.setLoss(A, B, Double.NaN))
        .isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> emulation.setRoundTrip(A, B, -1L))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("600000000");
  }

  @Test
  void messages_of_a_stream_take_as_long_as_the_throughput_of_its_link() throws Exception {
    LinkEmulation.Latency slow =
        new LinkEmulation.Latency() {
          @Override
          public long delayNanos(NodeId from, NodeId to) {
            return 0;
          }

          @Override
          public long kbps(NodeId from, NodeId to) {
            return from.equals(A) ? 8 : LinkEmulation.UNLIMITED_KBPS;
          }
        };
    try (LinkEmulation links = new LinkEmulation(slow, 1)) {
      EmulatedStream there = links.stream(A, null, reason -> {});
      there.identified(B);
      EmulatedStream back = links.stream(B, null, reason -> {});
      back.identified(A);
      CountDownLatch arrived = new CountDownLatch(3);
      long begunNanos = System.nanoTime();
      assertThat(there.outgoing(late -> arrived.countDown(), 60)).isTrue();
      assertThat(there.outgoing(late -> arrived.countDown(), 40)).isTrue();
      assertThat(back.outgoing(late -> arrived.countDown(), 1_000_000_000)).isTrue();
      assertThat(arrived.await(PATIENCE.toSeconds(), TimeUnit.SECONDS)).isTrue();
      assertThat(System.nanoTime() - begunNanos)
          .as("a byte takes a millisecond at 8 kbit/s, and the other direction has no limit")
          .isBetween(TimeUnit.MILLISECONDS.toNanos(100), PATIENCE.toNanos());
    }
  }
}
