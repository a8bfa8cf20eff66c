package io.treecast.client;

import io.treecast.proto.v1.ValueChange;
import io.treecast.proto.v1.ValueMapName;
import io.treecast.proto.v1.ValueRule;
import io.treecast.proto.v1.WatchValuesRequest;
import io.treecast.proto.v1.WriteValueRequest;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/**
 * A map of shared values, of which every agent has a copy. All agents keep the later one of two
 * writes of a key.
 *
 * <pre>{@code
 * Values<String> routes = treecast.values("routes", Codec.utf8());
 * routes.put("eu", "h7:9000").join();
 * routes.watch(entry -> System.out.println(entry.key() + " is " + entry.value()));
 * }</pre>
 *
 * A write is complete when the client's agent has it; other agents receive it along the tree. A
 * read is of the client's agent and may lag. In a partition each part writes and reads alone; when
 * the parts merge, the later write of each key remains. Safe for use by several threads.
 *
 * @param <T> the type of the values
 */
public final class Values<T> {
  private final ValueCalls calls;
  private final ValueMapName map;
  private final Codec<T> codec;

  Values(ValueCalls calls, String name, Codec<T> codec) {
    this.calls = calls;
    this.map =
        ValueMapName.newBuilder()
            .setName(ValueCalls.checkedName(name))
            .setRule(ValueRule.VALUE_RULE_LATEST)
            .build();
    this.codec = Objects.requireNonNull(codec, "codec");
  }

  /** Returns the name of the map. */
  public String name() {
    return map.getName();
  }

  /**
   * Puts an entry, which lasts until it is replaced or deleted. Fails with {@code BUFFER_FULL} if
   * there is no space for it, with {@code AGENT_UNREACHABLE} if it was not sent, and with {@code
   * OUTCOME_UNKNOWN} if the agent may have it; repeating the write does no harm.
   *
   * @param key at most 200 bytes of UTF-8 without control characters
   * @param value at most 64 KiB when encoded
   * @throws IllegalArgumentException if the codec cannot encode the value
   */
  public CompletableFuture<@Nullable Void> put(String key, T value) {
    CompletableFuture<@Nullable Void> put = new CompletableFuture<>();
    PublicFuture.whenOver(
        ownPut(key, value), changed -> put.complete(null), put::completeExceptionally);
    return put;
  }

  CompletableFuture<Boolean> ownPut(String key, T value) {
    return calls.write(written(key, value));
  }

  /**
   * Puts an entry that ends with the returned subscription: when it or its client is closed, or
   * about 30 s after the client's agent has left the tree. While the client is not connected to an
   * agent, the entry is absent; afterwards it is written again. If several calls put one key, the
   * entry is of the last one, and ends with it.
   *
   * @return a subscription that is in place when the agent has the entry
   */
  public Subscription putEphemeral(String key, T value) {
    return calls.hold(written(key, value));
  }

  private WriteValueRequest written(String key, T value) {
    return WriteValueRequest.newBuilder()
        .setMap(map)
        .setKey(ValueCalls.checkedKey(key))
        .setContent(ValueCalls.encoded(codec, value, map.getName()))
        .build();
  }

  /** Deletes an entry; completes with true if the agent had it. Fails like {@link #put}. */
  public CompletableFuture<Boolean> delete(String key) {
    return PublicFuture.of(ownDelete(key));
  }

  CompletableFuture<Boolean> ownDelete(String key) {
    return calls.write(
        WriteValueRequest.newBuilder()
            .setMap(map)
            .setKey(ValueCalls.checkedKey(key))
            .setDelete(true)
            .build());
  }

  /**
   * Returns the entry of a key that the client's agent has. Fails with an {@code
   * IllegalArgumentException} if the codec cannot decode it.
   */
  public CompletableFuture<Optional<ValueEntry<T>>> get(String key) {
    return PublicFuture.of(ownGet(key));
  }

  CompletableFuture<Optional<ValueEntry<T>>> ownGet(String key) {
    return AgentQuery.then(
        calls.read(request().setKey(ValueCalls.checkedKey(key)).setOnce(true).build()),
        changes -> changes.stream().findFirst().map(this::entry));
  }

  /** Returns all entries that the client's agent has, by key. Fails like {@link #get}. */
  public CompletableFuture<Map<String, ValueEntry<T>>> snapshot() {
    return PublicFuture.of(ownSnapshot());
  }

  CompletableFuture<Map<String, ValueEntry<T>>> ownSnapshot() {
    return AgentQuery.then(
        calls.read(request().setOnce(true).build()),
        changes -> {
          Map<String, ValueEntry<T>> entries = new TreeMap<>();
          changes.forEach(change -> entries.put(change.getKey(), entry(change)));
          return entries;
        });
  }

  /**
   * Receives the entries, and then each change. Some changes of a key in quick succession may be
   * skipped. Returns at once.
   *
   * @throws TreecastException {@code CLOSED} if the client is closed
   */
  public Subscription watch(EntryHandler<T> handler) {
    return calls.watch(request().build(), decoding(handler));
  }

  /** Receives the entry of one key, and then each change, as {@link #watch(EntryHandler)}. */
  public Subscription watch(String key, EntryHandler<T> handler) {
    return calls.watch(request().setKey(ValueCalls.checkedKey(key)).build(), decoding(handler));
  }

  private WatchValuesRequest.Builder request() {
    return WatchValuesRequest.newBuilder().setMap(map);
  }

  private ValueEntry<T> entry(ValueChange change) {
    try {
      return decoded(change);
    } catch (Exception e) {
      throw new IllegalArgumentException(
          "the codec of values '" + map.getName() + "' cannot decode that of " + change.getKey(),
          e);
    }
  }

  private ValueEntry<T> decoded(ValueChange change) throws Exception {
    return new ValueEntry<>(
        change.getKey(),
        Objects.requireNonNull(codec.decode(change.getContent().toByteArray()), "decoded value"),
        change.getOrigin(),
        change.getEphemeral());
  }

  private ValueStream.Handler decoding(EntryHandler<T> handler) {
    Objects.requireNonNull(handler, "handler");
    return new ValueStream.Handler(handler) {
      @Override
      void changed(ValueChange change) {
        ValueEntry<T> entry;
        try {
          entry = decoded(change);
        } catch (Exception e) {
          handler.onUndecodable(change.getKey(), e);
          return;
        }
        handler.onEntry(entry);
      }

      @Override
      void removed(String key) {
        handler.onRemoved(key);
      }

      @Override
      void live() {
        handler.onLive();
      }
    };
  }

  @Override
  public String toString() {
    return "values '" + map.getName() + "'";
  }
}
