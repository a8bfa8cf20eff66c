package io.treecast.cli;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;

/** A port of this machine that refuses connections until it is closed. */
final class SilentPort implements AutoCloseable {
  // Bound, so that no other process takes the port, but not listening.
  private final Socket socket = new Socket();

  SilentPort() throws IOException {
    socket.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
  }

  int port() {
    return socket.getLocalPort();
  }

  String address() {
    return "127.0.0.1:" + port();
  }

  @Override
  public void close() throws IOException {
    socket.close();
  }
}
