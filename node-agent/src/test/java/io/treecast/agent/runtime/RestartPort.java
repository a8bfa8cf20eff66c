package io.treecast.agent.runtime;

import io.treecast.agent.config.HostPort;
import java.io.IOException;
import java.net.ServerSocket;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * A port that stays free while its agent restarts: systems give outgoing connections ports from
 * 32,768 on, clusters of the test kit take theirs from 10,000 on, the demo from 7,700 on, and no
 * port is found twice.
 */
final class RestartPort {
  private static final int FIRST = 2_000;
  private static final int END = 7_000;

  private static final AtomicInteger NEXT =
      new AtomicInteger(ThreadLocalRandom.current().nextInt(END - FIRST));

  private RestartPort() {}

  static HostPort find() {
    HostPort address = next();
    while (!isFree(address)) {
      address = next();
    }
    return address;
  }

  private static HostPort next() {
    return TestAgents.ANY_PORT.withPort(FIRST + Math.floorMod(NEXT.getAndIncrement(), END - FIRST));
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
