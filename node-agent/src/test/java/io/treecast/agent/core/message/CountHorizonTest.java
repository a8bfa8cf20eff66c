package io.treecast.agent.core.message;

import static org.assertj.core.api.Assertions.assertThat;

import io.treecast.agent.core.message.DataMessage.Collective;
import io.treecast.agent.core.message.PeerMessage.OpenLink;
import io.treecast.agent.core.message.PeerMessage.PassToken;
import io.treecast.agent.core.message.PeerMessage.RingOffer;
import io.treecast.agent.core.message.PeerMessage.RingVerdict;
import io.treecast.agent.core.message.PeerMessage.ShortcutCopy;
import io.treecast.agent.core.message.PeerMessage.Tree;
import io.treecast.collectives.broadcast.message.Chunk;
import io.treecast.collectives.broadcast.message.EdgeMessage;
import io.treecast.collectives.broadcast.message.EdgeMessage.Data;
import io.treecast.collectives.broadcast.message.EdgeMessage.Have;
import io.treecast.collectives.broadcast.message.EdgeMessage.Interest;
import io.treecast.collectives.broadcast.message.EdgeMessage.InterestKnown;
import io.treecast.collectives.broadcast.message.EdgeMessage.OrderNext;
import io.treecast.collectives.broadcast.message.EdgeMessage.OrderTail;
import io.treecast.collectives.broadcast.message.EdgeMessage.Stable;
import io.treecast.collectives.broadcast.message.Gap;
import io.treecast.collectives.broadcast.message.MessageId;
import io.treecast.collectives.broadcast.message.OrderEntry;
import io.treecast.collectives.broadcast.message.OrderPosition;
import io.treecast.collectives.broadcast.message.Position;
import io.treecast.collectives.broadcast.message.StreamId;
import io.treecast.collectives.broadcast.tree.TreeEpoch;
import io.treecast.collectives.operation.contract.CombiningMessage;
import io.treecast.collectives.operation.contract.CombiningMessage.Answer;
import io.treecast.collectives.operation.contract.CombiningMessage.ChainLeft;
import io.treecast.collectives.operation.contract.CombiningMessage.Contribution;
import io.treecast.collectives.operation.contract.CombiningMessage.Missing;
import io.treecast.collectives.operation.contract.CombiningMessage.Question;
import io.treecast.collectives.operation.contract.Operation;
import io.treecast.collectives.operation.contract.Outcome.Choice;
import io.treecast.collectives.operation.contract.Outcome.Completed;
import io.treecast.collectives.operation.contract.Value;
import io.treecast.ghs.ConnectId;
import io.treecast.ghs.Edge;
import io.treecast.ghs.FragmentId;
import io.treecast.ghs.FragmentMap;
import io.treecast.ghs.GhsMessage.ChangeRoot;
import io.treecast.ghs.GhsMessage.Connect;
import io.treecast.ghs.GhsMessage.Hello;
import io.treecast.ghs.GhsMessage.Initiate;
import io.treecast.ghs.GhsMessage.Report;
import io.treecast.ghs.GhsMessage.Wake;
import io.treecast.ghs.LinkWeight;
import io.treecast.ghs.MemberList;
import io.treecast.ghs.NodeId;
import io.treecast.ghs.Rank;
import io.treecast.ghs.Round;
import io.treecast.ghs.Subtree;
import io.treecast.ghs.TreeMessage;
import io.treecast.mst.ChangeHistory;
import io.treecast.mst.CommittedTree;
import io.treecast.mst.CommittedView;
import io.treecast.mst.MstMessage.Commit;
import io.treecast.mst.MstMessage.CutOrder;
import io.treecast.mst.MstMessage.Failure;
import io.treecast.mst.MstMessage.Refuse;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.LongFunction;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Which numbers that a neighbour claims are believed, and that every message is looked at. */
class CountHorizonTest {
  private static final long SECOND_NANOS = 1_000_000_000L;
  private static final long START_NANOS = 5 * SECOND_NANOS;

  /** A moment of the year 2023. */
  private static final long CLOCK_MICROS = 1_700_000_000_000_000L;

  private static final NodeId A = NodeId.of("a");
  private static final NodeId B = NodeId.of("b");
  private static final LinkWeight LINK = LinkWeight.between(A, B, 7);
  private static final ConnectId CONNECT = new ConnectId(A, 1, 1);
  private static final StreamId STREAM = new StreamId(A, 1);
  private static final Operation OPERATION =
      new Operation("barrier", Operation.Kind.BARRIER, null, null, new TreeSet<>());

