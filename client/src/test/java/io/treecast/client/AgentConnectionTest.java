package io.treecast.client;

import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.SocketException;
import java.time.Duration;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

class AgentConnectionTest {

  @Test
  void attemptsFollowTheClientsOwnDelaysAndNotThoseOfGrpc() throws Exception {
    AtomicInteger attempts = new AtomicInteger();
    ExecutorService acceptor = HandlerThread.start("closes-what-it-accepts");
    try (ServerSocket server = new ServerSocket(0, 50, InetAddress.getLoopbackAddress())) {
      acceptor.execute(() -> closeWhatConnects(server, attempts));
      try (Treecast treecast =
          Treecast.builder("127.0.0.1:" + server.getLocalPort())
              .reconnectDelay(Duration.ofMillis(1), Duration.ofMillis(10))
              .connect()) {
        var subscription = treecast.subscribe(message -> {});

        // With gRPC's delays, from 1 s and growing by 1.6, the 20th would come after some twenty
        // minutes.
        await().atMost(Duration.ofSeconds(60)).until(() -> attempts.get() >= 20);

        subscription.close();
      }
    } finally {
      acceptor.shutdown();
    }
  }

  private static void closeWhatConnects(ServerSocket server, AtomicInteger attempts) {
    try {
      while (true) {
        server.accept().close();
        attempts.incrementAndGet();
      }
    } catch (SocketException e) {
      // The test is over and has closed the server.
    } catch (IOException e) {
      throw new AssertionError(e);
    }
  }
}
