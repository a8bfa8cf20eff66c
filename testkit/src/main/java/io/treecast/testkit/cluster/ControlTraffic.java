package io.treecast.testkit.cluster;

import java.util.Collections;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * The control messages that were sent: messages of the tree, and changes of weights. Probes and the
 * first weight of a link's session are not counted; they belong to the measurement of the link.
 * Immutable.
 *
 * @param messages number of messages by type, handshakes included, without types that were not sent
 * @param bytes bytes of all messages on the wire; 0 if not known
 */
public record ControlTraffic(SortedMap<String, Long> messages, long bytes) {
  /**
   * The type of the messages in which the ends of a link's new session name their fragments. Each
   * end sends exactly one per session.
   */
  public static final String HANDSHAKE = "Hello";

  /** The type of the messages in which the owner of a link announces a changed weight. */
  public static final String WEIGHT = "WeightUpdate";

  /** No messages. */
  public static final ControlTraffic NONE = new ControlTraffic(new TreeMap<>(), 0);

  /** Copies the map. */
  public ControlTraffic {
    messages = Collections.unmodifiableSortedMap(new TreeMap<>(messages));
  }

  /** Returns the number of messages of all types except {@link #HANDSHAKE}. */
  public long count() {
    return messages.values().stream().mapToLong(Long::longValue).sum() - handshakeMessages();
  }

  /** Returns the number of messages of link handshakes. */
  public long handshakeMessages() {
    return messages.getOrDefault(HANDSHAKE, 0L);
  }

  /** Returns {@link #messages} without handshakes, as summed by {@link #count}. */
  public SortedMap<String, Long> counted() {
    SortedMap<String, Long> counted = new TreeMap<>(messages);
    counted.remove(HANDSHAKE);
    return counted;
  }

  /** Returns this traffic without changes of weights. */
  public ControlTraffic ofTheTree() {
    SortedMap<String, Long> messagesOfTree = new TreeMap<>(messages);
    messagesOfTree.remove(WEIGHT);
    return new ControlTraffic(messagesOfTree, bytes);
  }

  /** Returns the sum of both. */
  public ControlTraffic plus(ControlTraffic other) {
    return joined(other, 1);
  }

  /** Returns the messages sent since an earlier count. */
  public ControlTraffic since(ControlTraffic earlier) {
    return joined(earlier, -1);
  }

  private ControlTraffic joined(ControlTraffic other, int sign) {
    SortedMap<String, Long> sum = new TreeMap<>(messages);
    for (Map.Entry<String, Long> entry : other.messages.entrySet()) {
      sum.merge(entry.getKey(), sign * entry.getValue(), Long::sum);
    }
    sum.values().removeIf(count -> count == 0);
    return new ControlTraffic(sum, bytes + sign * other.bytes);
  }
}
