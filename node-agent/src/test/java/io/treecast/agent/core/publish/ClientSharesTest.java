package io.treecast.agent.core.publish;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

/** How much of something one client may have. */
class ClientSharesTest {
  private final ClientShares shares = new ClientShares(8);

  private int takeAll(String client) {
    while (shares.isFree(1) && !shares.exceedsFairShare(client)) {
      shares.add(client, 1);
    }
    return (int) shares.of(client);
  }

  @Test
  void one_client_alone_has_half() {
    assertThat(takeAll("a")).isEqualTo(4);
  }

  @Test
  void each_later_client_finds_something() {
    takeAll("a");

    assertThat(takeAll("b")).isEqualTo(2);
    assertThat(takeAll("c")).isEqualTo(1);
    assertThat(takeAll("d")).isEqualTo(1);
  }

  @Test
  void the_first_of_a_client_is_refused_only_if_there_is_nothing() {
    ClientShares one = new ClientShares(1);
    assertThat(one.exceedsFairShare("a")).isFalse();
    one.add("a", 1);

    assertThat(one.isFree(1)).isFalse();
  }

  @Test
  void an_amount_that_a_client_gives_back_is_free_again() {
    takeAll("a");
    shares.remove("a", 4);

    assertThat(shares.all()).isZero();
    assertThat(takeAll("b")).isEqualTo(4);
  }
}
