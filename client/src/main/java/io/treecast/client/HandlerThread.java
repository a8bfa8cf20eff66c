package io.treecast.client;

import java.util.concurrent.ExecutorService;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;

/**
 * Makes the client's own threads: daemons, so that a forgotten client does not keep a JVM alive.
 */
final class HandlerThread {
  private HandlerThread() {}

  /**
   * Returns one thread for the application's code of one subscription or upload, started with its
   * first task. Tasks that come after its shutdown are dropped: the application has seen all by
   * then, and only the transport has cleanup left.
   */
  static ExecutorService start(String name) {
    // The queue stays short without a limit: a stream takes few events ahead.
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
