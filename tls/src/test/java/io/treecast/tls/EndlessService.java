package io.treecast.tls;

import io.grpc.CallOptions;
import io.grpc.Channel;
import io.grpc.ClientCall;
import io.grpc.Grpc;
import io.grpc.ManagedChannel;
import io.grpc.Metadata;
import io.grpc.MethodDescriptor;
import io.grpc.MethodDescriptor.MethodType;
import io.grpc.Server;
import io.grpc.ServerCall;
import io.grpc.ServerCallHandler;
import io.grpc.ServerServiceDefinition;
import io.grpc.Status;
import java.io.ByteArrayInputStream;
import java.io.InputStream;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;

/** A service whose calls last until one of their ends closes them. */
final class EndlessService implements ServerCallHandler<byte[], byte[]> {
  private static final MethodDescriptor.Marshaller<byte[]> NO_BYTES =
      new MethodDescriptor.Marshaller<>() {
        @Override
        public InputStream stream(byte[] value) {
          return new ByteArrayInputStream(value);
        }

        @Override
        public byte[] parse(InputStream stream) {
          return new byte[0];
        }
      };
  static final MethodDescriptor<byte[], byte[]> METHOD =
      MethodDescriptor.newBuilder(NO_BYTES, NO_BYTES)
          .setType(MethodType.BIDI_STREAMING)
          .setFullMethodName("endless/Endless")
          .build();

  private final Semaphore begun = new Semaphore(0);
  private final Semaphore cancelled = new Semaphore(0);
  private int port;

  Server start(TlsFiles files) throws Exception {
    Server server =
        Grpc.newServerBuilderForPort(0, files.asAgent())
            .addTransportFilter(files.admission())
            .intercept(files.revocation())
            .addService(ServerServiceDefinition.builder("endless").addMethod(METHOD, this).build())
            .build()
            .start();
    port = server.getPort();
    return server;
  }

  /** Makes a call on a connection of its own; completes with its status when it ends. */
  CompletableFuture<Status> call(TlsFiles files) {
    ManagedChannel channel =
        Grpc.newChannelBuilder("127.0.0.1:" + port, files.toAgent())
            .intercept(files.revocationOfAgents())
            .build();
    CompletableFuture<Status> ended = new CompletableFuture<>();
    ClientCall<byte[], byte[]> call = ((Channel) channel).newCall(METHOD, CallOptions.DEFAULT);
    call.start(
        new ClientCall.Listener<>() {
          @Override
          public void onClose(Status status, Metadata trailers) {
            ended.complete(status);
            channel.shutdownNow();
          }
        },
        new Metadata());
    call.request(1);
    return ended;
  }

  @Override
  public ServerCall.Listener<byte[]> startCall(ServerCall<byte[], byte[]> call, Metadata headers) {
    call.sendHeaders(new Metadata());
    begun.release();
    return new ServerCall.Listener<>() {
      @Override
      public void onCancel() {
        cancelled.release();
      }
    };
  }

  /** Waits until this many further calls have begun. */
  void awaitCalls(int count) throws InterruptedException {
    await(begun, count);
  }

  /** Waits until the service has found this many further calls cancelled. */
  void awaitCancelled(int count) throws InterruptedException {
    await(cancelled, count);
  }

  private static void await(Semaphore events, int count) throws InterruptedException {
    if (!events.tryAcquire(count, 1, TimeUnit.MINUTES)) {
      throw new AssertionError("there are only " + events.availablePermits());
    }
  }
}
