package io.treecast.agent.runtime.fault;

import io.treecast.agent.runtime.loop.EventLoop;
import io.treecast.ghs.NodeId;

/** The faults of an agent itself: a crash, or a pause of its loop. For any thread. */
public final class FaultyBody implements FaultEndpoint.Body {
  private final NodeId self;
  private final EventLoop loop;
  private final Runnable crash;

  /**
   * Creates the faults of an agent.
   *
   * @param crash ends the agent without goodbyes; may block
   */
  public FaultyBody(NodeId self, EventLoop loop, Runnable crash) {
    this.self = self;
    this.loop = loop;
    this.crash = crash;
  }

  @Override
  public void crash() {
    new Thread(crash, "treecast-crash-" + self).start();
  }

  @Override
  public boolean pause() {
    return loop.pause();
  }

  @Override
  public void resume() {
    loop.resume();
  }

  @Override
  public boolean isPaused() {
    return loop.isPaused();
  }
}
