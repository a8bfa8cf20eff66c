package org.example.prices;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.treecast.client.BroadcastOptions;
import io.treecast.client.BroadcastResult;
import io.treecast.client.EventIterator;
import io.treecast.client.Message;
import io.treecast.client.MessageId;
import io.treecast.client.RetryToken;
import io.treecast.client.Subscription;
import io.treecast.client.Treecast;
import io.treecast.client.TreecastException;
import io.treecast.client.TreecastException.Reason;
import io.treecast.testkit.junit.TestNetwork;
import io.treecast.testkit.local.LocalCluster;
import io.treecast.testkit.run.ScheduleRunner;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.zip.GZIPOutputStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The examples of the page on the client library do on real agents what they say. */
@Timeout(120)
class ClientExamplesTest {
  private static final long MAX_MILLIS = 60_000;

  private static LocalCluster cluster;
  private static Treecast near;
  private static Treecast far;

  @BeforeAll
  static void start() throws Exception {
    cluster = LocalCluster.start(TestNetwork.SITES.of(3, 0), LocalCluster.Settings.DEFAULT);
    assertThat(cluster.runUntilReady(ScheduleRunner.MAX_BUILD_MILLIS)).isTrue();
    near = Treecast.connect(cluster.address(0));
    far = Treecast.connect(cluster.address(2));
  }

  @AfterAll
  static void stop() {
    near.close();
    far.close();
    cluster.close();
  }

  @Test
  void a_published_price_arrives() {
    try (EventIterator<Message> prices = far.blocking().subscribe()) {
      assertThat(ClientExamples.publish(near, "42".getBytes(UTF_8))).isTrue();

      assertThat(prices.next().text()).isEqualTo("42");
    }
  }

  @Test
  void an_order_without_an_answer_is_sent_again_and_comes_once() {
    try (EventIterator<Message> orders = far.blocking().subscribe()) {
      // So that the agent takes broadcasts already, and is sent the order.
      near.blocking().broadcast("open".getBytes(UTF_8));
      byte[] order = "sell 3".getBytes(UTF_8);
      RetryToken token = RetryToken.create();
      cluster.pause(0);
      try {
        assertThatThrownBy(
                () ->
                    near.blocking()
                        .broadcast(
                            order,
                            BroadcastOptions.defaults()
                                .withRetryToken(token)
                                .withWait(Duration.ofSeconds(1))))
            .isInstanceOfSatisfying(
                TreecastException.class,
                e -> assertThat(e.reason()).isEqualTo(Reason.OUTCOME_UNKNOWN));
      } finally {
        cluster.resume(0);
      }
      // The others may have gone on without it; the other tests are of a cluster that is whole.
      assertThat(cluster.runUntilReady(MAX_MILLIS)).isTrue();

      ClientExamples.send(near, order, token);
      ClientExamples.send(near, "buy 1".getBytes(UTF_8), RetryToken.create());

      assertThat(List.of(orders.next().text(), orders.next().text(), orders.next().text()))
          .containsExactly("open", "sell 3", "buy 1");
    }
  }

  @Test
  void a_large_upload_is_read_while_it_arrives(@TempDir Path directory) throws IOException {
    ConcurrentMap<MessageId, Long> counts = new ConcurrentHashMap<>();
    try (Subscription counting = far.subscribe(new ClientExamples.LineCounter(counts))) {
      counting.ready().join();
      BroadcastResult small = near.blocking().broadcast("a\nb\n".getBytes(UTF_8));
      BroadcastResult large = ClientExamples.uploadUnzipped(near, zipped(directory, 600_000));

      assertThat(cluster.runUntil(() -> counts.size() == 2, MAX_MILLIS)).isTrue();
      assertThat(counts)
          .containsEntry(small.messageId(), 2L)
          .containsEntry(large.messageId(), 600_000L);
    }
  }

  /** A file of that many lines of ten bytes. */
  private static Path zipped(Path directory, int lines) throws IOException {
    Path file = directory.resolve("lines.gz");
    try (OutputStream out = new GZIPOutputStream(Files.newOutputStream(file))) {
      for (int i = 0; i < lines; i++) {
        out.write("123456789\n".getBytes(UTF_8));
      }
    }
    return file;
  }

  @Test
  void two_books_are_in_the_same_order() {
    List<String> here = new CopyOnWriteArrayList<>();
    List<String> there = new CopyOnWriteArrayList<>();
    try (Subscription one = ClientExamples.follow(near, here::add);
        Subscription other = ClientExamples.follow(far, there::add)) {
      one.ready().join();
      other.ready().join();
      BroadcastOptions orders = BroadcastOptions.defaults().withTopic("orders");
      for (int i = 0; i < 20; i++) {
        byte[] order = ("sell " + i).getBytes(UTF_8);
        (i % 2 == 0 ? near : far).broadcast(order, orders);
      }

      assertThat(cluster.runUntil(() -> here.size() == 20 && there.size() == 20, MAX_MILLIS))
          .isTrue();
      assertThat(here).isEqualTo(there).allMatch(line -> line.matches("\\d+\\.\\d+ sell \\d+"));
    }
  }

  @Test
  void the_tree_is_reported_as_it_is() {
    List<String> log = new CopyOnWriteArrayList<>();
    try (Subscription watching = ClientExamples.watch(near, log::add)) {
      watching.ready().join();

      assertThat(cluster.runUntil(() -> !log.isEmpty(), MAX_MILLIS)).isTrue();
      assertThat(log.get(0)).matches("version \\d+, 2 edges, \\[.*]");
    }
  }

  @Test
  void members_with_old_firmware_confirm_that_they_are_told() {
    far.members().label("fw", "2.0").join();
    cluster.awaitMembers("fw<2.1", 2);

    assertThat(ClientExamples.announceUpdate(near, Duration.ofSeconds(60))).isEmpty();
  }

  @Test
  void each_member_is_asked_for_a_price() {
    try (Subscription server = ClientExamples.servePrices(far, Map.of("tea", "7"));
        Subscription other = ClientExamples.servePrices(near, Map.of("coffee", "9"))) {
      server.ready().join();
      other.ready().join();

      Map<String, String> prices = ClientExamples.prices(near, "tea");

      assertThat(prices.values()).containsExactlyInAnyOrder("", "", "7");
    }
  }
}
