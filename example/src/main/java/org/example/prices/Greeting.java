package org.example.prices;

// tag::example
import static java.nio.charset.StandardCharsets.UTF_8;

import io.treecast.client.BroadcastResult;
import io.treecast.client.Subscription;
import io.treecast.client.Treecast;
import java.util.concurrent.CountDownLatch;

/** Broadcasts a greeting to all members, and prints it when it arrives along the tree. */
public final class Greeting {
  public static void main(String[] args) throws Exception {
    CountDownLatch received = new CountDownLatch(1);
    try (Treecast treecast = Treecast.connect(args[0])) { // HOST:PORT of the agent
      Subscription subscription =
          treecast.subscribe(
              message -> {
                System.out.println(
                    message.origin() + "#" + message.sequence() + " " + message.text());
                received.countDown();
              });
      subscription.ready().join(); // later messages are not missed
      BroadcastResult sent = treecast.broadcast("hello".getBytes(UTF_8)).join();
      System.out.println("sent " + sent.messageId() + " on tree version " + sent.treeVersion());
      received.await();
    }
  }
}
// end::example
