package io.treecast.agent.runtime;

import io.treecast.agent.config.HostPort;
import java.io.IOException;
import java.net.ServerSocket;
import java.util.concurrent.ThreadLocalRandom;

/**
 * A port that stays free while its agent restarts: systems give outgoing connections ports from
 * 32,768 on, and a connection that has such a port keeps an agent from listening on it.
 */
final class RestartPort {
  private static final int FIRST = 10_000;
  private static final int END = 32_768;

  private RestartPort() {}

  static HostPort find() {
    HostPort address = random();
    while (!isFree(address)) {
      address = random();
    }
    return address;
  }

  private static HostPort random() {
    return TestAgents.ANY_PORT.withPort(ThreadLocalRandom.current().nextInt(FIRST, END));
  }

  private static boolean isFree(HostPort address) {
    try (ServerSocket socket = new ServerSocket()) {
      socket.bind(address.toSocketAddress());
      return true;
    } catch (IOException inUse) {
      return false;
    }
  }
}
