package io.treecast.collectives.broadcast;

import static io.treecast.collectives.broadcast.Examples.A;
import static io.treecast.collectives.broadcast.Examples.B;
import static io.treecast.collectives.broadcast.Examples.FIRST_START;
import static io.treecast.collectives.broadcast.Examples.PLENTY;
import static io.treecast.collectives.broadcast.Examples.SELF;
import static io.treecast.collectives.broadcast.Examples.SMALL;
import static io.treecast.collectives.broadcast.Examples.attach;
import static io.treecast.collectives.broadcast.Examples.digest;
import static io.treecast.collectives.broadcast.Examples.grant;
import static io.treecast.collectives.broadcast.Examples.nodes;
import static io.treecast.collectives.broadcast.Examples.position;
import static io.treecast.collectives.broadcast.Examples.star;
import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;

import io.treecast.collectives.broadcast.contract.BroadcastRefusedException;
import io.treecast.collectives.broadcast.message.Channel;
import io.treecast.collectives.broadcast.message.Chunk;
import io.treecast.collectives.broadcast.message.EdgeMessage.Digest;
import io.treecast.collectives.broadcast.message.EdgeMessage.Have;
import io.treecast.collectives.broadcast.message.Topic;
import io.treecast.collectives.broadcast.stability.Absences;
import io.treecast.collectives.broadcast.stability.Stability;
import io.treecast.ghs.NodeId;
import io.treecast.mst.CommittedTree;
import java.nio.ByteBuffer;
import java.util.List;
import org.junit.jupiter.api.Test;

/** When a leaving member has handed on its content. */
class DepartureTest {
  private static final ByteBuffer FOUR_BYTES = ByteBuffer.wrap("abcd".getBytes(US_ASCII));
  private static final long COST = Chunk.cost(4);
  private static final long NOW = 100_000_000_000L;

  private final RecordingEffects effects = new RecordingEffects();
  private final BroadcastRelay relay = new BroadcastRelay(SELF, FIRST_START, SMALL, effects);

  private void commitWith(NodeId... neighbours) {
    commitWith(1, neighbours);
  }

  private void commitWith(long version, NodeId... neighbours) {
    relay.treeCommitted(new CommittedTree(version, SELF, star(neighbours).edges()));
    relay.activeEdges(nodes(neighbours));
  }

  /** Opens the data stream; each end answers the other's Attach. */
  private void open(NodeId neighbour, long creditBytes) {
    relay.streamOpened(neighbour, 0);
    grant(relay, neighbour, creditBytes);
    attach(relay, neighbour);
    answer(neighbour);
    effects.take();
  }

  private void answer(NodeId neighbour) {
    digest(relay, neighbour);
  }

  private void publish() {
    try {
      relay.publish(FOUR_BYTES.duplicate());
    } catch (BroadcastRefusedException e) {
      throw new AssertionError(e);
    }
  }

  private List<String> asked() {
    return effects.take().stream().filter(line -> line.startsWith("attach")).toList();
  }

  @Test
  void a_departure_ends_when_every_neighbour_has_confirmed_the_log() {
    commitWith(A, B);
    open(A, COST);
    open(B, PLENTY);
    publish();
    publish();
    publish();
    Departure departure = relay.departure();
    publish();

    assertThat(departure.isOver()).isFalse();
    assertThat(asked()).containsExactly("attach to b");
    answer(B);
    grant(relay, A, COST);
    assertThat(departure.isOver()).isFalse();
    assertThat(asked()).as("nothing new of who has no room").isEmpty();
    grant(relay, A, COST);
    assertThat(departure.isOver()).as("all is sent, and may be on its way").isFalse();
    assertThat(asked()).containsExactly("attach to a");
    assertThat(departure.isOver()).isFalse();
    assertThat(asked()).as("once is enough").isEmpty();
    answer(A);
    assertThat(departure.isOver()).as("what comes later is not waited for").isTrue();
    assertThat(relay.departure().isOver()).isFalse();
  }

  @Test
  void the_digest_of_a_neighbours_own_attach_is_not_an_answer() {
    commitWith(A);
    open(A, PLENTY);
    publish();
    Departure departure = relay.departure();

    assertThat(departure.isOver()).isFalse();
    attach(relay, A);
    assertThat(departure.isOver()).isFalse();
    answer(A);
    assertThat(departure.isOver()).isTrue();
  }

  @Test
  void the_question_is_followed_by_a_digest_as_each_attach_is() {
    commitWith(A);
    open(A, PLENTY);
    publish();

    assertThat(relay.departure().isOver()).isFalse();
    assertThat(effects.take()).endsWith("attach to a", "digest to a: self2.0");
  }

  @Test
  void a_neighbour_that_was_asked_on_an_earlier_stream_is_asked_again() {
    commitWith(A);
    open(A, PLENTY);
    publish();
    Departure departure = relay.departure();
    assertThat(departure.isOver()).isFalse();

    relay.streamClosed(A);
    assertThat(departure.isOver()).as("the stream is down").isFalse();
    open(A, PLENTY);
    assertThat(departure.isOver()).isFalse();
    assertThat(asked()).containsExactly("attach to a");
    answer(A);
    assertThat(departure.isOver()).isTrue();
  }

