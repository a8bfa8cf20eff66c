package io.treecast.agent.transport;

import static org.assertj.core.api.Assertions.assertThat;

import io.treecast.agent.core.message.DataMessage;
import io.treecast.agent.core.message.DataMessage.AttachData;
import io.treecast.agent.core.message.DataMessage.Edge;
import io.treecast.agent.core.message.DataMessage.JoinData;
import io.treecast.agent.core.message.DataMessage.Leave;
import io.treecast.agent.core.message.DataMessage.WantConnections;
import io.treecast.agent.transport.connection.TcpSocket.Measurements;
import io.treecast.agent.transport.upload.ConnectionCount;
import io.treecast.agent.transport.upload.UploadMessages;
import io.treecast.collectives.broadcast.message.Channel;
import io.treecast.collectives.broadcast.message.Chunk;
import io.treecast.collectives.broadcast.message.EdgeMessage.Data;
import io.treecast.collectives.broadcast.message.EdgeMessage.Detach;
import io.treecast.collectives.broadcast.message.MessageId;
import io.treecast.collectives.broadcast.message.StreamId;
import io.treecast.collectives.broadcast.message.Topic;
import io.treecast.ghs.NodeId;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

class UploadConnectionsTest {
  private static final long LONG_NANOS = 150_000_000;
  private static final long SHORT_NANOS = 1_000_000;

  private static Edge chunk(int lane, long sequence, int bytes) {
    MessageId id = new MessageId(new StreamId(NodeId.of("p"), 1, Topic.DEFAULT, lane), sequence);
    return new Edge(new Data(new Chunk(id, 0, true, 1, ByteBuffer.allocate(bytes))));
  }

  private static Edge piece(long sequence) {
    return chunk(1, sequence, 60_000);
  }

  private static Edge message(long sequence) {
    return chunk(0, sequence, 10);
  }

  /** So that the connections there are to be are open. */
  private static StreamPair uploading(long roundTripNanos) {
    StreamPair pair = new StreamPair(roundTripNanos);
    pair.dialer.send(piece(1));
    pair.deliverAll();
    return pair;
  }

  @Test
  void both_orders_arrive_once_and_whole_whichever_connection_is_faster() {
    for (long seed = 1; seed <= 300; seed++) {
      Random random = new Random(seed);
      StreamPair pair = new StreamPair(random.nextBoolean() ? LONG_NANOS : SHORT_NANOS);
      List<DataMessage> there = new ArrayList<>();
      List<DataMessage> back = new ArrayList<>();
      for (int i = 1; i <= 60; i++) {
        boolean isThere = random.nextBoolean();
        DataMessage sent =
            switch (random.nextInt(8)) {
              case 0 -> new Edge(new Detach(Channel.UPLOADS));
              case 1, 2 -> message(i);
              default -> chunk(1 + random.nextInt(2), i, random.nextInt(65_536));
            };
        (isThere ? there : back).add(sent);
        (isThere ? pair.dialer : pair.acceptor).send(sent);
        int main = random.nextInt(3);
        if (main == 0) {
          pair.deliverAll(random, number -> number != 1);
        } else if (main == 1) {
          pair.runLoop();
        }
      }
      pair.deliverAll(random, number -> true);
      for (boolean ofUploads : new boolean[] {true, false}) {
        assertThat(pair.accepting.received(ofUploads))
            .as("seed %d", seed)
            .isEqualTo(there.stream().filter(m -> UploadMessages.contain(m) == ofUploads).toList());
        assertThat(pair.dialing.received(ofUploads))
            .as("seed %d", seed)
            .isEqualTo(back.stream().filter(m -> UploadMessages.contain(m) == ofUploads).toList());
      }
      assertThat(pair.dialing.ends).isEmpty();
      assertThat(pair.accepting.ends).isEmpty();
    }
  }

  @Test
  void a_long_link_has_several_connections_for_uploads_and_a_short_one_has_one() {
    assertThat(uploading(LONG_NANOS).connections()).isEqualTo(ConnectionCount.ON_LONG_LINK);
    assertThat(uploading(SHORT_NANOS).connections()).isEqualTo(1);
    assertThat(new StreamPair(LONG_NANOS).connections()).as("without uploads").isZero();
  }

  /** Uploads for a second over sockets with 10 MB/s each and a round trip of 300 ms. */
  private static void uploadThroughQueue(StreamPair pair) {
    for (int i = 1; i <= 4; i++) {
      pair.nowNanos += 300_000_000;
      pair.measured = new Measurements(3_000_000L * i, 300_000, 150_000);
      pair.dialer.send(piece(1 + i));
      pair.deliverAll();
    }
  }

  @Test
  void the_connections_of_a_long_link_with_a_queue_share_a_pace() {
    StreamPair pair = uploading(LONG_NANOS);
    uploadThroughQueue(pair);

    assertThat(pair.limits).hasSize(ConnectionCount.ON_LONG_LINK);
    assertThat(pair.limits.values()).allSatisfy(limit -> assertThat(limit).isEqualTo(7_500_000));
  }

