package io.treecast.client;

import java.util.concurrent.atomic.AtomicLong;

/**
 * Names for a collective operation that is repeated: {@code checkpoint-1}, {@code checkpoint-2} and
 * so on. Each member counts for itself, and all must make the same calls in the same order; so the
 * n-th call of one meets the n-th call of the others.
 *
 * <pre>{@code
 * Rounds rounds = Rounds.of("checkpoint");
 * while (true) {
 *   work();
 *   treecast.blocking().collectives().barrier(rounds.next());
 * }
 * }</pre>
 *
 * <p>A member that starts again must continue where the others are, or it fails with {@code
 * NAME_USED}: it stores {@link #last} with its work, and continues {@linkplain #after after} it.
 *
 * <p>Safe for use by several threads; but then the order of their calls is not known.
 */
public final class Rounds {
  private final String prefix;
  private final AtomicLong last;

  private Rounds(String prefix, long last) {
    this.prefix = OperationName.checked(prefix);
    this.last = new AtomicLong(last);
    var unused = OperationName.checked(name(Long.MAX_VALUE)); // All names are short enough.
  }

  /**
   * Returns rounds that begin with 1.
   *
   * @param prefix of the names, the same at all members
   * @throws IllegalArgumentException if operations cannot have such names: the prefix has 1 to 180
   *     bytes of UTF-8, without control characters
   */
  public static Rounds of(String prefix) {
    return after(prefix, 0);
  }

  /**
   * Returns rounds that continue after one that this member has taken part in.
   *
   * @param last its number
   * @throws IllegalArgumentException as {@link #of}, or if the number is negative
   */
  public static Rounds after(String prefix, long last) {
    if (last < 0) {
      throw new IllegalArgumentException("the number of the last round is " + last);
    }
    return new Rounds(prefix, last);
  }

  /** Returns the name of the next round. */
  public String next() {
    return name(last.incrementAndGet());
  }

  /** Returns the number of the round that was named last; 0 before the first. */
  public long last() {
    return last.get();
  }

  private String name(long number) {
    return prefix + "-" + number;
  }
}
