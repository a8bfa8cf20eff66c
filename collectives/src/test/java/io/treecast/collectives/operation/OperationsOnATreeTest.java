package io.treecast.collectives.operation;

import static io.treecast.collectives.operation.CombiningNetwork.tree;
import static io.treecast.collectives.operation.OperationExamples.barrier;
import static io.treecast.collectives.operation.OperationExamples.gather;
import static io.treecast.collectives.operation.OperationExamples.gatherTo;
import static io.treecast.collectives.operation.OperationExamples.longs;
import static io.treecast.collectives.operation.OperationExamples.nodes;
import static io.treecast.collectives.operation.OperationExamples.parts;
import static io.treecast.collectives.operation.OperationExamples.scatterFrom;
import static io.treecast.collectives.operation.OperationExamples.sum;
import static io.treecast.collectives.operation.OperationExamples.sumTo;
import static org.assertj.core.api.Assertions.assertThat;

import io.treecast.collectives.operation.CombiningNetwork.Sent;
import io.treecast.collectives.operation.contract.CombiningMessage;
import io.treecast.collectives.operation.contract.Operation;
import io.treecast.collectives.operation.contract.Outcome.Completed;
import io.treecast.collectives.operation.contract.Reduction;
import io.treecast.collectives.operation.contract.Value;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Costs and results of operations on a stable tree, without faults. */
class OperationsOnATreeTest {
  private static final String EDGES = "r-a r-b a-c a-d d-e b-f";
  private static final List<String> ALL = List.of("r", "a", "b", "c", "d", "e", "f");

  private final CombiningNetwork network = new CombiningNetwork();

  private Map<String, Long> callAll(Operation operation, Function<String, Value> contribution) {
    network.commitAll(tree(3, "r", EDGES));
    Map<String, Long> calls = new LinkedHashMap<>();
    ALL.forEach(
        member -> calls.put(member, network.call(member, operation, contribution.apply(member))));
    return calls;
  }

  private void assertTwoMessagesForEachEdge() {
    Map<Set<Object>, Long> byEdge =
        network.sent.stream()
            .collect(Collectors.groupingBy(s -> Set.of(s.from(), s.to()), Collectors.counting()));
    assertThat(byEdge).hasSize(6);
    assertThat(byEdge.values()).containsOnly(2L);
  }

  private static Completed ofAll(Value value) {
    return new Completed(3, nodes("r", "a", "b", "c", "d", "e", "f"), value);
  }

  @Test
  void a_barrier_ends_for_all_when_the_last_has_arrived() {
    network.commitAll(tree(3, "r", EDGES));
    Operation operation = barrier("round 1");
    List<Long> calls =
        ALL.stream().limit(6).map(m -> network.call(m, operation, Value.NOTHING)).toList();
    assertThat(calls).allMatch(call -> network.outcome(call) == null);

    long last = network.call("f", operation, Value.NOTHING);

    assertThat(network.completed(last)).isEqualTo(ofAll(Value.NOTHING));
    assertThat(calls).allMatch(call -> ofAll(Value.NOTHING).equals(network.outcome(call)));
    assertTwoMessagesForEachEdge();
  }

  @Test
  void an_all_reduce_gives_all_the_sum() {
    Map<String, Long> calls = callAll(sum("loss"), member -> longs(ALL.indexOf(member), 1));

    assertThat(calls.values()).allMatch(call -> ofAll(longs(21, 7)).equals(network.outcome(call)));
    assertTwoMessagesForEachEdge();
  }

  @Test
  void a_reduce_gives_its_hub_alone_the_sum() {
    Map<String, Long> calls = callAll(sumTo("d", "loss"), member -> longs(ALL.indexOf(member)));

    calls.forEach(
        (member, call) ->
            assertThat(network.completed(call))
                .isEqualTo(ofAll(member.equals("d") ? longs(21) : Value.NOTHING)));
    assertTwoMessagesForEachEdge();
    assertThat(network.sent)
        .map(Sent::message)
        .filteredOn(CombiningMessage.Answer.class::isInstance)
        .allSatisfy(
            answer ->
                assertThat(((CombiningMessage.Answer) answer).outcome())
                    .isEqualTo(ofAll(Value.NOTHING)));
  }

  @Test
  void a_gather_gives_all_the_part_of_each() {
    Map<String, Long> calls = callAll(gather("names"), OperationExamples::parts);

    Value all = parts("r", "a", "b", "c", "d", "e", "f");
    assertThat(calls.values()).allMatch(call -> ofAll(all).equals(network.outcome(call)));
    assertTwoMessagesForEachEdge();
  }

  @Test
  void a_gather_to_a_hub_gives_it_alone_the_part_of_each() {
    Map<String, Long> calls = callAll(gatherTo("c", "names"), OperationExamples::parts);

    Value all = parts("r", "a", "b", "c", "d", "e", "f");
    calls.forEach(
        (member, call) ->
            assertThat(network.completed(call).value())
                .isEqualTo(member.equals("c") ? all : Value.NOTHING));
    assertTwoMessagesForEachEdge();
  }

