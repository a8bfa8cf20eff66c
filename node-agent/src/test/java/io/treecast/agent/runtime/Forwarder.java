package io.treecast.agent.runtime;

import io.treecast.agent.config.HostPort;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.IntFunction;
import org.jspecify.annotations.Nullable;

/**
 * A port that leads to agents, as a proxy or a firewall does. It lets some connections through, and
 * treats others that come meanwhile as their fate says.
 */
final class Forwarder implements AutoCloseable {
  /** The treatment of a connection that is not let through. */
  enum Fate {
    /** It is reset as soon as it is accepted. */
    RESET,
    /** It is accepted, and nothing passes. */
    BLACK_HOLE
  }

  /** A direction of connections that are let through. */
  enum Direction {
    TO_AGENT,
    FROM_AGENT
  }

  private final ExecutorService threads = Executors.newCachedThreadPool();
  private final List<Socket> sockets = new CopyOnWriteArrayList<>();
  private final List<Socket> through = new CopyOnWriteArrayList<>();
  private final ServerSocket server;
  private final AtomicInteger refused = new AtomicInteger();
  private int accepted;
  private volatile int allowed = 1;
  private volatile @Nullable Fate fate;
  private volatile @Nullable Direction lost;
  private volatile IntFunction<@Nullable HostPort> agents = number -> null;

  Forwarder() {
    try {
      server = new ServerSocket(0, 50, TestAgents.ANY_PORT.toSocketAddress().getAddress());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    threads.execute(this::accept);
  }

  HostPort address() {
    return TestAgents.ANY_PORT.withPort(server.getLocalPort());
  }

  void leadTo(HostPort agent) {
    leadTo(number -> agent);
  }

  /** Sets where each connection leads, by its number, from 0; null resets it. */
  void leadTo(IntFunction<@Nullable HostPort> target) {
    agents = target;
  }

  /** Sets how many connections are let through whatever the fate is. */
  void allow(int connections) {
    allowed = connections;
  }

  /** Sets the fate of connections that come from now on; null lets them through. */
  void setFate(@Nullable Fate next) {
    fate = next;
  }

  /** Drops all bytes of a direction of all open connections but the first; null drops none. */
  void lose(@Nullable Direction direction) {
    lost = direction;
  }

  private void accept() {
    while (true) {
      try {
        Socket socket = server.accept();
        sockets.add(socket);
        HostPort there = agents.apply(accepted++);
        Fate now = through.size() < allowed ? null : fate;
        if (now != null) {
          refused.incrementAndGet();
        }
        if (now == Fate.RESET || there == null) {
          reset(socket);
        } else if (now == null) {
          forward(socket, there);
        }
      } catch (IOException e) {
        return; // The test is over.
      }
    }
  }

  private void forward(Socket near, HostPort there) throws IOException {
    InetSocketAddress address = there.toSocketAddress();
    Socket far;
    try {
      far = new Socket(address.getAddress(), address.getPort());
    } catch (IOException e) {
      reset(near); // The agent is not up; later connections may find it.
      return;
    }
    sockets.add(far);
    through.add(near);
    threads.execute(() -> copy(near, far, near, Direction.TO_AGENT));
    threads.execute(() -> copy(far, near, near, Direction.FROM_AGENT));
  }

  private void copy(Socket from, Socket to, Socket near, Direction direction) {
    byte[] bytes = new byte[8_192];
    try {
      InputStream in = from.getInputStream();
      OutputStream out = to.getOutputStream();
      for (int count = in.read(bytes); count >= 0; count = in.read(bytes)) {
        if (lost != direction || through.indexOf(near) == 0) {
          out.write(bytes, 0, count);
        }
      }
    } catch (IOException e) {
      // It ends as below.
    }
    through.remove(near);
    close(from);
    close(to);
  }

  /** Returns how many met the fate. */
  int refused() {
    return refused.get();
  }

  /** Returns how many there have been. */
  int connections() {
    return sockets.size();
  }

  /** Resets what was let through beside the first connection. */
  void resetAllButFirst() {
    List<Socket> open = List.copyOf(through);
    open.subList(1, open.size()).forEach(Forwarder::reset);
  }

  private static void reset(Socket socket) {
    try {
      socket.setSoLinger(true, 0);
    } catch (IOException e) {
      // It is closed already.
    }
    close(socket);
  }

  private static void close(Socket socket) {
    try {
      socket.close();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @Override
  public void close() {
    try {
      server.close();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    sockets.forEach(Forwarder::close);
    threads.shutdownNow();
  }
}
