package io.treecast.collectives.group;

import static org.assertj.core.api.Assertions.assertThat;

import io.treecast.collectives.broadcast.tree.TreeEpoch;
import io.treecast.ghs.NodeId;
import io.treecast.mst.CommittedTree;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.IntUnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * Members of groups, whose messages wait on streams until they are delivered, and an oracle that
 * checks each view.
 */
final class GroupNetwork {
  /** A message that a member has sent. */
  record Sent(NodeId from, NodeId to, GroupMessage message) {}

  private record Line(NodeId from, NodeId to) implements Comparable<Line> {
    @Override
    public int compareTo(Line other) {
      int byFrom = from.compareTo(other.from);
      return byFrom != 0 ? byFrom : to.compareTo(other.to);
    }
  }

  /** One incarnation of a member. */
  private final class Member implements GroupEffects {
    final NodeId id;
    final Groups groups;
    final List<GroupPath> joined = new ArrayList<>();
    final TreeSet<GroupPath> watched = new TreeSet<>();
    final TreeMap<GroupPath, GroupView> latest = new TreeMap<>();
    @Nullable CommittedTree tree;
    @Nullable GroupList list;

    Member(NodeId id) {
      this.id = id;
      this.groups = new Groups(id, this);
    }

    boolean isMember(GroupPath path) {
      return joined.stream().anyMatch(part -> part.withWholes().contains(path));
    }

    boolean sees(GroupPath path) {
      return isMember(path) || watched.contains(path);
    }

    @Override
    public void send(NodeId neighbour, GroupMessage message) {
      ArrayDeque<GroupMessage> line = lines.get(new Line(id, neighbour));
      assertThat(line).as("open stream from " + id + " to " + neighbour).isNotNull();
      assertThat(Objects.requireNonNull(tree).neighbours(id)).contains(neighbour);
      Objects.requireNonNull(line).add(message);
      sent.add(new Sent(id, neighbour, message));
    }

    @Override
    public void viewChanged(GroupView view) {
      GroupPath path = view.id().path();
      CommittedTree own = Objects.requireNonNull(tree);
      assertThat(byId.computeIfAbsent(view.id(), id -> view)).isEqualTo(view);
      assertThat(view.id().epoch()).isEqualTo(TreeEpoch.of(own));
      GroupView before = latest.put(path, view);
      if (before != null && before.id().epoch().equals(view.id().epoch())) {
        assertThat(view.id().number()).isGreaterThanOrEqualTo(before.id().number());
      }
      for (NodeId member : view.members()) {
        assertThat(everJoined).contains(member + " " + path);
        assertThat(own.members()).contains(member);
      }
      if (isMember(path)) {
        assertThat(groups.isOver(view.id())).isFalse();
        if (before != null && !before.id().equals(view.id())) {
          assertThat(groups.isOver(before.id())).isTrue();
        }
      }
      if (areMembershipsConstant) {
        assertThat(view.members()).isEqualTo(expected(path, own));
      }
    }

    @Override
    public boolean hasRoom(NodeId neighbour) {
      return !isCongested;
    }

    @Override
    public void listed(long question, GroupList groups) {
      list = groups;
    }

    @Override
    public void violated(NodeId neighbour, String reason) {
      throw new AssertionError(neighbour + " violated at " + id + ": " + reason);
    }
  }

  private final Map<NodeId, Member> members = new TreeMap<>();
  private final TreeMap<Line, ArrayDeque<GroupMessage>> lines = new TreeMap<>();
  private final Map<GroupView.Id, GroupView> byId = new HashMap<>();
  private final Set<String> everJoined = new HashSet<>();
  private final IntUnaryOperator choice;
  private boolean areMembershipsConstant;
  private boolean isCongested;

  /** The messages since this was cleared. */
  final List<Sent> sent = new ArrayList<>();

  /** Creates it; the function chooses one of so many streams, from 0. */
  GroupNetwork(IntUnaryOperator choice) {
    this.choice = choice;
  }

  void add(NodeId id) {
    members.put(id, new Member(id));
  }

  private Member member(NodeId id) {
    return Objects.requireNonNull(members.get(id));
  }

  /** From now on each view has all members of its tree that have joined. */
  void keepMemberships() {
    areMembershipsConstant = true;
  }

  void join(NodeId id, GroupPath path) {
    member(id).joined.add(path);
    path.withWholes().forEach(whole -> everJoined.add(id + " " + whole));
    assertThat(member(id).groups.join(path)).isTrue();
    path.withWholes().forEach(whole -> showKnown(member(id), whole));
  }

  /** A new application is shown the view that its agent knows. */
  private static void showKnown(Member member, GroupPath path) {
    GroupView known = member.groups.view(path);
    if (known != null && (member.watched.contains(path) || known.members().contains(member.id))) {
      member.viewChanged(known);
    }
  }

  void leave(NodeId id, GroupPath path) {
    Member left = member(id);
    if (left.joined.remove(path)) {
      left.groups.leave(path);
      GroupView last = left.latest.get(path);
      if (last != null && !left.isMember(path)) {
        assertThat(left.groups.isOver(last.id())).isTrue();
      }
    }
  }

