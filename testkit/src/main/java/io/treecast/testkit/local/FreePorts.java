package io.treecast.testkit.local;

import io.treecast.agent.config.ConfigException;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Free ports of the loopback address. They stay free while an agent restarts because they lie below
 * the ephemeral ports of common systems (from 32,768 on Linux, from 49,152 on others).
 */
public final class FreePorts {
  private static final int FIRST = 10_000;
  private static final int END = 32_768;

  /**
   * The next candidate. Each process starts at a random port and wraps around, so that collisions
   * between processes are rare.
   */
  private static final AtomicInteger NEXT =
      new AtomicInteger(ThreadLocalRandom.current().nextInt(END - FIRST));

  private FreePorts() {}

  /**
   * Finds different ports. Safe for use by several threads.
   *
   * @throws ConfigException if the range has too few free ports
   */
  public static List<Integer> find(int count) throws ConfigException {
    List<Integer> ports = new ArrayList<>();
    for (int tried = 0; ports.size() < count; tried++) {
      if (tried == END - FIRST) {
        throw new ConfigException(
            "too few free ports from " + FIRST + " to " + (END - 1) + " of the loopback address");
      }
      int port = FIRST + Math.floorMod(NEXT.getAndIncrement(), END - FIRST);
      if (isFree(port)) {
        ports.add(port);
      }
    }
    return ports;
  }

  private static boolean isFree(int port) {
    try (ServerSocket socket = new ServerSocket()) {
      socket.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), port));
      return true;
    } catch (IOException inUse) {
      return false;
    }
  }
}