  private final CountHorizon horizon = new CountHorizon(CLOCK_MICROS);

  /** A name for the case, and the message that claims a count. */
  private record Case<M>(String name, LongFunction<M> claiming) {
    @Override
    public String toString() {
      return name;
    }
  }

  private static FragmentId fragment(long epoch) {
    return new FragmentId(new Rank(epoch, 0), A, 1, 1);
  }

  private static Round round(long epoch) {
    return new Round(fragment(epoch), 1);
  }

  private static FragmentMap map(long version) {
    return FragmentMap.of(
        MemberList.of(List.of(A, B)), List.of(LINK), new ChangeHistory(version, Set.of()));
  }

  private static Report report(long epoch, long version) {
    Subtree echo = new Subtree(A, LINK, List.of());
    return new Report(round(epoch), null, echo, 0, false, new ChangeHistory(version, Set.of()));
  }

  private static Commit commit(long epoch, long version) {
    CommittedTree tree = new CommittedTree(version, A, List.of(LINK));
    return new Commit(CONNECT, new CommittedView(round(epoch), tree, Set.of()), false);
  }

  private static OrderEntry placed(long epoch) {
    return new OrderEntry(new OrderPosition(epoch, 1), STREAM, 1);
  }

  private static TreeEpoch epoch(long version) {
    return new TreeEpoch(version, A, 0);
  }

  private static Case<PeerMessage> tree(String name, LongFunction<TreeMessage> claiming) {
    return new Case<>(name, count -> new Tree(claiming.apply(count)));
  }

  static Stream<Case<PeerMessage>> controlClaims() {
    return Stream.of(
        new Case<>("session of OpenLink", OpenLink::new),
        new Case<>("generation of PassToken", count -> new PassToken(count, A)),
        new Case<>("version of RingOffer", count -> new RingOffer(count, 1, 1, 1, null)),
        new Case<>("version of RingVerdict", count -> new RingVerdict(count, true, null)),
        new Case<>(
            "version of what goes ahead",
            count ->
                new ShortcutCopy(
                    new Chunk(new MessageId(STREAM, 1), 0, true, count, ByteBuffer.allocate(0)))),
        tree("epoch of Hello", count -> new Hello(fragment(count))),
        tree(
            "epoch of Initiate",
            count ->
                new Initiate(CONNECT, round(count), MemberList.of(List.of(A)), new TreeSet<>())),
        tree("epoch of Report", count -> report(count, 1)),
        tree("version of Report", count -> report(1, count)),
        tree("epoch of ChangeRoot", count -> new ChangeRoot(round(count), map(1), 0)),
        tree("version of ChangeRoot", count -> new ChangeRoot(round(1), map(count), 0)),
        tree("epoch of Connect", count -> new Connect(CONNECT, fragment(count), LINK, map(1), 0)),
        tree("version of Connect", count -> new Connect(CONNECT, fragment(1), LINK, map(count), 0)),
        tree("epoch of Commit", count -> commit(count, 1)),
        tree("version of Commit", count -> commit(1, count)),
        tree("epoch of Failure", count -> new Failure(fragment(count), Edge.between(A, B), null)),
        tree("epoch of Wake", count -> new Wake(round(count))),
        tree("epoch of CutOrder", count -> new CutOrder(round(count), A, LINK)),
        tree("epoch of Refuse", count -> new Refuse(round(count), A, LINK, LINK)));
  }

  private static Case<DataMessage> edge(String name, LongFunction<EdgeMessage> claiming) {
    return new Case<>(name, count -> new DataMessage.Edge(claiming.apply(count)));
  }

  private static Case<DataMessage> operation(String name, LongFunction<CombiningMessage> claiming) {
    return new Case<>(name, count -> new Collective(claiming.apply(count)));
  }

  private static Completed completed(long version) {
    return new Completed(version, new TreeSet<>(), Value.NOTHING);
  }

  private static Contribution contribution(long epoch, long outcome) {
    return new Contribution(
        OPERATION,
        epoch(epoch),
        false,
        new TreeSet<>(),
        new TreeSet<>(Set.of(A)),
        Value.NOTHING,
        completed(outcome),
        false,
        false,
        1,
        1);
  }

  private static Gap gap(long version) {
    return new Gap(STREAM, Position.START, new Position(2, 0), version);
  }

