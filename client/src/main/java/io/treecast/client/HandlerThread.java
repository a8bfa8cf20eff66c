package io.treecast.client;

import java.util.concurrent.ExecutorService;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;

/**
 * Creates the client's own threads. They are daemons, so that a client that is not closed does not
 * keep a JVM alive.
 */
final class HandlerThread {
  private HandlerThread() {}

  /**
   * Returns a thread for the application's code of one subscription or upload; it starts with its
   * first task. Tasks submitted after its shutdown are dropped: by then the application has
   * received all events, and only cleanup of the transport is left.
   */
  static ExecutorService start(String name) {
    // The queue stays short without a limit, because a stream takes few events ahead.
    return new ThreadPoolExecutor(
        1,
        1,
        0,
        TimeUnit.SECONDS,
        new LinkedBlockingQueue<>(),
        factory(name),
        new ThreadPoolExecutor.DiscardPolicy());
  }

  static ThreadFactory factory(String name) {
    return task -> {
      Thread thread = new Thread(task, name);
      thread.setDaemon(true);
      return thread;
    };
  }
}
