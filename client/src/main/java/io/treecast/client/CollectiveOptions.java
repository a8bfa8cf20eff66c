package io.treecast.client;

import java.time.Duration;
import java.util.Collections;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * How to take part in a collective operation. Immutable; the methods give changed copies.
 *
 * <pre>{@code
 * CollectiveOptions.defaults().among(Set.of("h1", "h2")).withWait(Duration.ofMinutes(5))
 * }</pre>
 */
public final class CollectiveOptions {
  /** The longest wait: agents take more for as much. */
  public static final Duration MAX_WAIT = Duration.ofDays(1);

  /** The most members that can be named. */
  public static final int MAX_PARTICIPANTS = 10_000;

  private static final CollectiveOptions DEFAULTS = new CollectiveOptions(null, Set.of(), 1, null);

  private final @Nullable Duration wait;
  private final Set<String> participants;
  private final int minimum;
  private final @Nullable RetryToken retryToken;

  private CollectiveOptions(
      @Nullable Duration wait,
      Set<String> participants,
      int minimum,
      @Nullable RetryToken retryToken) {
    int most = participants.isEmpty() ? MAX_PARTICIPANTS : participants.size();
    if (minimum < 1 || minimum > most) {
      throw new IllegalArgumentException(
          "the minimum of members is "
              + minimum
              + "; allowed are 1 to "
              + most
              + (participants.isEmpty() ? "" : ", the members that are named"));
    }
    this.wait = wait;
    this.participants = participants;
    this.minimum = minimum;
    this.retryToken = retryToken;
  }

  /**
   * All members of the committed tree take part; waits as the client does, and is not to be called
   * again.
   */
  public static CollectiveOptions defaults() {
    return DEFAULTS;
  }

  /**
   * Waits for the agent and for the other members, together no longer than this; instead of {@link
   * TreecastBuilder#defaultWait}.
   *
   * @throws IllegalArgumentException if it is negative or longer than {@link #MAX_WAIT}
   */
  public CollectiveOptions withWait(Duration limit) {
    if (Objects.requireNonNull(limit, "wait").isNegative() || limit.compareTo(MAX_WAIT) > 0) {
      throw new IllegalArgumentException(
          "the wait is " + limit + "; allowed are 0 to " + MAX_WAIT.toHours() + " h");
    }
    return new CollectiveOptions(limit, participants, minimum, retryToken);
  }

  /**
   * These members take part, and no others. None of them is left out: the operation waits for one
   * that is not in the tree, too, until the time is over. All who take part must name the same.
   *
   * @param members their ids; this agent's, and that of the member to whom or from whom the
   *     operation goes, among them
   * @throws IllegalArgumentException if there is none, an empty one, fewer than the {@linkplain
   *     #withMinimum minimum}, or more than {@link #MAX_PARTICIPANTS}
   */
  public CollectiveOptions among(Set<String> members) {
    Set<String> copy = new TreeSet<>();
    for (String member : Objects.requireNonNull(members, "members")) {
      copy.add(OperationName.checkedMember(member, "member"));
    }
    if (copy.isEmpty() || copy.size() > MAX_PARTICIPANTS) {
      throw new IllegalArgumentException(
          copy.size()
              + " members are to take part; allowed are 1 to "
              + MAX_PARTICIPANTS
              + ", or all of the tree by not naming any");
    }
    return new CollectiveOptions(wait, Collections.unmodifiableSet(copy), minimum, retryToken);
  }

  /**
   * The operation does not complete with fewer contributors than this, but waits for more until the
   * time is over. Calls at all members must give the same minimum. With more than half of all
   * members that there may be, two parts of a network cannot each begin an operation and complete
   * it on their own.
   *
   * @throws IllegalArgumentException if it is not 1 to {@link #MAX_PARTICIPANTS}, or more than the
   *     members that {@link #among} names
   */
  public CollectiveOptions withMinimum(int members) {
    return new CollectiveOptions(wait, participants, members, retryToken);
  }

  /**
   * Lets the call be made again, with the same token at the same agent: then it is the same call,
   * which contributes once. So a member can go on waiting after {@code MEMBERS_MISSING}, and ask
   * for what it missed after {@code OUTCOME_UNKNOWN}.
   *
   * @param token of this call alone
   */
  public CollectiveOptions withRetryToken(RetryToken token) {
    Objects.requireNonNull(token, "token");
    return new CollectiveOptions(wait, participants, minimum, token);
  }

  /** How long it waits; null if {@link TreecastBuilder#defaultWait} says it. */
  public @Nullable Duration waitLimit() {
    return wait;
  }

  Duration wait(Duration defaultWait) {
    return wait == null ? defaultWait : wait;
  }

  /** Who takes part; empty if all members of the committed tree do. */
  public Set<String> participants() {
    return participants;
  }

  /** The fewest contributors with which it completes; 1 unless another minimum was given. */
  public int minimum() {
    return minimum;
  }

  /** By which the call may be made again; null if it may not. */
  public @Nullable RetryToken retryToken() {
    return retryToken;
  }

  /** Equal are those that say the same, with the same retry token. */
  @Override
  public boolean equals(@Nullable Object other) {
    return other instanceof CollectiveOptions that
        && Objects.equals(wait, that.wait)
        && participants.equals(that.participants)
        && minimum == that.minimum
        && retryToken == that.retryToken;
  }

  @Override
  public int hashCode() {
    return Objects.hash(wait, participants, minimum);
  }

  /** For a log. */
  @Override
  public String toString() {
    return "CollectiveOptions[wait="
        + (wait == null ? "default" : wait)
        + ", among="
        + (participants.isEmpty() ? "all" : participants)
        + ", minimum="
        + minimum
        + ", retryToken="
        + retryToken
        + "]";
  }
}