  static Stream<Case<DataMessage>> dataClaims() {
    return Stream.of(
        edge("version of a gap", count -> new Data(gap(count))),
        edge("version of Have", count -> new Have(count, List.of(), false, 0)),
        edge("version of Stable", count -> new Stable(count, List.of(), false, 0)),
        edge(
            "version of Interest",
            count -> new Interest(count, 1, List.of(), List.of(), false, true)),
        edge(
            "version of InterestKnown",
            count -> new InterestKnown(1, List.of(), List.of(gap(count)), true)),
        edge("version of OrderTail", count -> new OrderTail(count, "", List.of(), List.of(), true)),
        edge(
            "epoch of OrderTail",
            count -> new OrderTail(1, "", List.of(epoch(count)), List.of(), true)),
        edge(
            "place of OrderTail",
            count -> new OrderTail(1, "", List.of(), List.of(placed(count)), true)),
        edge("version of OrderNext", count -> new OrderNext(count, "", List.of())),
        edge("place of OrderNext", count -> new OrderNext(1, "", List.of(placed(count)))),
        operation("epoch of Contribution", count -> contribution(count, 1)),
        operation("outcome of Contribution", count -> contribution(1, count)),
        operation("epoch of Question", count -> new Question(OPERATION, epoch(count), 1, 0)),
        operation(
            "epoch of Missing", count -> new Missing("barrier", epoch(count), new TreeSet<>())),
        operation("epoch of ChainLeft", count -> new ChainLeft(epoch(count).afterChain())),
        operation(
            "outcome of Answer",
            count -> new Answer("barrier", 1, completed(count), new TreeSet<>())),
        operation(
            "choice of Answer",
            count ->
                new Answer(
                    "barrier",
                    1,
                    new Completed(
                        1, new TreeSet<>(), Value.NOTHING, new Choice(count, new TreeSet<>())),
                    new TreeSet<>())));
  }

  private long highest() {
    return horizon.highest(START_NANOS);
  }

  @ParameterizedTest
  @MethodSource("controlClaims")
  void control_messages_are_believed_up_to_the_horizon(Case<PeerMessage> claim) {
    horizon.start(START_NANOS);
    PeerMessage believed = claim.claiming().apply(highest());
    PeerMessage refused = claim.claiming().apply(highest() + 1);

    assertThat(horizon.problemWith(believed, START_NANOS)).isNull();
    assertThat(horizon.problemWith(refused, START_NANOS)).contains("" + (highest() + 1));
    assertThat(horizon.problemWith(refused, START_NANOS + SECOND_NANOS)).isNull();
  }

  @ParameterizedTest
  @MethodSource("dataClaims")
  void data_messages_are_believed_up_to_the_horizon(Case<DataMessage> claim) {
    horizon.start(START_NANOS);
    DataMessage believed = claim.claiming().apply(highest());
    DataMessage refused = claim.claiming().apply(highest() + 1);

    assertThat(horizon.problemWith(believed, START_NANOS)).isNull();
    assertThat(horizon.problemWith(refused, START_NANOS)).contains("" + (highest() + 1));
    assertThat(horizon.problemWith(refused, START_NANOS + SECOND_NANOS)).isNull();
  }

  @Test
  void the_horizon_is_the_headroom_and_the_time_by_the_clock_and_moves_a_million_a_second() {
    horizon.start(START_NANOS);

    assertThat(highest()).isEqualTo(CountHorizon.HEADROOM + CLOCK_MICROS);
    assertThat(horizon.highest(START_NANOS + SECOND_NANOS)).isEqualTo(highest() + 1_000_000);
  }

  @Test
  void an_agent_that_starts_later_believes_what_one_that_started_before_did() {
    horizon.start(START_NANOS);
    CountHorizon later = new CountHorizon(CLOCK_MICROS + 3_000_000);
    later.start(0);

    assertThat(later.highest(0)).isEqualTo(horizon.highest(START_NANOS + 3 * SECOND_NANOS));
  }

  @Test
  void an_agent_whose_clock_was_never_set_believes_what_correct_agents_can_count_to() {
    CountHorizon unset = new CountHorizon(0);
    unset.start(0);

    long thousandYearsOfTenASecond = 1_000L * 366 * 86_400 * 10;
    assertThat(unset.highest(0)).isGreaterThan(thousandYearsOfTenASecond);
  }

  @Test
  void whatever_the_incarnation_there_is_room_to_count_on() {
    for (long incarnation : new long[] {Long.MIN_VALUE, -1, Long.MAX_VALUE}) {
      CountHorizon odd = new CountHorizon(incarnation);
      odd.start(0);
      assertThat(odd.highest(0)).isBetween(CountHorizon.HEADROOM, 2 * CountHorizon.HEADROOM);
    }
  }
}
