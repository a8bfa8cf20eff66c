package io.treecast.cli.messages;

import io.treecast.cli.console.CommandFailure;
import io.treecast.client.Positions;
import io.treecast.client.SubscribeOptions;
import io.treecast.client.SubscriptionStart;
import io.treecast.client.WhenSlow;
import java.util.Arrays;
import java.util.LinkedHashSet;
import java.util.Locale;
import java.util.Set;
import java.util.stream.Collectors;
import picocli.CommandLine.Option;

/** The flags for the start of a subscription, its topics, and the policy for a slow subscriber. */
final class SubscribeFlags {
  private static final String NOW = "now";
  private static final String RETAINED = "retained";

  @Option(
      names = "--from",
      paramLabel = "START",
      defaultValue = NOW,
      description = {
        "now: messages that are broadcast from now on; retained: first the contents "
            + "of the agent's log; or positions "
            + "ORIGIN/INCARNATION[~LANE]/[TOPIC/]SEQUENCE[,...], as in the JSON of "
            + "messages, or none: messages after them, and other streams from their first "
            + "message. Default: ${DEFAULT-VALUE}."
      })
  private String from = NOW;

  @Option(
      names = "--when-slow",
      paramLabel = "POLICY",
      defaultValue = "slow-publisher",
      description = {
        "Policy if this subscriber is too slow: slow-publisher: publishers wait; "
            + "catch-up: continue from the agent's log, and miss messages that it drops; "
            + "gap: skip to new messages. Default: ${DEFAULT-VALUE}."
      })
  private String whenSlow = name(WhenSlow.SLOW_PUBLISHER);

  @Option(
      names = "--topic",
      paramLabel = "TOPIC",
      split = ",",
      description = "Topics of the messages; default: the default topic.")
  private Set<String> topics = new LinkedHashSet<>();

  @Option(
      names = "--ordered",
      description =
          "In total order: all ordered subscribers of the topic get its messages in "
              + "the same order, with their places.")
  private boolean ordered;

  /** Returns whether the subscription may begin with earlier messages. */
  boolean mayReplay() {
    return !from.equals(NOW);
  }

  SubscribeOptions options() {
    SubscribeOptions options = onTopics().withStart(start()).withWhenSlow(whenSlow());
    return CommandFailure.checked("--ordered", () -> ordered ? options.withTotalOrder() : options);
  }

  private SubscribeOptions onTopics() {
    if (topics.isEmpty()) {
      return SubscribeOptions.defaults();
    }
    if (topics.contains("")) {
      throw CommandFailure.usage("--topic: a name is empty; expected names, separated by commas");
    }
    return CommandFailure.checked(
        "--topic", () -> SubscribeOptions.defaults().withTopics(topics.toArray(String[]::new)));
  }

  private SubscriptionStart start() {
    if (from.equals(NOW)) {
      return new SubscriptionStart.Now();
    }
    if (from.equals(RETAINED)) {
      return new SubscriptionStart.Retained();
    }
    try {
      return new SubscriptionStart.After(Positions.parse(from));
    } catch (IllegalArgumentException e) {
      throw CommandFailure.usage(
          "--from: allowed are now, retained and positions; as a position, " + e.getMessage());
    }
  }

  private WhenSlow whenSlow() {
    for (WhenSlow policy : WhenSlow.values()) {
      if (name(policy).equals(whenSlow)) {
        return policy;
      }
    }
    throw CommandFailure.usage(
        "--when-slow: '"
            + whenSlow
            + "' is not allowed; allowed are "
            + Arrays.stream(WhenSlow.values())
                .map(SubscribeFlags::name)
                .collect(Collectors.joining(", ")));
  }

  private static String name(Enum<?> value) {
    return value.name().toLowerCase(Locale.ROOT).replace('_', '-');
  }
}
