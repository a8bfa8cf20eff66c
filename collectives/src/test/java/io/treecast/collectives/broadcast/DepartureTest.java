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

/** When a member that leaves has handed on what it had. */
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

  /** The data stream opens, and each end answers the other's Attach. */
  private void open(NodeId neighbour, long creditBytes) {
    relay.streamOpened(neighbour);
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
  void itIsOverWhenEveryNeighbourHasSaidWhatItHasBehindAllThatWasLoggedBefore() {
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
  void whatANeighbourSaysWhenItAttachesItselfIsNoAnswer() {
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
  void theQuestionIsFollowedByADigestAsEachAttachIs() {
    commitWith(A);
    open(A, PLENTY);
    publish();

    assertThat(relay.departure().isOver()).isFalse();
    assertThat(effects.take()).endsWith("attach to a", "digest to a: self2.0");
  }

  @Test
  void whoWasAskedOnAnEarlierStreamIsAskedAgain() {
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
  void nobodyIsAskedAboutWhatAllMembersHave() {
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
  void nothingIsOwedToWhoIsNoNeighbourAnyMore() {
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

  /** The others are gone, and this member commits a tree of itself alone. */
  private void commitAlone() {
    relay.streamClosed(A);
    relay.treeCommitted(new CommittedTree(2, SELF, List.of()));
    relay.activeEdges(nodes());
    relay.tick(NOW);
    relay.tick(NOW + Stability.INTERVAL_NANOS);
  }

  @Test
  void whatWasPublishedAloneIsOwedToWhoIsAwaited() {
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
  void nothingIsOwedToWhoIsNotAwaitedAnyMore() {
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
  void whatAllHadBeforeTheyWentIsOwedToNobody() {
    commitWith(A);
    open(A, PLENTY);
    publish();
    relay.received(A, new Have(1, List.of(position(SELF, 2, 0)), false, 0));
    relay.tick(0);
    commitAlone();

    assertThat(relay.departure().isOver()).isTrue();
  }

  @Test
  void whatIsOwedIsSoAlsoWhileNoEdgeOfTheTreeIsActive() {
    commitWith(A);
    open(A, PLENTY);
    publish();
    relay.streamClosed(A);
    relay.activeEdges(nodes());

    assertThat(relay.departure().isOver()).isFalse();
  }

  @Test
  void whatANeighbourHasTakenIsNotOwedWhenItGoes() {
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
  void theEndOfAnUploadIsOwedAlsoWhileItWaitsForRoom() throws Exception {
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
  void nothingIsOwedToNobody() {
    commitWith();
    publish();

    assertThat(relay.departure().isOver()).isTrue();
  }
}
