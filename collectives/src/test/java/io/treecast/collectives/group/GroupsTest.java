package io.treecast.collectives.group;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.treecast.collectives.broadcast.tree.TreeEpoch;
import io.treecast.collectives.group.GroupMessage.Part;
import io.treecast.collectives.group.GroupMessage.Report;
import io.treecast.collectives.group.GroupMessage.ViewUpdate;
import io.treecast.collectives.group.GroupMessage.Wake;
import io.treecast.ghs.LinkWeight;
import io.treecast.ghs.NodeId;
import io.treecast.mst.CommittedTree;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The messages of groups on a tree of five members: r has the children a and b; c, d are at a. */
class GroupsTest {
  private static final NodeId R = NodeId.of("r");
  private static final NodeId A = NodeId.of("a");
  private static final NodeId B = NodeId.of("b");
  private static final NodeId C = NodeId.of("c");
  private static final NodeId D = NodeId.of("d");
  private static final GroupPath PATH = new GroupPath("g");

  private final GroupNetwork network = new GroupNetwork(streams -> 0);

  private void commit(long version) {
    List<LinkWeight> edges =
        List.of(
            LinkWeight.between(R, A, 1),
            LinkWeight.between(R, B, 1),
            LinkWeight.between(A, C, 1),
            LinkWeight.between(A, D, 1));
    CommittedTree tree = new CommittedTree(version, R, edges);
    for (NodeId id : List.of(R, A, B, C, D)) {
      if (version == 1) {
        network.add(id);
      }
      network.commit(id, tree);
    }
    List.of(R, A, B, C, D).forEach(network::open);
    network.settle();
  }

  private List<String> sentAfter(Runnable event) {
    network.sent.clear();
    event.run();
    network.settle();
    return network.sent.stream()
        .map(
            sent -> sent.from() + ">" + sent.to() + " " + sent.message().getClass().getSimpleName())
        .sorted()
        .toList();
  }

  @Test
  void the_first_join_wakes_all_members_once() {
    commit(1);

    List<String> sent = sentAfter(() -> network.join(C, PATH));

    assertThat(sent)
        .containsExactly(
            "a>c ViewUpdate",
            "a>d Wake",
            "a>r Report",
            "b>r Report",
            "c>a Report",
            "d>a Report",
            "r>a ViewUpdate",
            "r>b Wake");
  }

  @Test
  void later_joins_and_leaves_send_messages_only_to_the_root_and_to_members() {
    commit(1);
    network.join(C, PATH);
    network.settle();

    assertThat(sentAfter(() -> network.join(D, PATH)))
        .containsExactly(
            "a>c ViewUpdate", "a>d ViewUpdate", "a>r Report", "d>a Report", "r>a ViewUpdate");
    assertThat(sentAfter(() -> network.leave(C, PATH)))
        .containsExactly("a>d ViewUpdate", "a>r Report", "c>a Report", "r>a ViewUpdate");
    assertThat(sentAfter(() -> network.leave(D, PATH))).containsExactly("a>r Report", "d>a Report");
  }

  @Test
  void a_new_tree_costs_a_report_of_each_member_and_a_view_on_each_edge_to_members() {
    commit(1);
    network.join(B, PATH);
    network.settle();

    assertThat(sentAfter(() -> commit(2)))
        .containsExactly("a>r Report", "b>r Report", "c>a Report", "d>a Report", "r>b ViewUpdate");
  }

  @Test
  void a_join_sends_one_id_however_many_members_there_are() {
    commit(1);
    List.of(R, A, B, C).forEach(id -> network.join(id, PATH));
    network.settle();

    network.sent.clear();
    network.join(D, PATH);
    network.settle();

    assertThat(network.sent)
        .allSatisfy(
            sent -> {
              if (sent.message() instanceof Report report) {
                assertThat(report.parts())
                    .containsExactly(new Part(PATH, false, set(D), new TreeSet<>()));
              } else if (sent.message() instanceof ViewUpdate show && !sent.to().equals(D)) {
                assertThat(show.added()).containsExactly(D);
                assertThat(show.removed()).isEmpty();
              }
            });
  }

