package io.treecast.client;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.awaitility.Awaitility.await;

import com.google.protobuf.ByteString;
import io.treecast.proto.v1.CollectiveKind;
import io.treecast.proto.v1.CollectiveOperation;
import io.treecast.proto.v1.CollectivePart;
import io.treecast.proto.v1.CollectiveParts;
import io.treecast.proto.v1.CollectiveValue;
import io.treecast.proto.v1.Reduction;
import io.treecast.proto.v1.TakePartRequest;
import io.treecast.proto.v1.TakePartResponse;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The request to the agent for each operation, and the application's value of its answer. */
@Timeout(120)
class CollectivesTest {
  private static final CollectiveValue NOTHING = CollectiveValue.getDefaultInstance();

  private final ScriptedAgent agent = ScriptedAgent.running();
  private final Treecast treecast = Treecast.connect(agent.address());
  private final Collectives collectives = treecast.collectives();

  @AfterEach
  void close() {
    treecast.close();
    agent.close();
  }

  static TakePartResponse completed(CollectiveValue value) {
    return TakePartResponse.newBuilder()
        .setResult(
            io.treecast.proto.v1.CollectiveResult.newBuilder()
                .setTreeVersion(4)
                .addAllContributors(List.of("h2", "h10"))
                .setValue(value))
        .build();
  }

  static CollectiveValue longs(Long... elements) {
    return ToWire.vector(Stream.of(elements).mapToLong(Long::longValue).toArray());
  }

  private static CollectiveValue doubles(Double... elements) {
    return ToWire.vector(Stream.of(elements).mapToDouble(Double::doubleValue).toArray());
  }

  private static CollectiveValue parts(CollectivePart... parts) {
    return CollectiveValue.newBuilder()
        .setParts(CollectiveParts.newBuilder().addAllParts(List.of(parts)))
        .build();
  }

  private static CollectivePart part(String member, String text) {
    return CollectivePart.newBuilder()
        .setMember(member)
        .setPayload(ByteString.copyFromUtf8(text))
        .build();
  }

  private static byte[] bytes(String text) {
    return text.getBytes(UTF_8);
  }

  private static CollectiveOperation.Builder operation(CollectiveKind kind) {
    return CollectiveOperation.newBuilder().setName("round 1").setKind(kind);
  }

  /** Answers the only request with this value. */
  private <T> CollectiveResult<T> result(
      CompletableFuture<CollectiveResult<T>> future, CollectiveValue value) throws Exception {
    await().until(() -> agent.outcomes.size() == 1);
    assertThat(future).isNotDone();
    agent.outcomes.get(0).onNext(completed(value));
    agent.outcomes.get(0).onCompleted();
    CollectiveResult<T> result = future.get(60, TimeUnit.SECONDS);
    assertThat(result.treeVersion()).isEqualTo(4);
    assertThat(result.contributors()).containsExactly("h2", "h10");
    return result;
  }

  private void assertAsked(CollectiveOperation.Builder operation, CollectiveValue contribution) {
    TakePartRequest request = agent.operations.get(0);
    assertThat(request.getOperation()).isEqualTo(operation.build());
    assertThat(request.getContribution()).isEqualTo(contribution);
  }

  @Test
  void a_barrier_completes_with_the_names_of_the_participants() throws Exception {
    assertThat(result(collectives.barrier("round 1"), NOTHING).value()).isNull();

    assertAsked(operation(CollectiveKind.COLLECTIVE_KIND_BARRIER), NOTHING);
    assertThat(agent.operations.get(0).hasContribution()).isFalse();
    assertThat(agent.operations.get(0).getToken()).hasSizeBetween(1, 100);
    assertThat(agent.operations.get(0).getWaitMillis()).isBetween(1L, 30_000L);
  }

  @Test
  void vectors_of_longs_are_reduced_for_all() throws Exception {
    var sum = collectives.allReduce("round 1", LongReduction.SUM, new long[] {3, Long.MIN_VALUE});
    assertThat(result(sum, longs(7L, -1L)).value()).containsExactly(7, -1);

    assertAsked(
        operation(CollectiveKind.COLLECTIVE_KIND_REDUCE)
            .setReduction(Reduction.REDUCTION_SUM_OF_LONGS),
        longs(3L, Long.MIN_VALUE));
  }

