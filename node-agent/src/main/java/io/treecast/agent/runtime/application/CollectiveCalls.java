package io.treecast.agent.runtime.application;

import io.grpc.StatusException;
import io.grpc.stub.StreamObserver;
import io.treecast.agent.core.AgentCore;
import io.treecast.agent.core.data.Participation;
import io.treecast.agent.core.publish.ClientShares;
import io.treecast.agent.runtime.loop.EventLoop;
import io.treecast.agent.runtime.server.UnreadAnswers;
import io.treecast.agent.wire.TakePartCodec;
import io.treecast.collectives.operation.contract.Outcome;
import io.treecast.proto.v1.RefusalReason;
import io.treecast.proto.v1.TakePartResponse;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The applications that take part in collective operations and wait for the outcome, or have not
 * read it yet. Results are large and gRPC buffers unread ones, so they are counted.
 */
public final class CollectiveCalls {
  /** The limit of calls that wait. */
  public static final int MAX_CALLS = 4_096;

  private final Supplier<AgentCore> core;
  private final EventLoop loop;
  private final UnreadAnswers unreadAnswers;

  private record Call(String operation, StreamObserver<TakePartResponse> out) {}

  /** A pending operation with the client of its first call. */
  private static final class UnderWay {
    final String client;
    int calls;

    UnderWay(String client) {
      this.client = client;
    }
  }

  private final Map<String, UnderWay> operations = new HashMap<>();

  private final Map<Long, Call> calls = new HashMap<>();
  private final ClientShares shares;

  /** The size of the answer handed to gRPC, by call that has not ended. */
  private final Map<Long, Integer> unread = new HashMap<>();

  private long lastNumber;
  private @Nullable StatusException ended;

  /**
   * Creates an instance without calls.
   *
   * @param maxOperations the limit of pending operations
   * @param maxUnreadBytes the most unread bytes of all applications together; a single result may
   *     exceed it
   */
  CollectiveCalls(
      Supplier<AgentCore> core, EventLoop loop, int maxOperations, long maxUnreadBytes) {
    this.shares = new ClientShares(maxOperations);
    this.core = core;
    this.loop = loop;
    this.unreadAnswers = new UnreadAnswers(maxUnreadBytes);
  }

  /**
   * Adds a call, which is answered when the outcome is known. Returns its number; 0 if it was
   * refused.
   */
  long add(String client, Participation participation, StreamObserver<TakePartResponse> out) {
    if (ended != null) {
      out.onError(ended);
      return 0;
    }
    if (calls.size() == MAX_CALLS) {
      out.onError(Refusals.noRoom(MAX_CALLS + " calls wait for collective operations already"));
      return 0;
    }
    String operation = participation.operation().name();
    if (!operations.containsKey(operation) && shares.exceedsFairShare(client)) {
      out.onError(
          Refusals.noRoom(
              shares.refusalReason(client, "limits.collectives", "collective operations")));
      return 0;
    }
    long number = ++lastNumber;
    calls.put(number, new Call(operation, out));
    UnderWay known = operations.get(operation);
    if (known == null) {
      known = new UnderWay(client);
      operations.put(operation, known);
      shares.add(client, 1);
    }
    known.calls++;
    core.get().takePart(number, participation, loop.nowNanos());
    return number;
  }

  /**
   * Removes a call whose application has its answer, or has cancelled it. No effect on an unknown
   * call.
   */
  void remove(long number) {
    Integer bytes = unread.remove(number);
    if (bytes != null) {
      unreadAnswers.over(bytes);
    } else if (forget(number) != null) {
      core.get().withdraw(number, loop.nowNanos());
    }
  }

  /** Removes a call that has its answer, or needs none; null if there is no such call. */
  private @Nullable StreamObserver<TakePartResponse> forget(long number) {
    Call call = calls.remove(number);
    if (call == null) {
      return null;
    }
    UnderWay operation = operations.get(call.operation());
    if (operation != null && --operation.calls == 0) {
      operations.remove(call.operation());
      shares.remove(operation.client, 1);
    }
    return call.out();
  }

  /** Answers a call whose outcome is known. */
  public void ended(long number, Outcome outcome) {
    StreamObserver<TakePartResponse> out = forget(number);
    if (out == null) {
      return;
    }
    TakePartResponse response = TakePartCodec.encode(outcome);
    int bytes = response.getSerializedSize();
    if (!unreadAnswers.add(bytes)) {
      out.onError(notRead(bytes));
      return;
    }
    unread.put(number, bytes);
    out.onNext(response);
    out.onCompleted();
  }

  private StatusException notRead(int bytes) {
    // This reason tells the application that the operation is complete.
    return Refusals.of(
        RefusalReason.REFUSAL_REASON_RESULT_NOT_READ,
        ("results of %s bytes have not been read, and %s more would pass "
                + "limits.collectivesBytes, which is %s: read them, and call again with the "
                + "same retry token")
            .formatted(unreadAnswers.bytes(), bytes, unreadAnswers.maxBytes()));
  }

  /** Ends all calls because the agent shuts down; later calls are refused. */
  void end() {
    StatusException why = Refusals.shuttingDown();
    ended = why;
    List<Call> waiting = List.copyOf(calls.values());
    calls.clear();
    waiting.forEach(call -> call.out().onError(why));
  }
}
