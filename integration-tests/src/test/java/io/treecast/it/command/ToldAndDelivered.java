package io.treecast.it.command;

import io.treecast.client.BroadcastResult;
import io.treecast.client.Confirmation;
import io.treecast.client.TreecastException;
import io.treecast.client.TreecastException.Reason;
import java.util.ArrayList;
import java.util.Collection;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.CancellationException;
import org.jspecify.annotations.Nullable;

/**
 * The answers that publishers had, beside the deliveries of one application at each member.
 * Thread-safe.
 */
final class ToldAndDelivered {
  /** Outcomes after which a payload may have been delivered. */
  private static final Set<Reason> MAY_BE_DELIVERED =
      EnumSet.of(
          Reason.OUTCOME_UNKNOWN,
          Reason.NOT_REPLICATED,
          Reason.NOT_CONFIRMED,
          Reason.INCOMPLETE,
          Reason.CLOSED);

  static final String ACCEPTED = "accepted";

  /** All outcomes of a payload, in the order of its attempts. */
  private final Map<String, List<String>> outcomes = new TreeMap<>();

  private final Map<String, List<String>> confirmed = new TreeMap<>();

  /** The number of deliveries of each payload, by member. */
  private final Map<String, Map<String, Integer>> deliveries = new TreeMap<>();

  /** Notes the outcome of an attempt. */
  synchronized void told(String text, @Nullable Object result, @Nullable Throwable failure) {
    outcomes.computeIfAbsent(text, any -> new ArrayList<>()).add(outcome(failure));
    if (result instanceof BroadcastResult accepted) {
      Confirmation confirmation = accepted.confirmation();
      if (confirmation != null) {
        confirmed.put(text, List.copyOf(confirmation.delivered()));
      }
    }
  }

  private static String outcome(@Nullable Throwable failure) {
    if (failure == null) {
      return ACCEPTED;
    }
    return failure instanceof TreecastException told
        ? told.reason().name()
        : failure instanceof CancellationException ? "cancelled" : failure.toString();
  }

  /** Returns whether an attempt had an unknown outcome, and none since then a certain one. */
  synchronized boolean mayBeRetried(String text) {
    List<String> told = outcomes.getOrDefault(text, List.of());
    return told.contains(Reason.OUTCOME_UNKNOWN.name())
        && !told.contains(ACCEPTED)
        && !told.contains(Reason.RETRY_TOO_LATE.name());
  }

  /** Notes that the application at a member has had a payload. */
  synchronized void delivered(String member, String text) {
    deliveries.computeIfAbsent(member, any -> new TreeMap<>()).merge(text, 1, Integer::sum);
  }

  synchronized boolean wasDelivered(String member, String text) {
    return deliveries.getOrDefault(member, Map.of()).containsKey(text);
  }

  /** Returns what contradicts an answer, or came twice; a line each. */
  synchronized List<String> violations() {
    List<String> wrong = new ArrayList<>();
    deliveries.forEach(
        (member, texts) ->
            texts.forEach(
                (text, times) -> {
                  if (times > 1) {
                    wrong.add(text + " came " + times + " times at " + member);
                  }
                  if (isDenied(text)) {
                    wrong.add(text + " came at " + member + " in spite of " + outcomes.get(text));
                  }
                }));
    confirmed.forEach(
        (text, members) -> {
          for (String member : members) {
            if (!wasDelivered(member, text)) {
              wrong.add(text + " is confirmed by " + member + ", whose application lacks it");
            }
          }
        });
    return wrong;
  }

  private boolean isDenied(String text) {
    List<String> told = outcomes.getOrDefault(text, List.of());
    return !told.isEmpty()
        && !told.contains(ACCEPTED)
        && MAY_BE_DELIVERED.stream().map(Reason::name).noneMatch(told::contains);
  }

  /** Returns the number of attempts with each outcome. */
  synchronized Map<String, Integer> counts() {
    Map<String, Integer> counts = new TreeMap<>();
    outcomes.values().stream()
        .flatMap(Collection::stream)
        .forEach(one -> counts.merge(one, 1, Integer::sum));
    return counts;
  }

  /** Returns the number of deliveries that publishers have been told of as confirmed. */
  synchronized int confirmations() {
    return confirmed.values().stream().mapToInt(List::size).sum();
  }

  synchronized int deliveries() {
    return deliveries.values().stream().mapToInt(Map::size).sum();
  }

  @Override
  public String toString() {
    return counts() + ", " + confirmations() + " confirmations, " + deliveries() + " deliveries";
  }
}
