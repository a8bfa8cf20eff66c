package io.treecast.testkit.sim;

import java.util.ArrayDeque;

/**
 * A process that can be frozen, on purpose or for want of a processor: what happens to it meanwhile
 * waits, in order, and is lost when the process ends. One thread.
 */
final class SimProcess {
  private enum State {
    RUNNING,
    PAUSED,
    GONE
  }

  private final ArrayDeque<Runnable> inbox = new ArrayDeque<>();
  private State state = State.RUNNING;

  /** Whether it has no processor. */
  private boolean stalled;

  /** Something happens to it: now, or when it is resumed, or never if it is gone. */
  void handle(Runnable event) {
    if (isRunning()) {
      event.run();
    } else if (state != State.GONE) {
      inbox.add(event);
    }
  }

  boolean isRunning() {
    return state == State.RUNNING && !stalled;
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
    catchUp();
  }

  /** Another process has its processor. */
  void stall() {
    stalled = true;
  }

  /** It has a processor again, and goes on unless it is paused. */
  void goOn() {
    stalled = false;
    catchUp();
  }

  private void catchUp() {
    // One by one: an event may be the end of the process.
    while (isRunning() && !inbox.isEmpty()) {
      inbox.remove().run();
    }
  }

  void end() {
    state = State.GONE;
    inbox.clear();
  }
}
