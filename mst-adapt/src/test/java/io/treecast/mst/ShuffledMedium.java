package io.treecast.mst;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Random;
import java.util.function.IntPredicate;

/**
 * Draws the directed link that delivers next. All have the same chance, except that starved links
 * are passed over a number of times. A session that ends loses a random suffix of its packets.
 */
final class ShuffledMedium implements Medium {
  private static final int PASSES_OF_A_HELD_UP_LINK = 1_000;

  private final int size;
  private final Random random;
  private final Starvation starvation;
  private final List<Deque<Packet>> queues = new ArrayList<>();

  /**
   * The directed links with packets, and the position of each in that list; -1 if it is not in it.
   */
  private final List<Integer> active = new ArrayList<>();

  private final int[] positions;

  /** Whether a directed link is held up until all its packets have been delivered. */
  private final boolean[] heldUp;

  private long deliveries;

  /**
   * Chooses the slow directed links.
   *
   * @param passes how often a slow link is passed over while another one has packets
   * @param isStarved whether a link is slow, by the index from * size + to
   */
  record Starvation(int passes, IntPredicate isStarved) {
    static final Starvation NONE = new Starvation(0, link -> false);
  }

  ShuffledMedium(int size, Random random, Starvation starvation) {
    this.size = size;
    this.random = random;
    this.starvation = starvation;
    this.positions = new int[size * size];
    this.heldUp = new boolean[size * size];
    for (int link = 0; link < size * size; link++) {
      queues.add(new ArrayDeque<>());
      positions[link] = -1;
    }
  }

  @Override
  public void put(Packet packet) {
    int link = packet.from() * size + packet.to();
    queues.get(link).add(packet);
    if (positions[link] < 0) {
      positions[link] = active.size();
      active.add(link);
    }
  }

  @Override
  public boolean isEmpty() {
    return active.isEmpty();
  }

  @Override
  public Packet take() {
    int link = draw();
    for (int pass = 0; pass < passes(link); pass++) {
      link = draw();
    }
    Packet packet = queues.get(link).remove();
    deactivateIfEmpty(link);
    deliveries++;
    return packet;
  }

  private int passes(int link) {
    if (heldUp[link]) {
      return PASSES_OF_A_HELD_UP_LINK;
    }
    return starvation.isStarved.test(link) ? starvation.passes : 0;
  }

  /** Delivers all packets from one node to another much later than everything else. */
  void holdUp(int from, int to) {
    heldUp[from * size + to] = true;
  }

  private int draw() {
    return active.get(random.nextInt(active.size()));
  }

  private void deactivateIfEmpty(int link) {
    if (queues.get(link).isEmpty() && positions[link] >= 0) {
      heldUp[link] = false;
      int last = active.remove(active.size() - 1);
      if (last != link) {
        active.set(positions[link], last);
        positions[last] = positions[link];
      }
      positions[link] = -1;
    }
  }

  @Override
  public List<Packet> breakSession(int one, int other) {
    List<Packet> lost = new ArrayList<>();
    for (int link : List.of(one * size + other, other * size + one)) {
      Deque<Packet> queue = queues.get(link);
      int kept = random.nextInt(queue.size() + 1);
      List<Packet> all = List.copyOf(queue);
      queue.clear();
      for (int i = 0; i < all.size(); i++) {
        boolean survives = i < kept || !all.get(i).content().isOnTheWire();
        (survives ? queue : lost).add(all.get(i));
      }
      deactivateIfEmpty(link);
    }
    return lost;
  }

  @Override
  public List<Packet> clearTo(int node) {
    List<Packet> lost = new ArrayList<>();
    for (int from = 0; from < size; from++) {
      Deque<Packet> queue = queues.get(from * size + node);
      lost.addAll(queue);
      queue.clear();
      deactivateIfEmpty(from * size + node);
    }
    return lost;
  }

  @Override
  public long now() {
    return deliveries;
  }
}
