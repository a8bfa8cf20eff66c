package io.treecast.collectives.values;

import io.treecast.collectives.broadcast.SeedSweep;
import io.treecast.ghs.NodeId;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.PriorityQueue;
import java.util.Random;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.LongFunction;
import org.jspecify.annotations.Nullable;

/**
 * A random run of members that write values, from its seed: late messages, streams that break and
 * lose what is under way, trees that change and that members commit at different times, partitions,
 * restarts.
 *
 * <p>What must hold when faults end: all members have the same entries, and one of them wrote each.
 * For each key they have no less than each member wrote that has not restarted since. The ephemeral
 * entries are those of the calls that are open. Nothing is sent. At all times the bytes are
 * bounded.
 */
final class ValuesRun implements LongFunction<String> {
  private static final long MILLI = 1_000_000L;
  private static final long SECOND = 1_000 * MILLI;
  private static final long FAULTS_NANOS = 60 * SECOND;
  private static final long QUIET_NANOS = 150 * SECOND;
  private static final long END_NANOS = 170 * SECOND;
  private static final int MOST_EVENTS = 100_000;
  private static final MapName ROUTES = new MapName(Rule.LATEST, "routes");
  private static final MapName LEASES = new MapName(Rule.LATEST, "leases");
  private static final List<MapName> BEST =
      List.of(new MapName(Rule.LEAST, "best"), new MapName(Rule.GREATEST, "best"));

  private final Map<String, Long> coverage;

  /** For mutants, which need no coverage. */
  ValuesRun() {
    this(new TreeMap<>());
  }

  private ValuesRun(Map<String, Long> coverage) {
    this.coverage = coverage;
  }

  static ValuesRun of(Map<String, Long> coverage) {
    return new ValuesRun(coverage);
  }

  @Override
  public String apply(long seed) {
    try {
      new World(seed).run();
      return "";
    } catch (AssertionError | RuntimeException failure) {
      return SeedSweep.failure(seed, failure, "ValuesSweepTest");
    }
  }

  private record Event(long atNanos, long number, Runnable action) implements Comparable<Event> {
    @Override
    public int compareTo(Event other) {
      return atNanos != other.atNanos
          ? Long.compare(atNanos, other.atNanos)
          : Long.compare(number, other.number);
    }
  }

  /** Both directions of a link while it works. */
  private static final class Stream {
    final Map<NodeId, Long> lastNanos = new TreeMap<>();
    boolean isClosed;
  }

  private final class World {
    /** A write that its member has stored. */
    record Write(MapName map, Entry entry, World.Member by, int start) {}

    final Random random;
    final PriorityQueue<Event> events = new PriorityQueue<>();
    final List<Member> members = new ArrayList<>();
    final List<Write> writes = new ArrayList<>();
    final Set<Set<NodeId>> tree = new LinkedHashSet<>();
    final boolean isNarrow;
    final ValuesLimits limits;
    final long delayNanos;
    long nowNanos;
    long numbers;
    long sentInQuiet;
    @Nullable Member dead;

    World(long seed) {
      random = new Random(seed);
      isNarrow = random.nextInt(5) == 0;
      long bytes = isNarrow ? ValuesLimits.MIN_BYTES : 1L << 30;
      limits = new ValuesLimits(bytes, bytes, 1_000 * SECOND, 10 * SECOND);
      delayNanos = upTo(random.nextBoolean() ? 20 * MILLI : 2 * SECOND);
      int count = 2 + random.nextInt(6);
      for (int i = 0; i < count; i++) {
        members.add(new Member(NodeId.of("m" + i)));
      }
    }

    long upTo(long most) {
      return 1 + (long) (random.nextDouble() * most);
    }

    void after(long nanos, Runnable action) {
      events.add(new Event(nowNanos + nanos, numbers++, action));
    }

