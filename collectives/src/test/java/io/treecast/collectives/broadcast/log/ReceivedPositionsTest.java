package io.treecast.collectives.broadcast.log;

import static io.treecast.collectives.broadcast.Examples.A;
import static io.treecast.collectives.broadcast.Examples.B;
import static io.treecast.collectives.broadcast.Examples.C;
import static io.treecast.collectives.broadcast.Examples.stream;
import static org.assertj.core.api.Assertions.assertThat;

import io.treecast.collectives.broadcast.message.Position;
import io.treecast.collectives.broadcast.message.StreamId;
import org.junit.jupiter.api.Test;

/** The known positions of the other side of an outlet in streams that are not here any more. */
class ReceivedPositionsTest {
  private static final Position FAR = new Position(7, 0);

  private final ReceivedPositions ofSubscriber = new ReceivedPositions(2);

  private static StreamLog log(StreamId id, Position next) {
    return new StreamLog(id, next, 1);
  }

  private static void leave(ReceivedPositions had, StreamId id) {
    had.put(id, FAR);
    had.forget(log(id, FAR));
  }

  @Test
  void a_subscriber_has_what_it_had_of_the_streams_that_left_last() {
    leave(ofSubscriber, stream(A));
    leave(ofSubscriber, stream(B));
    leave(ofSubscriber, stream(C));

    assertThat(ofSubscriber.next(stream(A))).isEqualTo(Position.START);
    assertThat(ofSubscriber.next(stream(B))).isEqualTo(FAR);
    assertThat(ofSubscriber.next(stream(C))).isEqualTo(FAR);
  }

  @Test
  void a_stream_that_is_here_again_is_not_among_those_that_left() {
    leave(ofSubscriber, stream(A));
    ofSubscriber.put(stream(A), FAR);
    leave(ofSubscriber, stream(B));
    leave(ofSubscriber, stream(C));

    assertThat(ofSubscriber.next(stream(A))).isEqualTo(FAR);
    assertThat(ofSubscriber.next(stream(B))).isEqualTo(FAR);
  }

  @Test
  void the_starting_positions_are_kept_for_ever() {
    ofSubscriber.name(stream(A));
    leave(ofSubscriber, stream(A));
    leave(ofSubscriber, stream(B));
    leave(ofSubscriber, stream(C));

    assertThat(ofSubscriber.next(stream(A))).isEqualTo(FAR);
    assertThat(ofSubscriber.next(stream(B))).isEqualTo(FAR);
  }

  @Test
  void a_neighbours_position_in_a_stream_that_left_is_kept_only_if_it_is_further() {
    ReceivedPositions ofNeighbour = new ReceivedPositions(0);
    leave(ofNeighbour, stream(A));
    ofNeighbour.put(stream(B), FAR);
    ofNeighbour.forget(log(stream(B), new Position(6, 0)));

    assertThat(ofNeighbour.next(stream(A))).isEqualTo(Position.START);
    assertThat(ofNeighbour.next(stream(B))).isEqualTo(FAR);
  }
}
