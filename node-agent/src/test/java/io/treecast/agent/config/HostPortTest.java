package io.treecast.agent.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class HostPortTest {

  @ParameterizedTest
  @CsvSource({
    "10.0.0.4:7700, 10.0.0.4, 7700",
    "host.example:0, host.example, 0",
    "[::1]:65535, ::1, 65535"
  })
  void an_address_reads_as_it_is_written(String text, String host, int port) throws Exception {
    HostPort address = HostPort.parse("listen", text);
    assertThat(address).isEqualTo(new HostPort(host, port));
    assertThat(address).hasToString(text);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "host",
        ":7700",
        "host:",
        "host:-1",
        "host:+1",
        "host:65536",
        "host:123456",
        "host:x",
        "http://host:1",
        "a b:1",
        "a,b:1",
        "[]:1",
        "[::1:7700"
      })
  void anything_else_is_refused(String text) {
    assertThatThrownBy(() -> HostPort.parse("listen", text))
        .isInstanceOf(ConfigException.class)
        .hasMessageStartingWith("listen: '" + text + "'")
        .hasMessageContaining("HOST:PORT");
  }

  @ParameterizedTest
  @ValueSource(strings = {"my_agent:7700", "ünï:77", "-h:1", "10.0.0.256:1", "[h]:1", "a..b:1"})
  void a_host_that_cannot_be_dialed_is_refused(String text) {
    assertThatThrownBy(() -> HostPort.parse("listen", text))
        .isInstanceOf(ConfigException.class)
        .hasMessageStartingWith("listen: '" + text + "'")
        .hasMessageContaining("IP address");
  }

  @Test
  void an_agents_address_has_a_default_port() throws Exception {
    assertThat(HostPort.parseRemote("--agent", "localhost"))
        .isEqualTo(new HostPort("localhost", 7700));
    assertThat(HostPort.parseRemote("--agent", "[::1]")).isEqualTo(new HostPort("::1", 7700));
    assertThat(HostPort.parseListen("listen", "h")).isEqualTo(new HostPort("h", 7700));
    assertThat(HostPort.parseAdvertised("advertise", "h")).isEqualTo(new HostPort("h", 0));
  }

  @Test
  void an_address_without_a_host_is_refused_for_the_lack_of_one() {
    for (String text : List.of("", ":77", ":")) {
      assertThatThrownBy(() -> HostPort.parseRemote("--agent", text))
          .as(text)
          .isInstanceOf(ConfigException.class)
          .hasMessageStartingWith("--agent: '" + text + "'")
          .hasMessageContaining("IP address");
    }
  }

  @Test
  void an_ipv6_address_needs_brackets() {
    assertThatThrownBy(() -> HostPort.parse("listen", "::1:7700"))
        .hasMessageContainingAll("IPv6", "[::1]:7700");
  }

  @Test
  void a_remote_address_has_a_port() {
    assertThatThrownBy(() -> HostPort.parseRemote("seeds", "host:0"))
        .hasMessageContainingAll("seeds: 'host:0'", "1 to 65535");
  }

  @Test
  void it_knows_whether_other_machines_reach_it() {
    assertThat(new HostPort("127.0.0.2", 1).isLoopback()).isTrue();
    assertThat(new HostPort("::1", 1).isLoopback()).isTrue();
    assertThat(new HostPort("192.0.2.1", 1).isLoopback()).isFalse();
    assertThat(new HostPort("0.0.0.0", 1).isWildcard()).isTrue();
    assertThat(new HostPort("::", 1).isWildcard()).isTrue();
    assertThat(new HostPort("127.0.0.1", 1).isWildcard()).isFalse();
  }
}
