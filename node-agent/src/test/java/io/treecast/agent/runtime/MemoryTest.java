package io.treecast.agent.runtime;

import static io.treecast.agent.runtime.TestAgents.PATIENCE;
import static io.treecast.agent.runtime.TestAgents.snapshot;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import com.google.protobuf.ByteString;
import io.grpc.Channel;
import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import io.treecast.collectives.broadcast.BroadcastCounters;
import io.treecast.collectives.broadcast.contract.BroadcastLimits;
import io.treecast.proto.v1.BroadcastRequest;
import io.treecast.proto.v1.TreecastServiceGrpc;
import io.treecast.proto.v1.WhenSlow;
import java.lang.management.ManagementFactory;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Isolated;

/** The memory of real agents stays within limits when all that may be slow is slow. */
@Isolated("It measures the heap.")
class MemoryTest {
  private static final int PUBLISHERS = 100;
  private static final BroadcastLimits LIMITS = BroadcastLimits.forMemory(64 << 20);

  private final TestAgents agents = new TestAgents().withLimits(LIMITS);
  private final ExecutorService threads = Executors.newFixedThreadPool(PUBLISHERS);

  @AfterEach
  void closeAll() {
    threads.shutdownNow();
    agents.close();
  }

  @Test
  void a_stalled_subscriber_a_stalled_member_and_100_publishers_fill_no_more_than_the_limits() {
    List<Agent> cluster = agents.startReadyCluster(3);
    var stalled =
        new SlowSubscriber(agents.channel(cluster.get(1)), WhenSlow.WHEN_SLOW_SLOW_PUBLISHER);
    var behind = new SlowSubscriber(agents.channel(cluster.get(0)), WhenSlow.WHEN_SLOW_CATCH_UP);
    List<Channel> channels =
        IntStream.range(0, 4).mapToObj(i -> agents.channel(cluster.get(i % 2))).toList();
    long heapBefore = usedHeapBytes();
    cluster.get(2).pause();

    List<CompletableFuture<Void>> publishers =
        IntStream.range(0, PUBLISHERS)
            .mapToObj(
                i ->
                    CompletableFuture.runAsync(
                        () -> publishUntilRefused(channels.get(i % channels.size())), threads))
            .toList();
    CompletableFuture.allOf(publishers.toArray(CompletableFuture[]::new))
        .orTimeout(PATIENCE.toSeconds(), TimeUnit.SECONDS)
        .join();

    for (Agent agent : cluster.subList(0, 2)) {
      BroadcastCounters counters = snapshot(agent).broadcast();
      assertThat(counters.waitingBytes())
          .isLessThanOrEqualTo(LIMITS.publishBufferBytes() + 2 * LIMITS.edgeWindowBytes());
      assertThat(counters.retainedBytes()).isLessThanOrEqualTo(LIMITS.logBytes());
    }
    assertThat(usedHeapBytes() - heapBefore).isLessThan(2 * LIMITS.memoryBytes());
    assertThat(stalled.messages).hasValue(0);
    assertThat(behind.messages).hasValue(0);
    cluster.get(2).resume();
  }

  @Test
  void an_agent_that_hangs_takes_no_more_than_its_publish_buffer_from_applications() {
    Agent agent = agents.startReadyCluster(1).get(0);
    var stub = TreecastServiceGrpc.newFutureStub(agents.channel(agent));
    int payloadBytes = LIMITS.payloadBytes();
    long fitting = LIMITS.publishBufferBytes() / payloadBytes;
    BroadcastRequest request =
        BroadcastRequest.newBuilder()
            .setPayload(ByteString.copyFrom(new byte[payloadBytes]))
            .setWaitMillis(PATIENCE.toMillis())
            .build();
    agent.pause();

    var calls =
        LongStream.rangeClosed(1, 2 * fitting).mapToObj(i -> stub.broadcast(request)).toList();
    await().atMost(PATIENCE).until(() -> calls.stream().filter(Future::isDone).count() >= fitting);

    for (var call : calls) {
      if (call.isDone()) {
        assertThatThrownBy(call::get)
            .hasMessageContaining("RESOURCE_EXHAUSTED")
            .hasMessageContaining("limits.publishBufferBytes, which is ");
      }
    }
    agent.resume();
    await().atMost(PATIENCE).until(() -> calls.stream().allMatch(Future::isDone));
    long refused = calls.stream().filter(MemoryTest::isRefused).count();
    assertThat(agents.registry().get("treecast.publish.refused").functionCounter().count())
        .isEqualTo((double) refused);
  }

  private static boolean isRefused(Future<?> done) {
    try {
      done.get();
      return false;
    } catch (ExecutionException e) {
      assertThat(e).hasMessageContaining("RESOURCE_EXHAUSTED");
      return true;
    } catch (InterruptedException e) {
      throw new AssertionError(e);
    }
  }

  /** As fast as the agent accepts, until one waits for long in vain. */
  private static void publishUntilRefused(Channel channel) {
    var stub = TreecastServiceGrpc.newBlockingStub(channel);
    BroadcastRequest request =
        BroadcastRequest.newBuilder()
            .setPayload(ByteString.copyFrom(new byte[50_000]))
            .setWaitMillis(1_000)
            .build();
    try {
      while (stub.broadcast(request).hasMessageId()) {
        // On, until nothing more fits.
      }
    } catch (StatusRuntimeException e) {
      assertThat(e.getStatus().getCode()).isEqualTo(Status.Code.RESOURCE_EXHAUSTED);
    }
  }

  /** Returns the size of live objects. */
  private static long usedHeapBytes() {
    System.gc();
    return ManagementFactory.getMemoryMXBean().getHeapMemoryUsage().getUsed();
  }
}
