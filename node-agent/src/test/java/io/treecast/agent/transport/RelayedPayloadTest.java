package io.treecast.agent.transport;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.protobuf.ByteOutput;
import com.google.protobuf.ByteString;
import com.google.protobuf.UnsafeByteOperations;
import io.treecast.agent.core.message.DataMessage;
import io.treecast.agent.core.message.DataMessage.Collective;
import io.treecast.agent.core.message.DataMessage.Edge;
import io.treecast.agent.transport.frame.BatchSize;
import io.treecast.agent.transport.frame.Frames;
import io.treecast.agent.transport.frame.PeerMethods;
import io.treecast.agent.wire.DataCodec;
import io.treecast.agent.wire.value.RecentStreams;
import io.treecast.collectives.broadcast.message.Chunk;
import io.treecast.collectives.broadcast.message.EdgeMessage.Data;
import io.treecast.collectives.broadcast.message.MessageId;
import io.treecast.collectives.operation.contract.CombiningMessage.Answer;
import io.treecast.collectives.operation.contract.Outcome.Completed;
import io.treecast.collectives.operation.contract.Value.Parts;
import io.treecast.ghs.NodeId;
import io.treecast.proto.v1.DataFrame;
import io.treecast.proto.v1.DataRequest;
import java.io.ByteArrayInputStream;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;

/** A relay copies little of a payload. */
class RelayedPayloadTest {
  /** The stream that gRPC gives to a marshaller; records the arrays it is read into. */
  private static final class FromNetwork extends ByteArrayInputStream {
    final List<byte[]> readInto = new ArrayList<>();

    FromNetwork(byte[] frame) {
      super(frame);
    }

    @Override
    public synchronized int read(byte[] into, int offset, int length) {
      int read = super.read(into, offset, length);
      if (read > 0) {
        readInto.add(into);
      }
      return read;
    }
  }

  @Test
  void it_is_copied_once_into_the_array_that_it_is_sent_from_but_for_its_begin() throws Exception {
    FromNetwork network = network(chunk(1, 65_536));

    Chunk received = receivedFrom(network).get(0);
    ByteString sent = DataCodec.encode(new Edge(new Data(received))).getChunk().getPayload();

    assertThat(network.readInto.stream().map(array -> array.length))
        .satisfiesExactly(
            ahead -> assertThat(ahead).isLessThan(1_024),
            frame -> assertThat(frame).isBetween(65_536, 65_636));
    assertThat(received.payload().array()).isSameAs(network.readInto.get(1));
    assertThat(arrayOf(sent)).isSameAs(network.readInto.get(1));
  }

  @Test
  void it_is_kept_without_what_travelled_with_it() throws Exception {
    List<Chunk> received = receivedFrom(network(chunk(1, 100), chunk(2, 65_536)));

    assertThat(received).containsExactly(chunk(1, 100), chunk(2, 65_536));
    assertThat(received.get(0).payload().array()).hasSize(100);
  }

  /** A member keeps its part of a scatter, and passes on those of members behind it. */
  @Test
  void a_part_is_kept_without_the_others_that_travelled_with_it() throws Exception {
    SortedMap<NodeId, ByteBuffer> parts = new TreeMap<>();
    parts.put(NodeId.of("a"), chunk(1, 20_000).payload());
    parts.put(NodeId.of("b"), chunk(2, 100).payload());
    DataMessage answer = new Collective(answer(parts));
    DataRequest sent = DataRequest.newBuilder().addFrames(DataCodec.encode(answer)).build();

    DataMessage received = receivedMessages(new FromNetwork(sent.toByteArray())).get(0);

    assertThat(received).isEqualTo(answer);
    assertThat(partsOf(received).values())
        .allSatisfy(part -> assertThat(part.capacity()).isLessThan(part.remaining() * 9 / 8));
  }

  @Test
  void a_part_that_fills_its_frame_is_not_copied() throws Exception {
    SortedMap<NodeId, ByteBuffer> parts = new TreeMap<>();
    parts.put(NodeId.of("a"), chunk(1, 20_000).payload());
    DataRequest sent =
        DataRequest.newBuilder().addFrames(DataCodec.encode(new Collective(answer(parts)))).build();
    FromNetwork network = new FromNetwork(sent.toByteArray());

    DataMessage received = receivedMessages(network).get(0);

    byte[] frame = network.readInto.get(network.readInto.size() - 1);
    assertThat(partsOf(received).values())
        .singleElement()
        .satisfies(part -> assertThat(part.capacity()).isEqualTo(frame.length));
  }

  private static Answer answer(SortedMap<NodeId, ByteBuffer> parts) {
    TreeSet<NodeId> members = new TreeSet<>(parts.keySet());
    return new Answer("s", 1, new Completed(1, members, new Parts(parts)), members);
  }

  private static SortedMap<NodeId, ByteBuffer> partsOf(DataMessage answer) {
    Completed outcome = (Completed) ((Answer) ((Collective) answer).message()).outcome();
    return ((Parts) outcome.value()).byMember();
  }

  @Test
  void frames_that_are_more_than_agents_send_together_are_not_read() throws Exception {
    assertThat(readOfEmptyFrames(BatchSize.MOST_MESSAGES)).isEqualTo(BatchSize.MOST_MESSAGES);
    assertThat(readOfEmptyFrames(BatchSize.MOST_MESSAGES + 1)).isZero();
  }

  private static int readOfEmptyFrames(int frames) throws Exception {
    DataRequest.Builder request = DataRequest.newBuilder();
    for (int i = 0; i < frames; i++) {
      request.addFrames(DataFrame.getDefaultInstance());
    }
    Frames read =
        PeerMethods.DATA.getRequestMarshaller().parse(request.build().toByteString().newInput());
    return read.count();
  }

  private static Chunk chunk(long sequence, int bytes) {
    byte[] payload = new byte[bytes];
    new Random(sequence).nextBytes(payload);
    MessageId id = new MessageId(NodeId.of("a"), 1, sequence);
    return new Chunk(id, 0, true, 1, ByteBuffer.wrap(payload));
  }

  private static FromNetwork network(Chunk... chunks) {
    DataRequest.Builder request = DataRequest.newBuilder();
    for (Chunk chunk : chunks) {
      request.addFrames(DataCodec.encode(new Edge(new Data(chunk))));
    }
    return new FromNetwork(request.build().toByteArray());
  }

  private static List<DataMessage> receivedMessages(FromNetwork network) throws Exception {
    Frames received = PeerMethods.DATA.getRequestMarshaller().parse(network);
    return received.messages(new RecentStreams());
  }

  private static List<Chunk> receivedFrom(FromNetwork network) throws Exception {
    List<Chunk> chunks = new ArrayList<>();
    for (DataMessage message : receivedMessages(network)) {
      chunks.add((Chunk) ((Data) ((Edge) message).message()).item());
    }
    return chunks;
  }

  private static byte[] arrayOf(ByteString bytes) throws Exception {
    List<byte[]> arrays = new ArrayList<>();
    UnsafeByteOperations.unsafeWriteTo(
        bytes,
        new ByteOutput() {
          @Override
          public void write(byte value) {}

          @Override
          public void write(byte[] value, int offset, int length) {}

          @Override
          public void writeLazy(byte[] value, int offset, int length) {
            arrays.add(value);
          }

          @Override
          public void write(ByteBuffer value) {}

          @Override
          public void writeLazy(ByteBuffer value) {}
        });
    assertThat(arrays).hasSize(1);
    return arrays.get(0);
  }
}
