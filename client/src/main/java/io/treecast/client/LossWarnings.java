package io.treecast.client;

import java.lang.System.Logger.Level;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.stream.Collectors;

/**
 * Warns of messages that do not come, for handlers that do not heed them. The first loss is told at
 * once; the next ones are counted and told together every ten seconds, so that a subscription that
 * skips does not fill a log. None is left out.
 *
 * <p>One for all clients of a program, since a handler does not know its client. Any thread may use
 * it; the log is written while its lock is held, so that lines come in order.
 */
final class LossWarnings {
  /** For so long losses are counted before they are told. */
  static final long GATHER_SECONDS = 10;

  static final LossWarnings SHARED =
      new LossWarnings(
          text -> ReconnectingStream.LOG.log(Level.WARNING, text),
          CompletableFuture.delayedExecutor(GATHER_SECONDS, TimeUnit.SECONDS));

  private final Consumer<String> log;
  private final Executor later;

  // Guarded by this.
  private boolean gathering;

  /** Messages, by why they do not come. */
  private final Map<String, Long> gathered = new TreeMap<>();

  private String last = "";

  /**
   * Has nothing to tell yet.
   *
   * @param log where the warnings go
   * @param later runs what it is given after the time for which losses are counted
   */
  LossWarnings(Consumer<String> log, Executor later) {
    this.log = log;
    this.later = later;
  }

  /** A handler without {@link MessageHandler#onMissed} was told of these. */
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

  /** A handler without {@link MessageHandler#onFailed} was told of this one. */
  void failed(MessageId message, TreecastException why) {
    lost(why.reason().name(), 1, message + " can not be had: " + why.getMessage());
  }

  private synchronized void lost(String why, long count, String text) {
    if (gathering) {
      gathered.merge(why, count, Long::sum);
      last = text;
      return;
    }
    gathering = true;
    later.execute(this::tellGathered);
    log.accept(text + "; the handler does not heed it");
  }

  private synchronized void tellGathered() {
    if (gathered.isEmpty()) {
      gathering = false;
      return;
    }
    later.execute(this::tellGathered);
    String counts =
        gathered.entrySet().stream()
            .map(entry -> entry.getValue() + " " + entry.getKey())
            .collect(Collectors.joining(", "));
    gathered.clear();
    log.accept(
        "more messages that handlers do not heed are lost: " + counts + "; the last: " + last);
  }
}
