package io.treecast.collectives.broadcast.topic;

import static org.assertj.core.api.Assertions.assertThat;

import io.treecast.collectives.broadcast.message.EdgeMessage.InterestKnown;
import io.treecast.collectives.broadcast.message.Gap;
import io.treecast.collectives.broadcast.message.Position;
import io.treecast.collectives.broadcast.message.StreamId;
import io.treecast.collectives.broadcast.message.StreamPosition;
import io.treecast.ghs.NodeId;
import java.util.List;
import org.junit.jupiter.api.Test;

/** The end of a stream, as reported by the members on the path to the one that asks. */
class StreamEndsTest {
  private static final StreamId STREAM = new StreamId(NodeId.of("a"), 1, "t", 0);

  private final StreamEnds ends = new StreamEnds(2);

  private static List<StreamPosition> at(long sequence) {
    return List.of(new StreamPosition(STREAM, new Position(sequence, 0)));
  }

  private static List<Gap> forgottenAt(long sequence) {
    return List.of(new Gap(STREAM, Position.START, new Position(sequence, 0), 1));
  }

  private InterestKnown answer() {
    List<InterestKnown> parts = ends.answer(7);
    assertThat(parts).hasSize(1);
    return parts.get(0);
  }

  @Test
  void a_stream_that_a_member_has_as_far_is_not_named_as_forgotten() {
    ends.add(at(3), forgottenAt(3));

    assertThat(answer()).isEqualTo(new InterestKnown(7, at(3), List.of(), true));
  }

  @Test
  void content_forgotten_on_the_path_does_not_come_from_behind() {
    ends.add(at(3), List.of());
    ends.addOwn(List.of(), forgottenAt(3));

    assertThat(answer()).isEqualTo(new InterestKnown(7, List.of(), forgottenAt(3), true));
  }

  @Test
  void content_further_than_the_forgotten_part_comes_from_behind() {
    ends.add(at(4), List.of());
    ends.addOwn(List.of(), forgottenAt(3));

    assertThat(answer()).isEqualTo(new InterestKnown(7, at(4), List.of(), true));
  }
}
