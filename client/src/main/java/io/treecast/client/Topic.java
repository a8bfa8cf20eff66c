package io.treecast.client;

import java.util.Objects;
import java.util.concurrent.CompletableFuture;

/**
 * A topic whose messages are values of one type, created by {@link Treecast#topic}. It costs
 * nothing until it is used. Safe for use by several threads.
 *
 * <pre>{@code
 * Topic<String> notices = treecast.topic("notices", Codec.utf8());
 * notices.subscribe((text, message) -> System.out.println(message.origin() + ": " + text));
 * notices.broadcast("a new version is out").join();
 * }</pre>
 *
 * @param <T> the type of the values
 */
public final class Topic<T> {
  private final Treecast treecast;
  private final String name;
  private final Codec<T> codec;

  Topic(Treecast treecast, String name, Codec<T> codec) {
    this.treecast = treecast;
    this.name = TopicName.checked(name);
    this.codec = Objects.requireNonNull(codec, "codec");
  }

  /** Returns the name; empty for the default topic. */
  public String name() {
    return name;
  }

  /**
   * Broadcasts a value with the default options.
   *
   * @return as {@link Treecast#broadcast(byte[])}
   * @throws IllegalArgumentException if the codec cannot encode the value
   */
  public CompletableFuture<BroadcastResult> broadcast(T value) {
    return broadcast(value, BroadcastOptions.defaults());
  }

  /**
   * Broadcasts a value.
   *
   * @param options the options; this topic replaces theirs
   * @return as {@link Treecast#broadcast(byte[], BroadcastOptions)}
   * @throws IllegalArgumentException if the codec cannot encode the value, or the options do not
   *     permit a topic
   */
  public CompletableFuture<BroadcastResult> broadcast(T value, BroadcastOptions options) {
    return treecast.broadcast(encoded(value), options.withTopic(name));
  }

  private byte[] encoded(T value) {
    Objects.requireNonNull(value, "value");
    try {
      return codec.encode(value);
    } catch (Exception e) {
      throw new IllegalArgumentException(
          "the codec of topic '" + name + "' cannot encode a value of " + value.getClass(), e);
    }
  }

  /** Receives the values published from now on. Returns at once. */
  public Subscription subscribe(ValueHandler<T> handler) {
    return subscribe(SubscribeOptions.defaults(), handler);
  }

  /**
   * Receives values. Returns at once.
   *
   * @param options start and policy; this topic replaces theirs
   * @param handler called for one value at a time, in order for each origin
   * @throws TreecastException {@code CLOSED} if the client is closed
   */
  public Subscription subscribe(SubscribeOptions options, ValueHandler<T> handler) {
    return treecast.subscribe(
        options.withTopics(name), new Decoding(Objects.requireNonNull(handler, "handler")));
  }

  @Override
  public String toString() {
    return "topic '" + name + "' at " + treecast;
  }

  /** Decodes messages for a handler of values. */
  private final class Decoding implements MessageHandler {
    private final ValueHandler<T> handler;

    Decoding(ValueHandler<T> handler) {
      this.handler = handler;
    }

    @Override
    public void onMessage(Message message) {
      T value;
      try {
        value = Objects.requireNonNull(codec.decode(message.payload()), "decoded value");
      } catch (Exception e) {
        handler.onUndecodable(message, e);
        return;
      }
      handler.onValue(value, message);
    }

    @Override
    public void onBegan(Positions positions) {
      handler.onBegan(positions);
    }

    @Override
    public void onLive() {
      handler.onLive();
    }

    @Override
    public void onMissed(MissedMessages missed) {
      handler.onMissed(missed);
    }

    @Override
    public void onInterrupted(String reason) {
      handler.onInterrupted(reason);
    }

    @Override
    public void onRefused(String reason) {
      handler.onRefused(reason);
    }

    @Override
    public void onUnavailable(TreecastException why) {
      handler.onUnavailable(why);
    }

    @Override
    public void onResumed() {
      handler.onResumed();
    }
  }
}
