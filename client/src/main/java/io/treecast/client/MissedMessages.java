package io.treecast.client;

/**
 * Consecutive messages that a subscription will not receive, all of one incarnation of an agent,
 * one topic and one lane.
 *
 * @param origin the node whose agent has accepted them
 * @param incarnation that agent's incarnation, higher than at each of its earlier starts
 * @param topic empty for the default topic
 * @param lane as in {@link MessageId}
 * @param firstSequence the sequence of the first message
 * @param lastSequence the sequence of the last message
 * @param reason the reason of the miss
 */
public record MissedMessages(
    String origin,
    long incarnation,
    String topic,
    int lane,
    long firstSequence,
    long lastSequence,
    MissedReason reason) {

  /** Returns the id of the last one. */
  public MessageId last() {
    return new MessageId(origin, incarnation, topic, lane, lastSequence);
  }

  /**
   * Returns, for example, {@code 12/9f3a6c01d2e4b587/prices/4 to 7 (SKIPPED)}, the first one as in
   * {@link MessageId}.
   */
  @Override
  public String toString() {
    MessageId first = new MessageId(origin, incarnation, topic, lane, firstSequence);
    String range = firstSequence == lastSequence ? "" : " to " + lastSequence;
    return first + range + " (" + reason + ")";
  }
}