  @Test
  void a_scatter_gives_each_its_own_part_and_relays_keep_none_of_others() {
    Value all = parts("r", "a", "b", "c", "d", "e", "f");
    Map<String, Long> calls =
        callAll(scatterFrom("r", "names"), member -> member.equals("r") ? all : Value.NOTHING);

    calls.forEach(
        (member, call) -> assertThat(network.completed(call)).isEqualTo(ofAll(parts(member))));
    assertTwoMessagesForEachEdge();
    assertThat(network.said("a", "d"))
        .singleElement()
        .isInstanceOfSatisfying(
            CombiningMessage.Answer.class,
            answer -> {
              assertThat(answer.members()).isEqualTo(nodes("d", "e"));
              assertThat(answer.outcome()).isEqualTo(ofAll(parts("d", "e")));
            });
    assertThat(network.said("b", "f")).hasSize(1);
  }

  @Test
  void a_member_for_whom_the_scatter_has_no_part_gets_nothing() {
    network.commitAll(tree(3, "r", "r-a"));
    network.call("r", scatterFrom("r", "names"), parts("r"));

    long call = network.call("a", scatterFrom("r", "names"), Value.NOTHING);

    assertThat(network.completed(call)).isEqualTo(new Completed(3, nodes("r", "a"), Value.NOTHING));
  }

  @Test
  void members_outside_the_participants_only_pass_on_messages() {
    network.commitAll(tree(3, "r", EDGES));
    Operation operation = sum("loss", "c", "e");
    long c = network.call("c", operation, longs(1));
    long e = network.call("e", operation, longs(2));

    Completed both = new Completed(3, nodes("c", "e"), longs(3));
    assertThat(network.completed(c)).isEqualTo(both);
    assertThat(network.completed(e)).isEqualTo(both);
    network.pass(2 * CombiningNetwork.SECOND);
    assertThat(network.sent)
        .extracting(sent -> sent.from() + ">" + sent.to())
        .containsExactlyInAnyOrder("c>a", "a>c", "e>d", "d>e", "d>a", "a>d", "a>r", "r>a");
  }

  @Test
  void members_not_on_a_path_hear_nothing_of_an_overdue_operation() {
    network.commitAll(tree(3, "r", EDGES));
    network.call("c", sum("loss", "c", "e"), longs(1));

    network.pass(5 * CombiningNetwork.SECOND);

    assertThat(network.said("d", "e")).isNotEmpty();
    assertThat(network.said("r", "b")).isEmpty();
    assertThat(network.said("b", "f")).isEmpty();
  }

  @Test
  void one_member_alone_has_its_result_at_once() {
    network.commitAll(tree(1, "a", ""));

    long barrier = network.call("a", barrier("b"), Value.NOTHING);
    long sum = network.call("a", sumTo("a", "s"), longs(5));
    long scatter = network.call("a", scatterFrom("a", "p"), parts("a", "b"));

    assertThat(network.completed(barrier)).isEqualTo(new Completed(1, nodes("a"), Value.NOTHING));
    assertThat(network.completed(sum)).isEqualTo(new Completed(1, nodes("a"), longs(5)));
    assertThat(network.completed(scatter)).isEqualTo(new Completed(1, nodes("a"), parts("a")));
    assertThat(network.sent).isEmpty();
    assertThat(network.member("a").counters().completed()).isEqualTo(3);
  }

  @ParameterizedTest
  @CsvSource({
    "SUM_OF_LONGS, 4",
    "MIN_OF_LONGS, -3",
    "MAX_OF_LONGS, 7",
  })
  void numbers_become_one(Reduction reduction, long result) {
    network.commitAll(tree(1, "a", "a-b"));
    Operation operation = new Operation("x", Operation.Kind.REDUCE, reduction, null, nodes());
    network.call("a", operation, longs(-3));

    long call = network.call("b", operation, longs(7));

    assertThat(network.completed(call).value()).isEqualTo(longs(result));
  }

  @ParameterizedTest
  @CsvSource({
    "SUM_OF_DOUBLES, -3.5, 7, 3.5",
    "MIN_OF_DOUBLES, -3.5, 7, -3.5",
    "MAX_OF_DOUBLES, -3.5, 7, 7",
    "MIN_OF_DOUBLES, NaN, 7, NaN",
    "MAX_OF_DOUBLES, 7, NaN, NaN",
  })
  void fractions_become_one(Reduction reduction, double one, double other, double result) {
    network.commitAll(tree(1, "a", "a-b"));
    Operation operation = new Operation("x", Operation.Kind.REDUCE, reduction, null, nodes());
    network.call("a", operation, Value.doubles(one));

    long call = network.call("b", operation, Value.doubles(other));

    assertThat(network.completed(call).value()).isEqualTo(Value.doubles(result));
  }
}
