package io.treecast.agent.core.link;

import static org.assertj.core.api.Assertions.assertThat;

import io.treecast.agent.core.message.PeerMessage.ShortcutCopy;
import io.treecast.collectives.broadcast.ShortcutReceiver;
import io.treecast.collectives.broadcast.message.Chunk;
import io.treecast.collectives.broadcast.message.MessageId;
import io.treecast.ghs.NodeId;
import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ShortcutWindowTest {
  private final ShortcutWindow sender = new ShortcutWindow();
  private final ShortcutWindow receiver = new ShortcutWindow();
  private long sequence;

  private ShortcutCopy shortcut(int bytes) {
    MessageId message = new MessageId(NodeId.of("a"), 1, ++sequence);
    return new ShortcutCopy(new Chunk(message, 0, true, 1, ByteBuffer.allocate(bytes)));
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 1, 100, 1_000, ShortcutReceiver.MAX_PAYLOAD_BYTES})
  void no_more_is_under_way_than_the_window_and_what_was_heard_makes_room(int bytes) {
    ArrayDeque<ShortcutCopy> underWay = new ArrayDeque<>();
    for (int round = 0; round < 1_000; round++) {
      ShortcutCopy next = shortcut(bytes);
      while (sender.send(next)) {
        underWay.add(next);
        next = shortcut(bytes);
      }
      long underWayBytes = underWay.stream().mapToLong(ShortcutWindow::bytes).sum();
      assertThat(underWayBytes).isPositive().isLessThanOrEqualTo(ShortcutWindow.BYTES);

      while (!underWay.isEmpty()) {
        long acknowledgedBytes = receiver.received(underWay.remove());
        assertThat(acknowledgedBytes == 0 || sender.acknowledged(acknowledgedBytes)).isTrue();
      }
    }
  }

  @ParameterizedTest
  @ValueSource(longs = {1, ShortcutWindow.BYTES})
  void nobody_has_heard_more_than_was_sent(long bytes) {
    assertThat(sender.acknowledged(bytes)).isFalse();
    assertThat(sender.send(shortcut(0))).isTrue();
    assertThat(sender.acknowledged(ShortcutWindow.bytes(shortcut(0)) + bytes)).isFalse();
  }
}
