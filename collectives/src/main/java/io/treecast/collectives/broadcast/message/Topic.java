package io.treecast.collectives.broadcast.message;

import io.treecast.ghs.NodeId;
import java.nio.charset.StandardCharsets;
import java.util.Collection;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.stream.Collectors;

/**
 * Rules for the names of topics. A topic exists as soon as its name is in use.
 *
 * <p>A name that begins with {@code to/} is a <em>selection</em>: the ids of its receivers follow,
 * separated by commas. Such a topic is wanted by its receivers, whether or not they have
 * subscribers, and reaches their subscribers of the default topic, or of the topic that follows the
 * ids after a slash. No subscription names it.
 */
public final class Topic {
  /** The topic that every member gets. */
  public static final String DEFAULT = "";

  /** Longest name, in bytes of UTF-8. */
  public static final int MAX_BYTES = 200;

  /** Longest name of a selection, in bytes. */
  public static final int MAX_SELECTION_BYTES = 2_000;

  private static final String TO = "to/";

  /** Prefix of the topics of replies to requests with several receivers. */
  private static final String SHARED_REPLIES = "reply/shared/";

  /** Prefix that marks the total order of a topic in place of the topic itself. */
  private static final String ORDER = "\u0001";

  private Topic() {}

  /**
   * Returns the name of a topic's total order among the interests of members; no topic has such a
   * name.
   */
  public static String orderOf(String topic) {
    return ORDER + topic;
  }

  /** Returns whether the name stands for the total order of a topic. */
  public static boolean isOrder(String name) {
    return name.startsWith(ORDER);
  }

  /** Returns the topic that {@link #orderOf} was called with. */
  public static String ofOrder(String name) {
    return name.substring(ORDER.length());
  }

  /**
   * Returns the topic that reaches the subscribers of the default topic at exactly these members.
   */
  public static String to(Collection<NodeId> receivers) {
    return new TreeSet<>(receivers)
        .stream().map(NodeId::toString).collect(Collectors.joining(",", TO, ""));
  }

  /** Returns whether the topic names its receivers. */
  public static boolean isSelection(String topic) {
    return topic.startsWith(TO);
  }

  /**
   * Returns the members that a selection names.
   *
   * @throws IllegalArgumentException if one of them is not a node id
   */
  public static SortedSet<NodeId> receivers(String selection) {
    TreeSet<NodeId> receivers = new TreeSet<>();
    for (String name : ids(selection).split(",", -1)) {
      receivers.add(NodeId.of(name));
    }
    return receivers;
  }

  /** Returns whether the topic is a selection that names the member. */
  public static boolean names(String topic, NodeId member) {
    return isSelection(topic) && ("," + ids(topic) + ",").contains("," + member + ",");
  }

  private static String ids(String selection) {
    int end = selection.indexOf('/', TO.length());
    return selection.substring(TO.length(), end < 0 ? selection.length() : end);
  }

  /**
   * Returns whether the messages of the topic are replies to a request with several receivers. Such
   * replies come together, and may wait for each other on their way.
   */
  public static boolean isOfSharedReplies(String topic) {
    return topic.startsWith(SHARED_REPLIES);
  }

  /** Returns the topic whose subscribers get the messages: itself, unless it is a selection. */
  public static String audience(String topic) {
    if (!isSelection(topic)) {
      return topic;
    }
    int idsEnd = TO.length() + ids(topic).length();
    return idsEnd == topic.length() ? DEFAULT : topic.substring(idsEnd + 1);
  }

  /**
   * Returns the name for which a publisher needs permission: a selection of the subscribers of a
   * topic needs that of the topic, and another selection its own.
   */
  public static String permittedAs(String topic) {
    String audience = audience(topic);
    return audience.equals(DEFAULT) ? topic : audience;
  }

  /**
   * Returns whether the members that get the topic are known to its publisher, so that they can
   * confirm: all members, or those of a selection.
   */
  public static boolean hasKnownReceivers(String topic) {
    return topic.equals(DEFAULT) || isSelection(topic);
  }

  /**
   * Checks a name.
   *
   * @return the name
   * @throws IllegalArgumentException if the name is longer than {@link #MAX_BYTES}, has a control
   *     character or is not valid text; or if it is a selection that is longer than {@link
   *     #MAX_SELECTION_BYTES}, whose receivers are not node ids, or whose topic is not allowed
   */
  public static String checked(String name) {
    if (name.equals(DEFAULT)) {
      return name; // The common case: nearly every decoded chunk.
    }
    if (isSelection(name)) {
      return checkedSelection(name);
    }
    int bytes = name.getBytes(StandardCharsets.UTF_8).length;
    if (bytes > MAX_BYTES) {
      throw new IllegalArgumentException(
          "topic name of " + bytes + " bytes; allowed are 1 to " + MAX_BYTES + " bytes of UTF-8");
    }
    boolean allowed =
        name.codePoints()
            .noneMatch(
                c -> Character.isISOControl(c) || Character.getType(c) == Character.SURROGATE);
    if (!allowed) {
      throw new IllegalArgumentException(
          "topic name with a control character or half a surrogate pair; neither is allowed");
    }
    return name;
  }

  private static String checkedSelection(String name) {
    if (name.length() > MAX_SELECTION_BYTES) {
      throw new IllegalArgumentException(
          ("a selection of %s bytes of node ids; allowed are %s: select fewer members, or "
                  + "let them subscribe to a topic")
              .formatted(name.length(), MAX_SELECTION_BYTES));
    }
    receivers(name);
    String topic = audience(name);
    if (isSelection(topic) || (topic.equals(DEFAULT) && name.endsWith("/"))) {
      throw new IllegalArgumentException(
          "a selection of the subscribers of '" + topic + "': name a topic after the node ids");
    }
    checked(topic);
    return name;
  }
}
