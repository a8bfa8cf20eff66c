package io.treecast.collectives.claim;

import static org.assertj.core.api.Assertions.assertThat;

import io.treecast.collectives.claim.ClaimMessage.Accepted;
import io.treecast.collectives.claim.Claimant.Acquisition;
import io.treecast.ghs.NodeId;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** The rounds of a call; the sweep and the exploration cover the rest. */
class ClaimantTest {
  private static final List<NodeId> MEMBERS = Stream.of("a", "b", "c").map(NodeId::of).toList();
  private static final ClaimKey KEY = ClaimKey.of("k", MEMBERS, false);
  private static final long LEASE_NANOS = 1_000_000_000L;

  private final Owner owner = new Owner(MEMBERS.get(0), 1, 1);
  private final Claimant claimant =
      new Claimant(
          owner,
          new Acquisition(KEY, LEASE_NANOS, true, Long.MAX_VALUE),
          0,
          (member, message) -> {});

  private boolean accepted(int member, long round, long nowNanos) {
    return claimant.accepted(
        MEMBERS.get(member), new Accepted(KEY, owner, round), MEMBERS, nowNanos);
  }

  @Test
  void a_late_answer_to_an_earlier_round_does_not_count_for_a_renewal() {
    claimant.ask(0);
    assertThat(accepted(0, 1, 0)).isFalse();
    assertThat(accepted(1, 1, 0)).isTrue();
    long ends = claimant.endsNanos();

    claimant.ask(LEASE_NANOS / 2);
    assertThat(accepted(0, 2, LEASE_NANOS / 2)).isFalse();
    assertThat(accepted(2, 1, LEASE_NANOS / 2)).isFalse();
    assertThat(claimant.endsNanos()).isEqualTo(ends);
    assertThat(accepted(2, 2, LEASE_NANOS / 2)).isTrue();
    assertThat(claimant.endsNanos()).isGreaterThan(ends);
  }
}
