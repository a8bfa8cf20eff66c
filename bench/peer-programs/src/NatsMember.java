import io.nats.client.Connection;
import io.nats.client.Dispatcher;
import io.nats.client.Nats;
import io.nats.client.Options;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/** A client of the NATS server of this node; the servers have routes to all others. */
final class NatsMember implements Member {
  private static final int PORT = 4222;
  private static final int LARGE_MESSAGE_BYTES = 256 << 10;

  private final Nodes nodes;
  private final Connection connection;
  private final Set<String> met = ConcurrentHashMap.newKeySet();

  NatsMember(Nodes nodes, Receiver receiver) throws Exception {
    this.nodes = nodes;
    connection =
        Nats.connectReconnectOnConnect(
            new Options.Builder()
                .server("nats://127.0.0.1:" + PORT)
                .noEcho()
                .maxReconnects(-1)
                .reconnectWait(Duration.ofMillis(200))
                .build());
    Dispatcher all =
        connection.createDispatcher(
            message -> receiver.message(message.getData(), 0, message.getData().length));
    all.setPendingLimits(-1, -1);
    all.subscribe("all");
    connection.createDispatcher(message -> met.add(new String(message.getData()))).subscribe("hello");
    connection.flush(Duration.ofSeconds(10));
  }

  @Override
  public void awaitAll() throws Exception {
    while (met.size() < nodes.count() - 1) {
      connection.publish("hello", Integer.toString(nodes.self()).getBytes());
      Thread.sleep(500);
    }
    for (int i = 0; i < 10; i++) { // Others may need it still.
      connection.publish("hello", Integer.toString(nodes.self()).getBytes());
      Thread.sleep(500);
    }
  }

  @Override
  public void broadcast(byte[] message, int count) throws Exception {
    for (int i = 0; i < count; i++) {
      connection.publish("all", message);
    }
    connection.flush(Duration.ofMinutes(5));
  }

  @Override
  public void broadcastLarge(byte[] payload) throws Exception {
    Messages.split(payload, LARGE_MESSAGE_BYTES, part -> connection.publish("all", part));
    connection.flush(Duration.ofMinutes(5));
  }

  @Override
  public void close() throws Exception {
    connection.close();
  }
}
