package io.treecast.cli.bench;

import io.grpc.ManagedChannel;
import io.grpc.stub.ClientCallStreamObserver;
import io.grpc.stub.ClientResponseObserver;
import io.grpc.stub.ServerCallStreamObserver;
import io.grpc.stub.StreamObserver;
import io.treecast.proto.v1.DataRequest;
import io.treecast.proto.v1.DataResponse;
import io.treecast.proto.v1.PeerServiceGrpc;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.concurrent.locks.ReentrantLock;

/**
 * Receives messages over one gRPC stream and forwards each over another as soon as that is ready,
 * without any decisions or log. It shows the least cost of a hop with gRPC and generated messages.
 * Runs on network threads.
 */
final class PlainRelay extends PeerServiceGrpc.PeerServiceImplBase
    implements ClientResponseObserver<DataRequest, DataResponse> {
  private static final int WAITING_BYTES = 4 << 20;
  private static final int WAITING_MESSAGES = 512;

  private final int maxWaiting;
  private final ArrivalMeter meter;

  /** Guards the queue and the outgoing stream. */
  private final ReentrantLock lock = new ReentrantLock();

  private final Deque<DataRequest> waiting = new ArrayDeque<>();

  // Set before the first message, since the next node starts before any sender.
  private volatile ClientCallStreamObserver<DataRequest> out;
  private volatile ServerCallStreamObserver<DataResponse> in;

  @SuppressWarnings("NullAway.Init") // Set before the first call by the incoming stream.
  PlainRelay(ManagedChannel next, int messageBytes, ArrivalMeter meter) {
    this.maxWaiting = Math.max(4, Math.min(WAITING_MESSAGES, WAITING_BYTES / messageBytes));
    this.meter = meter;
    var unused = PeerServiceGrpc.newStub(next).data(this);
  }

  @Override
  public StreamObserver<DataRequest> data(StreamObserver<DataResponse> responses) {
    in = (ServerCallStreamObserver<DataResponse>) responses;
    in.disableAutoRequest();
    in.request(maxWaiting);
    return new StreamObserver<>() {
      @Override
      public void onNext(DataRequest message) {
        lock.lock();
        try {
          waiting.add(message);
        } finally {
          lock.unlock();
        }
        sendOn();
      }

      @Override
      public void onError(Throwable end) {
        // The measurement has ended.
      }

      @Override
      public void onCompleted() {}
    };
  }

  @Override
  public void beforeStart(ClientCallStreamObserver<DataRequest> stream) {
    out = stream;
    stream.setOnReadyHandler(this::sendOn);
  }

  private void sendOn() {
    lock.lock();
    try {
      while (!waiting.isEmpty() && out.isReady()) {
        out.onNext(waiting.remove());
        in.request(1);
      }
    } finally {
      lock.unlock();
    }
  }

  @Override
  public void onNext(DataResponse none) {}

  @Override
  public void onError(Throwable error) {
    meter.failed(String.valueOf(error.getMessage()));
  }

  @Override
  public void onCompleted() {}
}
