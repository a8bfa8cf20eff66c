package io.treecast.agent.core.data;

import static org.assertj.core.api.Assertions.assertThat;

import io.treecast.agent.core.RecordingConnection;
import io.treecast.agent.core.link.Link;
import io.treecast.agent.core.message.PeerMessage.Hello;
import io.treecast.collectives.broadcast.message.Chunk;
import io.treecast.collectives.broadcast.message.EdgeMessage;
import io.treecast.collectives.broadcast.message.EdgeMessage.Data;
import io.treecast.collectives.broadcast.message.MessageId;
import io.treecast.collectives.broadcast.message.StreamId;
import io.treecast.ghs.NodeId;
import io.treecast.monitor.probe.SilenceDetector;
import io.treecast.monitor.probe.SilencePolicy;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class WaitingRepliesTest {
  private static final long MILLIS = 1_000_000;
  private static final long RTT_MICROS = 80_000;

  /** The wait on a link with that round trip. */
  private static final long WAIT = 10 * MILLIS;

  private final List<String> sent = new ArrayList<>();
  private final WaitingReplies replies =
      new WaitingReplies(
          (link, message, now) ->
              sent.add(
                  now / MILLIS
                      + " ms to "
                      + link.peer
                      + ": "
                      + ((Data) message).item().stream().origin()));
  private final Link link = link("a", RTT_MICROS);

  private static Link link(String peer, long rttMicros) {
    String address = "10.0.0.2:7700";
    Link link =
        new Link(
            new Hello(NodeId.of(peer), 1, address),
            1,
            new RecordingConnection<>(address),
            address,
            new SilenceDetector(SilencePolicy.DEFAULT, 0));
    link.reportedRttMicros = rttMicros;
    return link;
  }

  private static EdgeMessage message(String origin, String topic, int bytes) {
    StreamId stream = new StreamId(NodeId.of(origin), 1, topic);
    return new Data(new Chunk(new MessageId(stream, 1), 0, true, 1, ByteBuffer.allocate(bytes)));
  }

  private static EdgeMessage reply(String origin) {
    return message(origin, "reply/shared/x", 10);
  }

  private void passUntil(long nanos) {
    while (replies.nextDeadlineNanos() <= nanos) {
      replies.tick(replies.nextDeadlineNanos());
    }
  }

  @Test
  void replies_wait_for_a_part_of_the_round_trip_of_the_link_and_leave_together() {
    replies.send(link, reply("m1"), 0);
    replies.send(link, reply("m2"), WAIT - 1);
    passUntil(WAIT - 1);
    assertThat(sent).isEmpty();

    passUntil(WAIT);

    assertThat(sent).containsExactly("10 ms to a: m1", "10 ms to a: m2");
    assertThat(replies.nextDeadlineNanos()).isEqualTo(Long.MAX_VALUE);
  }

  @Test
  void a_later_reply_begins_another_wait() {
    replies.send(link, reply("m1"), 0);
    passUntil(WAIT);
    replies.send(link, reply("m2"), WAIT);
    passUntil(2 * WAIT);

    assertThat(sent).containsExactly("10 ms to a: m1", "20 ms to a: m2");
  }

  @Test
  void replies_wait_no_longer_than_the_limit_and_not_at_all_on_short_or_unmeasured_links() {
    replies.send(link("far", 1_000_000), reply("m1"), 0);
    replies.send(link("near", 500), reply("m2"), 0);
    replies.send(link("unmeasured", 0), reply("m3"), 0);
    assertThat(sent).containsExactly("0 ms to near: m2", "0 ms to unmeasured: m3");

    passUntil(WaitingReplies.MOST_NANOS);

    assertThat(sent).last().isEqualTo("25 ms to far: m1");
  }

  @Test
  void replies_wait_on_each_link_apart() {
    Link other = link("b", RTT_MICROS / 2);
    replies.send(link, reply("m1"), 0);
    replies.send(other, reply("m2"), 0);
    replies.send(link, message("m3", "", 1), MILLIS);
    passUntil(WAIT);

    assertThat(sent).containsExactly("1 ms to a: m1", "1 ms to a: m3", "5 ms to b: m2");
  }

  @Test
  void other_messages_do_not_wait_and_follow_the_replies_before_them() {
    for (String topic : List.of("", "reply/x", "reply", "to/a/reply")) {
      replies.send(link, reply("m1"), 0);
      replies.send(link, message("m2", topic, 10), MILLIS);
    }
    passUntil(WAIT);

    assertThat(sent).hasSize(8).allMatch(line -> line.startsWith("1 ms"));
  }

  @Test
  void more_bytes_than_the_limit_do_not_wait() {
    replies.send(link, reply("m1"), 0);
    replies.send(link, message("m2", "reply/shared/x", (int) WaitingReplies.MOST_BYTES), MILLIS);

    assertThat(sent).containsExactly("1 ms to a: m1", "1 ms to a: m2");
  }

  @Test
  void replies_on_a_stream_that_has_ended_are_dropped() {
    replies.send(link, reply("m1"), 0);
    replies.drop(link);
    passUntil(WAIT);

    assertThat(sent).isEmpty();
  }

  @Test
  void replies_are_released_before_the_agent_leaves() {
    replies.send(link, reply("m1"), 0);
    replies.release(link, MILLIS);
    replies.release(link, MILLIS);

    assertThat(sent).containsExactly("1 ms to a: m1");
  }
}
