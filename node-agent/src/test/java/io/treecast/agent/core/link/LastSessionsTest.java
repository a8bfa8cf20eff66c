package io.treecast.agent.core.link;

import static io.treecast.agent.core.link.LastSessions.MAX_REMEMBERED;
import static org.assertj.core.api.Assertions.assertThat;

import io.treecast.ghs.NodeId;
import java.util.Set;
import org.junit.jupiter.api.Test;

class LastSessionsTest {
  private static final NodeId LINKED = NodeId.of("linked");
  private static final NodeId OLDEST = NodeId.of("oldest");

  private final LastSessions sessions = new LastSessions();

  private void fill() {
    for (int i = sessions.size(); i < MAX_REMEMBERED; i++) {
      sessions.put(NodeId.of("n" + i), 1, 1, Set.of(LINKED));
    }
  }

  @Test
  void sessions_with_a_node_are_numbered_from_one_upwards() {
    assertThat(sessions.next(OLDEST)).isEqualTo(1);
    sessions.put(OLDEST, 1, 1, Set.of());
    assertThat(sessions.next(OLDEST)).isEqualTo(2);
  }

  @Test
  void a_session_of_the_same_life_up_to_the_last_one_is_over() {
    sessions.put(OLDEST, 5, 3, Set.of());
    assertThat(sessions.isOver(OLDEST, 5, 3)).isTrue();
    assertThat(sessions.isOver(OLDEST, 5, 4)).isFalse();
    assertThat(sessions.isOver(OLDEST, 6, 3)).isFalse();
  }

  @Test
  void a_life_is_earlier_than_the_one_of_the_last_session_if_its_number_is_lower() {
    assertThat(sessions.hasLaterIncarnation(OLDEST, 4)).isFalse();
    sessions.put(OLDEST, 5, 3, Set.of());
    assertThat(sessions.hasLaterIncarnation(OLDEST, 4)).isTrue();
    assertThat(sessions.hasLaterIncarnation(OLDEST, 5)).isFalse();
    assertThat(sessions.hasLaterIncarnation(OLDEST, 6)).isFalse();
  }

  @Test
  void beyond_the_limit_the_oldest_without_a_link_is_forgotten_and_no_number_is_used_again() {
    sessions.put(LINKED, 1, 7, Set.of(LINKED));
    sessions.put(OLDEST, 1, 40, Set.of(LINKED));
    fill();
    assertThat(sessions.isOver(OLDEST, 1, 40)).isTrue();

    sessions.put(NodeId.of("another"), 1, 1, Set.of(LINKED));

    assertThat(sessions.size()).isEqualTo(MAX_REMEMBERED);
    assertThat(sessions.isOver(OLDEST, 1, 40)).as("forgotten").isFalse();
    assertThat(sessions.next(OLDEST)).isEqualTo(41);
    assertThat(sessions.isOver(LINKED, 1, 7)).as("linked").isTrue();
  }

  @Test
  void a_node_that_is_linked_again_is_no_longer_the_oldest() {
    sessions.put(OLDEST, 1, 1, Set.of());
    sessions.put(LINKED, 1, 1, Set.of());
    sessions.put(OLDEST, 1, 2, Set.of());
    fill();

    sessions.put(NodeId.of("another"), 1, 1, Set.of());

    assertThat(sessions.isOver(OLDEST, 1, 2)).isTrue();
    assertThat(sessions.isOver(LINKED, 1, 1)).isFalse();
  }
}
