package io.treecast.cli.messages;

import io.treecast.cli.query.TreeJson;
import io.treecast.client.MessageId;
import tools.jackson.databind.node.ObjectNode;

/** The names of messages in output. */
final class MessageName {
  private MessageName() {}

  /**
   * Returns for example {@code 12 #4}, with a topic {@code 12 #4 of prices}, of an upload {@code 12
   * #4 of lane 2}.
   */
  static String of(MessageId id) {
    return id.origin() + " #" + id.sequence() + stream(id.topic(), id.lane());
  }

  /**
   * Returns the suffix of a stream's name: the topic and the lane. Empty for whole messages on the
   * default topic.
   */
  static String stream(String topic, int lane) {
    if (lane == 0) {
      return topic.isEmpty() ? "" : " of " + topic;
    }
    return (topic.isEmpty() ? " of " : " of " + topic + ", ") + "lane " + lane;
  }

  /** Returns the parts of a message's name. */
  static ObjectNode json(MessageId id) {
    return TreeJson.object()
        .put("origin", id.origin())
        .put("incarnation", String.format("%016x", id.incarnation()))
        .put("topic", id.topic())
        .put("lane", id.lane())
        .put("sequence", id.sequence());
  }
}
