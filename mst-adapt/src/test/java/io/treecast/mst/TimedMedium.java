package io.treecast.mst;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.PriorityQueue;
import java.util.function.Predicate;

/** Delivers each packet after the delay of its link. A session that ends loses all its packets. */
final class TimedMedium implements Medium {
  private final int size;
  private final Delay delay;
  private final PriorityQueue<Arrival> arrivals =
      new PriorityQueue<>(
          Comparator.comparingLong(Arrival::atMicros).thenComparingLong(Arrival::number));
  private final Map<Integer, Long> lastArrivalMicros = new HashMap<>();
  private long nowMicros;
  private long number;

  /** How long a packet takes. */
  interface Delay {
    long micros(int from, int to);
  }

  private record Arrival(long atMicros, long number, Packet packet) {}

  TimedMedium(int size, Delay delay) {
    this.size = size;
    this.delay = delay;
  }

  @Override
  public void put(Packet packet) {
    int link = packet.from() * size + packet.to();
    long at = Math.max(nowMicros + micros(packet), lastArrivalMicros.getOrDefault(link, 0L));
    lastArrivalMicros.put(link, at);
    arrivals.add(new Arrival(at, number++, packet));
  }

  private long micros(Packet packet) {
    if (packet.content() instanceof Packet.Up up) {
      return up.dwellMicros();
    }
    return packet.content().isOnTheWire() ? delay.micros(packet.from(), packet.to()) : 0;
  }

  @Override
  public boolean isEmpty() {
    return arrivals.isEmpty();
  }

  /** The arrival time of the next packet, if there is one. */
  long nextArrivalMicros() {
    return arrivals.element().atMicros;
  }

  /** Advances the time without any delivery. */
  void advanceTo(long micros) {
    nowMicros = Math.max(nowMicros, micros);
  }

  @Override
  public Packet take() {
    Arrival next = arrivals.remove();
    nowMicros = next.atMicros;
    return next.packet;
  }

  @Override
  public List<Packet> breakSession(int one, int other) {
    lastArrivalMicros.remove(one * size + other);
    lastArrivalMicros.remove(other * size + one);
    return removed(
        packet ->
            (packet.content().isOnTheWire() || packet.content() instanceof Packet.Up)
                && ((packet.from() == one && packet.to() == other)
                    || (packet.from() == other && packet.to() == one)));
  }

  @Override
  public List<Packet> clearTo(int node) {
    return removed(packet -> packet.to() == node);
  }

  private List<Packet> removed(Predicate<Packet> isLost) {
    List<Packet> lost = new ArrayList<>();
    arrivals.removeIf(
        arrival -> {
          boolean gone = isLost.test(arrival.packet);
          if (gone) {
            lost.add(arrival.packet);
          }
          return gone;
        });
    return lost;
  }

  @Override
  public long now() {
    return nowMicros;
  }
}
