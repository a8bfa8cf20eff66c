package io.treecast.agent.core.link;

import static org.assertj.core.api.Assertions.assertThat;

import io.treecast.agent.core.message.Membership;
import io.treecast.ghs.NodeId;
import org.junit.jupiter.api.Test;

/** For how long a link that carries no data is left alone. */
class DataPausesTest {
  private static final NodeId PEER = NodeId.of("h2");
  private static final long SECOND = 1_000_000_000L;

  private final DataPauses pauses = new DataPauses();

  @Test
  void the_pause_doubles_from_5_s_to_10_min() {
    for (long seconds : new long[] {5, 10, 20, 40, 80, 160, 320, 600, 600}) {
      assertThat(pauses.begin(PEER, 1, 0, 0)).isEqualTo(seconds * SECOND);
    }
    assertThat(pauses.begun()).isEqualTo(9);
  }

  @Test
  void it_is_short_again_after_a_stream_that_carried_data_for_longer_than_it_lasted() {
    pauses.begin(PEER, 1, 0, 0);
    pauses.begin(PEER, 1, 0, 0);
    assertThat(pauses.begin(PEER, 1, 10 * SECOND, 0)).isEqualTo(20 * SECOND);
    assertThat(pauses.begin(PEER, 1, 20 * SECOND + 1, 0)).isEqualTo(5 * SECOND);
  }

  @Test
  void it_is_over_in_time_and_for_an_agent_that_has_restarted() {
    pauses.begin(PEER, 1, 0, 0);
    assertThat(pauses.isPaused(PEER, 1, 5 * SECOND - 1)).isTrue();
    assertThat(pauses.isPaused(PEER, 1, 5 * SECOND)).isFalse();
    assertThat(pauses.isPaused(PEER, 2, SECOND)).isFalse();
    assertThat(pauses.begin(PEER, 2, 0, 0)).isEqualTo(5 * SECOND);
  }

  @Test
  void no_more_are_remembered_than_members_may_be() {
    for (int i = 0; i <= Membership.MAX_MEMBERS; i++) {
      pauses.begin(NodeId.of("h" + i), 1, 0, 0);
    }
    assertThat(pauses.isPaused(NodeId.of("h0"), 0)).isFalse();
    assertThat(pauses.isPaused(NodeId.of("h1"), 0)).isTrue();
  }
}
