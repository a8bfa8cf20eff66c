package io.treecast.it.cluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.treecast.agent.core.AgentSnapshot;
import io.treecast.client.BroadcastOptions;
import io.treecast.client.BroadcastResult;
import io.treecast.client.Message;
import io.treecast.client.MessageHandler;
import io.treecast.client.MessageId;
import io.treecast.client.PayloadFile;
import io.treecast.client.PayloadSink;
import io.treecast.mst.CommittedTree;
import io.treecast.testkit.network.Topology;
import io.treecast.testkit.network.Topology.Link;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.PipedInputStream;
import java.io.PipedOutputStream;
import java.io.SequenceInputStream;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A payload that exceeds all windows of real agents. */
@Timeout(300)
@Order(2)
class LargePayloadTest {
  private static final int BYTES = 64 << 20;
  private static final long SHORT = 2_000;

  /** Saves large messages and ignores others. */
  private record Saving(Path file) implements MessageHandler {
    @Override
    public void onMessage(Message message) {}

    @Override
    public PayloadSink onLargeMessage(MessageId messageId) {
      try {
        return PayloadFile.create(file);
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    }
  }

  private static boolean isCutOff(AgentSnapshot agent) {
    CommittedTree tree = agent.tree().tree();
    return tree != null && tree.members().size() == 2;
  }

  @Test
  void it_crosses_a_line_whose_middle_is_cut_and_heals_meanwhile(@TempDir Path directory)
      throws Exception {
    byte[] payload = new byte[BYTES];
    new Random(1).nextBytes(payload);
    Topology line =
        Topology.of(
            4, List.of(new Link(0, 1, SHORT), new Link(1, 2, SHORT), new Link(2, 3, SHORT)));

    PipedOutputStream rest = new PipedOutputStream();
    try (RunningCluster cluster = RunningCluster.start(line)) {
      Path received = directory.resolve("received");
      cluster.client(3).subscribe(new Saving(received)).ready().join();
      // Half of it is given after the link has healed, so that it cannot have arrived before.
      InputStream given =
          new SequenceInputStream(
              new ByteArrayInputStream(payload, 0, BYTES / 2), new PipedInputStream(rest));
      CompletableFuture<BroadcastResult> sent =
          cluster
              .client(0)
              .upload(given, BroadcastOptions.defaults().withWait(RunningCluster.LIMIT));
      Path part = directory.resolve("received.part");
      await()
          .atMost(RunningCluster.LIMIT)
          .until(() -> Files.exists(part) && Files.size(part) > BYTES / 8);
      cluster.agents().links().cut(1, 2);
      await()
          .atMost(RunningCluster.LIMIT)
          .until(() -> cluster.agents().snapshots().stream().allMatch(LargePayloadTest::isCutOff));
      assertThat(received).doesNotExist();
      cluster.agents().links().heal(1, 2);
      try (rest) {
        rest.write(payload, BYTES / 2, BYTES / 2);
      }

      assertThat(sent.join().messageId().origin()).isEqualTo("0");
      await().atMost(RunningCluster.LIMIT).until(() -> Files.exists(received));
      assertThat(Arrays.mismatch(Files.readAllBytes(received), payload))
          .as("the first byte that differs")
          .isEqualTo(-1);
      assertThat(cluster.agents().snapshots())
          .allSatisfy(agent -> assertThat(agent.broadcast().duplicateChunks()).isZero());
    }
  }
}
