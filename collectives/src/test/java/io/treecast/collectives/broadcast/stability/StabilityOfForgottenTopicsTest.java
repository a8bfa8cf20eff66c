package io.treecast.collectives.broadcast.stability;

import static io.treecast.collectives.broadcast.Examples.A;
import static io.treecast.collectives.broadcast.Examples.B;
import static io.treecast.collectives.broadcast.Examples.FIRST_START;
import static io.treecast.collectives.broadcast.Examples.SELF;
import static io.treecast.collectives.broadcast.Examples.SMALL;
import static io.treecast.collectives.broadcast.Examples.bytes;
import static io.treecast.collectives.broadcast.Examples.nodes;
import static io.treecast.collectives.broadcast.Examples.open;
import static io.treecast.collectives.broadcast.Examples.receive;
import static io.treecast.collectives.broadcast.Examples.star;
import static org.assertj.core.api.Assertions.assertThat;

import io.treecast.collectives.broadcast.BroadcastRelay;
import io.treecast.collectives.broadcast.RecordingEffects;
import io.treecast.collectives.broadcast.contract.SubscribeOptions;
import io.treecast.collectives.broadcast.message.Chunk;
import io.treecast.collectives.broadcast.message.EdgeMessage.Have;
import io.treecast.collectives.broadcast.message.EdgeMessage.Interest;
import io.treecast.collectives.broadcast.message.EdgeMessage.InterestKnown;
import io.treecast.collectives.broadcast.message.EdgeMessage.Stable;
import io.treecast.collectives.broadcast.message.Gap;
import io.treecast.collectives.broadcast.message.MessageId;
import io.treecast.collectives.broadcast.message.Position;
import io.treecast.collectives.broadcast.message.StreamId;
import io.treecast.collectives.broadcast.message.StreamPosition;
import io.treecast.collectives.broadcast.stream.Streams;
import io.treecast.mst.CommittedTree;
import java.util.List;
import java.util.Set;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

/** The stable part of a forgotten topic, and a member's reported positions in it. */
public class StabilityOfForgottenTopicsTest {
  private static final long SECOND = 1_000_000_000L;
  private static final long REVIEW = 10 * SECOND;
  private static final StreamId T = new StreamId(A, FIRST_START, "t");

  private final RecordingEffects effects = new RecordingEffects();
  private long nanos;

  private static Chunk message(long sequence) {
    return new Chunk(new MessageId(T, sequence), 0, true, 1, bytes("x"));
  }

  private static StreamPosition at(StreamId stream, long sequence) {
    return new StreamPosition(stream, new Position(sequence, 0));
  }

  /**
   * Returns a child of a, which had one message before the topic was unwanted, when two are stable.
   */
  private BroadcastRelay childThatForgot(StreamPosition... stableBefore) {
    BroadcastRelay child = childThatWillForget(stableBefore);
    forget(child);
    effects.take();
    return child;
  }

  private BroadcastRelay childThatWillForget(StreamPosition... stableBefore) {
    BroadcastRelay child = new BroadcastRelay(SELF, FIRST_START, SMALL, effects);
    child.treeCommitted(new CommittedTree(1, A, star(A, B).edges()));
    child.activeEdges(nodes(A, B));
    open(child, A);
    open(child, B);
    child.received(A, new Interest(1, 1, List.of(), List.of(), false, true));
    child.received(B, new Interest(1, 1, List.of(), List.of(), false, true));
    receive(child, A, message(1));
    child.received(A, new Stable(1, List.of(stableBefore), false, 0));
    child.received(A, new Stable(1, List.of(at(T, 3)), false, 0));
    return child;
  }

  private void forget(BroadcastRelay child) {
    for (long end = Streams.IDLE_NANOS + 2 * REVIEW; nanos < end; ) {
      nanos += REVIEW;
      child.tick(nanos);
    }
    assertThat(child.positions()).noneMatch(position -> position.stream().isOfTopic());
  }

  @Test
  void content_that_was_stable_before_it_was_forgotten_is_released_when_it_comes_late() {
    BroadcastRelay child = childThatForgot();
    child.received(B, new Interest(1, 2, List.of("t"), List.of(), false, true));
    effects.take();

    receive(child, A, message(2));

    assertThat(effects.takeFlow()).contains("send to b: a2.0 'x' last");
    assertThat(child.counters().retainedBytes()).isZero();
  }

  @Test
  void a_member_that_has_forgotten_the_topic_is_not_waited_for_when_it_is_wanted_again()
      throws Exception {
    BroadcastRelay child = childThatForgot();

    child.subscribe(1, SubscribeOptions.defaults().withTopics(Set.of("t")));
    child.tick(nanos + SECOND);

    assertThat(effects.take()).contains("have to a of v1: a2.0");
  }

