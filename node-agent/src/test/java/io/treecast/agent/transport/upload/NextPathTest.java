package io.treecast.agent.transport.upload;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import io.treecast.agent.core.contract.Connection;
import io.treecast.agent.core.message.DataMessage;
import io.treecast.agent.transport.connection.StreamEvents;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class NextPathTest {
  private static final StreamEvents<List<DataMessage>> EVENTS =
      new StreamEvents<>() {
        @Override
        public void received(
            Connection<List<DataMessage>> connection,
            List<DataMessage> message,
            long arrivedNanos,
            long nowNanos) {}

        @Override
        public void closed(
            Connection<List<DataMessage>> connection, String reason, long nowNanos) {}
      };

  private final List<String> dialed = new ArrayList<>();

  private void dial(NextPath next) {
    assertThatIllegalStateException().isThrownBy(() -> next.dial(EVENTS));
  }

  private NextPath nextPath(List<String> paths) {
    return new NextPath(
        "h1:1",
        () -> paths,
        (address, events) -> {
          dialed.add(address);
          throw new IllegalStateException("nothing is dialed");
        });
  }

  @Test
  void connections_take_the_paths_in_turn() {
    List<String> paths = new ArrayList<>(List.of("a:1", "b:1"));
    NextPath next = nextPath(paths);
    dial(next);
    dial(next);
    paths.remove(0);
    dial(next);

    assertThat(dialed).containsExactly("a:1", "b:1", "b:1");
  }

  @Test
  void without_several_paths_the_stream_s_own_address_is_dialed() {
    dial(nextPath(List.of()));
    assertThat(dialed).containsExactly("h1:1");
  }
}
