package io.treecast.client;

import java.time.Duration;

/** The example of topics in the README, which shows it word for word. */
final class TopicExample {
  private TopicExample() {}

  static void run(Treecast treecast, byte[] price) {
    // tag::example
    treecast.subscribe(
        SubscribeOptions.defaults().withTopics("prices"),
        message -> System.out.println(message.text()));
    treecast
        .broadcast(
            price, BroadcastOptions.defaults().withTopic("prices").withWait(Duration.ofSeconds(30)))
        .join();
    // end::example
  }
}
