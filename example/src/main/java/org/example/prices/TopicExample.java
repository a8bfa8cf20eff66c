package org.example.prices;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.treecast.client.BroadcastOptions;
import io.treecast.client.SubscribeOptions;
import io.treecast.client.Subscription;
import io.treecast.client.Treecast;

/** The example of topics, which the page on the client shows word for word. */
final class TopicExample {
  private TopicExample() {}

  static void run(Treecast treecast) {
    // tag::example
    Subscription prices =
        treecast.subscribe(
            SubscribeOptions.defaults().withTopics("prices"),
            message -> System.out.println(message.text()));
    prices.ready().join(); // the subscription is in place at all members
    treecast
        .broadcast("42".getBytes(UTF_8), BroadcastOptions.defaults().withTopic("prices"))
        .join();
    // end::example
  }
}
