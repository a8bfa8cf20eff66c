package io.treecast.agent.permission;

import java.util.List;
import java.util.Set;
import java.util.stream.Collector;
import java.util.stream.Collectors;

/**
 * Permits actions to an identity. Immutable.
 *
 * @param identity a URI, a subject or {@code token:NAME}, in which {@code *} matches any number of
 *     characters
 * @param actions the permitted actions
 * @param names the names of topics, operations and the like, in which {@code *} matches any number
 *     of characters; empty for actions without names
 */
public record Rule(String identity, Set<Action> actions, List<String> names) {
  /** Copies the components. */
  public Rule {
    actions = Set.copyOf(actions);
    names = List.copyOf(names);
  }

  /** Returns whether the rule permits an action to one of a caller's identities. */
  boolean permits(List<String> identities, Action action, String name) {
    return actions.contains(action)
        && (!action.isNamed() || names.stream().anyMatch(glob -> new Glob(glob).matches(name)))
        && (identity.equals("*") || identities.stream().anyMatch(new Glob(identity)::matches));
  }

  /** Returns the rule in the syntax of a file, on one line. */
  @Override
  public String toString() {
    return "{identity: "
        + quoted(identity)
        + ", may: "
        + actions.stream().sorted().map(Action::label).collect(list())
        + (names.isEmpty() ? "" : ", names: " + names.stream().map(Rule::quoted).collect(list()))
        + "}";
  }

  private static Collector<CharSequence, ?, String> list() {
    return Collectors.joining(", ", "[", "]");
  }

  private static String quoted(String text) {
    return '"' + text.replace("\\", "\\\\").replace("\"", "\\\"") + '"';
  }
}
