package org.example.prices;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.treecast.client.Treecast;
import io.treecast.testkit.junit.ClusterTest;
import io.treecast.testkit.local.LocalCluster;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.parallel.ResourceLock;
import org.junit.jupiter.api.parallel.Resources;

/** The examples of the README and the first ones of the page on the client do what they say. */
@Timeout(300)
@ResourceLock(Resources.SYSTEM_OUT)
class ReadmeExamplesTest {
  private static final long MAX_MILLIS = 60_000;

  private final PrintStream console = System.out;
  private final ByteArrayOutputStream printed = new ByteArrayOutputStream();

  @BeforeEach
  void listen() {
    System.setOut(new PrintStream(printed, true, UTF_8));
  }

  @AfterEach
  void stopListening() {
    System.setOut(console);
  }

  private List<String> lines() {
    return printed.toString(UTF_8).lines().toList();
  }

  @ClusterTest(nodes = 3)
  void a_hello_is_heard(LocalCluster cluster) throws Exception {
    ClientExamples.hello(cluster.address(1));

    assertThat(lines()).containsExactly("1 says hello");
  }

  @ClusterTest(nodes = 3)
  void a_greeting_comes_back(LocalCluster cluster) throws Exception {
    Greeting.main(new String[] {cluster.address(2)});

    assertThat(lines())
        .hasSize(2)
        .anyMatch(line -> line.matches("2#1 hello"))
        .anyMatch(line -> line.matches("sent 2/[0-9a-f]{16}/1 on tree version [1-9][0-9]*"));
  }

  @ClusterTest(nodes = 3)
  void a_price_published_at_once_is_shown(LocalCluster cluster) {
    try (Treecast treecast = Treecast.connect(cluster.address(1))) {
      TopicExample.run(treecast);

      assertThat(cluster.runUntil(() -> lines().contains("42"), MAX_MILLIS)).isTrue();
    }
  }
}
