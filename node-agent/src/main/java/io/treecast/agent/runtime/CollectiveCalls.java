package io.treecast.agent.runtime;

import io.grpc.Status;
import io.grpc.StatusException;
import io.grpc.stub.StreamObserver;
import io.treecast.agent.core.AgentCore;
import io.treecast.agent.core.Participation;
import io.treecast.agent.wire.TakePartCodec;
import io.treecast.collectives.combining.Outcome;
import io.treecast.proto.v1.TakePartResponse;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The applications that take part in collective operations and wait for their outcome.
 *
 * <p>Owned by the agent's loop; gRPC's threads only hand over to it.
 */
final class CollectiveCalls {
  /** How many may wait at a time. */
  static final int MAX_CALLS = 4_096;

  private final Supplier<AgentCore> core;
  private final EventLoop loop;
  private final Map<Long, StreamObserver<TakePartResponse>> calls = new HashMap<>();
  private long lastNumber;
  private @Nullable StatusException ended;

  CollectiveCalls(Supplier<AgentCore> core, EventLoop loop) {
    this.core = core;
    this.loop = loop;
  }

  /** Answers when the outcome is known. Returns the number of the call; 0 if it was refused. */
  long add(Participation participation, StreamObserver<TakePartResponse> out) {
    if (ended != null) {
      out.onError(ended);
      return 0;
    }
    if (calls.size() == MAX_CALLS) {
      out.onError(
          Status.RESOURCE_EXHAUSTED
              .withDescription(MAX_CALLS + " calls wait for collective operations already")
              .asException());
      return 0;
    }
    long number = ++lastNumber;
    calls.put(number, out);
    core.get().takePart(number, participation, loop.nowNanos());
    return number;
  }

  /** The application does not wait any more. No effect if there is no such call. */
  void remove(long number) {
    if (calls.remove(number) != null) {
      core.get().withdraw(number, loop.nowNanos());
    }
  }

  /** The outcome of a call is known. */
  void ended(long number, Outcome outcome) {
    StreamObserver<TakePartResponse> out = calls.remove(number);
    if (out != null) {
      out.onNext(TakePartCodec.encode(outcome));
      out.onCompleted();
    }
  }

  /** Ends all calls, and whichever come later: the agent shuts down. */
  void end(StatusException why) {
    ended = why;
    List<StreamObserver<TakePartResponse>> waiting = List.copyOf(calls.values());
    calls.clear();
    waiting.forEach(out -> out.onError(why));
  }
}
