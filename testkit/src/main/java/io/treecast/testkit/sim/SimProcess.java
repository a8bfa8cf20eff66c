package io.treecast.testkit.sim;

import java.util.ArrayDeque;

/**
 * A process that can be frozen: what happens to it meanwhile waits, in order, and is lost when the
 * process ends. One thread.
 */
final class SimProcess {
  private enum State {
    RUNNING,
    PAUSED,
    GONE
  }

  private final ArrayDeque<Runnable> inbox = new ArrayDeque<>();
  private State state = State.RUNNING;

  /** Something happens to it: now, or when it is resumed, or never if it is gone. */
  void handle(Runnable event) {
    if (state == State.RUNNING) {
      event.run();
    } else if (state == State.PAUSED) {
      inbox.add(event);
    }
  }

  boolean isRunning() {
    return state == State.RUNNING;
  }

  boolean isPaused() {
    return state == State.PAUSED;
  }

  boolean isGone() {
    return state == State.GONE;
  }

  void pause() {
    state = State.PAUSED;
  }

  /** It goes on, first with what has happened meanwhile. */
  void resume() {
    state = State.RUNNING;
    // One by one: an event may be the end of the process.
    while (state == State.RUNNING && !inbox.isEmpty()) {
      inbox.remove().run();
    }
  }

  void end() {
    state = State.GONE;
    inbox.clear();
  }
}