  @Test
  void connections_over_several_paths_have_no_pace_since_their_queues_differ() {
    StreamPair pair = uploading(LONG_NANOS);
    pair.dialer.spread(2);
    uploadThroughQueue(pair);

    assertThat(pair.limits).isEmpty();
  }

  @Test
  void messages_pass_uploads_that_wait_in_the_network() {
    StreamPair pair = uploading(SHORT_NANOS);
    for (int i = 2; i <= 50; i++) {
      pair.dialer.send(piece(i));
    }
    pair.dialer.send(message(1));
    pair.deliverAll(new Random(1), number -> number == 0);

    assertThat(pair.accepting.received(false)).containsExactly(message(1));
    assertThat(pair.accepting.received(true)).hasSizeLessThan(50);
  }

  @Test
  void the_end_that_has_not_dialed_asks_for_connections() {
    StreamPair pair = new StreamPair(LONG_NANOS);
    pair.acceptor.send(piece(1));
    pair.deliverAll();
    pair.acceptor.send(piece(2));
    pair.deliverAll();

    assertThat(pair.connections()).isEqualTo(ConnectionCount.ON_LONG_LINK);
    assertThat(pair.dialing.received(true)).containsExactly(piece(1), piece(2));
  }

  @Test
  void uploads_go_by_the_main_connection_where_no_other_can_be_opened() {
    StreamPair pair = new StreamPair(LONG_NANOS);
    pair.refuseConnections();
    for (int i = 1; i <= 3; i++) {
      pair.dialer.send(piece(i));
      pair.acceptor.send(piece(i));
    }
    pair.deliverAll();

    assertThat(pair.accepting.received(true)).containsExactly(piece(1), piece(2), piece(3));
    assertThat(pair.dialing.received(true)).containsExactly(piece(1), piece(2), piece(3));
    assertThat(pair.dialing.ends).isEmpty();
  }

  @Test
  void a_connection_that_breaks_ends_the_stream() {
    StreamPair pair = uploading(LONG_NANOS);
    pair.breakLast();

    assertThat(pair.dialing.ends).containsExactly("broken");
    pair.deliverAll();
    assertThat(pair.accepting.ends).containsExactly(GrpcStream.CLOSED_BY_OTHER_END);
  }

  @Test
  void all_that_was_sent_arrives_before_the_end_of_the_stream_does() {
    for (long seed = 1; seed <= 100; seed++) {
      StreamPair pair = uploading(LONG_NANOS);
      for (int i = 2; i <= 30; i++) {
        pair.dialer.send(piece(i));
      }
      pair.dialer.send(new Leave());
      pair.dialer.close();
      pair.deliverAll(new Random(seed), number -> true);

      assertThat(pair.accepting.received(true)).as("seed %d", seed).hasSize(30);
      assertThat(pair.accepting.received).last().isEqualTo(new Leave());
      assertThat(pair.accepting.ends).containsExactly(GrpcStream.CLOSED_BY_OTHER_END);
    }
  }

  @Test
  void a_connection_that_joins_no_stream_is_closed() {
    StreamPair pair = uploading(LONG_NANOS);
    pair.dialAs(new JoinData(new AttachData(NodeId.of("d"), 1, 1, 2)));
    pair.dialAs(piece(7));
    pair.deliverAll();

    assertThat(pair.accepting.received(true)).containsExactly(piece(1));
    assertThat(pair.accepting.ends).isEmpty();
  }

  @Test
  void no_more_connections_join_than_an_agent_dials() {
    StreamPair pair = uploading(LONG_NANOS);
    for (int i = 0; i < 2 * ConnectionCount.MOST; i++) {
      pair.dialAs(new JoinData(new AttachData(NodeId.of("d"), 1, 1, 1)));
    }
    pair.deliverAll();
    pair.acceptor.send(new Edge(new Detach(Channel.MESSAGES)));
    pair.deliverAll();

    assertThat(pair.connections()).isEqualTo(ConnectionCount.ON_LONG_LINK);
    assertThat(pair.joinedAtAcceptor()).isEqualTo(ConnectionCount.MOST);
  }

  @Test
  void an_agent_dials_no_more_connections_than_it_would_use() {
    StreamPair pair = uploading(LONG_NANOS);
    pair.acceptor.sendMain(new WantConnections(Integer.MAX_VALUE));
    pair.deliverAll();

    assertThat(pair.connections()).isEqualTo(ConnectionCount.MOST);
  }

  @Test
  void a_stream_ends_when_too_much_of_its_uploads_is_not_taken() {
    StreamPair pair = uploading(LONG_NANOS);
    for (int i = 2; i <= 2_000; i++) {
      pair.dialer.send(piece(i));
    }
    pair.runLoop();

    assertThat(pair.dialing.ends).singleElement().asString().contains("read");
  }
}
