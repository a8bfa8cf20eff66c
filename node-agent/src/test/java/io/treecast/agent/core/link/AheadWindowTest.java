package io.treecast.agent.core.link;

import static org.assertj.core.api.Assertions.assertThat;

import io.treecast.agent.core.message.PeerMessage.Ahead;
import io.treecast.collectives.broadcast.AheadOfTree;
import io.treecast.collectives.broadcast.message.Chunk;
import io.treecast.collectives.broadcast.message.MessageId;
import io.treecast.ghs.NodeId;
import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class AheadWindowTest {
  private final AheadWindow sender = new AheadWindow();
  private final AheadWindow receiver = new AheadWindow();
  private long sequence;

  private Ahead ahead(int bytes) {
    MessageId message = new MessageId(NodeId.of("a"), 1, ++sequence);
    return new Ahead(new Chunk(message, 0, true, 1, ByteBuffer.allocate(bytes)));
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 1, 100, 1_000, AheadOfTree.MAX_PAYLOAD_BYTES})
  void no_more_is_under_way_than_the_window_and_what_was_heard_makes_room(int bytes) {
    ArrayDeque<Ahead> underWay = new ArrayDeque<>();
    for (int round = 0; round < 1_000; round++) {
      Ahead next = ahead(bytes);
      while (sender.send(next)) {
        underWay.add(next);
        next = ahead(bytes);
      }
      long underWayBytes = underWay.stream().mapToLong(AheadWindow::bytes).sum();
      assertThat(underWayBytes).isPositive().isLessThanOrEqualTo(AheadWindow.BYTES);

      while (!underWay.isEmpty()) {
        long heardBytes = receiver.received(underWay.remove());
        assertThat(heardBytes == 0 || sender.heard(heardBytes)).isTrue();
      }
    }
  }

  @ParameterizedTest
  @ValueSource(longs = {1, AheadWindow.BYTES})
  void nobody_has_heard_more_than_was_sent(long bytes) {
    assertThat(sender.heard(bytes)).isFalse();
    assertThat(sender.send(ahead(0))).isTrue();
    assertThat(sender.heard(AheadWindow.bytes(ahead(0)) + bytes)).isFalse();
  }
}
