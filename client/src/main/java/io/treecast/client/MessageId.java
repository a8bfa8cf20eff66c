package io.treecast.client;

/**
 * Names one broadcast in the whole cluster: the same value at its publisher and at every
 * subscriber.
 *
 * @param origin the node id of the agent that accepted it
 * @param incarnation that agent's incarnation, drawn anew at each of its starts; not ordered
 * @param sequence from 1, without gaps, for each incarnation of an origin
 */
public record MessageId(String origin, long incarnation, long sequence) {

  /** For example {@code 12/9f3a6c01d2e4b587/4}. */
  @Override
  public String toString() {
    return origin + "/" + String.format("%016x", incarnation) + "/" + sequence;
  }
}
