package io.treecast.client;

import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Objects;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.Collectors;

/**
 * The last message of each stream that a subscriber has handled. A stream has the messages of one
 * incarnation of an agent on one topic and lane. Positions are valid at every agent of the cluster.
 * Immutable.
 *
 * <p>Positions that grow message by message keep 131,072 streams. Beyond that limit, the streams of
 * an agent's oldest incarnations are dropped first; agents forget these, too.
 *
 * <p>An application handles each message exactly once if it stores its positions together with the
 * effects of its messages, and subscribes {@link SubscriptionStart.After} them after a restart.
 */
public final class Positions {
  /** The limit that agents accept by default: twice {@code limits.origins}. */
  static final int MOST_STREAMS = 131_072;

  /** The text of positions without messages. */
  private static final String NONE = "none";

  /**
   * The encoding of a comma in the name of a topic; positions neither begin nor end with a comma.
   */
  private static final String COMMA_OF_TOPIC = ",,";

  /** A comma that is not part of an encoded one. */
  private static final String POSITION_END = "(?<!,),(?!,)";

  /**
   * The last messages by stream: {@code ORIGIN/INCARNATION[~LANE]}, followed by {@code /TOPIC}
   * unless it is the default topic.
   */
  private final SortedMap<String, MessageId> last;

  private Positions(SortedMap<String, MessageId> last) {
    this.last = last;
  }

  /**
   * Returns the positions of a subscriber that has handled these messages and all earlier ones of
   * their streams.
   *
   * @param messages the last one of each stream
   * @throws IllegalArgumentException if a message has a sequence less than 1, or two belong to one
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
   * @throws IllegalArgumentException if the text is malformed; the message states the position
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

  /** Returns these positions advanced past missed messages. */
  public Positions with(MissedMessages missed) {
    return with(missed.last());
  }

  /** Returns the last message of each stream. */
  public List<MessageId> messages() {
    return List.copyOf(last.values());
  }

  /** Returns the name of a message's stream. */
  static String stream(MessageId message) {
    // Called for each message; String.format would take most of the time.
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
