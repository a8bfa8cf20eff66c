package io.treecast.collectives.broadcast;

import static io.treecast.collectives.broadcast.Examples.A;
import static io.treecast.collectives.broadcast.Examples.B;
import static io.treecast.collectives.broadcast.Examples.FIRST_START;
import static io.treecast.collectives.broadcast.Examples.PLENTY;
import static io.treecast.collectives.broadcast.Examples.SELF;
import static io.treecast.collectives.broadcast.Examples.SMALL;
import static io.treecast.collectives.broadcast.Examples.attach;
import static io.treecast.collectives.broadcast.Examples.bytes;
import static io.treecast.collectives.broadcast.Examples.detach;
import static io.treecast.collectives.broadcast.Examples.digest;
import static io.treecast.collectives.broadcast.Examples.grant;
import static io.treecast.collectives.broadcast.Examples.message;
import static io.treecast.collectives.broadcast.Examples.nodes;
import static io.treecast.collectives.broadcast.Examples.position;
import static io.treecast.collectives.broadcast.Examples.receive;
import static io.treecast.collectives.broadcast.Examples.relay;
import static io.treecast.collectives.broadcast.Examples.star;
import static org.assertj.core.api.Assertions.assertThat;

import io.treecast.collectives.broadcast.contract.BroadcastLimits;
import io.treecast.collectives.broadcast.message.Channel;
import io.treecast.collectives.broadcast.message.EdgeMessage;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** The conditions under which the ends of an edge send, and under which its stream may close. */
class AttachmentTest {
  private final RecordingEffects effects = new RecordingEffects();
  private final BroadcastRelay relay = new BroadcastRelay(SELF, FIRST_START, SMALL, effects);

  /** Two messages are logged before there is any edge. */
  @BeforeEach
  void publishTwo() throws Exception {
    relay.treeCommitted(star());
    relay.publish(bytes("x"));
    relay.publish(bytes("y"));
  }

  private void openA() {
    relay.streamOpened(A, 0);
    grant(relay, A, PLENTY);
    effects.take();
  }

  @Test
  void
      an_active_end_attaches_as_soon_as_the_stream_is_open_and_sends_nothing_before_it_knows_what_the_other_has() {
    relay.activeEdges(nodes(A));
    relay.streamOpened(A, 0);
    grant(relay, A, PLENTY);

    assertThat(effects.take())
        .containsExactly("grant a 2600", "attach to a", "digest to a: self3.0");
  }

  @Test
  void an_end_that_becomes_active_on_an_open_stream_attaches_then() {
    openA();

    relay.activeEdges(nodes(A));

    assertThat(effects.take())
        .containsExactly("grant a 2600", "attach to a", "digest to a: self3.0");
  }

  @Test
  void missing_items_are_sent_in_order_and_then_new_ones() throws Exception {
    relay.activeEdges(nodes(A));
    openA();

    digest(relay, A, position(SELF, 2, 0));
    relay.publish(bytes("z"));

    assertThat(effects.take())
        .containsExactly("send to a: self2.0 'y' last", "send to a: self3.0 'z' last");
  }

  @Test
  void a_part_of_a_digest_is_not_enough() {
    relay.activeEdges(nodes(A));
    openA();

    relay.received(
        A, new EdgeMessage.Digest(Channel.MESSAGES, List.of(position(SELF, 2, 0)), false));
    assertThat(effects.take()).isEmpty();

    digest(relay, A);
    assertThat(effects.take()).containsExactly("send to a: self2.0 'y' last");
  }

  @Test
  void every_attach_is_answered_by_a_digest_even_of_an_end_that_is_not_active() {
    openA();

    attach(relay, A);

    assertThat(effects.take()).containsExactly("grant a 2600", "digest to a: self3.0");
    receive(relay, A, message(A, 1, "1"));
    assertThat(relay.positions()).contains(position(A, 2, 0));
  }

  @Test
  void an_end_that_becomes_active_later_knows_the_others_positions_from_its_attach() {
    openA();
    attach(relay, A, position(SELF, 2, 0));
    effects.take();

    relay.activeEdges(nodes(A));

    assertThat(effects.take())
        .containsExactly("attach to a", "digest to a: self3.0", "send to a: self2.0 'y' last");
  }

  @Test
  void attaches_that_cross_let_both_ends_send_and_the_answers_change_nothing() {
    relay.activeEdges(nodes(A));
    openA();

    attach(relay, A, position(SELF, 2, 0));
    assertThat(effects.take())
        .containsExactly("digest to a: self3.0", "send to a: self2.0 'y' last");

    digest(relay, A, position(SELF, 2, 0));
    assertThat(effects.take()).isEmpty();
  }

