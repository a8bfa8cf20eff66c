package io.treecast.monitor.throughput;

import static org.assertj.core.api.Assertions.assertThat;

import io.treecast.monitor.throughput.CliqueToken.Token;
import java.util.HashMap;
import java.util.Map;
import java.util.PriorityQueue;
import java.util.Random;
import java.util.TreeMap;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * Whole cliques in virtual time, whose token is lost and late, and whose members die, come back and
 * freeze.
 *
 * <p>{@code -Dtreecast.seed=17} runs that one only, {@code -Dtreecast.seeds=10000} that many.
 */
@Tag("seeded")
class CliqueSimulationTest {
  private static final long DEFAULT_SEEDS = 30;
  private static final long SECOND = 1_000_000_000L;

  /** How late others notice that a member has died. */
  private static final long DETECTION = 3 * SECOND;

  private static final long LONGEST_DELAY = SECOND / 2;
  private static final long STEP = SECOND / 4;
  private static final long FAULTS = 1_200 * SECOND;
  private static final long QUIET = 1_800 * SECOND;

  private record Passing(long dueNanos, long number, int to, Token<Integer> token) {}

  private final Map<Integer, CliqueToken<Integer>> members = new TreeMap<>();
  private final Map<Integer, Long> frozenUntil = new HashMap<>();

  /** When the others will have noticed the death or the arrival of each member. */
  private final Map<Integer, Long> absentUntil = new HashMap<>();

  private final Map<Integer, Long> unnoticedUntil = new HashMap<>();
  private final PriorityQueue<Passing> underWay =
      new PriorityQueue<>(
          java.util.Comparator.comparingLong(Passing::dueNanos).thenComparingLong(Passing::number));
  private Random random = new Random(0);
  private int size;
  private long now;
  private long passings;
  private double loss;

  private boolean runs(int member) {
    return now >= absentUntil.getOrDefault(member, 0L)
        && now >= frozenUntil.getOrDefault(member, 0L);
  }

  private void setUp(long seed) {
    random = new Random(seed);
    size = 2 + random.nextInt(7);
    members.clear();
    frozenUntil.clear();
    absentUntil.clear();
    unnoticedUntil.clear();
    underWay.clear();
    now = 0;
    loss = random.nextInt(3) * 0.02;
    for (int member = 0; member < size; member++) {
      members.put(member, new CliqueToken<>(member));
    }
  }

  private void step() {
    now += STEP;
    while (!underWay.isEmpty() && underWay.peek().dueNanos <= now) {
      Passing passing = underWay.remove();
      CliqueToken<Integer> to = members.get(passing.to);
      if (to != null && now >= absentUntil.getOrDefault(passing.to, 0L)) {
        if (runs(passing.to)) {
          to.received(passing.token, now);
        } else {
          underWay.add(
              new Passing(
                  frozenUntil.getOrDefault(passing.to, now) + 1,
                  passing.number,
                  passing.to,
                  passing.token));
        }
      }
    }
    members.forEach(this::act);
  }

  private void act(int member, CliqueToken<Integer> token) {
    if (!runs(member)) {
      return;
    }
    TreeSet<Integer> others = new TreeSet<>(members.keySet());
    others.remove(member);
    others.removeIf(other -> now < absentUntil.getOrDefault(other, 0L) && now >= noticed(other));
    token.members(others, now);
    Integer next = token.tick(random.nextInt(4) == 0, now);
    if (next != null && random.nextDouble() >= loss) {
      long due = now + random.nextLong(LONGEST_DELAY);
      underWay.add(new Passing(due, ++passings, next, token.token()));
    }
  }

  private long noticed(int member) {
    return unnoticedUntil.getOrDefault(member, 0L);
  }

  private void fault() {
    int member = random.nextInt(size);
    if (!runs(member)) {
      return;
    }
    long until = now + random.nextLong(60 * SECOND);
    if (random.nextBoolean()) {
      frozenUntil.put(member, until);
    } else {
      absentUntil.put(member, until);
      unnoticedUntil.put(member, now + DETECTION);
      members.put(member, new CliqueToken<>(member));
    }
  }

  private int holders() {
    int holders = 0;
    for (Map.Entry<Integer, CliqueToken<Integer>> member : members.entrySet()) {
      if (runs(member.getKey()) && member.getValue().isHeld(now)) {
        holders++;
      }
    }
    return holders;
  }

  /** At most two rounds, each of all members, and the token under way. */
  private long bound() {
    return 2L * (size + 2) * (CliqueToken.LONGEST_HOLD_NANOS + LONGEST_DELAY);
  }

  @Test
  void two_members_have_their_turn_together_for_a_limited_time_only_and_everybody_has_one_again() {
    Long only = Long.getLong("treecast.seed");
    long first = only == null ? 0 : only;
    long end =
        only == null
            ? Long.getLong(
                "treecast.seeds", DEFAULT_SEEDS * Long.getLong("treecast.seeds.times", 1))
            : only + 1;
    for (long seed = first; seed < end; seed++) {
      String problem = problem(seed);
      assertThat(problem).as("seed %d", seed).isNull();
    }
  }

  private @Nullable String problem(long seed) {
    setUp(seed);
    long togetherSince = Long.MAX_VALUE;
    while (now < FAULTS) {
      if (random.nextInt(100) == 0) {
        fault();
      }
      step();
      togetherSince = holders() < 2 ? Long.MAX_VALUE : Math.min(togetherSince, now);
      if (now - togetherSince > bound()) {
        return "two hold it for longer than " + bound();
      }
    }
    loss = 0;
    long calmSince = now + 60 * SECOND + bound();
    TreeSet<Integer> hadTurn = new TreeSet<>();
    while (now < FAULTS + QUIET) {
      step();
      if (now < calmSince) {
        continue;
      }
      if (holders() > 1) {
        return "two hold it in a clique where nothing fails, " + (now - calmSince);
      }
      members.forEach(
          (member, token) -> {
            if (token.isHeld(now)) {
              hadTurn.add(member);
            }
          });
    }
    return hadTurn.size() == size ? null : "only " + hadTurn + " of " + size + " had a turn";
  }
}
