package io.treecast.client;

import java.util.List;
import java.util.Objects;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The agents that one client may use, in the order of preference. Immutable.
 *
 * @param all one to {@link #MAX_AGENTS} different addresses
 */
record AgentAddresses(List<AgentAddress> all) {
  /** The maximum number of agents of one client. */
  static final int MAX_AGENTS = 64;

  /** The environment variable for programs that name no agent, as for commands. */
  static final String VARIABLE = "TREECAST_AGENT";

  private static final String DEFAULT = "127.0.0.1:7700";

  AgentAddresses {
    all = List.copyOf(all);
    if (all.isEmpty() || all.size() > MAX_AGENTS) {
      throw new IllegalArgumentException(
          all.size() + " agent addresses are given; allowed are 1 to " + MAX_AGENTS);
    }
    for (AgentAddress agent : all) {
      if (all.indexOf(agent) != all.lastIndexOf(agent)) {
        throw new IllegalArgumentException(
            "agent address " + agent + " is given twice; give each agent once");
      }
    }
  }

  /**
   * Parses addresses; a text may contain several, separated by commas.
   *
   * @throws IllegalArgumentException as {@link AgentAddress#parse}
   */
  static AgentAddresses parse(String... texts) {
    return new AgentAddresses(
        Stream.of(Objects.requireNonNull(texts, "agent"))
            .flatMap(text -> Stream.of(Objects.requireNonNull(text, "agent").split(",", -1)))
            .map(text -> AgentAddress.parse(text.strip()))
            .toList());
  }

  /**
   * Parses the addresses of a program that names its agents or leaves them to the environment.
   *
   * @param variable the value of {@link #VARIABLE}; null if it is not set
   * @throws IllegalArgumentException as {@link AgentAddress#parse}; the message names the variable
   *     if its value is wrong
   */
  static AgentAddresses parse(String[] texts, @Nullable String variable) {
    if (Objects.requireNonNull(texts, "agent").length > 0) {
      return parse(texts);
    }
    if (variable == null || variable.isBlank()) {
      return parse(DEFAULT);
    }
    try {
      return parse(variable);
    } catch (IllegalArgumentException e) {
      throw new IllegalArgumentException(VARIABLE + ": " + e.getMessage(), e);
    }
  }

  boolean areSeveral() {
    return all.size() > 1;
  }

  /** Returns, for example, {@code h1:7700 or h2:7700}. */
  @Override
  public String toString() {
    return all.stream().map(AgentAddress::toString).collect(Collectors.joining(" or "));
  }
}
