package io.treecast.mst;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.LongSupplier;

/**
 * Links that come up one after the other, at random times. The driver of each end may hand its
 * links to the node in batches. The first link opens a batch, which is handed over one dwell time
 * later with all links that came up until then.
 */
final class LinksUp {
  private final LongSupplier afterMicros;
  private final long dwellMicros;
  private final List<Up> ups = new ArrayList<>();

  private record Up(int one, int other, long atMicros) {}

  /** Brings a link up. */
  interface Action {
    void on(int one, int other, long dwellOfOne, long dwellOfOther);
  }

  /**
   * Links that come up after random times.
   *
   * @param dwellMicros 0 to hand each link over at once
   */
  LinksUp(LongSupplier afterMicros, long dwellMicros) {
    this.afterMicros = afterMicros;
    this.dwellMicros = dwellMicros;
  }

  void add(int one, int other) {
    ups.add(new Up(one, other, afterMicros.getAsLong()));
  }

  void schedule(Timeline timeline, long nowMicros, Action linkUp) {
    Map<Integer, Long> handedOverAt = new HashMap<>();
    ups.stream()
        .sorted(Comparator.comparingLong(Up::atMicros))
        .forEach(
            up -> {
              long ofOne = dwell(handedOverAt, up.one, up.atMicros);
              long ofOther = dwell(handedOverAt, up.other, up.atMicros);
              timeline.at(
                  nowMicros + up.atMicros, () -> linkUp.on(up.one, up.other, ofOne, ofOther));
            });
  }

  private long dwell(Map<Integer, Long> handedOverAt, int node, long atMicros) {
    Long batch = handedOverAt.get(node);
    if (batch == null || batch < atMicros) {
      batch = atMicros + dwellMicros;
      handedOverAt.put(node, batch);
    }
    return batch - atMicros;
  }
}
