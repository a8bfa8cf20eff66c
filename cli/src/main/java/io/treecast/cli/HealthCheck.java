package io.treecast.cli;

import io.treecast.agent.config.ConfigException;
import io.treecast.agent.config.HostPort;
import java.io.IOException;
import java.net.Socket;

/**
 * A program that fails if no agent listens at {@code TREECAST_AGENT}: the health check of the
 * container image. It needs neither a shell nor a certificate, and starts sooner than a command.
 */
public final class HealthCheck {
  private static final int TIMEOUT_MILLIS = 3_000;

  private HealthCheck() {}

  /** Connects and exits. */
  public static void main(String[] arguments) throws ConfigException, IOException {
    String agent = System.getenv("TREECAST_AGENT");
    try (Socket socket = new Socket()) {
      socket.connect(
          HostPort.parseRemote("TREECAST_AGENT", agent == null ? "127.0.0.1:7700" : agent)
              .toSocketAddress(),
          TIMEOUT_MILLIS);
    }
  }
}
