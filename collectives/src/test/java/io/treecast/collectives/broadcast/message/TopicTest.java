package io.treecast.collectives.broadcast.message;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.treecast.ghs.NodeId;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

class TopicTest {
  @Test
  void any_text_is_a_name() {
    assertThat(Topic.checked("prices/eu, Köln 東京 🎺")).isEqualTo("prices/eu, Köln 東京 🎺");
    assertThat(Topic.checked("x".repeat(200))).hasSize(200);
    assertThat(Topic.checked("")).isEqualTo(Topic.DEFAULT);
  }

  @Test
  void a_name_that_is_too_long_is_refused_with_its_length_in_bytes() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> Topic.checked("é".repeat(101)))
        .withMessageContainingAll("1 to 200", "202 bytes", "UTF-8");
  }

  @Test
  void a_selection_names_its_receivers_in_their_order() {
    Set<NodeId> receivers = Set.of(NodeId.of("h10"), NodeId.of("h2"));

    String selection = Topic.to(receivers);

    assertThat(selection).isEqualTo("to/h2,h10");
    assertThat(Topic.isSelection(Topic.checked(selection))).isTrue();
    assertThat(Topic.receivers(selection)).isEqualTo(receivers);
    assertThat(Topic.names(selection, NodeId.of("h2"))).isTrue();
    assertThat(Topic.names(selection, NodeId.of("h1"))).isFalse();
    assertThat(Topic.names("h2", NodeId.of("h2"))).isFalse();
  }

  @Test
  void a_selection_may_name_the_topic_of_its_subscribers() {
    String selection = Topic.checked("to/h2,h10/prices/eu");

    assertThat(Topic.receivers(selection)).containsExactly(NodeId.of("h2"), NodeId.of("h10"));
    assertThat(Topic.names(selection, NodeId.of("h10"))).isTrue();
    assertThat(Topic.names(selection, NodeId.of("prices"))).isFalse();
    assertThat(Topic.audience(selection)).isEqualTo("prices/eu");
    assertThat(Topic.audience("to/h2")).isEqualTo(Topic.DEFAULT);
    assertThat(Topic.audience("prices")).isEqualTo("prices");
  }

  @Test
  void a_publisher_needs_the_permission_of_the_topic_within_which_it_selects() {
    assertThat(Topic.permittedAs("to/h2/prices")).isEqualTo("prices");
    assertThat(Topic.permittedAs("to/h2")).isEqualTo("to/h2");
    assertThat(Topic.permittedAs("prices")).isEqualTo("prices");
    assertThat(Topic.permittedAs(Topic.DEFAULT)).isEqualTo(Topic.DEFAULT);
  }

  @Test
  void a_selection_of_other_names_than_ids_or_of_too_many_is_refused() {
    for (String name :
        List.of(
            "to/",
            "to/a,",
            "to/a b",
            "to/" + "a,".repeat(1_000) + "a",
            "to/a/",
            "to/a/to/b",
            "to/a/x\n",
            "to/a/" + "x".repeat(201))) {
      assertThatIllegalArgumentException().isThrownBy(() -> Topic.checked(name));
    }
  }

  @Test
  void control_characters_and_halves_of_characters_are_refused() {
    for (String name : new String[] {"a\nb", "\u0000", "\u0085", "\ud83c", "\udfba\ud83c"}) {
      assertThatIllegalArgumentException()
          .isThrownBy(() -> Topic.checked(name))
          .withMessageContaining("topic");
    }
  }
}
