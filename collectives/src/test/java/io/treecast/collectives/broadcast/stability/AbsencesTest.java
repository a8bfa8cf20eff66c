package io.treecast.collectives.broadcast.stability;

import static io.treecast.collectives.broadcast.Examples.A;
import static io.treecast.collectives.broadcast.Examples.B;
import static io.treecast.collectives.broadcast.Examples.C;
import static io.treecast.collectives.broadcast.Examples.star;
import static org.assertj.core.api.Assertions.assertThat;

import io.treecast.ghs.NodeId;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The absent members, the duration of their absence, and its changes. */
class AbsencesTest {
  private static final long NEVER = Long.MAX_VALUE;
  private static final long BRIEF = Absences.BRIEF_NANOS;
  private static final long PATIENCE = Absences.PATIENCE_NANOS;

  private final Absences absences = new Absences(100);

  @Test
  void members_that_leave_together_are_brief_then_awaited_then_given_up_together() {
    absences.treeCommitted(star(A, B, C));
    absences.treeCommitted(star(A));
    assertThat(absences.brief()).isEqualTo(2);
    assertThat(absences.nextDeadlineNanos()).as("no tick has come").isEqualTo(NEVER);

    absences.tick(5);
    assertThat(absences.nextDeadlineNanos()).isEqualTo(5 + BRIEF);
    absences.tick(5 + BRIEF);
    assertThat(absences.brief()).isZero();
    assertThat(absences.nextDeadlineNanos()).isEqualTo(5 + PATIENCE);
    assertThat(absences.any()).isTrue();

    absences.tick(5 + PATIENCE);
    assertThat(absences.any()).isFalse();
    assertThat(absences.nextDeadlineNanos()).isEqualTo(NEVER);
  }

  @Test
  void absent_members_beyond_the_limit_are_given_up_at_once() {
    Absences few = new Absences(1);
    few.treeCommitted(star(A, B, C));

    few.treeCommitted(star());

    assertThat(few.brief()).isEqualTo(1);
  }

  /** As {@link Absences}, but each member has a time of its own. */
  private static final class EachAlone {
    private final TreeMap<NodeId, Long> since = new TreeMap<>();
    private List<NodeId> members = List.of();
    private long now;

    void treeCommitted(List<NodeId> committed) {
      members.stream().filter(m -> !committed.contains(m)).forEach(m -> since.put(m, NEVER));
      since.keySet().removeAll(committed);
      members = committed;
    }

    void tick(long nowNanos) {
      now = nowNanos;
      since.replaceAll((member, began) -> began == NEVER ? now : began);
      since.values().removeIf(began -> began + PATIENCE <= now);
    }

    private boolean isBrief(long began) {
      return began == NEVER || now < began + BRIEF;
    }

    int brief() {
      return (int) since.values().stream().filter(this::isBrief).count();
    }

    long nextDeadlineNanos() {
      return since.values().stream()
          .filter(began -> began != NEVER)
          .mapToLong(began -> began + (isBrief(began) ? BRIEF : PATIENCE))
          .min()
          .orElse(NEVER);
    }
  }

  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10})
  void absent_members_are_counted_as_if_each_had_a_time_of_its_own(long seed) {
    Random random = new Random(seed);
    EachAlone expected = new EachAlone();
    long now = 0;
    for (int step = 0; step < 500; step++) {
      if (random.nextInt(3) == 0) {
        now += random.nextLong(PATIENCE / 6);
        absences.tick(now);
        expected.tick(now);
      } else {
        List<NodeId> members = new ArrayList<>();
        for (int i = 0; i < 12; i++) {
          if (random.nextInt(4) > 0) {
            members.add(NodeId.of("n" + i));
          }
        }
        absences.treeCommitted(star(members.toArray(NodeId[]::new)));
        expected.treeCommitted(members);
      }
      assertThat(
              Map.of(
                  "any", (Object) absences.any(),
                  "brief", absences.brief(),
                  "deadline", absences.nextDeadlineNanos()))
          .as("seed %d step %d", seed, step)
          .isEqualTo(
              Map.of(
                  "any", (Object) !expected.since.isEmpty(),
                  "brief", expected.brief(),
                  "deadline", expected.nextDeadlineNanos()));
    }
  }
}
