package io.treecast.testkit.sim.network;

import io.treecast.agent.core.message.PeerMessage;
import java.util.Locale;

/**
 * A control message that an agent of the cluster sent. Immutable.
 *
 * @param atNanos the virtual time of sending
 * @param from the sender's node
 * @param to the receiver's node
 * @param type the type under which it is counted
 * @param fields the content, for people
 */
public record SentMessage(long atNanos, int from, int to, String type, String fields) {

  /** Returns the message with the text of its fields. */
  static SentMessage of(long atNanos, int from, int to, String type, Object message) {
    Object told = message instanceof PeerMessage.Tree tree ? tree.message() : message;
    String text = told.toString();
    int begin = text.indexOf('[');
    boolean isRecord = begin > 0 && text.endsWith("]");
    return new SentMessage(
        atNanos, from, to, type, isRecord ? text.substring(begin + 1, text.length() - 1) : text);
  }

  /**
   * Returns a line with the time in milliseconds, sender, receiver, type and fields.
   *
   * @param fromName the name of the sender
   * @param toName the name of the receiver
   */
  public String line(String fromName, String toName) {
    return String.format(
        Locale.ROOT,
        "%12.3f  %5s -> %-5s  %-12s  %s",
        atNanos / 1e6,
        fromName,
        toName,
        type,
        fields);
  }
}
