package io.treecast.client;

import java.util.concurrent.ExecutorService;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.RejectedExecutionHandler;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;

/**
 * Makes the client's own threads: daemons, so that a forgotten client does not keep a JVM alive.
 */
final class HandlerThread {
  private HandlerThread() {}

  /** One thread for the handler of one subscription, started with its first event. */
  static ExecutorService start(String name) {
    // The queue stays short without a limit: a stream takes few events ahead.
    return one(name, new ThreadPoolExecutor.AbortPolicy());
  }

  /** One thread for the publisher of one upload; what comes after its shutdown is dropped. */
  static ExecutorService startUntilShutdown(String name) {
    return one(name, new ThreadPoolExecutor.DiscardPolicy());
  }

  private static ExecutorService one(String name, RejectedExecutionHandler afterShutdown) {
    return new ThreadPoolExecutor(
        1, 1, 0, TimeUnit.SECONDS, new LinkedBlockingQueue<>(), factory(name), afterShutdown);
  }

  static ThreadFactory factory(String name) {
    return task -> {
      Thread thread = new Thread(task, name);
      thread.setDaemon(true);
      return thread;
    };
  }
}