    void run() {
      members.forEach(Member::start);
      changeTree(1);
      fault();
      write();
      after(
          FAULTS_NANOS + 15 * SECOND,
          () -> {
            if (random.nextInt(3) == 0) {
              cover("member that does not come back");
              members.get(0).stop();
              dead = members.get(0);
            }
            members.stream().filter(member -> member != dead).forEach(Member::start);
            changeTree(1);
          });
      int handled = 0;
      while (!events.isEmpty() && events.peek().atNanos() < END_NANOS) {
        Event event = events.remove();
        nowNanos = event.atNanos();
        event.action().run();
        if (++handled > MOST_EVENTS) {
          throw new AssertionError("messages do not end");
        }
      }
      check();
    }

    private void fault() {
      after(
          upTo(4 * SECOND),
          () -> {
            if (nowNanos > FAULTS_NANOS) {
              return;
            }
            switch (random.nextInt(5)) {
              case 0 -> {
                cover("partition");
                changeTree(2);
              }
              case 1 -> {
                cover("new tree");
                changeTree(1);
              }
              case 2 -> {
                cover("restart");
                Member member = any();
                member.stop();
                after(
                    upTo(15 * SECOND),
                    () -> {
                      if (member == dead) {
                        return;
                      }
                      member.start();
                      changeTree(1 + random.nextInt(2));
                    });
                changeTree(1 + random.nextInt(2));
              }
              default -> {
                cover("broken stream");
                Member member = any();
                member.streams.keySet().stream().findFirst().ifPresent(end -> cut(member, end));
              }
            }
            fault();
          });
    }

    private Member any() {
      return members.get(random.nextInt(members.size()));
    }

    private Member member(NodeId id) {
      return members.stream().filter(each -> each.id.equals(id)).findFirst().orElseThrow();
    }

    /** Breaks a stream, which opens again if the tree has its edge then. */
    private void cut(Member member, NodeId end) {
      close(member, member(end));
      after(upTo(SECOND), () -> open(member, member(end)));
    }

    private void close(Member one, Member other) {
      Stream stream = one.streams.get(other.id);
      if (stream != null) {
        stream.isClosed = true;
        one.closed(other.id);
        other.closed(one.id);
      }
    }

    private void open(Member one, Member other) {
      if (one.values != null
          && other.values != null
          && tree.contains(Set.of(one.id, other.id))
          && !one.streams.containsKey(other.id)) {
        Stream stream = new Stream();
        one.streams.put(other.id, stream);
        other.streams.put(one.id, stream);
        one.happens(() -> one.values().opened(other.id, nowNanos));
        other.happens(() -> other.values().opened(one.id, nowNanos));
      }
    }

    /** Has the members that run form random trees, in so many parts. */
    private void changeTree(int parts) {
      List<Set<NodeId>> old = List.copyOf(tree);
      tree.clear();
      List<List<Member>> all = new ArrayList<>();
      for (int i = 0; i < parts; i++) {
        all.add(new ArrayList<>());
      }
      for (Member member : members) {
        if (member.values != null) {
          all.get(random.nextInt(parts)).add(member);
        }
      }
      for (List<Member> part : all) {
        Map<NodeId, Set<NodeId>> neighbours = new TreeMap<>();
        part.forEach(member -> neighbours.put(member.id, new TreeSet<>()));
        for (int i = 0; i < part.size(); i++) {
          if (i > 0) {
            Member upper = part.get(random.nextInt(i));
            tree.add(Set.of(upper.id, part.get(i).id));
            join(neighbours, upper.id, part.get(i).id);
            join(neighbours, part.get(i).id, upper.id);
            Member lower = part.get(i);
            after(upTo(SECOND), () -> open(upper, lower));
          }
        }
        for (Member member : part) {
          long version = ++member.announced;
          int start = member.starts;
          after(
              upTo(SECOND),
              () -> {
                if (member.values != null
                    && member.starts == start
                    && version == member.announced) {
                  member.happens(
                      () ->
                          member
                              .values()
                              .treeCommitted(
                                  neighbours.keySet(),
                                  neighbours.getOrDefault(member.id, Set.of()),
                                  nowNanos));
                }
              });
        }
      }
      for (Set<NodeId> edge : old) {
        after(
            upTo(2 * SECOND),
            () -> {
              if (!tree.contains(edge)) {
                List<NodeId> ends = List.copyOf(edge);
                close(member(ends.get(0)), member(ends.get(1)));
              }
            });
      }
    }

