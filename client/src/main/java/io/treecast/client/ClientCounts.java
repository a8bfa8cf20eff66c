package io.treecast.client;

import io.treecast.client.TreecastException.Reason;
import java.util.EnumMap;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.LongSupplier;

/**
 * The numbers of a client's broadcasts, by outcome, and of messages, for {@link TreecastMetrics}.
 */
final class ClientCounts {
  private final LongSupplier nanoClock;
  private final LongAdder accepted = new LongAdder();
  private final LongAdder acceptedNanos = new LongAdder();
  private final LongAdder cancelled = new LongAdder();
  private final Map<Reason, LongAdder> failed = new EnumMap<>(Reason.class);
  private final LongAdder delivered = new LongAdder();
  private final LongAdder missed = new LongAdder();

  ClientCounts(LongSupplier nanoClock) {
    this.nanoClock = nanoClock;
    for (Reason reason : Reason.values()) {
      failed.put(reason, new LongAdder());
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

  long deliveredCount() {
    return delivered.sum();
  }

  long missedCount() {
    return missed.sum();
  }
}
