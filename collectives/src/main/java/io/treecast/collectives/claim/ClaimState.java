package io.treecast.collectives.claim;

import io.treecast.collectives.claim.ClaimMessage.Voted;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * The present holder of a claim, as far as members answered.
 *
 * @param answers how many members answered
 * @param needed how many are a majority
 * @param holder the owner that has a majority of votes; null if no owner is known to have it
 * @param fence the holder's fencing number
 * @param remainingNanos until the last vote that the holder's majority needs ends
 * @param waiting how many owners wait, by the longest queue
 */
public record ClaimState(
    int answers, int needed, @Nullable Owner holder, long fence, long remainingNanos, int waiting) {
  /** Returns whether enough members answered to know whether the claim is held. */
  public boolean isKnown() {
    return answers >= needed;
  }

  /**
   * Returns the state that members report.
   *
   * @param voters how many members can vote
   */
  static ClaimState of(Collection<Voted> answers, int voters) {
    int needed = ClaimKey.majority(voters);
    SortedMap<Owner, List<Voted>> votes = new TreeMap<>();
    int waiting = 0;
    for (Voted answer : answers) {
      waiting = Math.max(waiting, answer.waiting());
      if (answer.owner() != null) {
        votes.computeIfAbsent(answer.owner(), owner -> new ArrayList<>()).add(answer);
      }
    }
    for (var each : votes.entrySet()) {
      if (each.getValue().size() >= needed) {
        List<Long> remaining =
            each.getValue().stream().map(Voted::remainingNanos).sorted().toList();
        return new ClaimState(
            answers.size(),
            needed,
            each.getKey(),
            each.getValue().get(0).fence(),
            remaining.get(remaining.size() - needed),
            waiting);
      }
    }
    return new ClaimState(answers.size(), needed, null, 0, 0, waiting);
  }
}
