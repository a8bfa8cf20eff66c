package io.treecast.agent.permission;

import java.util.Arrays;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** An action that a rule may permit. */
public enum Action {
  /** Publishing whole messages on a topic. */
  PUBLISH("publish", "topic"),
  /** Receiving the messages of a topic. */
  SUBSCRIBE("subscribe", "topic"),
  /** Taking part in a collective operation. */
  TAKE_PART("takePart", "operation"),
  /** Publishing piece by piece on a topic. */
  UPLOAD("upload", "topic"),
  /** Acquiring a claim, or inquiring about its holder. */
  CLAIM("claim", "claim"),
  /** Reading the shared values of a map. */
  READ("read", "map"),
  /** Writing shared values of a map. */
  WRITE("write", "map"),
  /** Joining or watching a group. */
  JOIN("join", "group"),
  /** Changing the agent, by the injection of faults. */
  OPERATE("operate", null),
  /** Reading the agent's state: status, tree, links, topics, metrics, pages. */
  ADMINISTRATE("administrate", null);

  private final String label;
  private final @Nullable String kindOfName;

  Action(String label, @Nullable String kindOfName) {
    this.label = label;
    this.kindOfName = kindOfName;
  }

  /** Returns the name of the action in files and messages. */
  public String label() {
    return label;
  }

  /** Returns whether rules limit the action by name, for example of topics. */
  public boolean isNamed() {
    return kindOfName != null;
  }

  /** Returns the action with the name of its object, for people. */
  String on(String name) {
    return kindOfName == null
        ? label
        : label
            + " ("
            + (name.isEmpty() ? "the default topic" : kindOfName + " '" + name + "'")
            + ")";
  }

  /** Returns all labels, for people. */
  public static String labels() {
    return Arrays.stream(values()).map(Action::label).collect(Collectors.joining(", "));
  }

  /** Returns the action with this label; null if there is none. */
  public static @Nullable Action labelled(String label) {
    return Arrays.stream(values())
        .filter(action -> action.label.equals(label))
        .findFirst()
        .orElse(null);
  }
}
