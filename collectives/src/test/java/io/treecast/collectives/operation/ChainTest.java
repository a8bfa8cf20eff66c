package io.treecast.collectives.operation;

import static io.treecast.collectives.operation.CombiningNetwork.SECOND;
import static io.treecast.collectives.operation.CombiningNetwork.tree;
import static io.treecast.collectives.operation.OperationExamples.longs;
import static io.treecast.collectives.operation.OperationExamples.nodes;
import static org.assertj.core.api.Assertions.assertThat;

import io.treecast.collectives.operation.contract.CombiningMessage.ChainLeft;
import io.treecast.collectives.operation.contract.CombiningMessage.Contribution;
import io.treecast.collectives.operation.contract.Operation;
import io.treecast.collectives.operation.contract.Operation.Kind;
import io.treecast.collectives.operation.contract.Operation.Step;
import io.treecast.collectives.operation.contract.Reduction;
import io.treecast.collectives.operation.contract.Value;
import io.treecast.ghs.NodeId;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Segments that go along the chain of all members, where the tree is a star. */
class ChainTest {
  private static final List<String> ALL = List.of("a", "b", "c", "d", "e");
  private static final List<NodeId> ORDER = ALL.stream().map(NodeId::of).toList();

  private final CombiningNetwork network = new CombiningNetwork();

  ChainTest() {
    network.commitAll(tree(1, "c", "a-c b-c c-d c-e"));
    for (int i = 1; i < ALL.size(); i++) {
      network.open(ALL.get(i - 1), ALL.get(i));
    }
  }

  private void useChain() {
    ALL.forEach(member -> network.member(member).chain(ORDER, network.nanos()));
  }

  private static Operation segment(String name) {
    return new Operation(
        name,
        Kind.REDUCE,
        Reduction.SUM_OF_LONGS,
        null,
        nodes("a", "b", "c", "d", "e"),
        1,
        new Step(10, 1, 1, 1, true, 1));
  }

  private List<Long> called(Stream<String> members) {
    return members.map(member -> network.call(member, segment("x~first/1"), longs(1))).toList();
  }

  private void assertSummed(List<Long> calls) {
    assertThat(calls)
        .allSatisfy(call -> assertThat(network.completed(call).value()).isEqualTo(longs(5)));
  }

  @Test
  void contributions_go_from_each_member_to_the_next_towards_the_middle() {
    useChain();
    assertSummed(called(ALL.stream()));
    assertThat(network.said("a", "b", Contribution.class)).hasSize(1);
    assertThat(network.said("b", "c", Contribution.class)).hasSize(1);
    assertThat(network.said("e", "d", Contribution.class)).hasSize(1);
    assertThat(network.said("a", "c")).isEmpty();
    assertThat(network.said("e", "c")).isEmpty();
  }

  @Test
  void an_opening_has_the_chain_if_all_members_have_it() {
    ALL.stream().limit(4).forEach(member -> network.member(member).chain(ORDER, network.nanos()));
    assertThat(openedOnChain("some")).isZero();
    useChain();
    assertThat(openedOnChain("all")).isEqualTo(1);
  }

  private long openedOnChain(String name) {
    Operation opening =
        new Operation(name, Kind.REDUCE, Reduction.SUM_OF_LONGS, null, nodes())
            .withStep(Step.opening(10));
    List<Long> calls =
        ALL.stream()
            .map(member -> network.call(member, opening, longs(1 << 20, 1, 1 << 20)))
            .toList();
    return ((Value.Vector) network.completed(calls.get(0)).value()).longs()[1];
  }

  @Test
  void when_one_member_leaves_the_chain_all_go_along_the_tree() {
    useChain();
    List<Long> first = called(Stream.of("a", "b", "d"));
    network.close("a", "b");
    network.member("a").chain(null, network.nanos());
    List<Long> others = called(Stream.of("c", "e"));
    network.pass(10 * SECOND);
    assertSummed(first);
    assertSummed(others);
  }

  @Test
  void a_member_without_the_chain_takes_part_along_the_tree() {
    ALL.stream()
        .filter(member -> !member.equals("e"))
        .forEach(member -> network.member(member).chain(ORDER, network.nanos()));
    List<Long> calls = called(ALL.stream());
    network.pass(10 * SECOND);
    assertSummed(calls);
  }

  @Test
  void a_member_that_begins_without_the_chain_does_not_return_to_it() {
    network.hold("e", "c"); // Otherwise the others leave the chain, too.
    called(Stream.of("e"));
    useChain();
    network.call("e", segment("y~first/1"), longs(1));
    assertThat(network.said("e", "c", Contribution.class)).hasSize(2);
    assertThat(network.said("e", "d", Contribution.class)).isEmpty();
  }

  @Test
  void a_member_beside_the_way_reports_that_it_has_left_the_chain() {
    Operation ofTwo =
        new Operation(
            "x~first/1",
            Kind.REDUCE,
            Reduction.SUM_OF_LONGS,
            null,
            nodes("a", "c"),
            1,
            new Step(10, 1, 1, 1, true, 1));
    useChain();
    network.member("b").chain(null, network.nanos());
    List<Long> calls =
        Stream.of("a", "c").map(member -> network.call(member, ofTwo, longs(1))).toList();
    assertThat(calls)
        .allSatisfy(call -> assertThat(network.completed(call).value()).isEqualTo(longs(2)));
    assertThat(network.said("b", "a", ChainLeft.class)).hasSize(1);
    assertThat(network.said("a", "c", Contribution.class)).hasSize(1);
  }

  @Test
  void segments_of_the_chain_of_an_earlier_tree_go_along_the_new_tree() {
    useChain();
    List<Long> calls = called(Stream.of("a", "b", "c", "d"));
    network.commitAll(tree(2, "c", "a-c b-c c-d d-e"));
    calls = Stream.concat(calls.stream(), called(Stream.of("e")).stream()).toList();
    network.pass(10 * SECOND);
    assertSummed(calls);
  }
}
