package io.treecast.collectives;

import static io.treecast.collectives.Examples.A;
import static io.treecast.collectives.Examples.B;
import static io.treecast.collectives.Examples.FIRST_START;
import static io.treecast.collectives.Examples.SELF;
import static io.treecast.collectives.Examples.SMALL;
import static io.treecast.collectives.Examples.attach;
import static io.treecast.collectives.Examples.grant;
import static io.treecast.collectives.Examples.nodes;
import static io.treecast.collectives.Examples.relay;
import static io.treecast.collectives.Examples.star;
import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;

import java.nio.ByteBuffer;
import org.junit.jupiter.api.Test;

/** When a member that leaves has handed on what it had. */
class DepartureTest {
  private static final ByteBuffer FOUR_BYTES = ByteBuffer.wrap("abcd".getBytes(US_ASCII));
  private static final long COST = Chunk.cost(4);

  private final RecordingEffects effects = new RecordingEffects();

  /** A neighbour that has room for one message, and another one with plenty. */
  private BroadcastRelay relayWithSlowNeighbour() {
    BroadcastRelay relay = relay(SMALL, effects, B);
    relay.treeCommitted(star(A, B));
    relay.activeEdges(nodes(A, B));
    relay.streamOpened(A);
    grant(relay, A, COST);
    attach(relay, A);
    return relay;
  }

  @Test
  void itIsOverWhenEveryNeighbourWasSentWhatWasLoggedBefore() throws Exception {
    BroadcastRelay relay = relayWithSlowNeighbour();
    relay.publish(FOUR_BYTES.duplicate());
    relay.publish(FOUR_BYTES.duplicate());
    relay.publish(FOUR_BYTES.duplicate());
    Departure departure = relay.departure();
    relay.publish(FOUR_BYTES.duplicate());

    assertThat(departure.isOver()).isFalse();
    grant(relay, A, COST);
    assertThat(departure.isOver()).isFalse();
    grant(relay, A, COST);
    assertThat(departure.isOver()).as("what comes later is not waited for").isTrue();
    assertThat(relay.departure().isOver()).isFalse();
  }

  @Test
  void itIsNotOverWhileTheStreamToANeighbourIsDown() throws Exception {
    BroadcastRelay relay = relayWithSlowNeighbour();
    relay.publish(FOUR_BYTES.duplicate());
    relay.publish(FOUR_BYTES.duplicate());
    Departure departure = relay.departure();

    relay.streamClosed(A);
    assertThat(departure.isOver()).isFalse();
    relay.activeEdges(nodes(B));
    assertThat(departure.isOver()).as("nothing is owed to who is no neighbour").isTrue();
  }

  @Test
  void nothingIsOwedToNobody() throws Exception {
    BroadcastRelay relay = new BroadcastRelay(SELF, FIRST_START, SMALL, effects);
    relay.treeCommitted(star());
    relay.activeEdges(nodes());
    relay.publish(FOUR_BYTES.duplicate());

    assertThat(relay.departure().isOver()).isTrue();
  }
}
