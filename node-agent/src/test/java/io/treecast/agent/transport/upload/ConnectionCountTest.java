package io.treecast.agent.transport.upload;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.function.IntToLongFunction;
import org.junit.jupiter.api.Test;

class ConnectionCountTest {
  private static final long STEP_NANOS = 100_000_000;
  private static final long MINUTE_NANOS = 60_000_000_000L;

  private final ConnectionCount count = new ConnectionCount();
  private long nowNanos;
  private int changes;

  private void roundTripMillis(long millis) {
    count.roundTrip(millis * 1_000_000);
    count.begins();
  }

  /** So much is carried in a step, by the number of connections. */
  private void carry(long nanos, IntToLongFunction bytes) {
    for (long end = nowNanos + nanos; nowNanos < end; nowNanos += STEP_NANOS) {
      changes +=
          count.carried(bytes.applyAsLong(count.count()), ConnectionCount.MOST, nowNanos) ? 1 : 0;
    }
  }

  @Test
  void a_long_link_begins_with_several_and_a_short_one_with_one() {
    roundTripMillis(9);
    assertThat(count.count()).isEqualTo(1);
    assertThat(new ConnectionCount().count()).as("of an unknown round trip").isEqualTo(1);

    ConnectionCount onLong = new ConnectionCount();
    onLong.roundTrip(10_000_000);
    assertThat(onLong.count()).isEqualTo(ConnectionCount.ON_LONG_LINK);
  }

  @Test
  void each_path_gets_at_least_one() {
    count.spread(3);
    roundTripMillis(1);
    assertThat(count.count()).isEqualTo(3);
    carry(20 * MINUTE_NANOS, connections -> 1_000L);
    assertThat(count.count()).isEqualTo(3);
  }

  @Test
  void more_are_used_while_they_gain() {
    roundTripMillis(50);
    carry(2 * MINUTE_NANOS, connections -> 1_000L * connections);
    assertThat(count.count()).isIn(ConnectionCount.MOST, ConnectionCount.MOST / 2);
    carry(20 * MINUTE_NANOS, connections -> 1_000L * connections);
    assertThat(count.count()).isEqualTo(ConnectionCount.MOST);
  }

  @Test
  void one_is_used_where_others_gain_nothing() {
    roundTripMillis(50);
    carry(20 * MINUTE_NANOS, connections -> 1_000L);
    assertThat(count.count()).isEqualTo(1);
  }

  @Test
  void trials_in_vain_become_rare() {
    roundTripMillis(1);
    carry(20 * MINUTE_NANOS, connections -> 1_000L);
    changes = 0;
    carry(60 * MINUTE_NANOS, connections -> 1_000L);
    assertThat(changes).as("a trial is two changes").isBetween(2, 16);
  }

  @Test
  void the_number_stays_while_the_sender_has_nothing_to_send() {
    roundTripMillis(1);
    for (int i = 0; i < 10_000; i++) {
      carry(STEP_NANOS, connections -> 1_000L);
      count.idle();
    }
    assertThat(changes).isZero();
  }
}
