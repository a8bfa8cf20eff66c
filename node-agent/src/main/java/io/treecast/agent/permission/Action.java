package io.treecast.agent.permission;

import java.util.Arrays;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** An action that a rule may permit. */
public enum Action {
  /** Broadcasts whole messages on a topic. */
  PUBLISH("publish", "topic"),
  /** Receives the messages of a topic. */
  SUBSCRIBE("subscribe", "topic"),
  /** Takes part in a collective operation. */
  TAKE_PART("takePart", "operation"),
  /** Broadcasts piece by piece on a topic. */
  UPLOAD("upload", "topic"),
  /** Acquires a claim, or asks for its holder. */
  CLAIM("claim", "claim"),
  /** Reads the shared values of a map. */
  READ("read", "map"),
  /** Writes shared values of a map. */
  WRITE("write", "map"),
  /** Joins a group, or watches it. */
  JOIN("join", "group"),
  /** Changes the agent: injects faults. */
  OPERATE("operate", null),
  /** Reads the agent's state: status, tree, links, topics, metrics, pages. */
  ADMINISTRATE("administrate", null);

  private final String label;
  private final @Nullable String kindOfName;

  Action(String label, @Nullable String kindOfName) {
    this.label = label;
    this.kindOfName = kindOfName;
  }

  /** Returns its name in files and messages. */
  public String label() {
    return label;
  }

  /** Returns whether a rule limits it to names of topics or operations. */
  public boolean isNamed() {
    return kindOfName != null;
  }

  /** Describes the action on one topic or operation, for people. */
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
