package org.example.prices;

import static io.treecast.client.BroadcastOptions.to;
import static java.nio.charset.StandardCharsets.UTF_8;

import io.treecast.client.BroadcastOptions;
import io.treecast.client.BroadcastResult;
import io.treecast.client.Confirm;
import io.treecast.client.Confirmation;
import io.treecast.client.Message;
import io.treecast.client.MessageHandler;
import io.treecast.client.MessageId;
import io.treecast.client.PayloadInputStream;
import io.treecast.client.PayloadSink;
import io.treecast.client.RetryToken;
import io.treecast.client.Selector;
import io.treecast.client.SubscribeOptions;
import io.treecast.client.Subscription;
import io.treecast.client.TreeChange;
import io.treecast.client.Treecast;
import io.treecast.client.TreecastException;
import io.treecast.client.TreecastException.Reason;
import java.io.BufferedReader;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.function.Consumer;
import java.util.zip.GZIPInputStream;

/** The examples of the page on the client library, which shows them word for word. */
final class ClientExamples {
  private ClientExamples() {}

  /** A publisher and a subscriber, which the README shows. */
  static void hello(String agent) throws InterruptedException {
    // tag::hello
    CountDownLatch received = new CountDownLatch(1);
    try (Treecast treecast = Treecast.connect(agent)) { // HOST:PORT
      Subscription subscription =
          treecast.subscribe(
              message -> {
                System.out.println(message.origin() + " says " + message.text());
                received.countDown();
              });
      subscription.ready().join(); // later messages are not missed
      treecast.broadcast("hello".getBytes(UTF_8)).join(); // to each subscriber of each agent
      received.await();
    }
    // end::hello
  }

  // tag::failure
  /** Broadcasts a price; false if there is no space now, so that the caller retries later. */
  static boolean publish(Treecast treecast, byte[] price) {
    try {
      treecast.blocking().broadcast(price); // join() would wrap the failure.
      return true;
    } catch (TreecastException e) {
      if (e.reason() == Reason.BUFFER_FULL) {
        return false;
      }
      throw e;
    }
  }

  // end::failure

  // tag::retry
  /** Sends an order until it is accepted, and never a second copy. */
  static BroadcastResult send(Treecast treecast, byte[] order, RetryToken token) {
    BroadcastOptions options = BroadcastOptions.defaults().withRetryToken(token);
    while (true) {
      try {
        return treecast.blocking().broadcast(order, options);
      } catch (TreecastException e) {
        if (e.reason() != Reason.OUTCOME_UNKNOWN && e.reason() != Reason.AGENT_UNREACHABLE) {
          throw e;
        } // Otherwise retry with the same token.
      }
    }
  }

  // end::retry

  // tag::upload
  /** Uploads the contents of a compressed file. */
  static BroadcastResult uploadUnzipped(Treecast treecast, Path file) throws IOException {
    try (InputStream content = new GZIPInputStream(Files.newInputStream(file))) {
      return treecast.blocking().upload(content, BroadcastOptions.defaults());
    }
  }

  // end::upload

  // tag::receive
  /** Counts the lines of each message, and of a large one while it arrives. */
  record LineCounter(ConcurrentMap<MessageId, Long> counts) implements MessageHandler {
    private static final ExecutorService READERS = Executors.newCachedThreadPool();

    @Override
    public void onMessage(Message message) {
      count(message.messageId(), new ByteArrayInputStream(message.payload()));
    }

    @Override
    public PayloadSink onLargeMessage(MessageId id) {
      PayloadInputStream payload = new PayloadInputStream();
      READERS.execute(() -> count(id, payload)); // This thread delivers the payload.
      return payload;
    }

    private void count(MessageId id, InputStream payload) {
      try (BufferedReader lines =
          new BufferedReader(new InputStreamReader(payload, StandardCharsets.UTF_8))) {
        counts.put(id, lines.lines().count());
      } catch (IOException | RuntimeException e) {
        System.err.println(id + " is not counted: " + e); // The payload is incomplete.
      }
    }
  }

  // end::receive

  // tag::order
  /** Executes orders from all members, in the same order at every member. */
  static Subscription follow(Treecast treecast, Consumer<String> book) {
    return treecast.subscribe(
        SubscribeOptions.defaults().withTopics("orders").withTotalOrder(),
        message -> book.accept(message.position() + " " + message.text()));
  }

  // end::order

  // tag::tree
  /** Logs the state of the tree, and the causes of each change. */
  static Subscription watch(Treecast treecast, Consumer<String> log) {
    return treecast.watchTree(
        tree -> {
          TreeChange change = tree.change();
          List<String> causes = change == null ? List.of() : change.causes();
          log.accept(
              tree.ready()
                  ? "version " + tree.version() + ", " + tree.edges().size() + " edges, " + causes
                  : "not ready: " + tree.notReadyReason());
        });
  }

  // end::tree

  // tag::request
  /** Answers requests for the price of a product. */
  static Subscription servePrices(Treecast treecast, Map<String, String> prices) {
    return treecast
        .requests()
        .serve(
            "price",
            request -> {
              String price = prices.get(new String(request.payload(), UTF_8));
              if (price == null) {
                throw new IllegalArgumentException("unknown product");
              }
              return price.getBytes(UTF_8);
            });
  }

  /** Asks each member for the price of a product, and returns the answers by member. */
  static Map<String, String> prices(Treecast treecast, String product) {
    Map<String, String> prices = new TreeMap<>();
    treecast
        .requests()
        .requestAll("price", product.getBytes(UTF_8), Duration.ofSeconds(5))
        .join()
        .values()
        .forEach(reply -> prices.put(reply.member(), reply.text())); // empty without an answer
    return prices;
  }

  // end::request

  // tag::selected
  /** Tells members with old firmware to update, and returns those that have not got the message. */
  static List<String> announceUpdate(Treecast treecast, Duration deadline) {
    Confirmation confirmation =
        treecast
            .blocking()
            .broadcast(
                "update".getBytes(UTF_8),
                to(Selector.parse("fw<2.1")).withConfirm(Confirm.ALL, deadline))
            .confirmation();
    List<String> missing = new ArrayList<>(confirmation.failed());
    missing.addAll(confirmation.unknown());
    return missing;
  }
  // end::selected
}
