package io.treecast.agent.runtime;

import io.grpc.Attributes;
import io.grpc.ForwardingServerCallListener.SimpleForwardingServerCallListener;
import io.grpc.Metadata;
import io.grpc.ServerCall;
import io.grpc.ServerCallHandler;
import io.grpc.ServerInterceptor;
import io.grpc.ServerTransportFilter;
import io.grpc.Status;
import io.treecast.proto.v1.TreecastServiceGrpc;
import java.util.ArrayDeque;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Serves the broadcasts of one connection in the order in which they were called. HTTP/2 keeps the
 * order of the heads of calls only: where payloads have to wait for the network, that of a later
 * call may come before that of an earlier one. So each has its place from its head on, and waits
 * until those before it have come whole, or are over. No more can wait than a connection may have
 * calls, nor longer than the deadlines of those before it.
 *
 * <p>On the connection's thread, on which the server runs all of its calls.
 */
final class CallOrder extends ServerTransportFilter implements ServerInterceptor {
  private static final Logger log = LoggerFactory.getLogger(CallOrder.class);
  private static final Attributes.Key<Line> LINE = Attributes.Key.create("treecast-broadcasts");

  @Override
  public Attributes transportReady(Attributes attributes) {
    return attributes.toBuilder().set(LINE, new Line()).build();
  }

  @Override
  public <Q, R> ServerCall.Listener<Q> interceptCall(
      ServerCall<Q, R> call, Metadata headers, ServerCallHandler<Q, R> next) {
    Line line = call.getAttributes().get(LINE);
    if (line == null
        || !call.getMethodDescriptor()
            .getFullMethodName()
            .equals(TreecastServiceGrpc.getBroadcastMethod().getFullMethodName())) {
      return next.startCall(call, headers);
    }
    ServerCall.Listener<Q> served = next.startCall(call, headers);
    Place place = line.enter();
    return new SimpleForwardingServerCallListener<>(served) {
      @Override
      public void onHalfClose() {
        line.hasCome(place, this::serve);
      }

      private void serve() {
        try {
          super.onHalfClose();
        } catch (RuntimeException e) {
          // Else gRPC takes it for a failure of the call that this one had waited for.
          log.warn("a broadcast's call failed", e);
          call.close(Status.UNKNOWN.withCause(e), new Metadata());
        }
      }

      @Override
      public void onCancel() {
        super.onCancel();
        line.leave(place);
      }

      @Override
      public void onComplete() {
        super.onComplete();
        line.leave(place);
      }
    };
  }

  /** A call's place in its line, until it is served or over. */
  private static final class Place {
    @Nullable Runnable service;
    boolean isOver;
  }

  /** The calls of a connection that are not served yet, in their order. */
  private static final class Line {
    private final ArrayDeque<Place> places = new ArrayDeque<>();

    Place enter() {
      Place place = new Place();
      places.add(place);
      return place;
    }

    void hasCome(Place place, Runnable service) {
      place.service = service;
      serve();
    }

    void leave(Place place) {
      place.isOver = true;
      serve();
    }

    private void serve() {
      for (Place first = places.peek(); first != null; first = places.peek()) {
        Runnable service = first.service;
        if (service == null && !first.isOver) {
          return;
        }
        places.remove();
        if (service != null && !first.isOver) {
          service.run();
        }
      }
    }
  }
}
