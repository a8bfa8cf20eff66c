package io.treecast.client;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.util.concurrent.CountDownLatch;

/** The example of the README, which shows it word for word. */
final class ReadmeExample {
  private ReadmeExample() {}

  // tag::example
  /** Broadcasts a greeting to all members, and prints it as it comes back from the tree. */
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
      subscription.ready().join(); // from here on nothing is missed
      BroadcastResult sent = treecast.broadcast("hello".getBytes(UTF_8)).join();
      System.out.println("sent " + sent.messageId() + " on tree version " + sent.treeVersion());
      received.await();
    }
  }
  // end::example
}
