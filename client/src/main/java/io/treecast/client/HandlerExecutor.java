package io.treecast.client;

import java.lang.System.Logger.Level;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * The application's executor for handlers, and threads of the client's own for what that refuses: a
 * task that is lost would stop its subscription without a word. Each stream hands over one task at
 * a time, so there are never more such threads than streams.
 *
 * <p>Any thread may hand over.
 */
final class HandlerExecutor implements Executor {
  private final Executor given;
  private final ThreadFactory ownThreads;
  private final AtomicBoolean warned = new AtomicBoolean();

  HandlerExecutor(Executor given, AgentAddress agent) {
    this.given = given;
    this.ownThreads = HandlerThread.factory("treecast-handler-" + agent);
  }

  @Override
  public void execute(Runnable task) {
    try {
      given.execute(task);
    } catch (RejectedExecutionException e) {
      if (!warned.getAndSet(true)) {
        ReconnectingStream.LOG.log(
            Level.WARNING,
            "the handlerExecutor refuses tasks; they run on threads of the client: shut the executor"
                + " down after the client, and do not bound its queue",
            e);
      }
      ownThreads.newThread(task).start();
    }
  }
}
