import io.grpc.CallOptions;
import io.grpc.ManagedChannel;
import io.grpc.MethodDescriptor;
import io.grpc.Server;
import io.grpc.ServerServiceDefinition;
import io.grpc.netty.shaded.io.grpc.netty.NettyChannelBuilder;
import io.grpc.netty.shaded.io.grpc.netty.NettyServerBuilder;
import io.grpc.stub.ClientCallStreamObserver;
import io.grpc.stub.ClientCalls;
import io.grpc.stub.ClientResponseObserver;
import io.grpc.stub.ServerCalls;
import io.grpc.stub.StreamObserver;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/** A node that sends each message to each other node itself, on a gRPC stream for each. */
final class StarMember implements Member {
  private static final int PORT = 7600;
  private static final int LARGE_MESSAGE_BYTES = 256 << 10;
  private static final int WINDOW_BYTES = 16 << 20;
  private static final int QUEUED_MESSAGES = 1024;

  private static final MethodDescriptor.Marshaller<byte[]> BYTES =
      new MethodDescriptor.Marshaller<>() {
        @Override
        public InputStream stream(byte[] value) {
          return new ByteArrayInputStream(value);
        }

        @Override
        public byte[] parse(InputStream stream) {
          try {
            return stream.readAllBytes();
          } catch (IOException e) {
            throw new UncheckedIOException(e);
          }
        }
      };
  private static final MethodDescriptor<byte[], byte[]> SEND =
      MethodDescriptor.newBuilder(BYTES, BYTES)
          .setType(MethodDescriptor.MethodType.CLIENT_STREAMING)
          .setFullMethodName("Star/Send")
          .build();

  private final Server server;
  private final List<Spoke> spokes = new ArrayList<>();

  StarMember(Nodes nodes, Receiver receiver) throws Exception {
    server =
        NettyServerBuilder.forAddress(new InetSocketAddress(nodes.address(), PORT))
            .flowControlWindow(WINDOW_BYTES)
            .maxInboundMessageSize(4 << 20)
            .addService(
                ServerServiceDefinition.builder("Star")
                    .addMethod(SEND, ServerCalls.asyncClientStreamingCall(replies -> new Incoming(receiver)))
                    .build())
            .build()
            .start();
    for (int i = 0; i < nodes.count(); i++) {
      if (i != nodes.self()) {
        spokes.add(new Spoke(nodes.addresses().get(i)));
      }
    }
  }

  @Override
  public void awaitAll() throws Exception {
    for (Spoke spoke : spokes) {
      spoke.open();
    }
  }

  @Override
  public void broadcast(byte[] message, int count) throws Exception {
    for (int i = 0; i < count; i++) {
      for (Spoke spoke : spokes) {
        spoke.queue.put(message);
      }
    }
  }

  @Override
  public void broadcastLarge(byte[] payload) throws Exception {
    Messages.split(payload, LARGE_MESSAGE_BYTES, part -> broadcast(part, 1));
  }

  @Override
  public void close() {
    server.shutdownNow();
  }

  private record Incoming(Receiver receiver) implements StreamObserver<byte[]> {
    @Override
    public void onNext(byte[] message) {
      receiver.message(message, 0, message.length);
    }

    @Override
    public void onError(Throwable failure) {}

    @Override
    public void onCompleted() {}
  }

  /** The stream to one other node, with a thread that writes while the stream has room. */
  private static final class Spoke {
    final BlockingQueue<byte[]> queue = new ArrayBlockingQueue<>(QUEUED_MESSAGES);
    private final ManagedChannel channel;
    private final Object ready = new Object();
    private final CountDownLatch opened = new CountDownLatch(1);

    Spoke(String address) {
      channel =
          NettyChannelBuilder.forAddress(address, PORT)
              .usePlaintext()
              .flowControlWindow(WINDOW_BYTES)
              .build();
    }

    void open() throws Exception {
      while (channel.getState(true) != io.grpc.ConnectivityState.READY) {
        Thread.sleep(50);
      }
      ClientCalls.asyncClientStreamingCall(
          channel.newCall(SEND, CallOptions.DEFAULT),
          new ClientResponseObserver<byte[], byte[]>() {
            @Override
            public void beforeStart(ClientCallStreamObserver<byte[]> stream) {
              stream.setOnReadyHandler(
                  () -> {
                    synchronized (ready) {
                      ready.notifyAll();
                    }
                  });
              Thread writer = new Thread(() -> write(stream), "writer");
              writer.setDaemon(true);
              writer.start();
            }

            @Override
            public void onNext(byte[] reply) {}

            @Override
            public void onError(Throwable failure) {
              failure.printStackTrace();
            }

            @Override
            public void onCompleted() {}
          });
      opened.countDown();
    }

    private void write(ClientCallStreamObserver<byte[]> stream) {
      try {
        opened.await();
        while (true) {
          byte[] message = queue.take();
          synchronized (ready) {
            while (!stream.isReady()) {
              ready.wait(TimeUnit.SECONDS.toMillis(1));
            }
          }
          stream.onNext(message);
        }
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
      }
    }
  }
}
