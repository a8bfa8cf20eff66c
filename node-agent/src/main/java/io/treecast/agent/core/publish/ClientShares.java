package io.treecast.agent.core.publish;

import java.util.HashMap;
import java.util.Map;

/**
 * What the clients of an agent have of something of which there is so much. No client has more of
 * it than is left for others. So one that asks for more than it can have leaves half to the others;
 * of several each has the same. Whether a client's first is an exception, the caller decides.
 */
public final class ClientShares {
  private final long limit;
  private long all;

  /** Of those that have something; looked up only. */
  private final Map<String, Long> byClient = new HashMap<>();

  /**
   * Nobody has anything.
   *
   * @param limit what all may have together
   */
  public ClientShares(long limit) {
    this.limit = limit;
  }

  long limit() {
    return limit;
  }

  /** What all have together. */
  long all() {
    return all;
  }

  /** What a client has. */
  public long of(String client) {
    return byClient.getOrDefault(client, 0L);
  }

  /** Whether there is so much, whoever asks for it. */
  boolean isFree(long amount) {
    return amount <= limit - all;
  }

  /** Whether a client that has so much more leaves as much to the others as it has. */
  boolean leavesAsMuch(String client, long amount) {
    return of(client) + amount <= limit - all - amount;
  }

  /**
   * Whether there is one more, but not for this client, which has one already: it would have more
   * than it leaves to the others.
   */
  public boolean refusesOneMore(String client) {
    return isFree(1) && of(client) > 0 && !leavesAsMuch(client, 1);
  }

  /**
   * Why a client has no one more.
   *
   * @param setting the bound
   * @param what it bounds
   */
  public String whyNoMore(String client, String setting, String what) {
    return "this client has "
        + of(client)
        + " of "
        + setting
        + " = "
        + limit
        + " "
        + what
        + ", of which all clients have "
        + all
        + ": one client has no more than it leaves to the others; end some, or raise the limit of"
        + " this agent";
  }

  /** A client has so much more. */
  public void add(String client, long amount) {
    all += amount;
    byClient.merge(client, amount, Long::sum);
  }

  /** A client has so much less. */
  public void remove(String client, long amount) {
    all -= amount;
    byClient.merge(client, -amount, Long::sum);
    byClient.remove(client, 0L);
  }
}
