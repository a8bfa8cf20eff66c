package io.treecast.agent.core.publish;

import static org.assertj.core.api.Assertions.assertThat;

import io.treecast.agent.core.publish.PublishQueue.Waiting;
import io.treecast.collectives.broadcast.contract.BroadcastRefusedException;
import io.treecast.collectives.broadcast.message.MessageId;
import org.junit.jupiter.api.Test;

class PublishQueueTest {
  private static final PublishOutcome NOBODY =
      new PublishOutcome() {
        @Override
        public void accepted(MessageId messageId, long treeVersion, int replicas) {}

        @Override
        public void refused(BroadcastRefusedException.Reason reason, String text) {}
      };

  private final PublishQueue line = new PublishQueue(1_000);

  private static Waiting of(String client, int bytes) {
    return of(client, bytes, 0, 100);
  }

  private static Waiting of(String client, int bytes, long sinceNanos, long deadlineNanos) {
    return new Waiting(
        client,
        bytes,
        sinceNanos,
        deadlineNanos,
        nowNanos -> {
          throw new AssertionError("nothing is sent here");
        },
        false,
        NOBODY);
  }

  /** Lets as many of a client wait as may. */
  private int fill(String client, int bytes) {
    int added = 0;
    while (line.hasPlaceFor(of(client, bytes))) {
      line.add(of(client, bytes));
      added++;
    }
    return added;
  }

  @Test
  void one_client_leaves_half_of_the_number_and_another_half_of_what_is_left() {
    assertThat(fill("a", 0)).isEqualTo(PublishQueue.MAX_WAITING / 2);
    assertThat(fill("b", 0)).isEqualTo(PublishQueue.MAX_WAITING / 4);
    assertThat(line.size()).isEqualTo(PublishQueue.MAX_WAITING * 3 / 4);
  }

  @Test
  void the_same_holds_for_bytes() {
    assertThat(fill("a", 100)).isEqualTo(5);
    assertThat(fill("b", 100)).isEqualTo(2);
    assertThat(line.hasPlaceFor(of("b", 1))).isTrue();
    assertThat(line.hasPlaceFor(of("c", 300))).isTrue();
    assertThat(line.hasPlaceFor(of("c", 301))).isFalse();
  }

  @Test
  void the_first_of_a_client_may_take_all_that_is_free() {
    line.add(of("a", 1_000));
    assertThat(line.hasPlaceFor(of("a", 0))).isFalse();
    assertThat(line.hasPlaceFor(of("b", 1))).isFalse();
    assertThat(line.hasPlaceFor(of("b", 0))).isTrue();
  }

  @Test
  void an_abandoned_request_makes_room() {
    fill("a", 100);
    line.removeFirst(0);
    assertThat(fill("a", 100)).isEqualTo(1);
    assertThat(line.take(all -> true, 0)).hasSize(5);
    assertThat(fill("b", 100)).isEqualTo(5);
  }

  @Test
  void it_tells_how_long_requests_waited() {
    line.add(of("a", 0, 10, 100));
    line.add(of("a", 0, 20, 100));
    line.removeFirst(50);
    assertThat(line.waits()).as("the other waits still").isEqualTo(1);
    assertThat(line.waitedNanos()).isEqualTo(40);
  }

  @Test
  void the_next_deadline_is_the_earliest_whoever_came_first() {
    assertThat(line.nextDeadlineNanos()).isEqualTo(Long.MAX_VALUE);
    line.add(of("a", 0, 0, 300));
    line.add(of("a", 0, 0, 100));
    line.add(of("a", 0, 0, 200));
    assertThat(line.nextDeadlineNanos()).isEqualTo(100);
    assertThat(line.take(w -> w.deadlineNanos() <= 100, 100)).hasSize(1);
    assertThat(line.nextDeadlineNanos()).isEqualTo(200);
    line.take(all -> true, 100);
    assertThat(line.nextDeadlineNanos()).isEqualTo(Long.MAX_VALUE);
  }
}