  @Test
  void stable_content_needs_no_question() {
    commitWith(A);
    open(A, PLENTY);
    publish();
    relay.received(A, new Have(1, List.of(position(SELF, 2, 0)), false, 0));
    relay.tick(0);
    effects.take();

    assertThat(relay.departure().isOver()).isTrue();
    assertThat(asked()).isEmpty();
  }

  @Test
  void nothing_is_owed_to_a_former_neighbour() {
    commitWith(A, B);
    open(A, COST);
    open(B, PLENTY);
    publish();
    publish();
    Departure departure = relay.departure();
    assertThat(departure.isOver()).isFalse();
    answer(B);

    relay.streamClosed(A);
    assertThat(departure.isOver()).isFalse();
    relay.activeEdges(nodes(B));
    assertThat(departure.isOver()).isTrue();
  }

  /** The others have left, and this member commits a tree of itself alone. */
  private void commitAlone() {
    relay.streamClosed(A);
    relay.treeCommitted(new CommittedTree(2, SELF, List.of()));
    relay.activeEdges(nodes());
    relay.tick(NOW);
    relay.tick(NOW + Stability.INTERVAL_NANOS);
  }

  @Test
  void a_message_published_alone_is_owed_to_an_awaited_member() {
    commitWith(A);
    open(A, PLENTY);
    relay.tick(0);
    commitAlone();
    assertThat(relay.departure().isOver()).as("nothing was published").isTrue();
    publish();
    relay.tick(NOW + 2 * Stability.INTERVAL_NANOS);
    Departure departure = relay.departure();

    assertThat(departure.isOver()).isFalse();
    commitWith(3, A);
    assertThat(departure.isOver()).isFalse();
    open(A, PLENTY);
    assertThat(departure.isOver()).isFalse();
    answer(A);
    assertThat(departure.isOver()).isTrue();
  }

  @Test
  void nothing_is_owed_to_a_member_that_is_no_longer_awaited() {
    commitWith(A);
    open(A, PLENTY);
    relay.tick(0);
    commitAlone();
    publish();
    Departure departure = relay.departure();
    assertThat(departure.isOver()).isFalse();

    relay.tick(NOW + Absences.PATIENCE_NANOS);
    assertThat(departure.isOver()).isTrue();
  }

  @Test
  void content_that_all_had_before_they_left_is_not_owed() {
    commitWith(A);
    open(A, PLENTY);
    publish();
    relay.received(A, new Have(1, List.of(position(SELF, 2, 0)), false, 0));
    relay.tick(0);
    commitAlone();

    assertThat(relay.departure().isOver()).isTrue();
  }

  @Test
  void obligations_remain_while_no_edge_of_the_tree_is_active() {
    commitWith(A);
    open(A, PLENTY);
    publish();
    relay.streamClosed(A);
    relay.activeEdges(nodes());

    assertThat(relay.departure().isOver()).isFalse();
  }

  @Test
  void content_that_a_neighbour_has_taken_is_not_owed_when_it_leaves() {
    commitWith(A);
    open(A, PLENTY);
    publish();
    Departure departure = relay.departure();
    assertThat(departure.isOver()).isFalse();
    answer(A);
    assertThat(departure.isOver()).isTrue();

    relay.streamClosed(A);
    relay.activeEdges(nodes());
    assertThat(departure.isOver()).isTrue();
  }

  @Test
  void the_end_of_an_upload_is_owed_even_while_it_waits_for_room() throws Exception {
    commitWith(A);
    relay.uploadEdges(nodes(A), nodes(A));
    open(A, PLENTY);
    grant(relay, A, Channel.UPLOADS, COST);
    attach(relay, A, Channel.UPLOADS);
    answerOfUploads();
    relay.uploads().begin(1, Topic.DEFAULT, 0);
    for (int i = 0; i <= SMALL.edgeWindowBytes() / COST; i++) {
      relay.uploads().add(1, FOUR_BYTES.duplicate());
    }
    relay.uploads().abandon(1);
    Departure departure = relay.departure();

    assertThat(departure.isOver()).isFalse();
    assertThat(asked()).isEmpty();
    grant(relay, A, Channel.UPLOADS, PLENTY);
    assertThat(departure.isOver()).isFalse();
    relay.tick(0);
    assertThat(effects.take()).last().asString().contains("abandoned");
    assertThat(departure.isOver()).isFalse();
    assertThat(asked()).containsExactly("attach to a", "attach to a of uploads");
    answer(A);
    assertThat(departure.isOver()).isFalse();
    answerOfUploads();
    assertThat(departure.isOver()).isTrue();
  }

  private void answerOfUploads() {
    relay.received(A, new Digest(Channel.UPLOADS, List.of(), true));
    effects.take();
  }

  @Test
  void a_member_without_others_owes_nothing() {
    commitWith();
    publish();

    assertThat(relay.departure().isOver()).isTrue();
  }
}
