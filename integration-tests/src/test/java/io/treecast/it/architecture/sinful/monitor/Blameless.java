package io.treecast.it.architecture.sinful.monitor;

import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/** Breaks no rule, and uses many allowed classes. */
public final class Blameless {
  private final List<Long> samples = new ArrayList<>();
  private @Nullable Duration longest;

  void add(ByteBuffer sample, LongSupplier unit) {
    if (!sample.hasRemaining()) {
      throw new IllegalArgumentException("sample " + sample + " is empty");
    }
    samples.add(sample.getLong() * unit.getAsLong());
    longest = Duration.ofNanos(samples.stream().mapToLong(Long::longValue).max().orElse(0));
  }

  @Override
  public String toString() {
    return String.format("%d samples, longest %s", samples.size(), longest);
  }
}