  @Test
  void a_watcher_sees_an_empty_group_and_who_comes() {
    commit(1);
    network.watchOrNot(B, PATH);
    network.settle();
    assertThat(latest(B)).isEmpty();

    network.join(C, PATH);
    network.settle();
    assertThat(latest(B)).containsExactly(C);
  }

  private SortedSet<NodeId> latest(NodeId id) {
    return Objects.requireNonNull(network.latest(id, PATH)).members();
  }

  private static SortedSet<NodeId> set(NodeId... ids) {
    return new TreeSet<>(List.of(ids));
  }

  @Test
  void an_agent_has_a_limit_of_paths() {
    commit(1);
    for (int i = 0; i < Groups.MAX_LOCAL - 1; i++) {
      network.join(C, new GroupPath("p" + i));
    }

    assertThat(network.groups(C).join(new GroupPath("x/y"))).isFalse();
    assertThat(network.groups(C).watch(PATH)).isTrue();
    assertThat(network.groups(C).watch(new GroupPath("h"))).isFalse();
    assertThat(network.groups(C).join(new GroupPath("p1"))).isTrue();
  }

  /** The member under test is a; r is its parent, c and d are its children. */
  private static final class Alone implements GroupEffects {
    final Groups groups = new Groups(A, this);
    final List<GroupMessage> toParent = new ArrayList<>();
    final List<String> violations = new ArrayList<>();
    final TreeEpoch epoch = new TreeEpoch(1, R, 0);
    boolean hasRoom = true;

    Alone() {
      List<LinkWeight> edges =
          new ArrayList<>(List.of(LinkWeight.between(R, A, 1), LinkWeight.between(A, C, 1)));
      for (NodeId member : part("all", 10_000).added()) {
        edges.add(LinkWeight.between(C, member, 1));
      }
      groups.treeCommitted(new CommittedTree(1, R, edges));
      groups.opened(R);
      groups.opened(C);
    }

    @Override
    public void send(NodeId neighbour, GroupMessage message) {
      if (neighbour.equals(R)) {
        toParent.add(message);
      }
    }

    @Override
    public boolean hasRoom(NodeId neighbour) {
      return hasRoom;
    }

    @Override
    public void viewChanged(GroupView view) {}

    @Override
    public void listed(long question, GroupList list) {}

    @Override
    public void violated(NodeId neighbour, String reason) {
      violations.add(neighbour + ": " + reason);
    }
  }

  private static Part part(String path, int members) {
    return new Part(
        new GroupPath(path),
        false,
        IntStream.range(0, members)
            .mapToObj(i -> NodeId.of("m" + i))
            .collect(Collectors.toCollection(TreeSet::new)),
        new TreeSet<>());
  }

  @Test
  void a_large_report_goes_in_parts_of_bounded_size_and_counts_when_it_is_whole() {
    Alone alone = new Alone();

    alone.groups.received(C, new Report(alone.epoch, true, false, List.of(part("g", 9_000))));
    assertThat(alone.toParent).isEmpty();
    alone.groups.received(C, new Report(alone.epoch, false, true, List.of(part("h", 9_000))));

    assertThat(alone.toParent)
        .containsExactly(
            new Report(alone.epoch, true, false, List.of(part("g", 9_000))),
            new Report(alone.epoch, false, true, List.of(part("h", 9_000))));
  }

  @Test
  void changes_without_room_for_messages_are_sent_together_when_there_is_room() {
    Alone alone = new Alone();
    alone.groups.received(C, new Report(alone.epoch, true, true, List.of()));
    alone.groups.join(PATH);
    alone.toParent.clear();

    alone.hasRoom = false;
    alone.groups.leave(PATH);
    alone.groups.join(new GroupPath("h"));
    alone.groups.watch(PATH);
    assertThat(alone.toParent).isEmpty();
    assertThat(alone.groups.hasPending()).isTrue();
    alone.hasRoom = true;
    alone.groups.retry();

    assertThat(alone.groups.hasPending()).isFalse();
    assertThat(alone.toParent)
        .containsExactly(
            new Report(
                alone.epoch,
                false,
                true,
                List.of(
                    new Part(PATH, true, new TreeSet<>(), set(A)),
                    new Part(new GroupPath("h"), false, set(A), new TreeSet<>()))));
  }