  @Test
  void vectors_of_doubles_are_reduced_for_all() throws Exception {
    var min = collectives.allReduce("round 1", DoubleReduction.MIN, new double[] {0.5, -0.0});
    assertThat(result(min, doubles(0.25, -0.0)).value()).containsExactly(0.25, -0.0);

    assertAsked(
        operation(CollectiveKind.COLLECTIVE_KIND_REDUCE)
            .setReduction(Reduction.REDUCTION_MIN_OF_DOUBLES),
        doubles(0.5, -0.0));
  }

  @Test
  void each_reduction_has_its_own_name_on_the_wire() {
    assertThat(List.of(LongReduction.values()).stream().map(ToWire::reduction))
        .containsExactly(
            Reduction.REDUCTION_SUM_OF_LONGS,
            Reduction.REDUCTION_MIN_OF_LONGS,
            Reduction.REDUCTION_MAX_OF_LONGS);
    assertThat(List.of(DoubleReduction.values()).stream().map(ToWire::reduction))
        .containsExactly(
            Reduction.REDUCTION_SUM_OF_DOUBLES,
            Reduction.REDUCTION_MIN_OF_DOUBLES,
            Reduction.REDUCTION_MAX_OF_DOUBLES);
  }

  @Test
  void vectors_are_reduced_for_one_member() throws Exception {
    var there = collectives.reduce("round 1", "h1", LongReduction.MAX, new long[] {1});
    assertThat(result(there, longs(5L)).value().orElseThrow()).containsExactly(5);

    assertAsked(
        operation(CollectiveKind.COLLECTIVE_KIND_REDUCE)
            .setReduction(Reduction.REDUCTION_MAX_OF_LONGS)
            .setHub("h1"),
        longs(1L));
  }

  @Test
  void the_vector_is_empty_where_another_member_gets_it() throws Exception {
    var elsewhere = collectives.reduce("round 1", "h2", DoubleReduction.SUM, new double[] {1});
    assertThat(result(elsewhere, NOTHING).value()).isEmpty();

    assertThat(agent.operations.get(0).getOperation().getHub()).isEqualTo("h2");
  }

  @Test
  void payloads_are_gathered_for_all_in_the_agents_order() throws Exception {
    var all = collectives.allGather("round 1", bytes("mine"));
    Map<String, byte[]> gathered = result(all, parts(part("h2", "b"), part("h10", ""))).value();

    assertThat(gathered.keySet()).containsExactly("h2", "h10");
    assertThat(gathered.get("h2")).asString(UTF_8).isEqualTo("b");
    assertThat(gathered.get("h10")).isEmpty();
    assertAsked(operation(CollectiveKind.COLLECTIVE_KIND_GATHER), parts(part("", "mine")));
  }

  @Test
  void payloads_are_gathered_for_one_member() throws Exception {
    var there = collectives.gather("round 1", "h1", new byte[0]);
    assertThat(result(there, parts(part("h2", "b"))).value().orElseThrow()).containsKey("h2");

    assertAsked(operation(CollectiveKind.COLLECTIVE_KIND_GATHER).setHub("h1"), parts(part("", "")));
  }

  @Test
  void the_payloads_are_empty_where_another_member_gets_them() throws Exception {
    assertThat(result(collectives.gather("round 1", "h2", bytes("x")), NOTHING).value()).isEmpty();
  }

  @Test
  void a_scatter_sends_all_parts_and_leaves_its_own_name_to_the_agent() throws Exception {
    Map<String, byte[]> given = new LinkedHashMap<>();
    given.put("h2", bytes("two"));
    given.put("h1", bytes("one"));
    var own = collectives.scatter("round 1", given);
    given.get("h2")[0] = 'X';
    assertThat(result(own, parts(part("h1", "one"))).value())
        .hasValueSatisfying(part -> assertThat(part).asString(UTF_8).isEqualTo("one"));

    assertAsked(
        operation(CollectiveKind.COLLECTIVE_KIND_SCATTER),
        parts(part("h2", "two"), part("h1", "one")));
  }

