package io.treecast.cli.query;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.treecast.agent.config.HostPort;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(120)
class NameLookupsTest {
  private static final HostPort DEAD = new HostPort("dead.example", 7700);
  private static final HostPort GOOD = new HostPort("good.example", 7700);
  private static final InetSocketAddress ADDRESS =
      new InetSocketAddress(InetAddress.getLoopbackAddress(), 7700);

  private final CountDownLatch end = new CountDownLatch(1);
  private final AtomicInteger blocked = new AtomicInteger();
  private final NameLookups lookups = new NameLookups(this::resolve);

  private InetSocketAddress resolve(HostPort agent) {
    if (agent.equals(DEAD)) {
      blocked.incrementAndGet();
      try {
        end.await();
      } catch (InterruptedException e) {
        throw new AssertionError(e);
      }
    }
    return ADDRESS;
  }

  /** Starts lookups that last until the end, and waits until all threads are busy with them. */
  private void block(int lookupsOfDeadNames) {
    for (int i = 0; i < lookupsOfDeadNames; i++) {
      Thread caller = new Thread(() -> lookups.resolve(DEAD, 60_000), "caller");
      caller.setDaemon(true);
      caller.start();
    }
    await()
        .atMost(60, TimeUnit.SECONDS)
        .until(() -> blocked.get() == Math.min(lookupsOfDeadNames, NameLookups.MOST_THREADS));
  }

  @AfterEach
  void unblock() {
    end.countDown();
  }

  @Test
  void a_name_is_resolved_while_lookups_of_other_names_are_blocked() {
    block(NameLookups.MOST_THREADS - 1);

    assertThat(lookups.resolve(GOOD, 30_000)).isEqualTo(ADDRESS);
  }

  @Test
  void blocked_lookups_take_a_bounded_number_of_threads_and_others_wait_for_them() {
    block(NameLookups.MOST_THREADS + 1);

    assertThat(lookups.resolve(GOOD, 1)).isNull();

    end.countDown();
    assertThat(lookups.resolve(GOOD, 30_000)).isEqualTo(ADDRESS);
  }
}