  @Test
  void a_member_that_has_forgotten_the_topic_is_not_waited_for_in_a_new_tree_or_stream()
      throws Exception {
    BroadcastRelay child = childThatForgot();
    child.subscribe(1, SubscribeOptions.defaults().withTopics(Set.of("t")));
    child.tick(nanos + SECOND);
    child.received(A, new Interest(2, 2, List.of(), List.of(), false, true));
    child.received(B, new Interest(2, 2, List.of(), List.of(), false, true));
    effects.take();

    child.treeCommitted(new CommittedTree(2, A, star(A, B).edges()));
    child.tick(nanos + 2 * SECOND);
    assertThat(effects.take()).contains("have to a of v2: a2.0");

    child.streamClosed(A);
    open(child, A);
    child.tick(nanos + 3 * SECOND);
    assertThat(effects.take()).contains("have to a of v2: a2.0");
  }

  @Test
  void a_childs_report_for_a_later_tree_counts_though_the_topic_is_forgotten_before_that_tree() {
    BroadcastRelay child = childThatWillForget();
    child.received(B, new Have(2, List.of(at(T, 2)), false, 0));
    forget(child);
    child.received(A, new Interest(2, 2, List.of("t"), List.of(), false, true));
    child.received(B, new Interest(2, 2, List.of("t"), List.of(), false, true));

    child.treeCommitted(new CommittedTree(2, A, star(A, B).edges()));
    child.tick(nanos + SECOND);

    assertThat(effects.take()).contains("have to a of v2: a2.0");
  }

  @Test
  void a_childs_report_that_is_due_is_passed_on_though_the_topic_is_forgotten_before() {
    BroadcastRelay child = childThatWillForget();
    for (long end = Streams.IDLE_NANOS; nanos < end; nanos += REVIEW) {
      child.tick(nanos);
    }
    StreamId other = new StreamId(B, FIRST_START);
    child.received(B, new Have(1, List.of(at(other, 2)), false, 0));
    child.tick(nanos - SECOND / 2); // The next report is due in a second.
    effects.take();
    child.received(B, new Have(1, List.of(at(T, 4)), false, 0));

    forget(child);

    assertThat(effects.take()).contains("have to a of v1: a4.0");
  }

  @Test
  void reports_of_any_number_of_topics_pass_a_member_that_has_none_of_them() {
    BroadcastRelay child = childThatForgot();
    for (int job = 0; job < 5 * SMALL.origins(); job++) {
      StreamPosition two = at(new StreamId(B, FIRST_START, "job" + job), 2);

      child.received(B, new Have(1, List.of(two), false, 0));
      nanos += SECOND;
      child.tick(nanos);
      child.received(A, new Stable(1, List.of(two), false, 0));

      assertThat(effects.take()).as("job " + job).contains("have to a of v1: b2.0");
    }
  }

  @Test
  void the_end_of_an_absence_is_reported_when_no_topic_is_here() {
    BroadcastRelay child = childThatForgot();
    StreamPosition two = at(new StreamId(B, FIRST_START, "job"), 2);
    child.received(B, new Have(1, List.of(two), true, 0));
    nanos += SECOND;
    child.tick(nanos);
    child.received(A, new Stable(1, List.of(two), true, 0));
    effects.take();

    child.received(B, new Have(1, List.of(), false, 0));
    nanos += SECOND;
    child.tick(nanos);

    assertThat(effects.take()).contains("have to a of v1:");
  }

  @Test
  void a_member_that_learns_of_the_forgotten_topic_is_not_waited_for() throws Exception {
    BroadcastRelay child = childThatForgot();
    child.subscribe(1, SubscribeOptions.defaults().withTopics(Set.of("t")));
    StreamId other = new StreamId(B, FIRST_START, "t");
    Gap all = new Gap(other, Position.START, new Position(3, 0), 1);

    child.received(A, new InterestKnown(3, List.of(), List.of(all), true));
    child.received(B, new InterestKnown(4, List.of(), List.of(), true));
    child.tick(nanos + SECOND);

    assertThat(effects.take()).contains("have to a of v1: a2.0 b3.0");
  }

  @Test
  void earlier_stable_ends_are_remembered_up_to_the_limit_of_origins() {
    StreamPosition[] others =
        LongStream.range(0, SMALL.origins())
            .mapToObj(i -> at(new StreamId(B, FIRST_START, "other" + i), 2))
            .toArray(StreamPosition[]::new);
    BroadcastRelay child = childThatForgot(others);
    child.streamClosed(B);
    effects.take();

    open(child, B);

    assertThat(effects.take())
        .filteredOn(line -> line.startsWith("stable to b"))
        .containsExactly("stable to b of v1: b2.0 b2.0 b2.0");
  }
}
