package io.treecast.testkit.cluster;

import java.util.Collections;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * Control messages that were sent: those of the tree, and changes of weights. Neither probes nor
 * the first weight of a link's session are among them: they belong to the measurement of the link.
 * Immutable.
 *
 * @param messages how many, by type, those of handshakes included; types of which none was sent are
 *     missing
 * @param bytes what all of them took on the wire; 0 where that is not known
 */
public record ControlTraffic(SortedMap<String, Long> messages, long bytes) {
  /**
   * The type of the messages in which the ends of a link's new session name their fragments: each
   * end sends one for each session, whatever becomes of the tree.
   */
  public static final String HANDSHAKE = "Hello";

  /** Nothing was sent. */
  public static final ControlTraffic NONE = new ControlTraffic(new TreeMap<>(), 0);

  /** Copies the map. */
  public ControlTraffic {
    messages = Collections.unmodifiableSortedMap(new TreeMap<>(messages));
  }

  /** Returns how many messages of all types but {@link #HANDSHAKE}. */
  public long count() {
    return messages.values().stream().mapToLong(Long::longValue).sum() - handshakeMessages();
  }

  /** Returns how many messages belong to the handshakes of links. */
  public long handshakeMessages() {
    return messages.getOrDefault(HANDSHAKE, 0L);
  }

  /** {@link #messages} without those of handshakes: what {@link #count} adds up. */
  public SortedMap<String, Long> counted() {
    SortedMap<String, Long> counted = new TreeMap<>(messages);
    counted.remove(HANDSHAKE);
    return counted;
  }

  /** This, and that as well. */
  public ControlTraffic plus(ControlTraffic other) {
    return joined(other, 1);
  }

  /** Returns the messages sent since then. */
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
