package io.treecast.client;

import java.lang.System.Logger.Level;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * The application's executor for handlers. Tasks that it rejects run on threads of the client,
 * because a lost task would stop its subscription silently. Each stream submits one task at a time,
 * so there are at most as many such threads as streams.
 *
 * <p>Any thread may submit tasks.
 */
final class HandlerExecutor implements Executor {
  private final Executor given;
  private final ThreadFactory ownThreads;
  private final AtomicBoolean warned = new AtomicBoolean();

  HandlerExecutor(Executor given, AgentAddresses agent) {
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
            "the handlerExecutor rejects tasks; they run on threads of the client: shut the executor"
                + " down after the client, and do not bound its queue",
            e);
      }
      ownThreads.newThread(task).start();
    }
  }
}
