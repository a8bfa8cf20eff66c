package io.treecast.agent.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class AdvertisedTest {
  @Test
  void one_address_needs_no_name_and_takes_the_port_of_the_server() throws ConfigException {
    Advertised one = Advertised.parse("--advertise", "h1.example").withPort(7_801);

    assertThat(one.text()).isEqualTo("h1.example:7801");
    assertThat(one.primary()).isEqualTo(new HostPort("h1.example", 7_801));
  }

  @Test
  void several_addresses_keep_their_order_and_the_first_is_the_primary_one()
      throws ConfigException {
    Advertised several =
        Advertised.parse("--advertise", "public=203.0.113.7:1, fast=[fd00::7]").withPort(7_700);

    assertThat(several.text()).isEqualTo("public=203.0.113.7:1,fast=[fd00::7]:7700");
    assertThat(several.primary()).isEqualTo(new HostPort("203.0.113.7", 1));
    assertThat(several.hosts()).containsExactly("203.0.113.7", "fd00::7");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "=10.0.0.1:1",
        "a=",
        "a=10.0.0.1:1,10.0.0.2:1",
        "a=10.0.0.1:1,a=10.0.0.2:1",
        "a=10.0.0.1:1,b=10.0.0.1:1",
        "a=10.0.0.1:1,",
        "a_b=10.0.0.1:1",
        "a=h_1:1",
        "abcdefghijklmnopq=10.0.0.1:1",
        "a=h:1,b=h:2,c=h:3,d=h:4,e=h:5"
      })
  void other_texts_are_refused(String text) {
    assertThatThrownBy(() -> Advertised.parse("--advertise", text))
        .isInstanceOf(ConfigException.class)
        .hasMessageStartingWith("--advertise");
  }
}
