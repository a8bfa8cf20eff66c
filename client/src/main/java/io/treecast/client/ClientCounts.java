package io.treecast.client;

import io.treecast.client.Reply.Outcome;
import io.treecast.client.TreecastException.Reason;
import java.util.EnumMap;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.LongSupplier;

/** Counts a client's broadcasts, requests and messages by outcome, for {@link TreecastMetrics}. */
final class ClientCounts {
  private final LongSupplier nanoClock;
  private final LongAdder accepted = new LongAdder();
  private final LongAdder acceptedNanos = new LongAdder();
  private final LongAdder cancelled = new LongAdder();
  private final Map<Reason, LongAdder> failed = new EnumMap<>(Reason.class);
  private final Map<Outcome, LongAdder> requests = new EnumMap<>(Outcome.class);
  private final LongAdder served = new LongAdder();
  private final LongAdder delivered = new LongAdder();
  private final LongAdder missed = new LongAdder();

  ClientCounts(LongSupplier nanoClock) {
    this.nanoClock = nanoClock;
    for (Reason reason : Reason.values()) {
      failed.put(reason, new LongAdder());
    }
    for (Outcome outcome : Outcome.values()) {
      requests.put(outcome, new LongAdder());
    }
  }

  /** Counts a broadcast or an upload when it ends. */
  <T> CompletableFuture<T> counted(CompletableFuture<T> result) {
    long startNanos = nanoClock.getAsLong();
    var unused =
        result.whenComplete(
            (value, error) -> {
              if (error == null) {
                accepted.increment();
                acceptedNanos.add(nanoClock.getAsLong() - startNanos);
              } else {
                LongAdder ofReason =
                    error instanceof TreecastException failure
                        ? failed.get(failure.reason())
                        : cancelled;
                (ofReason == null ? cancelled : ofReason).increment();
              }
            });
    return result;
  }

  /** Counts the outcome of a request at one member. */
  void requested(Outcome outcome) {
    LongAdder count = requests.get(outcome);
    if (count != null) {
      count.increment();
    }
  }

  /** Counts a request that a server of this client has handled. */
  void served() {
    served.increment();
  }

  void delivered() {
    delivered.increment();
  }

  void missed(MissedMessages messages) {
    missed.add(messages.lastSequence() - messages.firstSequence() + 1);
  }

  long acceptedCount() {
    return accepted.sum();
  }

  long acceptedNanos() {
    return acceptedNanos.sum();
  }

  long cancelledCount() {
    return cancelled.sum();
  }

  long failedCount(Reason reason) {
    LongAdder count = failed.get(reason);
    return count == null ? 0 : count.sum();
  }

  long requestCount(Outcome outcome) {
    LongAdder count = requests.get(outcome);
    return count == null ? 0 : count.sum();
  }

  long servedCount() {
    return served.sum();
  }

  long deliveredCount() {
    return delivered.sum();
  }

  long missedCount() {
    return missed.sum();
  }
}
