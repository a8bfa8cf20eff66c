import io.treecast.agent.runtime.Agent;
import io.treecast.client.BroadcastOptions;
import io.treecast.client.BroadcastResult;
import io.treecast.client.CollectiveOptions;
import io.treecast.client.Message;
import io.treecast.client.MessageHandler;
import io.treecast.client.MessageId;
import io.treecast.client.MissedMessages;
import io.treecast.client.NumberVector;
import io.treecast.client.PayloadSink;
import io.treecast.client.Treecast;
import io.treecast.client.TreecastException;
import io.treecast.client.VectorReduction;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.io.ByteArrayInputStream;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;

/** An agent of Treecast, and an application that is a client of it in the same process. */
final class TreecastMember implements Member {
  private static final int PORT = 7700;
  private static final int BROADCASTS_UNDER_WAY = 512;

  private final Nodes nodes;
  private final Agent agent;
  private final Treecast treecast;
  private final SimpleMeterRegistry metrics = new SimpleMeterRegistry();
  private final CompletableFuture<Void> live = new CompletableFuture<>();

  TreecastMember(Nodes nodes, Receiver receiver) throws Exception {
    this.nodes = nodes;
    agent =
        Agent.builder()
            .id("h" + nodes.self())
            .listen(nodes.address() + ":" + PORT)
            .seeds(nodes.addresses().get(0) + ":" + PORT, nodes.addresses().get(nodes.count() - 1) + ":" + PORT)
            .set("site", "site" + nodes.sites().get(nodes.self()))
            .set("insecure", true)
            .set("readyMembers", nodes.count())
            .set("limits.collectivesBytes", 268435456)
            .registry(metrics)
            .start();
    treecast = agent.client();
    treecast.subscribe(
        new MessageHandler() {
          @Override
          public void onLive() {
            live.complete(null);
          }

          @Override
          public void onMessage(Message message) {
            if (!message.origin().equals("h" + nodes.self())) {
              receiver.message(message.payload(), 0, message.payload().length);
            }
          }

          @Override
          public void onMissed(MissedMessages missed) {
            System.err.println("missed " + missed);
          }

          @Override
          public PayloadSink onLargeMessage(MessageId id) {
            boolean own = id.origin().equals("h" + nodes.self());
            return new PayloadSink() {
              private boolean begun = own;

              @Override
              public void chunk(ByteBuffer bytes) {
                int length = bytes.remaining();
                if (!begun) {
                  byte[] first = new byte[length];
                  bytes.get(first);
                  receiver.message(first, 0, length);
                  begun = true;
                } else if (!own) {
                  receiver.more(length);
                }
              }

              @Override
              public void complete() {}

              @Override
              public void failed(TreecastException why) {
                why.printStackTrace();
              }
            };
          }
        });
  }

  @Override
  public void awaitAll() throws Exception {
    live.get(5, TimeUnit.MINUTES);
    agent.ready().get(5, TimeUnit.MINUTES);
  }

  @Override
  public void broadcast(byte[] message, int count) throws Exception {
    Semaphore room = new Semaphore(BROADCASTS_UNDER_WAY);
    for (int i = 0; i < count; i++) {
      room.acquire();
      CompletableFuture<BroadcastResult> sent = treecast.broadcast(message);
      sent.whenComplete(
          (result, failure) -> {
            if (failure != null) {
              failure.printStackTrace();
            }
            room.release();
          });
    }
  }

  @Override
  public void broadcastLarge(byte[] payload) throws Exception {
    System.err.println("uploads use the ring: " + (metrics.get("treecast.upload.ring").gauge().value() == 1));
    treecast.upload(new ByteArrayInputStream(payload), BroadcastOptions.defaults()).get(10, TimeUnit.MINUTES);
  }

  @Override
  public void allReduce(int run, float[] vector) throws Exception {
    treecast
        .collectives()
        .allReduce(
            "run-" + run,
            VectorReduction.SUM,
            NumberVector.of(vector),
            NumberVector.of(new float[vector.length]),
            CollectiveOptions.defaults().withWait(Duration.ofMinutes(5)))
        .get(10, TimeUnit.MINUTES);
  }

  @Override
  public void close() {
    treecast.close();
    agent.close();
  }
}
