package io.treecast.cli.messages;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.treecast.client.Confirmation;
import io.treecast.client.Confirmation.Hop;
import java.util.List;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** The text about the delivery of a broadcast. */
class ConfirmationTextTest {
  private static final List<Hop> HOPS =
      List.of(
          hop("0", null, 0, 0),
          hop("1", "0", 150_000, 40_000),
          hop("2", "8", 81_000_000, 250_000),
          hop("3", "0", 100_000, 40_000),
          hop("8", "0", 70_200_000, 210_000));

  private static Hop hop(String member, @Nullable String from, long after, long error) {
    return new Hop(member, from, after, error, true);
  }

  private static String summary(Confirmation confirmation) {
    return ConfirmationText.summary(confirmation, false, UTF_8);
  }

  @Test
  void a_broadcast_that_all_have_tells_how_long_the_last_took() {
    assertThat(summary(new Confirmation(1, HOPS, List.of(), List.of())))
        .contains("5 members")
        .endsWith(" 81.0 ms ± 0.3 ms");
    Confirmation all = new Confirmation(1, HOPS, List.of(), List.of());
    assertThat(ConfirmationText.summary(all, false, US_ASCII)).endsWith(" 81.0 ms +- 0.3 ms");
  }

  @Test
  void an_agent_that_is_alone_is_not_called_all() {
    List<Hop> alone = List.of(hop("0", null, 150_000, 0));
    assertThat(summary(new Confirmation(1, alone, List.of(), List.of())))
        .contains("0.2 ms")
        .doesNotContain("members");
    assertThat(summary(new Confirmation(1, List.of(), List.of(), List.of("0"))))
        .doesNotContain(" ms", "members");
  }

  @Test
  void the_one_member_that_was_selected_is_named() {
    List<Hop> one = List.of(hop("8", "0", 150_000, 0));
    assertThat(
            ConfirmationText.summary(new Confirmation(1, one, List.of(), List.of()), true, UTF_8))
        .contains("0.2 ms")
        .endsWith(" 8");
    assertThat(
            ConfirmationText.summary(
                new Confirmation(1, List.of(), List.of("8"), List.of()), true, UTF_8))
        .doesNotContain(" ms")
        .endsWith(" 8");
  }

  @Test
  void members_without_a_subscriber_have_it_and_are_named() {
    Hop alone = new Hop("0", null, 150_000, 0, false);
    Hop other = new Hop("1", "0", 150_000, 0, false);

    assertThat(summary(new Confirmation(1, List.of(alone, other), List.of(), List.of())))
        .contains("2 members", "0.2 ms")
        .endsWith(": 0, 1");
    assertThat(summary(new Confirmation(1, List.of(alone), List.of(), List.of())))
        .contains("0.2 ms")
        .doesNotContain("members")
        .endsWith(": 0");
    assertThat(summary(new Confirmation(1, List.of(alone), List.of("2"), List.of("1"))))
        .contains("1 of 3 members", "0.2 ms")
        .endsWith(": 0");
    List<Hop> many =
        IntStream.range(0, 13).mapToObj(i -> new Hop("b" + i, null, 0, 0, false)).toList();
    assertThat(summary(new Confirmation(1, many, List.of(), List.of())))
        .contains("; 13 ")
        .doesNotContain("b12");
  }

  @Test
  void a_broadcast_without_deliveries_has_no_last_one() {
    assertThat(summary(new Confirmation(1, List.of(), List.of("0"), List.of("1"))))
        .contains("2 members")
        .doesNotContain(" ms");
  }

  @Test
  void members_that_have_not_confirmed_are_named_with_what_to_do() {
    Confirmation partial = new Confirmation(1, HOPS, List.of("9"), List.of("4", "5"));

    assertThat(summary(partial)).contains("5 of 8 members", " ms");
    assertThat(ConfirmationText.missing(partial, false))
        .contains(" 4, 5 (", " 9 (", "--retry", "'treecast tree show'");
    assertThat(ConfirmationText.missing(partial, true))
        .contains(" 4, 5 (", " 9 (")
        .isNotEqualTo(ConfirmationText.missing(partial, false));
  }

  @Test
  void members_that_were_not_asked_are_named_behind_the_result() {
    assertThat(ConfirmationText.absent(List.of())).isEmpty();
    assertThat(ConfirmationText.absent(List.of("b1"))).startsWith("; b1 ");
    assertThat(ConfirmationText.absent(List.of("b1", "b2"))).startsWith("; b1, b2 ");
    assertThat(ConfirmationText.absent(IntStream.range(0, 13).mapToObj(i -> "b" + i).toList()))
        .contains(", b11, ... (13) ")
        .doesNotContain("b12");
  }

  @Test
  void the_way_of_the_payload_is_drawn_as_a_tree_first_come_first() {
    assertThat(TraceDrawing.lines(HOPS, UTF_8))
        .containsExactly(
            "0         0.0 ms",
            "├─ 3      0.1 ms ± 0.1 ms",
            "├─ 1      0.2 ms ± 0.1 ms",
            "└─ 8     70.2 ms ± 0.3 ms",
            "   └─ 2  81.0 ms ± 0.3 ms");
    assertThat(TraceDrawing.lines(HOPS, US_ASCII)).contains("|- 3      0.1 ms +- 0.1 ms");
  }

  @Test
  void those_behind_a_member_that_has_not_confirmed_stand_at_the_margin() {
    List<Hop> hops = List.of(hop("0", null, 0, 0), hop("2", "8", 5_000_000, 0));

    assertThat(TraceDrawing.lines(hops, UTF_8))
        .containsExactly("0         0.0 ms", "2 from 8  5.0 ms");
  }

  @Test
  void members_that_had_it_from_each_other_after_a_restart_are_drawn_once() {
    List<Hop> hops = List.of(hop("1", "2", 5, 0), hop("2", "1", 6, 0));

    assertThat(TraceDrawing.lines(hops, UTF_8)).hasSize(2);
  }
}
