package io.treecast.client;

import java.time.Instant;
import java.util.Objects;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Names one broadcast before it is sent, so that it can be sent again without a second copy. Knows
 * when it was first sent: an agent that may have forgotten by now whether it accepted the broadcast
 * refuses it. Or names one call of a {@linkplain Collectives collective operation}, so that it can
 * be made again and counts once, however late that is.
 *
 * <p>As text it serves another process on the same machine: {@link #parse} reads what {@link
 * #toString} wrote. Safe for use by several threads.
 */
public final class RetryToken {
  private static final Pattern TEXT = Pattern.compile("([A-Za-z0-9-]{1,64})@(\\d{1,15})");

  private final String name;

  /** By {@link System#nanoTime}; null before it is sent. */
  private @Nullable Long firstNanos;

  private RetryToken(String name, @Nullable Long firstNanos) {
    this.name = name;
    this.firstNanos = firstNanos;
  }

  /** A new one, that nobody else has. */
  public static RetryToken create() {
    return new RetryToken(UUID.randomUUID().toString(), null);
  }

  /**
   * The token that was written so.
   *
   * @throws IllegalArgumentException if none is, or if its time is yet to come by this machine's
   *     clock: by that it would be new, however often it was sent
   */
  public static RetryToken parse(String text) {
    Matcher matcher = TEXT.matcher(Objects.requireNonNull(text, "text"));
    if (!matcher.matches()) {
      throw new IllegalArgumentException(
          "'"
              + text
              + "' is no retry token; one looks like 5f1c9a52-7d4e-4c7b-9a53-0d7f2c1be0aa@1795327200000");
    }
    long sentMillis = Long.parseLong(matcher.group(2));
    long nowMillis = System.currentTimeMillis();
    if (sentMillis > nowMillis) {
      throw new IllegalArgumentException(
          "the time in retry token "
              + text
              + ", "
              + Instant.ofEpochMilli(sentMillis)
              + ", is yet to come: it is "
              + Instant.ofEpochMilli(nowMillis)
              + " by this machine's clock; it is to be when the first attempt was sent,"
              + " in milliseconds since 1970");
    }
    long ageMillis = nowMillis - sentMillis;
    return new RetryToken(
        matcher.group(1), System.nanoTime() - TimeUnit.MILLISECONDS.toNanos(ageMillis));
  }

  String name() {
    return name;
  }

  /** It is sent now: how long ago it was sent for the first time, 0 if that is now. */
  synchronized long ageMillis() {
    long nowNanos = System.nanoTime();
    if (firstNanos == null) {
      firstNanos = nowNanos;
      return 0;
    }
    // One more, since it must not seem younger than it is.
    return TimeUnit.NANOSECONDS.toMillis(nowNanos - firstNanos) + 1;
  }

  /** Its name, and when it was first sent, or now if it was not, in milliseconds since 1970. */
  @Override
  public synchronized String toString() {
    long nowNanos = System.nanoTime();
    long ageNanos = firstNanos == null ? 0 : nowNanos - firstNanos;
    long ageMillis = TimeUnit.NANOSECONDS.toMillis(ageNanos) + 1;
    return name + "@" + (System.currentTimeMillis() - ageMillis);
  }
}
