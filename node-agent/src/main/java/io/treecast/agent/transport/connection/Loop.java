package io.treecast.agent.transport.connection;

/** The one thread that drives an agent's core, as the transport sees it. */
public interface Loop {
  /**
   * Has the task run after those handed over before; drops it if the loop has stopped. Callers
   * bound how many tasks they hand over, as streams do by taking no more from the network than a
   * stream allows.
   */
  void execute(Runnable task);

  /** Now, in nanoseconds of a clock that never goes back. */
  long nowNanos();
}
