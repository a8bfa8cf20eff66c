package io.treecast.client;

/**
 * Messages that a subscription will not get, all of one start of one agent, one topic and one lane.
 *
 * @param origin the node whose agent accepted them
 * @param incarnation that agent's incarnation, drawn anew at each of its starts
 * @param topic empty for the default topic
 * @param lane as in {@link MessageId}
 * @param firstSequence of the first one
 * @param lastSequence of the last one
 * @param reason why
 */
public record MissedMessages(
    String origin,
    long incarnation,
    String topic,
    int lane,
    long firstSequence,
    long lastSequence,
    MissedReason reason) {

  /** The last of them. */
  public MessageId last() {
    return new MessageId(origin, incarnation, topic, lane, lastSequence);
  }
}