    private static void join(Map<NodeId, Set<NodeId>> neighbours, NodeId of, NodeId neighbour) {
      neighbours.computeIfAbsent(of, id -> new TreeSet<>()).add(neighbour);
    }

    private void write() {
      after(
          upTo(SECOND),
          () -> {
            if (nowNanos > FAULTS_NANOS) {
              return;
            }
            Member member = any();
            if (member.values != null) {
              member.happens(() -> write(member, member.values()));
            }
            write();
          });
    }

    private void write(Member member, Values values) {
      String key = "k" + random.nextInt(5);
      switch (random.nextInt(6)) {
        case 0, 1 -> {
          if (values.put(ROUTES, key, content(), nowNanos) == Written.STORED) {
            wrote(member, ROUTES, key);
          }
        }
        case 2 -> {
          if (values.delete(ROUTES, key, nowNanos) == Written.STORED) {
            cover("delete");
            writes.add(new Write(ROUTES, member.raw(ROUTES, key), member, member.starts));
          }
        }
        case 3 -> {
          MapName best = BEST.get(random.nextInt(2));
          if (values.offer(best, random.nextInt(50), content(), nowNanos) == Written.STORED) {
            cover("better value");
            wrote(member, best, "");
          }
        }
        case 4 -> {
          if (values.hold(++member.calls, LEASES, member.id.toString(), content(), nowNanos)
              == Written.STORED) {
            cover("ephemeral entry");
            wrote(member, LEASES, member.id.toString());
            member.holds = true;
          }
        }
        default -> {
          // The end of an earlier call does not concern the entry of a later one.
          long call = Math.max(0, member.calls - random.nextInt(2));
          values.release(call, nowNanos);
          member.holds &= call != member.calls;
        }
      }
    }

    private ByteBuffer content() {
      return ByteBuffer.allocate(
          isNarrow ? random.nextInt(Entry.MAX_CONTENT_BYTES) : random.nextInt(1_000));
    }

    private void wrote(Member member, MapName map, String key) {
      writes.add(new Write(map, member.raw(map, key), member, member.starts));
    }

    void cover(String what) {
      coverage.merge(what, 1L, Long::sum);
    }

    void check() {
      if (sentInQuiet > 0) {
        throw new AssertionError(sentInQuiet + " messages though nothing changes");
      }
      if (dead != null) {
        members.remove(dead);
      }
      Member any = members.get(0);
      SortedMap<MapName, List<Entry>> first = any.readAll();
      if (dead != null && any.values().read(LEASES, dead.id.toString()) != null && !isNarrow) {
        throw new AssertionError("the entry of " + dead.id + " outlives it");
      }
      for (Member member : members) {
        for (List<Entry> entries : member.readAll().values()) {
          for (Entry entry : entries) {
            if (writes.stream().noneMatch(write -> isOf(entry, write.entry()))) {
              throw new AssertionError("nobody wrote " + entry);
            }
          }
        }
        if (isNarrow) {
          continue;
        }
        if (!member.readAll().equals(first)) {
          throw new AssertionError(
              member.id + " has " + member.readAll() + ", " + any.id + " has " + first);
        }
        String key = member.id.toString();
        if ((member.values().read(LEASES, key) != null) != member.holds) {
          throw new AssertionError("the entry of " + key + " is wrong; it holds: " + member.holds);
        }
      }
      if (isNarrow) {
        return;
      }
      for (Write write : writes) {
        Entry last = any.rawOrNull(write.map(), write.entry().key());
        if (write.by() != dead
            && write.by().starts == write.start()
            && write.entry().kind() != Entry.Kind.EPHEMERAL
            && (last == null || write.map().rule().replaces(write.entry(), last))) {
          throw new AssertionError(write + " is lost; there is " + last);
        }
      }
    }

