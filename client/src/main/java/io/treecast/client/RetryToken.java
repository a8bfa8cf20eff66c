package io.treecast.client;

import java.time.Instant;
import java.util.Objects;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The name of a broadcast, created before it is sent, so that it can be sent again without a second
 * copy. The token remembers the time of the first attempt that may have been accepted: an agent
 * that may have forgotten that attempt refuses the next one ({@code RETRY_TOO_LATE}). Attempts that
 * were not sent, or that an agent has refused, do not count. A token can also name one call of a
 * {@linkplain Collectives collective operation}, which can then be repeated at any time and counts
 * once.
 *
 * <p>As text a token can be passed to another process on the same machine: {@link #parse} reads the
 * result of {@link #toString}. Safe for use by several threads.
 */
public final class RetryToken {
  private static final Pattern TEXT = Pattern.compile("([A-Za-z0-9-]{1,64})@(\\d{1,15})");

  private final String name;
  private final LongSupplier nanoClock;

  // Guarded by this.

  /** The agent of those attempts; null if it is unknown. */
  private @Nullable AgentAddress agent;

  /** The number of attempts that were sent and are not known to be refused. */
  private int attempts;

  /** The time of the first of these attempts; undefined without attempts. */
  private long firstNanos;

  RetryToken(String name, LongSupplier nanoClock) {
    this.name = name;
    this.nanoClock = nanoClock;
  }

  /** Creates a new, unique token. */
  public static RetryToken create() {
    return new RetryToken(UUID.randomUUID().toString(), System::nanoTime);
  }

  /**
   * Parses the result of {@link #toString}.
   *
   * @throws IllegalArgumentException if the text is not a token, or its time is in the future by
   *     this machine's clock, so that it would seem new however often it was sent
   */
  public static RetryToken parse(String text) {
    Matcher matcher = TEXT.matcher(Objects.requireNonNull(text, "text"));
    if (!matcher.matches()) {
      throw new IllegalArgumentException(
          "'"
              + text
              + "' is not a retry token; one looks like 5f1c9a52-7d4e-4c7b-9a53-0d7f2c1be0aa@1795327200000");
    }
    long sentMillis = Long.parseLong(matcher.group(2));
    long nowMillis = System.currentTimeMillis();
    if (sentMillis > nowMillis) {
      throw new IllegalArgumentException(
          ("the time in retry token %s, %s, is in the future: it is %s by this machine's "
                  + "clock; expected the time of the first attempt, in milliseconds since 1970")
              .formatted(text, Instant.ofEpochMilli(sentMillis), Instant.ofEpochMilli(nowMillis)));
    }
    long ageMillis = nowMillis - sentMillis;
    RetryToken token = new RetryToken(matcher.group(1), System::nanoTime);
    token.attempts = 1; // It is unknown whether an attempt was sent or refused.
    token.firstNanos = System.nanoTime() - TimeUnit.MILLISECONDS.toNanos(ageMillis);
    return token;
  }

  String name() {
    return name;
  }

  /**
   * Returns whether an attempt may be sent to this agent, one of several. Only the agent of earlier
   * attempts has a record of whether it accepted one.
   */
  synchronized boolean maySendTo(AgentAddress next) {
    return attempts == 0 || next.equals(agent);
  }

  /**
   * Notes an attempt that is sent now.
   *
   * @param to the agent of the attempt
   * @return the age of the first attempt that may have been accepted, in milliseconds; 0 if this is
   *     the first
   */
  synchronized long sentNow(AgentAddress to) {
    long nowNanos = nanoClock.getAsLong();
    attempts++;
    agent = to;
    if (attempts == 1) {
      firstNanos = nowNanos;
      return 0;
    }
    // Rounded up, because the age must not seem lower than it is.
    return TimeUnit.NANOSECONDS.toMillis(nowNanos - firstNanos) + 1;
  }

  /** Notes that an attempt was not accepted, and will not be. */
  synchronized void refused() {
    attempts--;
  }

  /** Returns whether an attempt was sent that is not known to be refused. */
  synchronized boolean mayBeAccepted() {
    return attempts > 0;
  }

  /**
   * Returns the name, and the time of the first attempt that may have been accepted, or now if
   * there was none, in milliseconds since 1970.
   */
  @Override
  public synchronized String toString() {
    long ageNanos = attempts == 0 ? 0 : nanoClock.getAsLong() - firstNanos;
    long ageMillis = TimeUnit.NANOSECONDS.toMillis(ageNanos) + 1;
    return name + "@" + (System.currentTimeMillis() - ageMillis);
  }
}
