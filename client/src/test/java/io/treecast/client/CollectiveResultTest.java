package io.treecast.client;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.LinkedHashSet;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Contributors of a result, and members absent from it. */
class CollectiveResultTest {
  private final CollectiveResult<String> result =
      new CollectiveResult<>("value", new LinkedHashSet<>(List.of("h1", "h2", "h3")), 7);

  @Test
  void absent_are_those_that_are_not_among_the_contributors_in_their_order() {
    assertThat(result.absent(List.of("h9", "h2", "h4"))).containsExactly("h9", "h4");
  }

  @Test
  void nobody_is_absent_where_all_contributed() {
    assertThat(result.absent(result.contributors())).isEmpty();
  }
}
