package io.treecast.agent.runtime;

import static io.treecast.agent.runtime.TestAgents.PATIENCE;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.awaitility.Awaitility.await;

import com.google.common.util.concurrent.ListenableFuture;
import com.google.protobuf.ByteString;
import io.grpc.Channel;
import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import io.treecast.agent.runtime.application.CollectiveCalls;
import io.treecast.agent.runtime.server.AgentServer;
import io.treecast.collectives.operation.contract.CombiningLimits;
import io.treecast.collectives.operation.contract.Value;
import io.treecast.proto.v1.CollectiveFailureReason;
import io.treecast.proto.v1.CollectiveKind;
import io.treecast.proto.v1.CollectiveOperation;
import io.treecast.proto.v1.CollectivePart;
import io.treecast.proto.v1.CollectiveParts;
import io.treecast.proto.v1.CollectiveValue;
import io.treecast.proto.v1.ElementType;
import io.treecast.proto.v1.Reduction;
import io.treecast.proto.v1.RefusalReason;
import io.treecast.proto.v1.TakePartRequest;
import io.treecast.proto.v1.TakePartResponse;
import io.treecast.proto.v1.TreecastServiceGrpc;
import io.treecast.proto.v1.TreecastServiceGrpc.TreecastServiceFutureStub;
import io.treecast.proto.v1.Vector;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Collective operations as agents carry them out for applications. */
class TakePartCallTest {
  private final TestAgents agents = new TestAgents();

  @AfterEach
  void closeAll() {
    agents.close();
  }

  private TreecastServiceFutureStub stub(Agent agent) {
    return TreecastServiceGrpc.newFutureStub(agents.channel(agent));
  }

  private static TakePartRequest.Builder request(String name, CollectiveKind kind) {
    return TakePartRequest.newBuilder()
        .setToken("only once")
        .setWaitMillis(PATIENCE.toMillis())
        .setOperation(CollectiveOperation.newBuilder().setName(name).setKind(kind));
  }

  /** One of which nobody knows the other participant. */
  private static TakePartRequest barrierWithAbsentMember() {
    TakePartRequest.Builder request = request("b", CollectiveKind.COLLECTIVE_KIND_BARRIER);
    request.getOperationBuilder().addParticipants("h1").addParticipants("absent");
    return request.build();
  }

  private static CollectiveValue longs(long... elements) {
    return CollectiveValue.newBuilder()
        .setVector(
            Vector.newBuilder()
                .setType(ElementType.ELEMENT_TYPE_LONG)
                .setElements(ByteString.copyFrom(Value.longs(elements).packed())))
        .build();
  }

  private static TakePartResponse outcome(ListenableFuture<TakePartResponse> call)
      throws Exception {
    return call.get(PATIENCE.toSeconds(), TimeUnit.SECONDS);
  }

  private static StatusRuntimeException failure(ListenableFuture<TakePartResponse> call) {
    List<StatusRuntimeException> failures = new ArrayList<>();
    assertThatExceptionOfType(ExecutionException.class)
        .isThrownBy(() -> outcome(call))
        .havingCause()
        .isInstanceOfSatisfying(StatusRuntimeException.class, failures::add);
    return failures.get(0);
  }

  private static void awaitUnderWay(Agent agent) {
    await().atMost(PATIENCE).until(() -> TestAgents.snapshot(agent).collectives().underWay() == 1);
  }

  @Test
  void all_pass_a_barrier_when_the_last_has_come() throws Exception {
    List<Agent> cluster = agents.startReadyCluster(3);
    TakePartRequest barrier = request("b", CollectiveKind.COLLECTIVE_KIND_BARRIER).build();
    List<ListenableFuture<TakePartResponse>> calls = new ArrayList<>();
    calls.add(stub(cluster.get(0)).takePart(barrier));
    calls.add(stub(cluster.get(1)).takePart(barrier));
    awaitUnderWay(cluster.get(0));
    awaitUnderWay(cluster.get(1));
    assertThat(calls).noneMatch(ListenableFuture::isDone);

    calls.add(stub(cluster.get(2)).takePart(barrier));

    for (ListenableFuture<TakePartResponse> call : calls) {
      TakePartResponse passed = outcome(call);
      assertThat(passed.getResult().getContributorsList()).containsExactly("h1", "h2", "h3");
      assertThat(passed.getResult().getTreeVersion()).isPositive();
      assertThat(passed.getResult().hasValue()).isFalse();
    }
    assertThat(TestAgents.snapshot(cluster.get(0)).collectives().completed()).isOne();
    assertThat(calls("h1", "completed")).isOne();
    assertThat(calls("h1", "failed")).isZero();
  }

