package io.treecast.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class AgentAddressTest {

  @ParameterizedTest
  @CsvSource({
    "127.0.0.1:7700, 127.0.0.1, 7700",
    "localhost:1, localhost, 1",
    "h3.site-2.example:65535, h3.site-2.example, 65535",
    "[::1]:7700, ::1, 7700",
    "[fe80::1%eth0]:80, fe80::1%eth0, 80",
  })
  void an_address_is_read_and_written_alike(String text, String host, int port) {
    AgentAddress address = AgentAddress.parse(text);

    assertThat(address).isEqualTo(new AgentAddress(host, port)).hasToString(text);
  }

  @ParameterizedTest
  @CsvSource(
      nullValues = "-",
      value = {"-, 127.0.0.1:7700", "' ', 127.0.0.1:7700", "'h1,h2:77', h1:7700 or h2:77"})
  void a_program_that_names_no_agent_uses_the_one_of_the_environment_or_of_its_machine(
      String variable, String agents) {
    assertThat(AgentAddresses.parse(new String[0], variable)).hasToString(agents);
  }

  @Test
  void the_agents_of_the_program_precede_the_environment() {
    assertThat(AgentAddresses.parse(new String[] {"h3"}, "h1")).hasToString("h3:7700");
  }

  @Test
  void a_wrong_value_of_the_environment_is_refused_by_the_name_of_its_variable() {
    assertThatThrownBy(() -> AgentAddresses.parse(new String[0], "my_agent"))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContainingAll("TREECAST_AGENT", "'my_agent'");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '"',
      value = {
        "\"\" | ''",
        "my_agent:7700 | 'my_agent'",
        "my_agent | 'my_agent'",
        "ünï:77 | 'ünï'",
        "-h:77 | '-h'",
        "10.0.0.256:77 | '10.0.0.256'",
        "7700 | '7700'",
        "[1:2]:77 | '1:2'",
        ":7700 | host",
        "[]:7700 | IPv6",
        "[localhost]:7700 | 'localhost'",
        "::1:7700 | [::1]:7700",
        "[::1:7700 | ']'",
        "[::1]7700 | ':PORT'",
        "http://h:80 | URL",
        "a/b:80 | '/'",
        "h h:80 | ' '",
      })
  void text_that_is_not_an_address_is_refused_with_the_place_named(String text, String place) {
    assertThatThrownBy(() -> AgentAddress.parse(text))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContainingAll("'" + text + "'", place, "HOST:PORT");
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "0", "65536", "-1", "+80", "7700x", "99999999999", "٧٧"})
  void a_port_outside_its_range_is_refused(String port) {
    assertThatThrownBy(() -> AgentAddress.parse("h:" + port))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContainingAll("'" + port + "'", "65535");
  }

  @ParameterizedTest
  @CsvSource({"localhost, localhost", "10.0.0.1, 10.0.0.1", "[::1], ::1"})
  void a_host_alone_has_the_default_port(String text, String host) {
    assertThat(AgentAddress.parse(text)).isEqualTo(new AgentAddress(host, 7700));
  }

  @Test
  void connect_refuses_text_that_is_not_an_address() {
    assertThatThrownBy(() -> Treecast.connect("no_where:7700"))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContainingAll("'no_where:7700'", "'no_where'");
  }
}
