package io.treecast.testkit.local;

import io.treecast.agent.config.ConfigException;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.util.ArrayList;
import java.util.List;

/** Ports of the loopback address that nobody listens on at the moment. */
public final class FreePorts {
  private FreePorts() {}

  /**
   * So many, all different.
   *
   * @throws ConfigException if there are not so many
   */
  public static List<Integer> find(int count) throws ConfigException {
    List<ServerSocket> sockets = new ArrayList<>();
    List<Integer> ports = new ArrayList<>();
    try {
      for (int i = 0; i < count; i++) {
        ServerSocket socket = new ServerSocket();
        sockets.add(socket);
        socket.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
        ports.add(socket.getLocalPort());
      }
      for (ServerSocket socket : sockets) {
        socket.close();
      }
    } catch (IOException e) {
      throw new ConfigException("no free port of the loopback address (" + e.getMessage() + ")");
    }
    return ports;
  }
}
