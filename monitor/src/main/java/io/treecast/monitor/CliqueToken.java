package io.treecast.monitor;

import java.util.Comparator;
import java.util.SortedSet;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * Whose turn it is in a clique, a group of agents whose bulk probes would disturb each other: of
 * whoever holds the token. It goes from each member to the one with the next higher id, and from
 * the highest to the lowest. This is one member's part; a driver carries the token.
 *
 * <p><b>Loss.</b> A holder passes the token on within {@link #LONGEST_HOLD_NANOS}. So who has not
 * seen it for as long as all members may hold it, and one more, makes another, with the next
 * generation; the longer its rank among the ids, the later, so that as a rule one does.
 *
 * <p><b>Duplicates.</b> Tokens are ordered by generation, then founder. Whoever has seen a later
 * one drops an earlier one that comes, so of two tokens only the later comes around. Members of one
 * clique that reach each other hold two at the same time only while the later makes its first
 * round.
 *
 * <p>Members need not agree on who they are; where they do not, some see the token seldom, and make
 * another. A member that is alone needs none.
 *
 * <p>Source: R. Wolski, N. Spring, J. Hayes, "The Network Weather Service", Future Generation
 * Computer Systems 15, 1999 (cliques).
 *
 * <p>Single-threaded. Times are nanoseconds of any clock that does not run backwards; members'
 * clocks need not agree.
 *
 * @param <M> a member's id
 */
public final class CliqueToken<M extends Comparable<M>> {
  /** How long a holder that has nothing to do keeps it: idle cliques send a message each time. */
  public static final long IDLE_HOLD_NANOS = 1_000_000_000L;

  /** When a holder passes it on at the latest. */
  public static final long LONGEST_HOLD_NANOS = 10_000_000_000L;

  /**
   * What is passed on.
   *
   * @param generation from 1; higher in each token that takes the place of another
   * @param founder who made it
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
  private @Nullable Token<M> latest;
  private boolean held;
  private long heldSinceNanos;
  private long seenNanos;

  /** Whether it has come by since this member met the others. */
  private boolean hasComeBy;

  /** A member that is alone. */
  public CliqueToken(M self) {
    this.self = self;
  }

  /** Who the other members are now. */
  public void members(SortedSet<M> present, long nowNanos) {
    if (others.isEmpty()) {
      held = false;
      hasComeBy = false;
      seenNanos = nowNanos;
    }
    others = new TreeSet<>(present);
  }

  /** Another member has passed a token on. */
  public void received(Token<M> token, long nowNanos) {
    if (latest == null || token.compareTo(latest) >= 0) {
      hold(token, nowNanos);
    }
  }

  private void hold(Token<M> token, long nowNanos) {
    latest = token;
    held = true;
    hasComeBy = true;
    heldSinceNanos = nowNanos;
    seenNanos = nowNanos;
  }

  /** Whether it is this member's turn. */
  public boolean isHeld(long nowNanos) {
    return others.isEmpty() || (held && nowNanos - heldSinceNanos < LONGEST_HOLD_NANOS);
  }

  /** This member has used its turn. */
  public void used(long nowNanos) {
    heldSinceNanos = Math.min(heldSinceNanos, nowNanos - IDLE_HOLD_NANOS);
  }

  /**
   * When {@link #tick} has something to do.
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

  /** When a token that has not come by is to be replaced. */
  private long missedNanos() {
    int rank = others.headSet(self).size();
    long roundNanos = (others.size() + 2) * (hasComeBy ? LONGEST_HOLD_NANOS : IDLE_HOLD_NANOS);
    return seenNanos + roundNanos + rank * IDLE_HOLD_NANOS;
  }

  /**
   * Lets time pass: replaces a token that is lost, and passes one on.
   *
   * @param inUse whether this member uses its turn
   * @return to whom the {@linkplain #token() token} goes now; null if to nobody
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

  /** The latest token that this member has seen. */
  public Token<M> token() {
    if (latest == null) {
      throw new IllegalStateException("no token yet");
    }
    return latest;
  }
}
