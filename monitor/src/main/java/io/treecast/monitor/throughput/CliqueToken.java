package io.treecast.monitor.throughput;

import java.util.Comparator;
import java.util.SortedSet;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * The token of a clique, a group of agents whose bulk probes would disturb each other: its holder
 * has the turn. The token goes from each member to the one with the next higher id, and from the
 * highest to the lowest. This class is one member's part; a driver carries the token.
 *
 * <p><b>Loss.</b> A holder passes the token on within {@link #LONGEST_HOLD_NANOS}. A member that
 * has not seen the token for as long as all members, and one more, may hold it creates another one,
 * of the next generation. The delay grows with the member's rank among the ids, so that usually one
 * member creates a token.
 *
 * <p><b>Duplicates.</b> Tokens are ordered by generation, then founder. A member that has seen a
 * later token drops an earlier one, so of two tokens only the later one circulates. Members of one
 * clique that reach each other hold two tokens at the same time only during the first round of the
 * later one.
 *
 * <p>Members need not agree on the membership; where they do not, some see the token rarely, and
 * create another one. A lone member needs no token.
 *
 * <p>Source: R. Wolski, N. Spring, J. Hayes, "The Network Weather Service", Future Generation
 * Computer Systems 15, 1999 (cliques).
 *
 * <p>Single-threaded. Times are nanoseconds of any clock that does not run backwards; members'
 * clocks need not agree.
 *
 * @param <M> the type of member ids
 */
public final class CliqueToken<M extends Comparable<M>> {
  /**
   * The time for which an idle holder keeps the token: even idle cliques send a message each time.
   */
  public static final long IDLE_HOLD_NANOS = 1_000_000_000L;

  /** The longest time for which a holder keeps the token. */
  public static final long LONGEST_HOLD_NANOS = 10_000_000_000L;

  /**
   * The circulating token.
   *
   * @param generation from 1; higher in each token that replaces another
   * @param founder the member that created the token
   */
  public record Token<M extends Comparable<M>>(long generation, M founder)
      implements Comparable<Token<M>> {
    @Override
    public int compareTo(Token<M> other) {
      return Comparator.<Token<M>>comparingLong(Token::generation)
          .thenComparing(Token::founder, Comparator.reverseOrder())
          .compare(this, other);
    }
  }

  private final M self;
  private TreeSet<M> others = new TreeSet<>();

  /** The number of other members with a lower id. Each deadline needs it, so it is kept. */
  private int rank;

  private @Nullable Token<M> latest;
  private boolean held;
  private long heldSinceNanos;
  private long seenNanos;

  /** Whether this member has held a token since it was alone. */
  private boolean hasHeldToken;

  /** Creates the part of a lone member. */
  public CliqueToken(M self) {
    this.self = self;
  }

  /** Sets the other members. */
  public void members(SortedSet<M> present, long nowNanos) {
    if (others.isEmpty()) {
      held = false;
      hasHeldToken = false;
      seenNanos = nowNanos;
    }
    others = new TreeSet<>(present);
    rank = others.headSet(self).size();
  }

  /** Handles a token passed on by another member. */
  public void received(Token<M> token, long nowNanos) {
    if (latest == null || token.compareTo(latest) >= 0) {
      hold(token, nowNanos);
    }
  }

  private void hold(Token<M> token, long nowNanos) {
    latest = token;
    held = true;
    hasHeldToken = true;
    heldSinceNanos = nowNanos;
    seenNanos = nowNanos;
  }

  /** Returns whether it is this member's turn. */
  public boolean isHeld(long nowNanos) {
    return others.isEmpty() || (held && nowNanos - heldSinceNanos < LONGEST_HOLD_NANOS);
  }

  /** Notes that this member has used its turn. */
  public void used(long nowNanos) {
    heldSinceNanos = Math.min(heldSinceNanos, nowNanos - IDLE_HOLD_NANOS);
  }

  /**
   * Returns when {@link #tick} has something to do.
   *
   * @param inUse whether this member uses its turn
   */
  public long nextDeadlineNanos(boolean inUse) {
    if (others.isEmpty()) {
      return Long.MAX_VALUE;
    }
    return held ? heldSinceNanos + longestHoldNanos(inUse) : missedNanos();
  }

  private static long longestHoldNanos(boolean inUse) {
    return inUse ? LONGEST_HOLD_NANOS : IDLE_HOLD_NANOS;
  }

  /** The time at which this member replaces a token that has not arrived. */
  private long missedNanos() {
    long roundNanos = (others.size() + 2) * (hasHeldToken ? LONGEST_HOLD_NANOS : IDLE_HOLD_NANOS);
    return seenNanos + roundNanos + rank * IDLE_HOLD_NANOS;
  }

  /**
   * Advances time: replaces a lost token, and passes one on.
   *
   * @param inUse whether this member uses its turn
   * @return the member that gets the {@linkplain #token() token} now; null if it stays
   */
  public @Nullable M tick(boolean inUse, long nowNanos) {
    if (others.isEmpty()) {
      return null;
    }
    if (!held) {
      if (nowNanos >= missedNanos()) {
        hold(new Token<>(latest == null ? 1 : latest.generation() + 1, self), nowNanos);
      }
      return null;
    }
    if (nowNanos - heldSinceNanos < longestHoldNanos(inUse)) {
      return null;
    }
    held = false;
    seenNanos = nowNanos;
    M next = others.higher(self);
    return next == null ? others.first() : next;
  }

  /** Returns the latest token that this member has seen. */
  public Token<M> token() {
    if (latest == null) {
      throw new IllegalStateException("no token yet");
    }
    return latest;
  }
}
