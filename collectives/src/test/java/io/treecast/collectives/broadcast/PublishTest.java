package io.treecast.collectives.broadcast;

import static io.treecast.collectives.broadcast.Examples.A;
import static io.treecast.collectives.broadcast.Examples.B;
import static io.treecast.collectives.broadcast.Examples.FIRST_START;
import static io.treecast.collectives.broadcast.Examples.SELF;
import static io.treecast.collectives.broadcast.Examples.SMALL;
import static io.treecast.collectives.broadcast.Examples.attach;
import static io.treecast.collectives.broadcast.Examples.bytes;
import static io.treecast.collectives.broadcast.Examples.grant;
import static io.treecast.collectives.broadcast.Examples.nodes;
import static io.treecast.collectives.broadcast.Examples.open;
import static io.treecast.collectives.broadcast.Examples.relay;
import static io.treecast.collectives.broadcast.Examples.star;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.treecast.collectives.broadcast.contract.BroadcastRefusedException;
import io.treecast.collectives.broadcast.contract.BroadcastRefusedException.Reason;
import io.treecast.collectives.broadcast.contract.SubscribeOptions;
import io.treecast.collectives.broadcast.message.MessageId;
import java.nio.ByteBuffer;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.assertj.core.api.ThrowableAssertAlternative;
import org.junit.jupiter.api.Test;

class PublishTest {
  private final RecordingEffects effects = new RecordingEffects();

  @Test
  void a_payload_is_cut_into_chunks_for_every_neighbour_and_subscriber() throws Exception {
    BroadcastRelay relay = relay(SMALL, effects, A, B);
    relay.subscribe(1, SubscribeOptions.defaults());

    MessageId id = relay.publish(bytes("abcdefghi"));

    assertThat(id).isEqualTo(new MessageId(SELF, FIRST_START, 1));
    assertThat(effects.take())
        .containsExactly(
            "send to a: self1.0 'abcd'",
            "send to b: self1.0 'abcd'",
            "deliver to s1: self1.0 'abcd'",
            "send to a: self1.1 'efgh'",
            "send to b: self1.1 'efgh'",
            "deliver to s1: self1.1 'efgh'",
            "send to a: self1.2 'i' last",
            "send to b: self1.2 'i' last",
            "deliver to s1: self1.2 'i' last");
  }

  @Test
  void a_payload_of_whole_chunks_has_no_empty_one_at_its_end() throws Exception {
    BroadcastRelay relay = relay(SMALL, effects, A);

    relay.publish(bytes("abcdefgh"));

    assertThat(effects.take())
        .containsExactly("send to a: self1.0 'abcd'", "send to a: self1.1 'efgh' last");
  }

  @Test
  void an_empty_payload_is_one_empty_chunk() throws Exception {
    BroadcastRelay relay = relay(SMALL, effects, A);

    relay.publish(bytes(""));

    assertThat(effects.take()).containsExactly("send to a: self1.0 '' last");
  }

  @Test
  void sequences_grow_without_gaps() throws Exception {
    BroadcastRelay relay = relay(SMALL, effects, A);

    assertThat(relay.publish(bytes("x")).sequence()).isEqualTo(1);
    assertThat(relay.publish(bytes("y")).sequence()).isEqualTo(2);
    refused(Reason.PAYLOAD_TOO_LARGE, () -> relay.publish(ByteBuffer.allocate(41)));
    assertThat(relay.publish(bytes("z")).sequence()).isEqualTo(3);
    assertThat(relay.counters().publishedMessages()).isEqualTo(3);
  }

  @Test
  void chunks_share_the_publishers_memory_and_leave_its_buffer_alone() throws Exception {
    BroadcastRelay relay = relay(SMALL, effects, A);
    ByteBuffer payload = bytes("--abcdef--");
    payload.position(2).limit(8);

    relay.publish(payload);
    payload.put(2, (byte) 'X').put(6, (byte) 'Y');

    assertThat(payload.position()).isEqualTo(2);
    assertThat(effects.sent())
        .extracting(Examples::name)
        .containsExactly("self1.0 'Xbcd'", "self1.1 'Yf' last");
  }

