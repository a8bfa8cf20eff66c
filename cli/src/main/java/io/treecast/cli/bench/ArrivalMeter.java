package io.treecast.cli.bench;

import com.sun.management.OperatingSystemMXBean;
import io.treecast.cli.console.CommandFailure;
import java.lang.management.ManagementFactory;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.LongAdder;
import org.jspecify.annotations.Nullable;

/** Counts arrived bytes and the CPU time of this process. Thread-safe. */
final class ArrivalMeter {
  private final OperatingSystemMXBean system =
      ManagementFactory.getPlatformMXBean(OperatingSystemMXBean.class);
  private final LongAdder arrivedBytes = new LongAdder();
  private volatile @Nullable String failure;

  void arrived(int bytes) {
    arrivedBytes.add(bytes);
  }

  /** Marks the measurement as failed. */
  void failed(String reason) {
    failure = reason;
  }

  /** Measures for a time, after an equal warm-up for the compiler. */
  Throughput measure(int messageBytes, int seconds) throws InterruptedException {
    TimeUnit.SECONDS.sleep(seconds);
    long bytes = arrivedBytes.sum();
    long cpuNanos = system.getProcessCpuTime();
    long startNanos = System.nanoTime();
    TimeUnit.SECONDS.sleep(seconds);
    Throughput throughput =
        new Throughput(
            arrivedBytes.sum() - bytes,
            messageBytes,
            System.nanoTime() - startNanos,
            system.getProcessCpuTime() - cpuNanos);
    if (failure != null) {
      throw CommandFailure.failed("the benchmark's stream failed: " + failure);
    }
    if (throughput.bytes() == 0) {
      throw CommandFailure.failed(
          "nothing arrived in " + seconds + " s; the machine is too busy, or --seconds is too low");
    }
    return throughput;
  }
}
