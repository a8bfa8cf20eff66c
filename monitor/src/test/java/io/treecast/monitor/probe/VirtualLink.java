package io.treecast.monitor.probe;

import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

/** Drives a {@link LinkProbe} in virtual time over a link whose round trip the test sets. */
final class VirtualLink {
  private final LinkProbe probe;
  private final TreeMap<Long, List<Long>> repliesByArrival = new TreeMap<>();
  private final Set<Long> losing = new HashSet<>();
  private final List<Long> sentAtMillis = new ArrayList<>();
  private long nowNanos;
  private long rttNanos;
  private long measuredAtMillis = -1;

  VirtualLink(ProbePolicy policy, Duration phase, Duration rtt) {
    this.probe = new LinkProbe(policy, phase, 0);
    this.rttNanos = rtt.toNanos();
  }

  LinkProbe probe() {
    return probe;
  }

  long nowNanos() {
    return nowNanos;
  }

  /** Sets the round trip from now on. */
  void setRtt(Duration rtt) {
    rttNanos = rtt.toNanos();
  }

  /** Drops the replies to these probes. */
  void lose(long... numbers) {
    for (long number : numbers) {
      losing.add(number);
    }
  }

  /** Returns when each probe was sent, in milliseconds after the link came up. */
  List<Long> sentAtMillis() {
    return sentAtMillis;
  }

  /**
   * Returns when the link was first measured, in milliseconds after it came up; -1 while it is not.
   */
  long measuredAtMillis() {
    return measuredAtMillis;
  }

  /** Runs all events that are due until that time after the link came up. */
  void runUntil(Duration end) {
    long endNanos = end.toNanos();
    while (true) {
      long nextNanos = probe.nextDeadlineNanos();
      if (!repliesByArrival.isEmpty() && repliesByArrival.firstKey() < nextNanos) {
        nextNanos = repliesByArrival.firstKey();
      }
      if (nextNanos > endNanos) {
        nowNanos = endNanos;
        return;
      }
      nowNanos = Math.max(nowNanos, nextNanos);
      step();
    }
  }

  /** Pauses the driver until then; replies that arrive meanwhile are handled when it is back. */
  void pauseUntil(Duration end) {
    nowNanos = end.toNanos();
    step();
  }

  private void step() {
    while (!repliesByArrival.isEmpty() && repliesByArrival.firstKey() <= nowNanos) {
      Map.Entry<Long, List<Long>> arrived = repliesByArrival.pollFirstEntry();
      for (long number : arrived.getValue()) {
        probe.replied(number, arrived.getKey());
      }
    }
    probe
        .tick(nowNanos)
        .ifPresent(
            number -> {
              sentAtMillis.add(nowNanos / 1_000_000);
              if (!losing.contains(number)) {
                repliesByArrival
                    .computeIfAbsent(nowNanos + rttNanos, at -> new ArrayList<>())
                    .add(number);
              }
            });
    if (measuredAtMillis < 0 && probe.measured()) {
      measuredAtMillis = nowNanos / 1_000_000;
    }
  }
}
