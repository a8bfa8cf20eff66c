package io.treecast.agent.runtime.admin;

import static org.assertj.core.api.Assertions.assertThat;

import io.treecast.agent.config.HostPort;
import io.treecast.agent.runtime.Agent;
import io.treecast.agent.runtime.TestAgents;
import java.io.IOException;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.Objects;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Under which host names the admin pages are served. */
class ServedHostsTest {
  private final TestAgents agents = new TestAgents().withAdminHosts("h1.example", "Proxy");

  @AfterEach
  void closeAll() {
    agents.close();
  }

  /** Returns the first line and the rest of what the agent answers. */
  private String answer(String header) throws IOException {
    Agent lone = agents.start("h1");
    HostPort admin = Objects.requireNonNull(lone.adminAddress());
    try (Socket socket = new Socket(admin.host(), admin.port())) {
      socket.setSoTimeout((int) TestAgents.PATIENCE.toMillis());
      String request = "GET /healthz HTTP/1.1\r\n" + header + "\r\n";
      socket.getOutputStream().write(request.getBytes(StandardCharsets.US_ASCII));
      return new String(socket.getInputStream().readAllBytes(), StandardCharsets.US_ASCII);
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "127.0.0.1",
        "127.0.0.1:9400",
        "10.1.2.3",
        "[::1]",
        "[FE80::1]:9400",
        "localhost",
        "LocalHost:9400",
        "h1.example:9400",
        "H1.example.",
        "proxy",
      })
  void pages_are_served_under_addresses_and_names_of_the_settings(String host) throws IOException {
    assertThat(answer("Host: " + host + "\r\n")).startsWith("HTTP/1.1 200 ");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "evil.example",
        "evil.example:9400",
        "h1.example.evil.example",
        "127.0.0.1.evil.example",
        "evil.localhost.example",
        "127.0.0.1@evil.example",
        "",
        "127.0.0.1\r\nHost: evil.example",
      })
  void a_page_under_another_name_is_refused_with_what_to_do(String host) throws IOException {
    assertThat(answer("Host: " + host + "\r\n"))
        .startsWith("HTTP/1.1 421 ")
        .contains("adminHosts")
        .doesNotContain("\nok\n");
  }

  /** No browser sends such a request. */
  @Test
  void a_request_that_names_no_host_is_answered() throws IOException {
    assertThat(answer("")).startsWith("HTTP/1.1 200 ");
  }
}
