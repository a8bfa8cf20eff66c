package io.treecast.client;

import io.treecast.proto.v1.ValueChange;
import io.treecast.proto.v1.ValueMapName;
import io.treecast.proto.v1.WatchValuesRequest;
import io.treecast.proto.v1.WriteValueRequest;
import java.lang.System.Logger.Level;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;

/**
 * The best number that any member has offered, with a value: the incumbent of a search.
 *
 * <pre>{@code
 * BestValue<String> incumbent = treecast.best("incumbent", Best.MIN, Codec.utf8());
 * incumbent.offer(17.5, "route 4").join();
 * incumbent.watch(best -> search.prune(best.number()));
 * }</pre>
 *
 * <p>An offer travels along the tree as far as it is better; of equal numbers, the first stays. A
 * read is of the client's agent and may lag. When parts of a partition merge, the better offer
 * remains. It lasts until all agents have restarted, so each search has a name of its own. Safe for
 * use by several threads.
 *
 * @param <T> the type of the value
 */
public final class BestValue<T> {
  private final ValueCalls calls;
  private final ValueMapName map;
  private final Codec<T> codec;

  BestValue(ValueCalls calls, String name, Best best, Codec<T> codec) {
    this.calls = calls;
    this.map =
        ValueMapName.newBuilder()
            .setName(ValueCalls.checkedName(name))
            .setRule(best.rule())
            .build();
    this.codec = Objects.requireNonNull(codec, "codec");
  }

  /**
   * Offers a number. Completes with true if it is better than all earlier offers at the client's
   * agent. Fails with {@code BUFFER_FULL} if there is no space for it, with {@code
   * AGENT_UNREACHABLE} if it was not sent, and with {@code OUTCOME_UNKNOWN} if the agent may have
   * it; repeating the offer does no harm.
   *
   * @param number not NaN
   * @param value at most 64 KiB when encoded
   * @throws IllegalArgumentException if the number is NaN, or the codec cannot encode the value
   */
  public CompletableFuture<Boolean> offer(double number, T value) {
    return PublicFuture.of(ownOffer(number, value));
  }

  CompletableFuture<Boolean> ownOffer(double number, T value) {
    if (Double.isNaN(number)) {
      throw new IllegalArgumentException("NaN is offered to '" + map.getName() + "'");
    }
    return calls.write(
        WriteValueRequest.newBuilder()
            .setMap(map)
            .setNumber(number)
            .setContent(ValueCalls.encoded(codec, value, map.getName()))
            .build());
  }

  /**
   * Returns the best offer at the client's agent. Fails with an {@code IllegalArgumentException} if
   * the codec cannot decode its value.
   */
  public CompletableFuture<Optional<BestOffer<T>>> get() {
    return PublicFuture.of(ownGet());
  }

  CompletableFuture<Optional<BestOffer<T>>> ownGet() {
    return AgentQuery.then(
        calls.read(WatchValuesRequest.newBuilder().setMap(map).setOnce(true).build()),
        changes -> changes.stream().findFirst().map(this::offer));
  }

  /**
   * Receives the best offer, and then better ones. Some offers in quick succession may be skipped.
   * A value that the codec cannot decode is skipped with a warning.
   *
   * @param handler called for one offer at a time
   * @throws TreecastException {@code CLOSED} if the client is closed
   */
  public Subscription watch(Consumer<BestOffer<T>> handler) {
    Objects.requireNonNull(handler, "handler");
    return calls.watch(
        WatchValuesRequest.newBuilder().setMap(map).build(),
        new ValueStream.Handler(new ConnectionListener() {}) {
          @Override
          void changed(ValueChange change) {
            BestOffer<T> offer;
            try {
              offer = offer(change);
            } catch (IllegalArgumentException e) {
              ReconnectingStream.LOG.log(Level.WARNING, "skipping a best value", e);
              return;
            }
            handler.accept(offer);
          }

          @Override
          void removed(String key) {
            // A removed offer returns when a member has it.
          }

          @Override
          void live() {}
        });
  }

  private BestOffer<T> offer(ValueChange change) {
    try {
      return new BestOffer<>(
          change.getNumber(),
          Objects.requireNonNull(codec.decode(change.getContent().toByteArray()), "decoded value"),
          change.getOrigin());
    } catch (Exception e) {
      throw new IllegalArgumentException(
          "the codec of best value '" + map.getName() + "' cannot decode it", e);
    }
  }

  @Override
  public String toString() {
    return "best value '" + map.getName() + "'";
  }
}
