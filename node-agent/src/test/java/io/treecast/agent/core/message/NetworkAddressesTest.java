package io.treecast.agent.core.message;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class NetworkAddressesTest {
  private static final String TWO = "public=203.0.113.7:7700,fast=10.0.0.7:7700";

  @Test
  void a_plain_address_is_the_only_one_and_has_no_name() {
    assertThat(NetworkAddresses.byNetwork("h1:7700")).isEqualTo(Map.of("", "h1:7700"));
    assertThat(NetworkAddresses.primary("h1:7700")).isEqualTo("h1:7700");
    assertThat(NetworkAddresses.areSeveral("h1:7700")).isFalse();
    assertThat(NetworkAddresses.areDialable("h1:7700")).isTrue();
  }

  @Test
  void the_first_of_several_is_the_primary_one() {
    assertThat(NetworkAddresses.primary(TWO)).isEqualTo("203.0.113.7:7700");
    assertThat(NetworkAddresses.text(NetworkAddresses.byNetwork(TWO))).isEqualTo(TWO);
    assertThat(NetworkAddresses.areSeveral(TWO)).isTrue();
    assertThat(NetworkAddresses.areDialable(TWO)).isTrue();
  }

  @Test
  void each_address_of_an_agent_is_its_own() {
    assertThat(NetworkAddresses.contain(TWO, "10.0.0.7:7700")).isTrue();
    assertThat(NetworkAddresses.contain(TWO, TWO)).isTrue();
    assertThat(NetworkAddresses.contain(TWO, "10.0.0.8:7700")).isFalse();
    assertThat(NetworkAddresses.contain("h1:7700", "h1:7700")).isTrue();
  }

  @Test
  void networks_that_both_ends_have_are_dialed_first() {
    String own = "lan=10.1.1.1:1,fast=10.2.1.1:1";
    String other = "public=1.1.1.1:1,fast=10.2.1.2:1,lan=10.1.1.2:1";

    assertThat(List.copyOf(NetworkAddresses.toDial(own, other).values()))
        .containsExactly("10.2.1.2:1", "10.1.1.2:1", "1.1.1.1:1");
    assertThat(List.copyOf(NetworkAddresses.toDial("h1:1", other).keySet()))
        .containsExactly("public", "fast", "lan");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "h1",
        "=h1:1",
        "a=",
        "a=h1:1,",
        "a=h1:1,h2:1",
        "a=h1:1,a=h2:1",
        "a=h1:1,b=h1:1",
        "a b=h1:1",
        "a=h1:1,b=h2:1,c=h3:1,d=h4:1,e=h5:1"
      })
  void other_texts_cannot_be_dialed(String text) {
    assertThat(NetworkAddresses.areDialable(text)).isFalse();
  }
}
