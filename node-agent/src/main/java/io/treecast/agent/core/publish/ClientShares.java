package io.treecast.agent.core.publish;

import java.util.HashMap;
import java.util.Map;

/**
 * The clients' shares of a limited resource. A client may have at most as much as it leaves free
 * for the others. So one greedy client leaves half, and several greedy ones have equal shares. The
 * caller decides whether a client's first request is exempt.
 */
public final class ClientShares {
  private final long limit;
  private long all;

  /** The amounts by client, without clients that have nothing. Never iterated. */
  private final Map<String, Long> byClient = new HashMap<>();

  /**
   * Creates an unused resource.
   *
   * @param limit the amount that all clients may have together
   */
  public ClientShares(long limit) {
    this.limit = limit;
  }

  long limit() {
    return limit;
  }

  /** Returns the amount that all clients have together. */
  long all() {
    return all;
  }

  /** Returns the amount of a client. */
  public long of(String client) {
    return byClient.getOrDefault(client, 0L);
  }

  /** Returns whether this amount is free. */
  boolean isFree(long amount) {
    return amount <= limit - all;
  }

  /**
   * Returns whether a client with this additional amount leaves at least as much free as it has.
   */
  boolean leavesFairShare(String client, long amount) {
    return of(client) + amount <= limit - all - amount;
  }

  /**
   * Returns whether this client is refused one more although one is free: the client has at least
   * one, and would have more than it leaves to the others.
   */
  public boolean exceedsFairShare(String client) {
    return isFree(1) && of(client) > 0 && !leavesFairShare(client, 1);
  }

  /**
   * Returns why a client gets no more, for people.
   *
   * @param setting the name of the limit
   * @param what the plural name of the limited items
   */
  public String refusalReason(String client, String setting, String what) {
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
        + ": a client may have no more than it leaves to the others; end some, or raise the limit"
        + " of this agent";
  }

  public void add(String client, long amount) {
    all += amount;
    byClient.merge(client, amount, Long::sum);
  }

  /** Subtracts from a client's amount. */
  public void remove(String client, long amount) {
    all -= amount;
    byClient.merge(client, -amount, Long::sum);
    byClient.remove(client, 0L);
  }
}
