package io.treecast.client;

import java.lang.System.Logger.Level;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.stream.Collectors;

/**
 * Logs warnings for missed messages of one subscription, if its handler does not override {@link
 * MessageHandler#onMissed}. The first loss is logged at once. Later ones are counted and logged
 * together every ten seconds, and at the end, so that a subscription that skips messages does not
 * flood the log.
 *
 * <p>A handler does not know its subscription, so the thread that calls it {@linkplain #during
 * registers} the warnings. Safe for use by any thread; lines are logged under the lock of this
 * object, so they are in order.
 */
final class LossWarnings {
  /** The time for which losses are counted before they are logged. */
  static final long GATHER_SECONDS = 10;

  /** The maximum number of topics named in a warning. */
  private static final int MAX_NAMED = 5;

  /** The warnings for handlers that are not called by the client. */
  private static final LossWarnings OF_NO_SUBSCRIPTION = logged("");

  private static final ThreadLocal<LossWarnings> CURRENT =
      ThreadLocal.withInitial(() -> OF_NO_SUBSCRIPTION);

  private final String subject;
  private final Consumer<String> log;
  private final Executor later;

  // Guarded by this.
  private boolean gathering;

  /** The numbers of missed messages by reason. */
  private final Map<String, Long> gathered = new TreeMap<>();

  private String last = "";

  /**
   * Creates an instance without losses.
   *
   * @param subject the subscription, as the beginning of each warning
   * @param log receives the warnings
   * @param later runs an action after the time for which losses are counted
   */
  LossWarnings(String subject, Consumer<String> log, Executor later) {
    this.subject = subject;
    this.log = log;
    this.later = later;
  }

  /** Returns the warnings of a subscription to these topics, for the client's log. */
  static LossWarnings of(Set<String> topics, AgentAddresses agent) {
    return logged(subject(topics, agent));
  }

  private static LossWarnings logged(String subject) {
    return new LossWarnings(
        subject,
        text -> ReconnectingStream.LOG.log(Level.WARNING, text),
        CompletableFuture.delayedExecutor(GATHER_SECONDS, TimeUnit.SECONDS));
  }

  static String subject(Set<String> topics, AgentAddresses agent) {
    String named =
        topics.stream()
            .limit(MAX_NAMED)
            .map(topic -> topic.isEmpty() ? "the default topic" : "topic " + topic)
            .collect(Collectors.joining(", "));
    int more = topics.size() - MAX_NAMED;
    return "the subscription to %s%s at agent %s: "
        .formatted(named, more > 0 ? " and " + more + " more" : "", agent);
  }

  /** Returns the warnings of the subscription whose handler runs on this thread. */
  static LossWarnings current() {
    return CURRENT.get();
  }

  /** Calls a handler; losses that it ignores count for this subscription. */
  void during(Runnable handlerCall) {
    LossWarnings before = CURRENT.get();
    CURRENT.set(this);
    try {
      handlerCall.run();
    } finally {
      if (before == OF_NO_SUBSCRIPTION) {
        CURRENT.remove(); // The thread may belong to the application.
      } else {
        CURRENT.set(before);
      }
    }
  }

  /**
   * Counts missed messages for a handler that does not override {@link MessageHandler#onMissed}.
   */
  void missed(MissedMessages missed) {
    long count = missed.lastSequence() - missed.firstSequence() + 1;
    lost(missed.reason().name(), count, "missed " + missed + advice(missed.reason()));
  }

  private static String advice(MissedReason reason) {
    return switch (reason) {
      case TOO_LARGE -> ", larger than maxMessageBytes, and the handler has no onLargeMessage";
      case NO_ROOM ->
          ", for which maxAssemblyBytes has no room beside others that arrive at the same time, and"
              + " the handler has no onLargeMessage";
      default -> "";
    };
  }

  /**
   * Counts a failed message for a handler that does not override {@link MessageHandler#onFailed}.
   */
  void failed(MessageId message, TreecastException why) {
    lost(why.reason().name(), 1, message + " failed: " + why.getMessage());
  }

  private synchronized void lost(String why, long count, String text) {
    if (gathering) {
      gathered.merge(why, count, Long::sum);
      last = text;
      return;
    }
    gathering = true;
    later.execute(this::gatheredLongEnough);
    log.accept(subject + text + "; the handler ignores it");
  }

  private synchronized void gatheredLongEnough() {
    gathering = !gathered.isEmpty();
    if (gathering) {
      later.execute(this::gatheredLongEnough);
      logGathered();
    }
  }

  /** Logs the losses counted so far; called at the end of the subscription. */
  synchronized void end() {
    if (!gathered.isEmpty()) {
      logGathered();
    }
  }

  private void logGathered() {
    String counts =
        gathered.entrySet().stream()
            .map(entry -> entry.getValue() + " " + entry.getKey())
            .collect(Collectors.joining(", "));
    gathered.clear();
    log.accept(subject + "more losses that the handler ignores: " + counts + "; the last: " + last);
  }
}