  private double calls(String id, String outcome) {
    return agents
        .registry()
        .get("treecast.collective.calls")
        .tag("node", id)
        .tag("outcome", outcome)
        .functionCounter()
        .count();
  }

  @Test
  void all_get_the_sum_of_what_each_gives() throws Exception {
    List<Agent> cluster = agents.startReadyCluster(3);
    List<ListenableFuture<TakePartResponse>> calls = new ArrayList<>();
    for (int i = 0; i < 3; i++) {
      TakePartRequest.Builder sum = request("sum", CollectiveKind.COLLECTIVE_KIND_REDUCE);
      sum.getOperationBuilder().setReduction(Reduction.REDUCTION_SUM_OF_LONGS);
      calls.add(stub(cluster.get(i)).takePart(sum.setContribution(longs(1, i, -10)).build()));
    }
    for (ListenableFuture<TakePartResponse> call : calls) {
      assertThat(outcome(call).getResult().getValue()).isEqualTo(longs(3, 3, -30));
    }
  }

  @Test
  void a_scatter_without_a_named_hub_gives_each_member_its_part() throws Exception {
    List<Agent> cluster = agents.startReadyCluster(2);
    CollectiveParts parts =
        CollectiveParts.newBuilder()
            .addParts(part("h1", "mine"))
            .addParts(part("h2", "yours"))
            .build();
    TakePartRequest.Builder given =
        request("s", CollectiveKind.COLLECTIVE_KIND_SCATTER)
            .setContribution(CollectiveValue.newBuilder().setParts(parts));
    TakePartRequest.Builder taken = request("s", CollectiveKind.COLLECTIVE_KIND_SCATTER);
    taken.getOperationBuilder().setHub("h1");

    ListenableFuture<TakePartResponse> hub = stub(cluster.get(0)).takePart(given.build());
    ListenableFuture<TakePartResponse> other = stub(cluster.get(1)).takePart(taken.build());

    assertThat(outcome(hub).getResult().getValue().getParts().getPartsList())
        .containsExactly(part("h1", "mine"));
    assertThat(outcome(other).getResult().getValue().getParts().getPartsList())
        .containsExactly(part("h2", "yours"));
  }

  private static CollectivePart part(String member, String payload) {
    return CollectivePart.newBuilder()
        .setMember(member)
        .setPayload(ByteString.copyFromUtf8(payload))
        .build();
  }

  @Test
  void missing_members_are_named_when_the_wait_is_over() throws Exception {
    Agent alone = agents.startReadyCluster(1).get(0);
    TakePartRequest impatient = barrierWithAbsentMember().toBuilder().setWaitMillis(1).build();
    TakePartResponse outcome = outcome(stub(alone).takePart(impatient));
    assertThat(outcome.getFailure().getReason())
        .isEqualTo(CollectiveFailureReason.COLLECTIVE_FAILURE_REASON_MEMBERS_MISSING);
    assertThat(outcome.getFailure().getText()).contains("): absent ");
    assertThat(TestAgents.snapshot(alone).collectives().failed()).isOne();
  }

  @Test
  void a_contribution_too_large_for_the_agent_fails_the_operation_and_not_the_call()
      throws Exception {
    Agent alone = agents.startReadyCluster(1).get(0);
    TakePartRequest.Builder sum = request("sum", CollectiveKind.COLLECTIVE_KIND_REDUCE);
    sum.getOperationBuilder().setReduction(Reduction.REDUCTION_SUM_OF_LONGS);
    sum.setContribution(longs(new long[(1 << 20) / Long.BYTES + 1]));
    TakePartResponse outcome = outcome(stub(alone).takePart(sum.build()));
    assertThat(outcome.getFailure().getReason())
        .isEqualTo(CollectiveFailureReason.COLLECTIVE_FAILURE_REASON_TOO_LARGE);
  }

  @Test
  void an_invalid_request_is_refused_by_name_and_is_harmless() throws Exception {
    Agent alone = agents.startReadyCluster(1).get(0);
    StatusRuntimeException refused =
        failure(
            stub(alone)
                .takePart(
                    request("b", CollectiveKind.COLLECTIVE_KIND_BARRIER)
                        .setContribution(longs(1))
                        .build()));
    assertThat(TestAgents.reason(refused)).isEqualTo(RefusalReason.REFUSAL_REASON_INVALID_REQUEST);
    assertThat(refused.getStatus().getDescription())
        .isEqualTo("contribution: longs; expected from h1: none");

    TakePartRequest right = request("b", CollectiveKind.COLLECTIVE_KIND_BARRIER).build();
    assertThat(outcome(stub(alone).takePart(right)).hasResult()).isTrue();
  }

