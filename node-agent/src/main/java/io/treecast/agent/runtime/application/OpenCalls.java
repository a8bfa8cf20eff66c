package io.treecast.agent.runtime.application;

import io.grpc.StatusException;
import io.grpc.stub.ServerCallStreamObserver;
import io.treecast.agent.core.publish.ClientShares;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.BiConsumer;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The open calls of one kind, in the order of their arrival, each with a state. Their number is
 * limited, and a client may have no more of them than it leaves to the others. On the agent's loop.
 *
 * @param <R> the responses
 * @param <S> the state of a call
 */
final class OpenCalls<R, S> {
  private record Call<S>(String client, S state) {}

  private final String what;
  private final int most;
  private final ClientShares shares;
  private final Map<ServerCallStreamObserver<R>, Call<S>> calls = new LinkedHashMap<>();

  /**
   * Creates an instance without calls.
   *
   * @param what the plural name of the calls, for people
   */
  OpenCalls(String what, int most) {
    this.what = what;
    this.most = most;
    this.shares = new ClientShares(most);
  }

  /** Returns why a client may not have one more call; null if it may. */
  @Nullable StatusException refusal(String client) {
    if (calls.size() < most && !shares.exceedsFairShare(client)) {
      return null;
    }
    return Refusals.noRoom(
        ("this client has %s of at most %s %s of the agent, of which all clients have %s: a client "
                + "may have no more than it leaves to the others; end some")
            .formatted(shares.of(client), most, what, calls.size()));
  }

  void add(String client, ServerCallStreamObserver<R> out, S state) {
    calls.put(out, new Call<>(client, state));
    shares.add(client, 1);
  }

  /** Removes a call, and returns its state; null if there was none. */
  @Nullable S remove(ServerCallStreamObserver<R> out) {
    Call<S> removed = calls.remove(out);
    if (removed == null) {
      return null;
    }
    shares.remove(removed.client, 1);
    return removed.state;
  }

  /** Returns the state of a call; null if the call is not open. */
  @Nullable S get(ServerCallStreamObserver<R> out) {
    Call<S> call = calls.get(out);
    return call == null ? null : call.state;
  }

  Stream<S> states() {
    return calls.values().stream().map(Call::state);
  }

  /** Runs an action for each call, which may remove it. */
  void forEach(BiConsumer<ServerCallStreamObserver<R>, S> action) {
    List.copyOf(calls.entrySet())
        .forEach(each -> action.accept(each.getKey(), each.getValue().state));
  }

  /** Ends all calls with an error. */
  void end(StatusException why) {
    forEach(
        (out, state) -> {
          out.onError(why);
          remove(out);
        });
  }
}
