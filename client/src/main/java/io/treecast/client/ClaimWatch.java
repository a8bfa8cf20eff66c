package io.treecast.client;

import java.lang.System.Logger.Level;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** A watch of a claim, until it is closed. Safe for use by several threads. */
public final class ClaimWatch implements AutoCloseable {
  private static final long PAUSE_NANOS = TimeUnit.SECONDS.toNanos(1);

  private final AgentConnection connection;
  private final Supplier<CompletableFuture<ClaimHolder>> inquiry;
  private final Consumer<ClaimHolder> handler;
  private volatile boolean closed;

  /** The last report. Used only by the thread that has the present answer. */
  private @Nullable ClaimHolder last;

  ClaimWatch(
      AgentConnection connection,
      Supplier<CompletableFuture<ClaimHolder>> inquiry,
      Consumer<ClaimHolder> handler) {
    this.connection = connection;
    this.inquiry = inquiry;
    this.handler = Objects.requireNonNull(handler, "handler");
  }

  void ask() {
    if (!closed) {
      var unused = inquiry.get().whenCompleteAsync(this::answered, PublicFuture.completions);
    }
  }

  private void answered(@Nullable ClaimHolder holder, @Nullable Throwable failure) {
    try {
      if (!closed && holder != null && (last == null || !last.isSame(holder))) {
        last = holder;
        handler.accept(holder);
      }
    } catch (RuntimeException e) {
      ReconnectingStream.LOG.log(Level.ERROR, "the handler of a watch of a claim has failed", e);
    } finally {
      if (!closed) {
        var unused = connection.schedule(this::ask, PAUSE_NANOS);
      }
    }
  }

  /** Ends the watch; the handler may still be running. */
  @Override
  public void close() {
    closed = true;
  }
}
