package io.treecast.agent.runtime;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import com.google.protobuf.ByteString;
import io.grpc.StatusRuntimeException;
import io.treecast.proto.v1.AwaitConfirmationRequest;
import io.treecast.proto.v1.AwaitConfirmationResponse;
import io.treecast.proto.v1.BroadcastRequest;
import io.treecast.proto.v1.Hop;
import io.treecast.proto.v1.MessageId;
import io.treecast.proto.v1.RefusalReason;
import io.treecast.proto.v1.TreecastServiceGrpc;
import io.treecast.proto.v1.TreecastServiceGrpc.TreecastServiceBlockingStub;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** The question who has delivered a broadcast, as the agent answers it. */
class ConfirmationCallTest {
  private final TestAgents agents = new TestAgents();

  @AfterEach
  void closeAll() {
    agents.close();
  }

  private static MessageId publish(TreecastServiceBlockingStub stub, int confirmMillis) {
    return stub.broadcast(
            BroadcastRequest.newBuilder()
                .setPayload(ByteString.copyFromUtf8("x"))
                .setWaitMillis(10_000)
                .setConfirmMillis(confirmMillis)
                .build())
        .getMessageId();
  }

  private static AwaitConfirmationResponse ask(TreecastServiceBlockingStub stub, MessageId id) {
    return stub.awaitConfirmation(AwaitConfirmationRequest.newBuilder().setMessageId(id).build());
  }

  private static RefusalReason refusal(TreecastServiceBlockingStub stub, MessageId id) {
    StatusRuntimeException[] refused = new StatusRuntimeException[1];
    assertThatExceptionOfType(StatusRuntimeException.class)
        .isThrownBy(() -> ask(stub, id))
        .satisfies(e -> refused[0] = e);
    return TestAgents.reason(refused[0]);
  }

  @Test
  void members_confirm_with_the_way_of_the_payload_and_may_be_asked_for_again() {
    Agent first = agents.startReadyCluster(3).get(0);
    var stub = TreecastServiceGrpc.newBlockingStub(agents.channel(first));
    MessageId id = publish(stub, 60_000);

    AwaitConfirmationResponse answer = ask(stub, id);

    assertThat(answer.getDeliveredList()).extracting(Hop::getMember).hasSize(3);
    assertThat(answer.getDeliveredList()).filteredOn(hop -> hop.getFrom().isEmpty()).hasSize(1);
    assertThat(answer.getFailedList()).isEmpty();
    assertThat(answer.getUnknownList()).isEmpty();
    assertThat(ask(stub, id)).isEqualTo(answer);
  }

  @Test
  void deliveries_are_known_however_many_broadcasts_come_before_the_query() {
    Agent alone = agents.startReadyCluster(1).get(0);
    var stub = TreecastServiceGrpc.newBlockingStub(agents.channel(alone));
    List<MessageId> published = new ArrayList<>();
    for (int i = 0; i < 2_000; i++) {
      published.add(publish(stub, 60_000));
    }

    assertThat(published).allSatisfy(id -> assertThat(ask(stub, id).getDeliveredCount()).isOne());
  }

  @Test
  void confirmations_exist_only_for_broadcasts_of_this_agent_that_asked() {
    Agent alone = agents.startReadyCluster(1).get(0);
    var stub = TreecastServiceGrpc.newBlockingStub(agents.channel(alone));
    MessageId unasked = publish(stub, 0);

    assertThat(refusal(stub, unasked)).isEqualTo(RefusalReason.REFUSAL_REASON_UNKNOWN_BROADCAST);
    MessageId otherLife = unasked.toBuilder().setIncarnation(1).build();
    assertThat(refusal(stub, otherLife)).isEqualTo(RefusalReason.REFUSAL_REASON_UNKNOWN_BROADCAST);
    assertThat(refusal(stub, MessageId.getDefaultInstance()))
        .isEqualTo(RefusalReason.REFUSAL_REASON_INVALID_REQUEST);
  }

  @Test
  void a_token_that_is_too_long_is_refused() {
    Agent alone = agents.startReadyCluster(1).get(0);
    var stub = TreecastServiceGrpc.newBlockingStub(agents.channel(alone));

    assertThatExceptionOfType(StatusRuntimeException.class)
        .isThrownBy(
            () ->
                stub.broadcast(
                    BroadcastRequest.newBuilder().setRetryToken("x".repeat(101)).build()))
        .withMessageContainingAll("101 characters", "100");
  }
}
