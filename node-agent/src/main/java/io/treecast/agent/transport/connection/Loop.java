package io.treecast.agent.transport.connection;

/** The single thread that drives an agent's core, as the transport sees it. */
public interface Loop {
  /**
   * Queues a task behind those queued before; drops it if the loop has stopped. Callers limit the
   * number of their tasks, as streams do with the messages that they take from the network.
   */
  void execute(Runnable task);

  /** Returns the time in nanoseconds of a clock that never goes back. */
  long nowNanos();
}
