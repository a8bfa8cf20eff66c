package io.treecast.cli.demo;

import io.treecast.cli.console.CommandFailure;
import io.treecast.client.Message;
import io.treecast.client.MessageId;
import io.treecast.client.Treecast;
import io.treecast.testkit.local.LocalCluster;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.function.IntToDoubleFunction;

/**
 * Measures broadcasts end to end: from the call of the publisher's client to the handler of the
 * last subscriber's client, with one client at each node. All clients are in one process, so one
 * clock suffices.
 */
final class BroadcastStopwatch implements AutoCloseable {
  private static final long TIMEOUT_SECONDS = 60;

  /**
   * Rounds per source, since a single broadcast may be delayed by a busy machine or by uncompiled
   * code.
   */
  private static final int ROUNDS = 3;

  private static final class Arrivals {
    int count;
    long lastNanos;
  }

  private final List<Treecast> clients = new ArrayList<>();

  /** Guarded by itself; subscribers' threads write. */
  private final Map<MessageId, Arrivals> arrivals = new HashMap<>();

  BroadcastStopwatch(LocalCluster cluster) {
    for (int node = 0; node < cluster.topology().nodes(); node++) {
      clients.add(Treecast.connect(cluster.agent(node).address().toString()));
    }
    clients.stream()
        .map(client -> client.subscribe(this::arrived))
        .toList()
        .forEach(s -> s.ready().join());
  }

  private void arrived(Message message) {
    long nowNanos = System.nanoTime();
    synchronized (arrivals) {
      Arrivals of = arrivals.computeIfAbsent(message.messageId(), id -> new Arrivals());
      of.count++;
      of.lastNanos = nowNanos;
      arrivals.notifyAll();
    }
  }

  /**
   * Broadcasts from each node, one after the other, and returns the median time of each in
   * milliseconds.
   */
  double[] medianLastMillis(byte[] payload) {
    return mediansOfRounds(clients.size(), source -> lastMillis(source, payload));
  }

  /**
   * Returns the median of each source over the rounds. Each round measures all sources, so that
   * compilation and other load affect all of them alike.
   */
  static double[] mediansOfRounds(int sources, IntToDoubleFunction measure) {
    double[][] bySource = new double[sources][ROUNDS];
    for (int round = 0; round < ROUNDS; round++) {
      for (int source = 0; source < sources; source++) {
        bySource[source][round] = measure.applyAsDouble(source);
      }
    }
    return Arrays.stream(bySource)
        .mapToDouble(millis -> Arrays.stream(millis).sorted().toArray()[ROUNDS / 2])
        .toArray();
  }

  /** Broadcasts from a node and returns the milliseconds until every node has the message. */
  double lastMillis(int source, byte[] payload) {
    long publishedNanos = System.nanoTime();
    MessageId message = clients.get(source).broadcast(payload).join().messageId();
    long deadlineNanos = publishedNanos + TimeUnit.SECONDS.toNanos(TIMEOUT_SECONDS);
    synchronized (arrivals) {
      while (count(message) < clients.size()) {
        long leftMillis = TimeUnit.NANOSECONDS.toMillis(deadlineNanos - System.nanoTime());
        if (leftMillis <= 0) {
          throw CommandFailure.failed(
              "the broadcast from node %s reached %s of %s nodes within %s s"
                  .formatted(source, count(message), clients.size(), TIMEOUT_SECONDS));
        }
        try {
          arrivals.wait(leftMillis);
        } catch (InterruptedException e) {
          Thread.currentThread().interrupt();
          throw CommandFailure.failed("interrupted");
        }
      }
      Arrivals all = arrivals.remove(message);
      return all == null ? 0 : (all.lastNanos - publishedNanos) / 1e6;
    }
  }

  private int count(MessageId message) {
    Arrivals of = arrivals.get(message);
    return of == null ? 0 : of.count;
  }

  @Override
  public void close() {
    clients.forEach(Treecast::close);
  }
}
