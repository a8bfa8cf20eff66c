package io.treecast.agent.transport;

import static org.assertj.core.api.Assertions.assertThat;

import io.treecast.agent.core.contract.Connection;
import io.treecast.agent.core.contract.TransportEvents;
import io.treecast.agent.core.message.DataMessage;
import io.treecast.agent.core.message.DataMessage.Edge;
import io.treecast.agent.core.message.DataMessage.Leave;
import io.treecast.agent.core.message.PeerMessage;
import io.treecast.agent.transport.connection.Loop;
import io.treecast.agent.transport.frame.BatchSize;
import io.treecast.collectives.broadcast.message.Channel;
import io.treecast.collectives.broadcast.message.Chunk;
import io.treecast.collectives.broadcast.message.EdgeMessage.Credit;
import io.treecast.collectives.broadcast.message.EdgeMessage.Data;
import io.treecast.collectives.broadcast.message.MessageId;
import io.treecast.collectives.broadcast.message.StreamId;
import io.treecast.ghs.NodeId;
import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** A data stream between a core and a stream of batches, both played by the test. */
class DataStreamTest {
  private final ArrayDeque<Runnable> loopTasks = new ArrayDeque<>();
  private final List<DataMessage> received = new ArrayList<>();
  private final List<String> ends = new ArrayList<>();
  private final Batches batches = new Batches();
  private boolean closesAtOnce;
  private final DataStream<Batches> stream =
      new DataStream<>(Core::new, new TestLoop(), events -> batches, 1 << 20, null, null);

  @Test
  void messages_of_one_turn_of_the_loop_travel_together_and_in_order() {
    stream.send(chunk(1, 100));
    stream.send(new Edge(new Credit(Channel.MESSAGES, 7, 0)));
    stream.send(chunk(2, 0));
    assertThat(batches.sent).isEmpty();

    runLoop();
    assertThat(batches.sent)
        .containsExactly(
            List.of(chunk(1, 100), new Edge(new Credit(Channel.MESSAGES, 7, 0)), chunk(2, 0)));

    stream.send(chunk(3, 100));
    runLoop();
    assertThat(batches.sent).hasSize(2).last().isEqualTo(List.of(chunk(3, 100)));
  }

  @Test
  void a_large_message_travels_alone_and_waits_only_for_earlier_ones() {
    stream.send(chunk(1, 100));
    stream.send(chunk(2, 60_000));
    stream.send(new Leave());

    assertThat(batches.sent)
        .containsExactly(List.of(chunk(1, 100)), List.of(chunk(2, 60_000)), List.of(new Leave()));
    runLoop();
    assertThat(batches.sent).hasSize(3);
  }

  @Test
  void a_batch_of_small_messages_has_a_limit() {
    for (int i = 1; i <= 100; i++) {
      stream.send(chunk(i, 1_000));
    }
    runLoop();

    assertThat(batches.sent).hasSizeGreaterThan(5).allMatch(batch -> batch.size() <= 16);
    assertThat(batches.sent.stream().flatMap(List::stream)).hasSize(100);
  }

  @Test
  void no_more_messages_travel_together_than_the_other_end_reads() {
    stream.received(batches, List.of(new Edge(new Credit(Channel.MESSAGES, 8 << 20, 0))), 0, 0);
    stream.received(
        batches, List.of(new Edge(new Credit(Channel.MESSAGES, 1 << 30, 0))), 1_000_000, 1_000_000);
    for (int i = 0; i <= BatchSize.MOST_MESSAGES; i++) {
      stream.send(new Edge(new Credit(Channel.MESSAGES, 7, 0)));
    }
    runLoop();

    assertThat(batches.sent).extracting(List::size).containsExactly(BatchSize.MOST_MESSAGES, 1);
  }

  @Test
  void chunks_travel_together_while_much_is_carried() {
    stream.received(batches, List.of(new Edge(new Credit(Channel.MESSAGES, 8 << 20, 0))), 0, 0);
    stream.received(
        batches, List.of(new Edge(new Credit(Channel.MESSAGES, 2 << 20, 0))), 1_000_000, 1_000_000);
    for (int i = 1; i <= 6; i++) {
      stream.send(chunk(i, 65_536));
    }
    stream.send(new Leave());

    assertThat(batches.sent).extracting(List::size).containsExactly(4, 2, 1);
  }

  @Test
  void closing_sends_what_waits_and_nothing_after_it() {
    stream.send(chunk(1, 100));
    stream.close();
    stream.send(chunk(2, 100));
    runLoop();

    assertThat(batches.sent).containsExactly(List.of(chunk(1, 100)));
    assertThat(batches.closed).isTrue();
  }

  @Test
  void the_rest_of_a_batch_is_dropped_when_the_core_closes_on_its_begin() {
    closesAtOnce = true;
    stream.received(batches, List.of(chunk(1, 100), chunk(2, 100)), 5, 5);

    assertThat(received).containsExactly(chunk(1, 100));
  }

  @Test
  void the_end_of_the_stream_is_the_end_of_the_connection() {
    stream.send(chunk(1, 100));
    stream.closed(batches, "gone", 5);
    stream.send(chunk(2, 100));

    assertThat(ends).containsExactly("gone");
  }

  private void runLoop() {
    for (Runnable task = loopTasks.poll(); task != null; task = loopTasks.poll()) {
      task.run();
    }
  }

  private static Edge chunk(long sequence, int bytes) {
    MessageId id = new MessageId(new StreamId(NodeId.of("p"), 1), sequence);
    return new Edge(new Data(new Chunk(id, 0, true, 1, ByteBuffer.allocate(bytes))));
  }

  private static final class Batches implements Connection<List<DataMessage>> {
    final List<List<DataMessage>> sent = new ArrayList<>();
    boolean closed;

    @Override
    public void send(List<DataMessage> batch) {
      sent.add(batch);
    }

    @Override
    public void close() {
      closed = true;
    }

    @Override
    public void identified(NodeId peer) {}

    @Override
    public String remoteAddress() {
      return "peer:1";
    }
  }

  private final class TestLoop implements Loop {
    @Override
    public void execute(Runnable task) {
      loopTasks.add(task);
    }

    @Override
    public long nowNanos() {
      return 0;
    }
  }

  private final class Core implements TransportEvents {
    @Override
    public void controlAccepted(Connection<PeerMessage> connection, long nowNanos) {}

    @Override
    public void controlReceived(
        Connection<PeerMessage> connection,
        PeerMessage message,
        long arrivedNanos,
        long nowNanos) {}

    @Override
    public void controlClosed(Connection<PeerMessage> connection, String reason, long nowNanos) {}

    @Override
    public void dataAccepted(Connection<DataMessage> connection, long nowNanos) {}

    @Override
    public void dataReceived(
        Connection<DataMessage> connection, DataMessage message, long nowNanos) {
      received.add(message);
      if (closesAtOnce) {
        connection.close();
      }
    }

    @Override
    public void dataClosed(Connection<DataMessage> connection, String reason, long nowNanos) {
      ends.add(reason);
    }
  }
}
