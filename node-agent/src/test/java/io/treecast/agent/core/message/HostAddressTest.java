package io.treecast.agent.core.message;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class HostAddressTest {

  @ParameterizedTest
  @ValueSource(
      strings = {
        "h:1",
        "localhost:7700",
        "3com.example:7700",
        "h3.site-2.example.:65535",
        "10.0.0.4:7700",
        "[::1]:7700",
        "[::]:1",
        "[fe80::1%eth0]:80",
        "[2001:db8:0:1:2:3:4:5]:80",
        "[::ffff:10.0.0.1]:80"
      })
  void an_address_that_every_agent_can_dial_is_valid(String address) {
    assertThat(HostAddress.isDialable(address)).isTrue();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "h",
        ":7700",
        "h:",
        "h:0",
        "h:65536",
        "h:x",
        "my_agent:7700",
        "ünï:77",
        "a b:1",
        "a..b:1",
        ".h:1",
        "-h:1",
        "h-:1",
        "7700:1",
        "10.0.0:1",
        "10.0.0.256:1",
        "10.0.0.0.1:1",
        "::1:7700",
        "[::1:7700",
        "[h]:7700",
        "[1:2]:7700",
        "[::1::2]:7700",
        "[1:2:3:4:5:6:7:8:9]:1",
        "[1:2:3:4:5:6:7::8]:1",
        "[::1%]:1",
        "[12345::]:1"
      })
  void anything_else_is_not(String address) {
    assertThat(HostAddress.isDialable(address)).isFalse();
  }
}