    /** Returns whether this write led to the entry. An owner may put an ephemeral one again. */
    private boolean isOf(Entry entry, Entry write) {
      Stamp stamp = entry.kind() == Entry.Kind.EPHEMERAL ? entry.stamp() : write.stamp();
      return entry.equals(
          new Entry(write.key(), stamp, write.kind(), write.number(), write.content()));
    }

    /** A member while it runs. */
    final class Member implements ValuesEffects {
      final NodeId id;
      final long clockErrorNanos = upTo(100 * SECOND);
      final SortedMap<NodeId, Stream> streams = new TreeMap<>();
      @Nullable Values values;
      int starts;
      long announced;
      long calls;
      boolean holds;
      long timerNanos = Long.MAX_VALUE;

      Member(NodeId id) {
        this.id = id;
      }

      void start() {
        if (values == null) {
          starts++;
          values = new Values(id, 1 + unixMicros(), limits, this);
        }
      }

      /** Some clocks are a day ahead, and are set back in the middle of the faults. */
      @Override
      public long unixMicros() {
        boolean isAhead = clockErrorNanos > 80 * SECOND && nowNanos < FAULTS_NANOS / 2;
        if (isAhead) {
          cover("clock a day ahead");
        }
        return (nowNanos + clockErrorNanos + (isAhead ? 86_400 * SECOND : 0)) / 1_000;
      }

      void stop() {
        for (NodeId end : List.copyOf(streams.keySet())) {
          close(this, member(end));
        }
        values = null;
        holds = false;
        calls = 0;
      }

      Values values() {
        return Objects.requireNonNull(values);
      }

      Entry raw(MapName map, String key) {
        return Objects.requireNonNull(rawOrNull(map, key));
      }

      @Nullable Entry rawOrNull(MapName map, String key) {
        return values().stored(map, key);
      }

      SortedMap<MapName, List<Entry>> readAll() {
        SortedMap<MapName, List<Entry>> all = new TreeMap<>();
        for (MapName map : values().names()) {
          if (!values().read(map).isEmpty()) {
            all.put(map, values().read(map));
          }
        }
        return all;
      }

      void closed(NodeId end) {
        if (streams.remove(end) != null && values != null) {
          values.closed(end);
        }
      }

      void happens(Runnable event) {
        event.run();
        if (values().counters().bytes() > limits.totalBytes()) {
          throw new AssertionError(values().counters() + " is more than " + limits);
        }
        timerNanos = values().nextDeadlineNanos();
        if (timerNanos < END_NANOS) {
          long due = timerNanos;
          int start = starts;
          after(
              Math.max(0, due - nowNanos),
              () -> {
                if (starts == start && values != null && timerNanos == due) {
                  timerNanos = Long.MAX_VALUE;
                  happens(() -> values().tick(nowNanos));
                }
              });
        }
      }

      @Override
      public void send(NodeId neighbour, ValuesMessage message) {
        if (nowNanos > QUIET_NANOS) {
          sentInQuiet++;
        }
        Stream stream = streams.get(neighbour);
        if (stream == null) {
          throw new AssertionError("a message to " + neighbour + " without a stream");
        }
        Member to = member(neighbour);
        long at =
            Math.max(nowNanos + upTo(delayNanos), stream.lastNanos.getOrDefault(neighbour, 0L) + 1);
        stream.lastNanos.put(neighbour, at);
        after(
            at - nowNanos,
            () -> {
              if (!stream.isClosed) {
                to.happens(() -> to.values().received(id, message, nowNanos));
              }
            });
      }

      @Override
      public void changed(MapName map, String key) {
        if (values().read(map, key) == null) {
          cover("end of an entry");
        }
      }

      @Override
      public void full(MapName map) {
        cover("full");
      }
    }
  }
}