  @Test
  void a_question_for_all_groups_is_answered_by_the_root() {
    commit(1);
    network.join(C, new GroupPath("x/y"));
    network.join(B, new GroupPath("x"));
    network.watchOrNot(B, PATH);
    network.settle();

    assertThat(sentAfter(() -> network.groups(D).list(1)))
        .containsExactly("a>d Answer", "a>r ListRequest", "d>a ListRequest", "r>a Answer");
    assertThat(Objects.requireNonNull(network.listed(D)).sizes())
        .isEqualTo(Map.of(new GroupPath("x"), 2, new GroupPath("x/y"), 1));
    network.groups(R).list(2);
    assertThat(network.listed(R)).isEqualTo(network.listed(D));
    assertThat(network.groups(D).hasPending()).isFalse();
  }

  @Test
  void a_question_wakes_no_member_and_is_repeated_when_it_is_lost() {
    commit(1);
    network.sent.clear();
    network.groups(D).list(1);
    network.restartStreams();
    network.settle();
    assertThat(network.listed(D)).isNull();
    assertThat(network.groups(D).hasPending()).isTrue();

    assertThat(sentAfter(() -> network.groups(D).retry()))
        .containsExactly("a>d Answer", "a>r ListRequest", "d>a ListRequest", "r>a Answer");
    assertThat(Objects.requireNonNull(network.listed(D)).sizes()).isEmpty();
  }

  @Test
  void a_report_that_continues_none_is_a_violation() {
    Alone alone = new Alone();

    alone.groups.received(C, new Report(alone.epoch, false, true, List.of()));

    assertThat(alone.violations).hasSize(1);
  }

  @Test
  void a_report_of_a_member_that_is_not_behind_the_neighbour_is_a_violation() {
    Alone alone = new Alone();

    alone.groups.received(
        C, new Report(alone.epoch, true, true, List.of(new Part(PATH, false, set(A), set()))));

    assertThat(alone.violations).hasSize(1);
  }

  @Test
  void a_report_of_more_members_than_a_tree_may_have_in_all_groups_is_a_violation() {
    Alone alone = new Alone();

    for (int i = 0; i < Groups.MAX_LOCAL; i++) {
      Part part = part("p" + i, 9_999);
      alone.groups.received(C, new Report(alone.epoch, i == 0, true, List.of(part)));
    }
    assertThat(alone.violations).isEmpty();
    alone.groups.received(
        C, new Report(alone.epoch, false, true, List.of(part("another", 1), part("q", 9_998))));

    assertThat(alone.violations).hasSize(1);
  }

  @Test
  void a_message_of_too_many_entries_cannot_be_made() {
    TreeEpoch epoch = new TreeEpoch(1, R, 0);
    assertThatThrownBy(
            () -> new Report(epoch, true, true, List.of(part("g", 9_000), part("h", 9_000))))
        .isInstanceOf(IllegalArgumentException.class);
    GroupView.Id id = new GroupView.Id(PATH, epoch, 1);
    assertThatThrownBy(() -> new ViewUpdate(id, 0, part("g", 10_002).added(), new TreeSet<>()))
        .isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> new ViewUpdate(id, 1, new TreeSet<>(), new TreeSet<>()))
        .isInstanceOf(IllegalArgumentException.class);
  }

  @Test
  void a_member_that_leaves_the_tree_before_its_stream_opens_says_nothing() {
    Alone alone = new Alone();
    alone.groups.closed(R);
    alone.groups.received(C, new Wake());
    assertThat(alone.toParent).isEmpty();
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "/", "a/", "/a", "a//b", "a b", "ü", "a\n"})
  void a_path_has_parts_of_letters_digits_and_some_signs(String name) {
    assertThatThrownBy(() -> new GroupPath(name)).isInstanceOf(IllegalArgumentException.class);
  }

  @Test
  void a_part_belongs_to_each_of_its_wholes() {
    assertThat(Stream.of("a/b", "a").map(GroupPath::new).toList())
        .isEqualTo(new GroupPath("a/b").withWholes());
    assertThatThrownBy(() -> new GroupPath("a".repeat(GroupPath.MAX_LENGTH + 1)))
        .isInstanceOf(IllegalArgumentException.class);
  }
}
