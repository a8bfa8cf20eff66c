package io.treecast.client;

import com.google.protobuf.ByteString;
import io.grpc.MethodDescriptor;
import io.treecast.proto.v1.ListValuesRequest;
import io.treecast.proto.v1.ValueChange;
import io.treecast.proto.v1.ValueMapSize;
import io.treecast.proto.v1.ValuesServiceGrpc;
import io.treecast.proto.v1.WatchValuesRequest;
import io.treecast.proto.v1.WriteValueRequest;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;

/** The calls of a client for shared values. */
final class ValueCalls {
  private final Treecast treecast;
  private final AgentConnection connection;
  private final Duration wait;

  ValueCalls(Treecast treecast, AgentConnection connection, ClientSettings settings) {
    this.treecast = treecast;
    this.connection = connection;
    this.wait = settings.defaultWait();
  }

  /**
   * Checks the name of a map.
   *
   * @throws IllegalArgumentException if agents do not accept it
   */
  static String checkedName(String name) {
    if (Objects.requireNonNull(name, "name").isEmpty() || !TopicName.isAllowed(name)) {
      throw new IllegalArgumentException(
          "the name of values is '"
              + name
              + "'; allowed are 1 to 200 bytes of UTF-8 without control characters");
    }
    return name;
  }

  /** Checks that a key is text, and not changed when it is encoded; the agent checks the rest. */
  static String checkedKey(String key) {
    Objects.requireNonNull(key, "key");
    if (!StandardCharsets.UTF_8.newEncoder().canEncode(key)) {
      throw new IllegalArgumentException(
          "a key with half of a surrogate pair, which is not a character");
    }
    return key;
  }

  /** Encodes a value. */
  static <T> ByteString encoded(Codec<T> codec, T value, String name) {
    Objects.requireNonNull(value, "value");
    try {
      return ByteString.copyFrom(codec.encode(value));
    } catch (Exception e) {
      throw new IllegalArgumentException(
          "the codec of values '" + name + "' cannot encode a value of " + value.getClass(), e);
    }
  }

  /** Writes a value; completes with true if the agent's map has changed. */
  CompletableFuture<Boolean> write(WriteValueRequest request) {
    return AgentQuery.then(
        collect(ValuesServiceGrpc.getWriteValueMethod(), request, CallFailure::ofWrite),
        answers -> answers.get(0).getChanged());
  }

  /** Reads the present entries. */
  CompletableFuture<List<ValueChange>> read(WatchValuesRequest request) {
    return AgentQuery.then(
        collect(ValuesServiceGrpc.getWatchValuesMethod(), request, CallFailure::ofRead),
        answers ->
            answers.stream()
                .flatMap(answer -> answer.getChangesList().stream())
                .filter(change -> !change.getDeleted())
                .toList());
  }

  /** Returns the maps of the agent. */
  CompletableFuture<List<ValuesSize>> list() {
    return AgentQuery.then(
        collect(
            ValuesServiceGrpc.getListValuesMethod(),
            ListValuesRequest.getDefaultInstance(),
            CallFailure::ofRead),
        answers -> answers.get(0).getMapsList().stream().map(ValueCalls::size).toList());
  }

  private static ValuesSize size(ValueMapSize map) {
    Best best =
        switch (map.getMap().getRule()) {
          case VALUE_RULE_LEAST -> Best.MIN;
          case VALUE_RULE_GREATEST -> Best.MAX;
          case VALUE_RULE_LATEST, VALUE_RULE_UNSPECIFIED, UNRECOGNIZED -> null;
        };
    return new ValuesSize(map.getMap().getName(), best, map.getEntries(), map.getBytes());
  }

  Subscription watch(WatchValuesRequest request, ValueStream.Handler handler) {
    return treecast.watchValues(request, handler);
  }

  Subscription hold(WriteValueRequest request) {
    return treecast.holdValue(request);
  }

  private <Q, A> CompletableFuture<List<A>> collect(
      MethodDescriptor<Q, A> method, Q request, AgentQuery.Failed failed) {
    return AgentQuery.ask(connection, method, request, wait, failed);
  }
}
