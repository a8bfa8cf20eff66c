package io.treecast.agent.runtime;

import static org.assertj.core.api.Assertions.assertThat;

import io.treecast.agent.runtime.loop.EventLoop;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/** An event loop that does what it is given, and nothing at a time of its own. */
public final class UntimedLoop {
  private static final int MAX_OFFERED_BYTES = 1 << 20;

  private UntimedLoop() {}

  /** One that is not started yet: until then everything waits. */
  public static EventLoop create() {
    EventLoop.Timers none =
        new EventLoop.Timers() {
          @Override
          public long nextDeadlineNanos() {
            return Long.MAX_VALUE;
          }

          @Override
          public void tick(long nowNanos) {}
        };
    return new EventLoop("treecast-test-loop", MAX_OFFERED_BYTES, none, () -> {});
  }

  /** Waits for what the tasks so far have a loop do in the end. */
  public static void await(EventLoop loop) throws InterruptedException {
    CountDownLatch done = new CountDownLatch(1);
    loop.execute(() -> loop.execute(() -> loop.execute(done::countDown)));
    assertThat(done.await(60, TimeUnit.SECONDS)).isTrue();
  }
}
