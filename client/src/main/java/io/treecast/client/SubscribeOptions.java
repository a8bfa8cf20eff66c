package io.treecast.client;

/**
 * What is said of a subscription. Immutable.
 *
 * <pre>{@code
 * SubscribeOptions.defaults().withStart(new SubscriptionStart.Retained())
 * }</pre>
 *
 * @param start what it begins with
 * @param whenSlow what the agent does when the handler is slow
 */
public record SubscribeOptions(SubscriptionStart start, WhenSlow whenSlow) {

  /** From now on, slowing publishers. */
  public static SubscribeOptions defaults() {
    return new SubscribeOptions(new SubscriptionStart.Now(), WhenSlow.SLOW_PUBLISHER);
  }

  /** The same with another start. */
  public SubscribeOptions withStart(SubscriptionStart newStart) {
    return new SubscribeOptions(newStart, whenSlow);
  }

  /** The same with another treatment when the handler is slow. */
  public SubscribeOptions withWhenSlow(WhenSlow newWhenSlow) {
    return new SubscribeOptions(start, newWhenSlow);
  }
}
