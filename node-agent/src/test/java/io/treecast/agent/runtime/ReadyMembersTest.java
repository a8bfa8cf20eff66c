package io.treecast.agent.runtime;

import static io.treecast.agent.runtime.TestAgents.PATIENCE;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.grpc.health.v1.HealthCheckRequest;
import io.grpc.health.v1.HealthCheckResponse.ServingStatus;
import io.grpc.health.v1.HealthGrpc;
import io.treecast.agent.core.contract.TreeStatus;
import io.treecast.client.BroadcastOptions;
import io.treecast.client.BroadcastResult;
import io.treecast.client.Treecast;
import io.treecast.client.TreecastException;
import io.treecast.client.TreecastException.Reason;
import java.io.ByteArrayInputStream;
import java.time.Duration;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** An agent whose tree has fewer members than it is to have is not ready, and publishers wait. */
class ReadyMembersTest {
  private static final String WHY_NOT = "readyMembers is 2";

  private final TestAgents agents = new TestAgents().withReadyMembers(2);

  @AfterEach
  void close() {
    agents.close();
  }

  private static TreeStatus status(Agent agent) {
    return TestAgents.snapshot(agent).tree();
  }

  private ServingStatus health(Agent agent) {
    return HealthGrpc.newBlockingStub(agents.channel(agent))
        .check(HealthCheckRequest.getDefaultInstance())
        .getStatus();
  }

  private static void assertNoTree(TreecastException failure) {
    assertThat(failure.reason()).isEqualTo(Reason.NO_TREE);
    assertThat(failure).hasMessageContaining(WHY_NOT);
  }

  @Test
  void an_agent_is_ready_while_its_tree_has_as_many_members_as_it_is_to_have() {
    Agent first = agents.start("h1");
    await().atMost(PATIENCE).until(() -> status(first).tree() != null);
    assertThat(status(first).ready()).isFalse();
    assertThat(status(first).reason()).contains(WHY_NOT);
    assertThat(health(first)).isEqualTo(ServingStatus.NOT_SERVING);

    Agent second = agents.start("h2", first.address().toString());
    await().atMost(PATIENCE).until(() -> status(first).ready());
    assertThat(status(first).reason()).isEmpty();
    await().atMost(PATIENCE).until(() -> health(first) == ServingStatus.SERVING);

    second.close();
    await().atMost(PATIENCE).until(() -> !status(first).ready());
    assertThat(Objects.requireNonNull(status(first).tree()).members()).hasSize(1);
    await().atMost(PATIENCE).until(() -> health(first) == ServingStatus.NOT_SERVING);
  }

  @Test
  void publishers_wait_until_the_agent_is_ready_and_hear_why_it_is_not() {
    Agent first = agents.start("h1");
    await().atMost(PATIENCE).until(() -> status(first).tree() != null);
    BroadcastOptions brief = BroadcastOptions.defaults().withWait(Duration.ofMillis(50));
    BroadcastOptions patient = BroadcastOptions.defaults().withWait(PATIENCE);
    try (Treecast treecast = Treecast.connect(first.address().toString())) {
      // Before the connection stands, an agent cannot tell why.
      await()
          .atMost(PATIENCE)
          .untilAsserted(
              () ->
                  assertThatThrownBy(() -> treecast.blocking().broadcast(new byte[1], brief))
                      .isInstanceOfSatisfying(
                          TreecastException.class, ReadyMembersTest::assertNoTree));
      await()
          .atMost(PATIENCE)
          .untilAsserted(
              () ->
                  assertThatThrownBy(
                          () ->
                              treecast
                                  .blocking()
                                  .upload(new ByteArrayInputStream(new byte[1]), brief))
                      .isInstanceOfSatisfying(
                          TreecastException.class, ReadyMembersTest::assertNoTree));

      CompletableFuture<BroadcastResult> broadcast = treecast.broadcast(new byte[1], patient);
      CompletableFuture<BroadcastResult> upload =
          treecast.upload(new ByteArrayInputStream(new byte[1]), patient);
      await().atMost(PATIENCE).until(() -> TestAgents.snapshot(first).publishing().waiting() == 2);
      agents.start("h2", first.address().toString());

      assertThat(broadcast.join().messageId().sequence()).as("only this one").isEqualTo(1);
      assertThat(upload.join().messageId().sequence()).isEqualTo(1);
    }
  }
}