  @Test
  void the_others_receive_their_part() throws Exception {
    var part = collectives.receive("round 1", "h2");
    assertThat(result(part, parts(part("h1", ""))).value())
        .hasValueSatisfying(bytes -> assertThat(bytes).isEmpty());

    assertAsked(operation(CollectiveKind.COLLECTIVE_KIND_SCATTER).setHub("h2"), NOTHING);
    assertThat(agent.operations.get(0).hasContribution()).isFalse();
  }

  @Test
  void a_member_without_a_part_receives_an_empty_result() throws Exception {
    assertThat(result(collectives.receive("round 1", "h2"), NOTHING).value()).isEmpty();
  }

  @Test
  void the_request_contains_the_options() throws Exception {
    RetryToken token = RetryToken.create();
    CollectiveOptions options =
        CollectiveOptions.defaults()
            .withWait(Duration.ofHours(20))
            .among(Set.of("h2", "h1"))
            .withMinimum(2)
            .withRetryToken(token);
    result(collectives.gather("round 1", "h2", bytes("x"), options), NOTHING);

    TakePartRequest request = agent.operations.get(0);
    assertThat(request.getOperation().getParticipantsList()).containsExactly("h1", "h2");
    assertThat(request.getOperation().getMinimum()).isEqualTo(2);
    assertThat(request.getToken()).isEqualTo(token.name());
    assertThat(request.getWaitMillis())
        .isBetween(Duration.ofHours(19).toMillis(), Duration.ofHours(20).toMillis());
  }

  @Test
  void two_calls_have_two_tokens() {
    var one = collectives.barrier("round 1");
    var other = collectives.barrier("round 1");
    await().until(() -> agent.operations.size() == 2);

    assertThat(agent.operations.get(0).getToken()).isNotEqualTo(agent.operations.get(1).getToken());
    assertThat(one).isNotDone();
    assertThat(other).isNotDone();
  }

  @Test
  void programs_that_wait_get_the_same() throws Exception {
    BlockingCollectives blocking = treecast.blocking().collectives();
    var waiting =
        CompletableFuture.supplyAsync(
            () -> blocking.allReduce("round 1", LongReduction.SUM, new long[] {1}));
    assertThat(result(waiting, longs(2L)).value()).containsExactly(2);
  }

  @Test
  void programs_that_wait_for_one_members_result_get_the_same() throws Exception {
    BlockingCollectives blocking = treecast.blocking().collectives();
    CollectiveOptions among = CollectiveOptions.defaults().among(Set.of("h1", "h2"));
    CompletableFuture<CollectiveResult<Optional<byte[]>>> waiting =
        CompletableFuture.supplyAsync(() -> blocking.receive("round 1", "h2", among));
    assertThat(result(waiting, NOTHING).value()).isEmpty();
    assertThat(agent.operations.get(0).getOperation().getParticipantsCount()).isEqualTo(2);
  }

  @Test
  void names_that_agents_do_not_accept_are_refused_at_once() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> collectives.barrier(""))
        .withMessageContaining("200");
    assertThatIllegalArgumentException().isThrownBy(() -> collectives.barrier("ü".repeat(101)));
    assertThatIllegalArgumentException()
        .isThrownBy(() -> collectives.barrier("a\nb"))
        .withMessageContaining("control");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> collectives.barrier("a\ud800"))
        .withMessageContaining("surrogate");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> collectives.gather("g", "", new byte[1]))
        .withMessageStartingWith("to ");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> collectives.scatter("s", Map.of("", new byte[1])))
        .withMessageStartingWith("member ");
    assertThatIllegalArgumentException()
        .isThrownBy(
            () ->
                collectives.receive(
                    "s", "h3", CollectiveOptions.defaults().among(Set.of("h1", "h2"))))
        .withMessageMatching("from .*\\bh3\\b.*");
    assertThat(agent.operations).isEmpty();
  }
}
