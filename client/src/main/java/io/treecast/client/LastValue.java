package io.treecast.client;

import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * A subject of which only the last value matters, such as a configuration: a late subscriber
 * receives the present value at once, and then each change.
 *
 * <pre>{@code
 * LastValue<String> level = treecast.lastValue("log-level", Codec.utf8());
 * level.publish("DEBUG").join();
 * level.subscribe(logging::setLevel);
 * }</pre>
 *
 * It is the entry with the empty key of the {@link Values} of its name, with their guarantees: of
 * values in quick succession, some may be skipped. A {@link Topic} delivers each message instead.
 * Safe for use by several threads.
 *
 * @param <T> the type of the value
 */
public final class LastValue<T> {
  private static final String KEY = "";

  private final Values<T> values;

  LastValue(Values<T> values) {
    this.values = values;
  }

  /** Publishes a value, which replaces the last one. Fails like {@link Values#put}. */
  public CompletableFuture<@Nullable Void> publish(T value) {
    return values.put(KEY, value);
  }

  /** Returns the last value that the client's agent has. Fails like {@link Values#get}. */
  public CompletableFuture<Optional<T>> get() {
    return PublicFuture.of(
        AgentQuery.then(values.ownGet(KEY), entry -> entry.map(ValueEntry::value)));
  }

  /**
   * Receives the last value at once, if there is one, and then each later one.
   *
   * @param handler called for one value at a time, under the rules of an {@link EntryHandler}
   * @throws TreecastException {@code CLOSED} if the client is closed
   */
  public Subscription subscribe(Consumer<T> handler) {
    return values.watch(KEY, entry -> handler.accept(entry.value()));
  }

  @Override
  public String toString() {
    return "last value '" + values.name() + "'";
  }
}
