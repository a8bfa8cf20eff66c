package io.treecast.collectives;

/**
 * What a subscriber asks for. Immutable.
 *
 * @param start what it begins with
 * @param whenSlow what is done when it does not take what there is for it
 */
public record SubscribeOptions(SubscriptionStart start, WhenSlow whenSlow) {

  /** From now on, slowing publishers. */
  public static SubscribeOptions defaults() {
    return new SubscribeOptions(new SubscriptionStart.Now(), WhenSlow.SLOW_PUBLISHER);
  }

  public SubscribeOptions withStart(SubscriptionStart newStart) {
    return new SubscribeOptions(newStart, whenSlow);
  }

  public SubscribeOptions withWhenSlow(WhenSlow newWhenSlow) {
    return new SubscribeOptions(start, newWhenSlow);
  }
}
