package io.treecast.client;

import java.time.Duration;
import java.util.Collections;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * Options of a collective operation. Immutable; the methods return changed copies.
 *
 * <pre>{@code
 * CollectiveOptions.defaults().among(Set.of("h1", "h2")).withWait(Duration.ofMinutes(5))
 * }</pre>
 */
public final class CollectiveOptions {
  /** The maximum wait; agents shorten longer ones. */
  public static final Duration MAX_WAIT = Duration.ofDays(1);

  /** The maximum number of named participants. */
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
   * Returns options with all members of the committed tree as participants, the client's default
   * wait, and no retry token.
   */
  public static CollectiveOptions defaults() {
    return DEFAULTS;
  }

  /**
   * Limits the total wait for the agent and for the other members; replaces {@link
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
   * Names the participants. The operation completes only with all of them: it also waits for
   * members outside the tree, until it times out. All participants must name the same members.
   *
   * @param members their ids, including this agent's, and that of the operation's target or source
   * @throws IllegalArgumentException if there are no members, an empty id, fewer than the
   *     {@linkplain #withMinimum minimum}, or more than {@link #MAX_PARTICIPANTS}
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
   * Requires a minimum of contributors: with fewer, the operation waits until it times out. Calls
   * at all members must give the same minimum. If the minimum exceeds half of all possible members,
   * at most one part of a partitioned network can complete an operation on its own.
   *
   * @throws IllegalArgumentException if it is not 1 to {@link #MAX_PARTICIPANTS}, or more than the
   *     members that {@link #among} names
   */
  public CollectiveOptions withMinimum(int members) {
    return new CollectiveOptions(wait, participants, members, retryToken);
  }

  /**
   * Makes the call safe to repeat: calls with the same token at the same agent count as one, which
   * contributes once. So a member can continue to wait after {@code MEMBERS_MISSING}, and request a
   * lost result after {@code OUTCOME_UNKNOWN}.
   *
   * @param token a token for this call alone
   */
  public CollectiveOptions withRetryToken(RetryToken token) {
    Objects.requireNonNull(token, "token");
    return new CollectiveOptions(wait, participants, minimum, token);
  }

  /** Returns the maximum wait; null for {@link TreecastBuilder#defaultWait}. */
  public @Nullable Duration waitLimit() {
    return wait;
  }

  Duration wait(Duration defaultWait) {
    return wait == null ? defaultWait : wait;
  }

  /** Returns the participants; empty if all members of the committed tree take part. */
  public Set<String> participants() {
    return participants;
  }

  /** Returns the minimum number of contributors; 1 unless another was set. */
  public int minimum() {
    return minimum;
  }

  /** Returns the retry token; null if the call cannot be repeated. */
  public @Nullable RetryToken retryToken() {
    return retryToken;
  }

  /** Compares all options, including the retry token. */
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

  /** Describes the options, for a log. */
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
