package io.treecast.agent.transport;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.protobuf.ByteOutput;
import com.google.protobuf.ByteString;
import com.google.protobuf.UnsafeByteOperations;
import io.grpc.KnownLength;
import io.treecast.agent.core.DataMessage.Edge;
import io.treecast.agent.wire.DataCodec;
import io.treecast.collectives.Chunk;
import io.treecast.collectives.EdgeMessage.Data;
import io.treecast.collectives.MessageId;
import io.treecast.ghs.NodeId;
import io.treecast.proto.v1.DataRequest;
import java.io.ByteArrayInputStream;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** What a relay copies of a payload. */
class RelayedPayloadTest {
  /** What gRPC gives to a marshaller: it knows how much there is, and counts what is read. */
  private static final class FromNetwork extends ByteArrayInputStream implements KnownLength {
    final List<byte[]> readInto = new ArrayList<>();

    FromNetwork(byte[] frame) {
      super(frame);
    }

    @Override
    public synchronized int read(byte[] into, int offset, int length) {
      readInto.add(into);
      return super.read(into, offset, length);
    }
  }

  @Test
  void itIsCopiedOnceIntoTheArrayThatItIsSentFrom() throws Exception {
    Chunk published =
        new Chunk(new MessageId(NodeId.of("a"), 1, 1), 0, true, 1, ByteBuffer.allocate(65_536));
    DataRequest request =
        DataRequest.newBuilder().addFrames(DataCodec.encode(new Edge(new Data(published)))).build();
    FromNetwork network = new FromNetwork(request.toByteArray());

    DataRequest received = PeerMethods.DATA.getRequestMarshaller().parse(network);
    Data data = (Data) ((Edge) DataCodec.decode(received.getFrames(0))).message();
    ByteString sent = DataCodec.encode(new Edge(new Data(data.item()))).getChunk().getPayload();

    assertThat(network.readInto).hasSize(1);
    assertThat(((Chunk) data.item()).payload().array()).isSameAs(network.readInto.get(0));
    assertThat(arrayOf(sent)).isSameAs(network.readInto.get(0));
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
