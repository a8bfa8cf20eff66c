package io.treecast.client;

import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Objects;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.Collectors;

/**
 * The last message of each stream that a subscriber has handled. A stream is what one incarnation
 * of an agent publishes on one topic and lane. Valid at every agent of the cluster. Immutable.
 *
 * <p>Positions that grow message by message keep 131,072 streams. Beyond, the streams of an agent's
 * oldest incarnations are left out first, as agents forget them themselves.
 *
 * <p>An application that stores its positions together with the effects of its messages, and
 * subscribes {@link SubscriptionStart.After} them when it starts again, handles each message
 * exactly once.
 */
public final class Positions {
  /** As many as agents take by default: twice {@code limits.origins}. */
  static final int MOST_STREAMS = 131_072;

  /** The text of positions without messages. */
  private static final String NONE = "none";

  /** Stands for one comma in the name of a topic; positions neither begin nor end with a comma. */
  private static final String COMMA_OF_TOPIC = ",,";

  /** A comma, unless it stands for one in a topic. */
  private static final String POSITION_END = "(?<!,),(?!,)";

  /**
   * The last messages, by {@code ORIGIN/INCARNATION[~LANE]} and, on other topics, {@code /TOPIC}.
   */
  private final SortedMap<String, MessageId> last;

  private Positions(SortedMap<String, MessageId> last) {
    this.last = last;
  }

  /**
   * Returns the positions of a subscriber that has handled these messages and all before them of
   * the same stream.
   *
   * @param messages the last one of each stream
   * @throws IllegalArgumentException if a message has a sequence less than 1, or two are of one
   *     stream
   */
  public static Positions of(Iterable<MessageId> messages) {
    TreeMap<String, MessageId> last = new TreeMap<>();
    for (MessageId message : messages) {
      if (message.sequence() < 1) {
        throw new IllegalArgumentException(
            "the sequence of " + message + " is less than 1, the first");
      }
      if (last.put(stream(message), message) != null) {
        throw new IllegalArgumentException(
            "two positions are in stream " + stream(message) + "; only one can be the last");
      }
    }
    return new Positions(last);
  }

  /**
   * Parses the result of {@link #toString}.
   *
   * @throws IllegalArgumentException if the text is malformed; the message says what is wrong where
   */
  public static Positions parse(String text) {
    Objects.requireNonNull(text, "text");
    List<MessageId> messages = new ArrayList<>();
    if (!text.strip().equals(NONE)) {
      for (String part : text.strip().split(POSITION_END, -1)) {
        messages.add(MessageId.parse(part.replace(COMMA_OF_TOPIC, ",")));
      }
    }
    return of(messages);
  }

  /** Returns these positions advanced by a message that comes after them in its stream. */
  public Positions with(MessageId message) {
    return with(List.of(message), MOST_STREAMS);
  }

  /** Returns these positions advanced by messages, with at most {@code mostStreams} streams. */
  Positions with(Iterable<MessageId> messages, int mostStreams) {
    TreeMap<String, MessageId> copy = new TreeMap<>(last);
    messages.forEach(message -> copy.put(stream(message), message));
    return copy.size() <= mostStreams
        ? new Positions(copy)
        : of(LatestOfStreams.of(copy.values(), mostStreams));
  }

  /** Returns these positions advanced past messages that will not come. */
  public Positions with(MissedMessages missed) {
    return with(missed.last());
  }

  /** Returns the last message of each stream. */
  public List<MessageId> messages() {
    return List.copyOf(last.values());
  }

  /** Returns the name of a message's stream. */
  static String stream(MessageId message) {
    // For each message, where String.format would take longer than all else.
    String publisher = message.origin() + "/" + HexFormat.of().toHexDigits(message.incarnation());
    String lane = message.lane() == 0 ? publisher : publisher + "~" + message.lane();
    return message.topic().isEmpty() ? lane : lane + "/" + message.topic();
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof Positions that && last.equals(that.last);
  }

  @Override
  public int hashCode() {
    return last.hashCode();
  }

  /**
   * Returns a text for storage, for example {@code h1/9f3a6c01d2e4b587/4,h2/02c9e15f6a7b8d30/17};
   * {@code none} without messages. A comma in the name of a topic is written twice.
   */
  @Override
  public String toString() {
    return last.isEmpty()
        ? NONE
        : last.values().stream()
            .map(message -> message.toString().replace(",", COMMA_OF_TOPIC))
            .collect(Collectors.joining(","));
  }
}