  @Test
  void a_payload_above_its_limit_is_refused_and_the_setting_named() {
    BroadcastRelay relay = relay(SMALL, effects, A);

    refused(Reason.PAYLOAD_TOO_LARGE, () -> relay.publish(ByteBuffer.allocate(41)))
        .withMessageContainingAll("41 bytes", "limits.payloadBytes = 40");
  }

  @Test
  void a_payload_is_refused_without_a_tree() {
    BroadcastRelay relay = new BroadcastRelay(SELF, FIRST_START, SMALL, effects);

    refused(Reason.NO_TREE, () -> relay.publish(bytes("x"))).withMessageContaining("tree");
  }

  @Test
  void a_payload_is_accepted_and_logged_while_a_tree_edge_is_lost() throws Exception {
    BroadcastRelay relay = relay(SMALL, effects, A, B);
    relay.streamClosed(B);
    relay.activeEdges(nodes(A));

    assertThat(relay.publish(bytes("x")).sequence()).isEqualTo(1);

    assertThat(effects.take()).containsExactly("send to a: self1.0 'x' last");
    assertThat(relay.counters().retainedBytes()).isEqualTo(257);
  }

  @Test
  void a_full_buffer_refuses_payloads_until_the_slowest_member_has_moved() throws Exception {
    BroadcastRelay relay = new BroadcastRelay(SELF, FIRST_START, SMALL, effects);
    relay.treeCommitted(star(A, B));
    relay.activeEdges(nodes(A, B));
    open(relay, A);
    relay.streamOpened(B, 0);
    attach(relay, B);
    for (int i = 0; i < 10; i++) {
      relay.publish(bytes("1234"));
    }

    refused(Reason.PUBLISH_BUFFER_FULL, () -> relay.publish(bytes("")))
        .withMessageContainingAll("0 bytes", "2600 bytes", "limits.publishBufferBytes = 2600");

    assertThat(relay.publisher().canPublish(0)).isFalse();

    grant(relay, B, 2 * 260);
    assertThat(relay.publisher().canPublish(8)).isTrue();
    assertThat(relay.publisher().canPublish(9)).isFalse();
    relay.publish(bytes("1234"));
    relay.publish(bytes("1234"));
    refused(Reason.PUBLISH_BUFFER_FULL, () -> relay.publish(bytes("")));
  }

  @Test
  void a_payload_that_fits_only_in_part_is_refused_whole() throws Exception {
    BroadcastRelay relay = new BroadcastRelay(SELF, FIRST_START, SMALL, effects);
    relay.treeCommitted(star(A));
    relay.activeEdges(nodes(A));
    for (int i = 0; i < 9; i++) {
      relay.publish(bytes("1234"));
    }

    refused(Reason.PUBLISH_BUFFER_FULL, () -> relay.publish(bytes("12345")));
    assertThat(relay.counters().waitingBytes()).isEqualTo(9 * 260);
    relay.publish(bytes("1234"));
  }

  @Test
  void a_lone_node_delivers_to_its_own_subscribers_and_holds_nothing() throws Exception {
    BroadcastRelay relay = new BroadcastRelay(SELF, FIRST_START, SMALL, effects);
    relay.treeCommitted(star());
    relay.subscribe(1, SubscribeOptions.defaults());

    relay.publish(bytes("x"));

    assertThat(effects.take()).containsExactly("deliver to s1: self1.0 'x' last");
    assertThat(relay.counters().waitingBytes()).isZero();
  }

  private static ThrowableAssertAlternative<BroadcastRefusedException> refused(
      Reason reason, ThrowingCallable call) {
    return assertThatExceptionOfType(BroadcastRefusedException.class)
        .isThrownBy(call)
        .satisfies(refusal -> assertThat(refusal.reason()).isEqualTo(reason));
  }
}
