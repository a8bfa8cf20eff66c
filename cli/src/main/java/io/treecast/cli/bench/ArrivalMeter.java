package io.treecast.cli.bench;

import com.sun.management.OperatingSystemMXBean;
import io.treecast.cli.console.CommandFailure;
import java.lang.management.CompilationMXBean;
import java.lang.management.ManagementFactory;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.LongAdder;
import org.jspecify.annotations.Nullable;

/** Counts arrived bytes and the CPU time of this process. Thread-safe. */
final class ArrivalMeter {
  /** The compilers rest if they take at most this share of one processor. */
  private static final double COMPILERS_REST = 0.02;

  /** The longest warm-up, in multiples of the time of a measurement. */
  private static final int MAX_WARM_UP_PERIODS = 4;

  private final OperatingSystemMXBean system =
      ManagementFactory.getPlatformMXBean(OperatingSystemMXBean.class);
  private final @Nullable CompilationMXBean compilers = ManagementFactory.getCompilationMXBean();
  private final LongAdder arrivedBytes = new LongAdder();
  private volatile @Nullable String failure;

  void arrived(int bytes) {
    arrivedBytes.add(bytes);
  }

  /** Marks the measurement as failed. */
  void failed(String reason) {
    failure = reason;
  }

  /** Measures for a time, as soon as the compilers rest or the longest warm-up has passed. */
  Throughput measure(int messageBytes, int seconds) throws InterruptedException {
    warmUp(seconds);
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

  private void warmUp(int seconds) throws InterruptedException {
    double restMillis = COMPILERS_REST * TimeUnit.SECONDS.toMillis(seconds);
    for (int period = 0; period < MAX_WARM_UP_PERIODS; period++) {
      long before = compileMillis();
      TimeUnit.SECONDS.sleep(seconds);
      if (compileMillis() - before <= restMillis) {
        return;
      }
    }
  }

  private long compileMillis() {
    return compilers == null ? 0 : compilers.getTotalCompilationTime();
  }
}