  @Test
  void an_end_that_stops_being_active_detaches_and_still_accepts_items() throws Exception {
    relay.activeEdges(nodes(A));
    openA();
    attach(relay, A);
    effects.take();

    relay.activeEdges(nodes());
    relay.publish(bytes("z"));
    receive(relay, A, message(A, 1, "1"));

    assertThat(effects.take()).containsExactly("detach to a");
    assertThat(relay.positions()).contains(position(A, 2, 0));
  }

  @Test
  void an_end_that_attaches_again_waits_for_a_fresh_digest() throws Exception {
    relay.activeEdges(nodes(A));
    openA();
    attach(relay, A);
    relay.activeEdges(nodes());
    relay.publish(bytes("z"));
    effects.take();

    relay.activeEdges(nodes(A));
    assertThat(effects.take()).containsExactly("attach to a", "digest to a: self4.0");

    digest(relay, A, position(SELF, 4, 0));
    assertThat(effects.take()).isEmpty();
  }

  @Test
  void a_digest_that_answers_an_attach_from_before_a_detach_costs_duplicates_only()
      throws Exception {
    relay.activeEdges(nodes(A));
    openA();
    relay.activeEdges(nodes());
    relay.activeEdges(nodes(A));
    effects.take();

    digest(relay, A, position(SELF, 2, 0));
    digest(relay, A, position(SELF, 3, 0));
    relay.publish(bytes("z"));

    assertThat(effects.take())
        .containsExactly("send to a: self2.0 'y' last", "send to a: self3.0 'z' last");
  }

  @Test
  void a_stream_is_detached_when_neither_end_is_attached() {
    relay.activeEdges(nodes(A));
    assertThat(relay.isDetached(A)).isFalse();
    openA();
    attach(relay, A);
    assertThat(relay.isPeerAttached(A)).isTrue();

    relay.activeEdges(nodes());
    assertThat(relay.isDetached(A)).isFalse();

    detach(relay, A);
    assertThat(relay.isDetached(A)).isTrue();
    assertThat(relay.isPeerAttached(A)).isFalse();

    attach(relay, A);
    assertThat(relay.isDetached(A)).isFalse();
  }

  @Test
  void a_detach_that_crosses_an_attach_leaves_the_end_that_is_active_sending() throws Exception {
    relay.activeEdges(nodes(A));
    openA();
    attach(relay, A, position(SELF, 3, 0));
    relay.activeEdges(nodes());
    relay.activeEdges(nodes(A));
    effects.take();

    detach(relay, A);
    digest(relay, A, position(SELF, 3, 0));
    relay.publish(bytes("z"));

    assertThat(effects.take()).containsExactly("send to a: self3.0 'z' last");
    assertThat(relay.isDetached(A)).isFalse();
  }

  @Test
  void a_new_stream_forgets_the_positions_of_the_other_end() {
    relay.activeEdges(nodes(A));
    openA();
    attach(relay, A, position(SELF, 3, 0));
    relay.streamClosed(A);
    effects.take();

    relay.streamOpened(A, 0);
    grant(relay, A, PLENTY);
    attach(relay, A);

    assertThat(effects.takeFlow())
        .containsExactly(
            "grant a 2600", "send to a: self1.0 'x' last", "send to a: self2.0 'y' last");
  }

  @Test
  void a_digest_of_many_streams_comes_in_parts() {
    BroadcastRelay other =
        relay(
            BroadcastLimits.builder()
                .chunkBytes(4)
                .payloadBytes(40)
                .publishBufferBytes(10_000)
                .logBytes(1 << 20)
                .edgeWindowBytes(1 << 20)
                .subscriberWindowBytes(1 << 20)
                .subscribers(3)
                .topics(3)
                .origins(2_000)
                .build(),
            effects,
            A);
    for (int i = 0; i < EdgeMessage.Digest.MAX_POSITIONS; i++) {
      receive(other, A, Examples.afterRestart(B, i, "x"));
    }
    receive(other, A, message(A, 1, "x"));
    effects.take();

    attach(other, A);

    assertThat(effects.take())
        .satisfiesExactly(
            first -> assertThat(first).startsWith("digest to a: a2.0 b2.0").endsWith(" ..."),
            second -> assertThat(second).isEqualTo("digest to a: b2.0 self1.0"));
  }
}
