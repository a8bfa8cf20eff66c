package io.treecast.client;

import static org.assertj.core.api.Assertions.assertThat;

import io.grpc.Server;
import io.grpc.inprocess.InProcessServerBuilder;
import io.grpc.stub.StreamObserver;
import io.treecast.proto.v1.TreecastServiceGrpc;
import io.treecast.proto.v1.ValuesServiceGrpc;
import io.treecast.proto.v1.WatchTreeRequest;
import io.treecast.proto.v1.WatchTreeResponse;
import io.treecast.proto.v1.WatchValuesRequest;
import io.treecast.proto.v1.WatchValuesResponse;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(120)
class MemberWatchTest {
  private static final Duration PATIENCE = Duration.ofSeconds(60);

  @Test
  void its_close_does_not_wait_for_the_handler_and_no_other_call_follows() throws Exception {
    String name = InProcessServerBuilder.generateName();
    Server agent =
        InProcessServerBuilder.forName(name)
            .addService(new Tree())
            .addService(new NoLabels())
            .build()
            .start();
    try (Treecast client = Treecast.inProcess(name).connect()) {
      SlowHandler handler = new SlowHandler();
      Subscription watch = client.members().watch(Selector.all(), handler);
      assertThat(handler.entered).succeedsWithin(PATIENCE);

      assertThat(CompletableFuture.runAsync(watch::close)).succeedsWithin(PATIENCE);

      assertThat(watch.done()).isNotDone();
      handler.released.countDown();
      assertThat(watch.done()).succeedsWithin(PATIENCE);
      assertThat(handler.joined).hasSize(1);
    } finally {
      agent.shutdownNow();
    }
  }

  private static final class SlowHandler implements MemberHandler {
    final List<Member> joined = new CopyOnWriteArrayList<>();
    final CompletableFuture<Member> entered = new CompletableFuture<>();
    final CountDownLatch released = new CountDownLatch(1);

    @Override
    public void onJoined(Member member) {
      joined.add(member);
      entered.complete(member);
      try {
        released.await();
      } catch (InterruptedException e) {
        throw new AssertionError(e);
      }
    }

    @Override
    public void onLeft(Member member) {}
  }

  private static final class Tree extends TreecastServiceGrpc.TreecastServiceImplBase {
    @Override
    public void watchTree(WatchTreeRequest request, StreamObserver<WatchTreeResponse> events) {
      events.onNext(WatchTreeResponse.newBuilder().setStatus(WatchTreeTest.tree(1)).build());
    }
  }

  private static final class NoLabels extends ValuesServiceGrpc.ValuesServiceImplBase {
    @Override
    public void watchValues(
        WatchValuesRequest request, StreamObserver<WatchValuesResponse> entries) {
      entries.onNext(WatchValuesResponse.newBuilder().setNodeId("h1").setLive(true).build());
    }
  }
}
