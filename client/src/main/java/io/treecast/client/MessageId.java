package io.treecast.client;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.net.URLEncoder;
import java.util.Objects;
import java.util.UUID;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The cluster-wide unique name of a broadcast, the same at its publisher and at every subscriber.
 *
 * @param origin the node id of the agent that has accepted it
 * @param incarnation that agent's incarnation, higher than at each of its earlier starts
 * @param topic the topic of the broadcast; empty for the default topic
 * @param lane 0 for a whole broadcast, 1 to 255 for an upload; 256 or more on a topic that the
 *     agent had forgotten and begun again. Lanes are received independently of one another
 * @param sequence from 1, without gaps, for each incarnation of an origin, topic and lane
 */
public record MessageId(String origin, long incarnation, String topic, int lane, long sequence) {

  private static final int MAX_FILE_NAME = 200;

  private static final Pattern TEXT =
      Pattern.compile(
          "([^/,\\s]+)/([0-9a-fA-F]{16})(?:~([1-9][0-9]{0,9}))?/(?:(.+)/)?([1-9][0-9]{0,18})",
          // Topics may contain characters that Unicode calls line separators.
          Pattern.DOTALL);

  /**
   * Parses the result of {@link #toString}.
   *
   * @throws IllegalArgumentException if the text is not a message id
   */
  public static MessageId parse(String text) {
    Matcher parts = TEXT.matcher(Objects.requireNonNull(text, "text"));
    try {
      if (parts.matches()) {
        String lane = parts.group(3);
        String topic = parts.group(4);
        return new MessageId(
            parts.group(1),
            Long.parseUnsignedLong(parts.group(2), 16),
            topic == null ? "" : TopicName.checked(topic),
            lane == null ? 0 : Integer.parseInt(lane),
            Long.parseLong(parts.group(5)));
      }
    } catch (NumberFormatException e) {
      // A sequence out of range is reported like other malformed text.
    }
    throw new IllegalArgumentException(
        "'"
            + text
            + "' is not of the form ORIGIN/INCARNATION[~LANE]/[TOPIC/]SEQUENCE, such as h1/9f3a6c01d2e4b587/4: the"
            + " incarnation has 16 hexadecimal digits, the sequence is 1 or more");
  }

  /** Creates the id of a whole broadcast on the default topic. */
  public MessageId(String origin, long incarnation, long sequence) {
    this(origin, incarnation, "", 0, sequence);
  }

  /**
   * Returns, for example, {@code 12/9f3a6c01d2e4b587/4}; with a topic {@code
   * 12/9f3a6c01d2e4b587/prices/4}; on lane 2 {@code 12/9f3a6c01d2e4b587~2/4}.
   */
  @Override
  public String toString() {
    return Positions.stream(this) + "/" + sequence;
  }

  /**
   * Returns a file name that is unique for each message: {@code 12,9f3a6c01d2e4b587~2,prices,4}.
   * Characters that some file systems reject are encoded as in URLs ({@code %2F}). If a name
   * exceeds {@value #MAX_FILE_NAME} characters, a hash of the whole name replaces its middle.
   */
  public String fileName() {
    StringBuilder name =
        new StringBuilder(encoded(origin)).append(String.format(",%016x", incarnation));
    if (lane != 0) {
      name.append('~').append(lane);
    }
    if (!topic.isEmpty()) {
      name.append(',').append(encoded(topic));
    }
    String last = "," + sequence;
    if (name.length() + last.length() > MAX_FILE_NAME) {
      String hash = UUID.nameUUIDFromBytes(name.toString().getBytes(UTF_8)).toString();
      name.setLength(MAX_FILE_NAME - 1 - hash.length() - last.length());
      name.append('~').append(hash);
    }
    return name.append(last).toString();
  }

  private static String encoded(String text) {
    return URLEncoder.encode(text, UTF_8).replace("*", "%2A").replaceFirst("^\\.", "%2E");
  }
}
