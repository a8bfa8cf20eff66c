package io.treecast.collectives.broadcast.order;

import static io.treecast.collectives.broadcast.Examples.A;
import static io.treecast.collectives.broadcast.Examples.B;
import static io.treecast.collectives.broadcast.Examples.stream;
import static org.assertj.core.api.Assertions.assertThat;

import io.treecast.collectives.broadcast.message.OrderEntry;
import io.treecast.collectives.broadcast.message.OrderPosition;
import io.treecast.collectives.broadcast.tree.TreeEpoch;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;

/** The merging of members' decisions about an order. */
class OrderTailsTest {
  private static final List<TreeEpoch> EPOCHS = List.of(new TreeEpoch(1, A, 0));
  private static final List<TreeEpoch> OTHER_EPOCHS = List.of(new TreeEpoch(2, B, 0));

  private static List<OrderEntry> places(long... numbers) {
    return Arrays.stream(numbers)
        .mapToObj(number -> new OrderEntry(new OrderPosition(1, number), stream(A), number))
        .toList();
  }

  private static OrderTails tails(long... numbers) {
    OrderTails tails = new OrderTails();
    tails.add(EPOCHS, places(numbers));
    return tails;
  }

  @Test
  void an_entry_evicted_by_one_member_stands_where_another_decided_it() {
    OrderTails tails = tails(7, 3, 4, 6);

    tails.merge(tails(7, 9, 3, 4, 5, 6, 8));

    assertThat(tails.tail(EPOCHS)).containsExactlyElementsOf(places(7, 9, 3, 4, 5, 6, 8));
    assertThat(tails.size()).isEqualTo(7);
  }

  @Test
  void entries_between_the_same_places_follow_the_order_of_positions() {
    OrderTails tails = tails(1, 3, 5, 9);

    tails.merge(tails(2, 4, 5, 6, 8));

    assertThat(tails.tail(EPOCHS)).containsExactlyElementsOf(places(1, 2, 3, 4, 5, 6, 8, 9));
  }

  @Test
  void an_entry_reported_twice_in_different_orders_is_kept_once() {
    OrderTails tails = tails(1, 2, 3);

    tails.merge(tails(3, 2, 1));

    assertThat(tails.tail(EPOCHS)).containsExactlyInAnyOrderElementsOf(places(1, 2, 3));
  }

  @Test
  void entries_decided_in_other_epochs_are_kept_apart() {
    OrderTails tails = tails(1, 3);
    OrderTails others = new OrderTails();
    others.add(OTHER_EPOCHS, places(2));

    tails.merge(others);

    assertThat(tails.tail(EPOCHS)).containsExactlyElementsOf(places(1, 3));
    assertThat(tails.tail(OTHER_EPOCHS)).containsExactlyElementsOf(places(2));
    assertThat(tails.size()).isEqualTo(3);
  }

  @Test
  void the_parts_of_tails_follow_each_other() {
    OrderTails tails = tails(5, 6);

    tails.add(EPOCHS, places(1, 2));

    assertThat(tails.tail(EPOCHS)).containsExactlyElementsOf(places(5, 6, 1, 2));
  }
}
