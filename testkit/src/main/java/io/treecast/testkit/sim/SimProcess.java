package io.treecast.testkit.sim;

import java.util.ArrayDeque;

/**
 * A process that can be paused, or stall for lack of a processor. Events in the meantime are queued
 * in order, and discarded when the process ends. Single-threaded.
 */
final class SimProcess {
  private enum State {
    RUNNING,
    PAUSED,
    GONE
  }

  private final ArrayDeque<Runnable> inbox = new ArrayDeque<>();
  private State state = State.RUNNING;

  /** Whether the process has no processor. */
  private boolean stalled;

  /** Handles an event now, or queues it until the process runs again; discards it after the end. */
  void handle(Runnable event) {
    if (isRunning()) {
      event.run();
    } else if (state != State.GONE) {
      inbox.add(event);
    }
  }

  /** Like {@link #handle}, but behind the events that are still queued after a stall. */
  void handleInOrder(Runnable event) {
    if (inbox.isEmpty()) {
      handle(event);
    } else if (state != State.GONE) {
      inbox.add(event);
    }
  }

  /** Returns whether an event would be handled now, before any other. */
  boolean isFree() {
    return inbox.isEmpty() && isRunning();
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

  /** Resumes the process, which first handles the queued events. */
  void resume() {
    state = State.RUNNING;
    catchUp();
  }

  /** Takes the processor away. */
  void stall() {
    stalled = true;
  }

  /** Returns the processor; the process runs unless it is paused. */
  void goOn() {
    stalled = false;
    catchUp();
  }

  private void catchUp() {
    // One at a time, since an event may end the process.
    while (isRunning() && !inbox.isEmpty()) {
      inbox.remove().run();
    }
  }

  void end() {
    state = State.GONE;
    inbox.clear();
  }
}