  /** Begins to watch, or ends it. */
  void watchOrNot(NodeId id, GroupPath path) {
    if (member(id).watched.add(path)) {
      assertThat(member(id).groups.watch(path)).isTrue();
      showKnown(member(id), path);
    } else {
      member(id).watched.remove(path);
      member(id).groups.unwatch(path);
    }
  }

  /** Returns the latest view that was shown to applications there; null if there was none. */
  @Nullable GroupView latest(NodeId id, GroupPath path) {
    return member(id).latest.get(path);
  }

  Groups groups(NodeId id) {
    return member(id).groups;
  }

  void commit(NodeId id, CommittedTree tree) {
    member(id).tree = tree;
    member(id).groups.treeCommitted(tree);
  }

  boolean hasTree(NodeId id) {
    return member(id).tree != null;
  }

  /** Opens the streams of a member's edges of the tree. */
  void open(NodeId id) {
    CommittedTree tree = member(id).tree;
    if (tree != null) {
      tree.neighbours(id).forEach(other -> open(id, other));
    }
  }

  private void open(NodeId one, NodeId other) {
    if (!lines.containsKey(new Line(one, other))) {
      lines.put(new Line(one, other), new ArrayDeque<>());
      lines.put(new Line(other, one), new ArrayDeque<>());
      member(one).groups.opened(other);
      member(other).groups.opened(one);
    }
  }

  int streams() {
    return lines.size();
  }

  /** Breaks a stream, and loses what is on it. */
  void close(int index) {
    Line line = new ArrayList<>(lines.keySet()).get(index);
    close(line.from(), line.to());
  }

  private void close(NodeId one, NodeId other) {
    lines.remove(new Line(one, other));
    lines.remove(new Line(other, one));
    member(one).groups.closed(other);
    member(other).groups.closed(one);
  }

  /** Breaks all streams and opens them again. */
  void restartStreams() {
    while (streams() > 0) {
      close(0);
    }
    members.keySet().forEach(this::open);
  }

  /** Lets members send nothing for a while, or send again what they had no room for. */
  void congest(boolean congested) {
    isCongested = congested;
    if (!congested) {
      members.values().forEach(member -> member.groups.retry());
    }
  }

  /** Returns the last list of all groups that a member got; null if it got none. */
  @Nullable GroupList listed(NodeId id) {
    return member(id).list;
  }

  /** Restarts a member, which has no tree and no applications then. */
  void restart(NodeId id) {
    for (Line line : List.copyOf(lines.keySet())) {
      if (line.from().equals(id)) {
        close(id, line.to());
      }
    }
    add(id);
  }

  /** Delivers the oldest message of one stream. Returns false if there is none. */
  boolean deliver() {
    List<Line> busy = lines.keySet().stream().filter(line -> !isIdle(line)).toList();
    if (busy.isEmpty()) {
      return false;
    }
    Line line = busy.get(choice.applyAsInt(busy.size()));
    member(line.to())
        .groups
        .received(line.from(), Objects.requireNonNull(lines.get(line)).remove());
    return true;
  }

  private boolean isIdle(Line line) {
    return Objects.requireNonNull(lines.get(line)).isEmpty();
  }

  /** Delivers all messages. */
  void settle() {
    int delivered = 0;
    while (deliver()) {
      assertThat(++delivered).isLessThan(20_000);
    }
  }

  private SortedSet<NodeId> expected(GroupPath path, CommittedTree tree) {
    TreeSet<NodeId> joined = new TreeSet<>(tree.members());
    joined.removeIf(id -> !member(id).isMember(path));
    return joined;
  }

  /** Checks that each application sees all members of its part. */
  void assertRest(List<GroupPath> paths) {
    for (Member member : members.values()) {
      CommittedTree tree = Objects.requireNonNull(member.tree);
      for (GroupPath path : paths) {
        GroupView view = member.groups.view(path);
        if (member.sees(path)) {
          assertThat(view).as(member.id + " sees " + path).isNotNull();
          assertThat(view).isEqualTo(member.latest.get(path));
          assertThat(Objects.requireNonNull(view).members()).isEqualTo(expected(path, tree));
        }
        if (view != null) {
          assertThat(isWayTo(member.id, path, tree)).as(member.id + " knows " + path).isTrue();
        }
      }
    }
  }

  /** Checks that views of these groups went over no other edges than those that lead to them. */
  void assertViewsWentOnlyWhereWanted() {
    for (Sent each : sent) {
      if (each.message() instanceof GroupMessage.ViewUpdate show) {
        CommittedTree tree = Objects.requireNonNull(member(each.from()).tree);
        assertThat(isWayTo(each.to(), show.view().path(), tree)).as(each.toString()).isTrue();
      }
    }
  }

  /** Returns whether a member or watcher of the group is in the subtree of this member. */
  private boolean isWayTo(NodeId id, GroupPath path, CommittedTree tree) {
    return tree.members().stream()
        .filter(other -> member(other).sees(path))
        .anyMatch(other -> isAbove(id, other, tree));
  }

  private static boolean isAbove(NodeId id, NodeId other, CommittedTree tree) {
    NodeId at = other;
    while (!at.equals(id)) {
      NodeId above = Objects.requireNonNull(tree.parents().get(at));
      if (above.equals(at)) {
        return false;
      }
      at = above;
    }
    return true;
  }
}