  @Test
  void a_call_that_is_cancelled_is_forgotten_and_may_be_made_again() throws Exception {
    List<Agent> cluster = agents.startReadyCluster(2);
    TakePartRequest barrier = request("b", CollectiveKind.COLLECTIVE_KIND_BARRIER).build();
    ListenableFuture<TakePartResponse> cancelled = stub(cluster.get(0)).takePart(barrier);
    awaitUnderWay(cluster.get(0));
    cancelled.cancel(true);
    ListenableFuture<TakePartResponse> again = stub(cluster.get(0)).takePart(barrier);
    assertThat(outcome(stub(cluster.get(1)).takePart(barrier)).hasResult()).isTrue();
    assertThat(outcome(again).hasResult()).isTrue();
    assertThat(TestAgents.snapshot(cluster.get(0)).collectives().completed()).isOne();
  }

  @Test
  void a_waiting_caller_learns_that_the_agent_shuts_down() {
    Agent alone = agents.startReadyCluster(1).get(0);
    ListenableFuture<TakePartResponse> waiting = stub(alone).takePart(barrierWithAbsentMember());
    awaitUnderWay(alone);
    alone.close();
    assertThat(TestAgents.reason(failure(waiting)))
        .isEqualTo(RefusalReason.REFUSAL_REASON_SHUTTING_DOWN);
  }

  @Test
  void more_calls_than_may_wait_are_refused() {
    Agent alone = agents.startReadyCluster(1).get(0);
    List<ListenableFuture<TakePartResponse>> calls = new ArrayList<>();
    int connections = CollectiveCalls.MAX_CALLS / AgentServer.MAX_CALLS_PER_CONNECTION;
    for (int i = 0; i < connections; i++) {
      TreecastServiceFutureStub stub = stub(alone);
      for (int j = 0; j < AgentServer.MAX_CALLS_PER_CONNECTION; j++) {
        calls.add(stub.takePart(barrierWithAbsentMember()));
      }
    }
    calls.add(stub(alone).takePart(barrierWithAbsentMember()));
    await().atMost(PATIENCE).until(() -> calls.stream().anyMatch(ListenableFuture::isDone));
    List<ListenableFuture<TakePartResponse>> refused =
        calls.stream().filter(ListenableFuture::isDone).toList();
    assertThat(refused).hasSize(1);
    assertThat(TestAgents.reason(failure(refused.get(0))))
        .isEqualTo(RefusalReason.REFUSAL_REASON_NO_ROOM);
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void unread_results_are_bounded(boolean isRead) throws Exception {
    agents.withLimits(new CombiningLimits(10, 1 << 20, 4 << 20));
    Agent alone = agents.startReadyCluster(1).get(0);
    Channel channel = agents.narrowChannel(alone);
    TakePartRequest request =
        request("g", CollectiveKind.COLLECTIVE_KIND_GATHER)
            .setContribution(CollectiveValue.newBuilder().setParts(ofPayload(1_000_000)))
            .build();
    List<UnreadCall<TakePartRequest, TakePartResponse>> calls = new ArrayList<>();
    UnreadCall<TakePartRequest, TakePartResponse> last;
    do {
      last = unreadCall(channel, request);
      calls.add(last);
      await().atMost(PATIENCE).until(last::hasAnswer);
    } while (!last.end().isDone() && calls.size() < 20);
    calls.remove(last);
    assertThat(calls).hasSize(4);
    assertThat(last.end().join().getCode()).isEqualTo(Status.Code.ABORTED);
    assertThat(last.end().join().getDescription())
        .startsWith("results of 4000")
        .contains("1000", "limits.collectivesBytes")
        .contains("4194304");

    for (UnreadCall<TakePartRequest, TakePartResponse> call : calls) {
      if (isRead) {
        assertThat(call.read()).isEqualTo(Status.OK);
      } else {
        call.cancel();
      }
    }

    await()
        .atMost(PATIENCE)
        .untilAsserted(() -> assertThat(unreadCall(channel, request).read()).isEqualTo(Status.OK));
  }

  private static UnreadCall<TakePartRequest, TakePartResponse> unreadCall(
      Channel channel, TakePartRequest request) {
    return new UnreadCall<>(channel, TreecastServiceGrpc.getTakePartMethod(), request);
  }

  private static CollectiveParts ofPayload(int bytes) {
    return CollectiveParts.newBuilder()
        .addParts(CollectivePart.newBuilder().setPayload(ByteString.copyFrom(new byte[bytes])))
        .build();
  }
}
