package io.treecast.collectives.group;

import io.treecast.collectives.broadcast.tree.TreeEpoch;
import io.treecast.collectives.broadcast.tree.TreePaths;
import io.treecast.collectives.broadcast.tree.TreePlace;
import io.treecast.collectives.group.GroupMessage.Answer;
import io.treecast.collectives.group.GroupMessage.ListRequest;
import io.treecast.collectives.group.GroupMessage.Part;
import io.treecast.collectives.group.GroupMessage.Report;
import io.treecast.collectives.group.GroupMessage.ViewUpdate;
import io.treecast.collectives.group.GroupMessage.Wake;
import io.treecast.collectives.group.Subtree.Below;
import io.treecast.ghs.NodeId;
import io.treecast.mst.CommittedTree;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * The groups of one member. The agent's thread owns it.
 *
 * <p>After a commit each member reports the groups of its subtree to its parent, when all its
 * children have reported. Then the root decides the first views of the tree, so that a change of
 * the tree removes no member from a view that is in the new tree. Later changes go up as
 * differences, one group at a time, and each changed view goes down where the group has members or
 * watchers. Numbers count all views of a tree, so the root remembers no group without members.
 *
 * <p>Members are asleep, and send nothing, until groups are in use: until an application of this
 * member joins or watches one, or a neighbour sends a message about groups. A member that is awake
 * wakes its children, and wakes its parent by its report.
 */
public final class Groups {
  /** The most paths that the applications of one agent join, with their wholes, and watch. */
  public static final int MAX_LOCAL = 64;

  private final NodeId self;
  private final GroupEffects effects;
  private final LocalGroups local = new LocalGroups();
  private final TreeSet<NodeId> open = new TreeSet<>();

  /** The neighbours with which a message was exchanged on the open stream: they are awake. */
  private final TreeSet<NodeId> awakeNeighbours = new TreeSet<>();

  /** The reports of neighbours on their open streams, perhaps for another tree. */
  private final TreeMap<NodeId, Subtree> reports = new TreeMap<>();

  /** The reports of neighbours of which further parts follow. */
  private final TreeMap<NodeId, Subtree> arriving = new TreeMap<>();

  /** The views shown to children on their open streams in this tree. */
  private final TreeMap<NodeId, TreeMap<GroupPath, GroupView>> shown = new TreeMap<>();

  /** The latest views in this tree of groups with members or watchers in the subtree. */
  private final TreeMap<GroupPath, GroupView> views = new TreeMap<>();

  /** The paths with changes that were not sent, because the stream of a neighbour had no room. */
  private final TreeSet<GroupPath> late = new TreeSet<>();

  private final TreePaths paths;
  private final Listing listing;
  private List<NodeId> children = List.of();
  private @Nullable TreeEpoch epoch;
  private @Nullable NodeId parent;

  /** The last report to the parent in this tree on the open stream; null before the first. */
  private @Nullable Subtree reported;

  private boolean isAwake;

  /** Whether all children have reported in this tree. */
  private boolean isComplete;

  private long lastNumber;

  /** Creates the groups of a member without a tree. */
  public Groups(NodeId self, GroupEffects effects) {
    this.self = self;
    this.effects = effects;
    this.paths = new TreePaths(self);
    this.listing = new Listing(self, effects, paths, open, this::all);
  }

  // Applications of this member.

  /** Adds a membership of this member. Returns false if the limit is reached. */
  public boolean join(GroupPath path) {
    if (!local.mayJoin(path)) {
      return false;
    }
    local.join(path);
    changed(path.withWholes());
    return true;
  }

  /** Ends a membership that was added. */
  public void leave(GroupPath path) {
    local.leave(path);
    changed(path.withWholes());
  }

  /** Adds a watcher. Returns false if the limit is reached. */
  public boolean watch(GroupPath path) {
    if (!local.mayWatch(path)) {
      return false;
    }
    local.watch(path);
    changed(List.of(path));
    return true;
  }

  /** Ends a watcher that was added. */
  public void unwatch(GroupPath path) {
    local.unwatch(path);
    changed(List.of(path));
  }

  /** Returns the latest view in the present tree; null if this member knows none. */
  public @Nullable GroupView view(GroupPath path) {
    return views.get(path);
  }

  /**
   * Returns whether this member calls no more operations of a view that names it: it has left the
   * group, or a later view is known here.
   */
  public boolean isOver(GroupView.Id view) {
    if (!local.isMember(view.path())) {
      return true;
    }
    if (!view.epoch().equals(epoch)) {
      return epoch != null && view.epoch().treeVersion() <= epoch.treeVersion();
    }
    GroupView latest = views.get(view.path());
    return latest != null && latest.id().number() > view.number();
  }

  // The tree and its streams.

  /** Handles a tree that this member has committed. */
  public void treeCommitted(CommittedTree committed) {
    TreePlace place = TreePlace.of(self, committed);
    paths.treeCommitted(committed);
    epoch = place.epoch();
    parent = place.parent();
    children = place.children();
    views.clear();
    shown.clear();
    reported = null;
    isComplete = false;
    lastNumber = 0;
    if (isAwake) {
      wakeChildren();
      completeIfReported();
    }
  }

  /** Handles an open stream: messages on an earlier one may be lost. */
  public void opened(NodeId neighbour) {
    closed(neighbour);
    open.add(neighbour);
    if (isAwake) {
      wakeChildren();
      reportToParent();
    }
  }

  /** Handles a closed stream. */
  public void closed(NodeId neighbour) {
    open.remove(neighbour);
    awakeNeighbours.remove(neighbour);
    shown.remove(neighbour);
    arriving.remove(neighbour);
    if (neighbour.equals(parent)) {
      reported = null;
    }
    if (!children.contains(neighbour)) {
      reports.remove(neighbour);
    }
  }

  private void wake() {
    if (!isAwake) {
      isAwake = true;
      wakeChildren();
      completeIfReported();
    }
  }

  private void wakeChildren() {
    for (NodeId child : children) {
      if (open.contains(child) && !awakeNeighbours.contains(child)) {
        send(child, new Wake());
      }
    }
  }

  private void send(NodeId neighbour, GroupMessage message) {
    awakeNeighbours.add(neighbour);
    effects.send(neighbour, message);
  }

  // Time.

  /** Returns whether {@link #retry} has something to send. */
  public boolean hasPending() {
    return !late.isEmpty() || listing.isWaiting();
  }

  /** Sends the messages that had no room, and repeats questions without an answer. */
  public void retry() {
    List<GroupPath> paths = List.copyOf(late);
    late.clear();
    if (isComplete) {
      reportChanges(reported == null ? allPaths() : paths);
    }
    paths.forEach(path -> children.forEach(child -> showTo(child, path)));
    listing.askAgain(parent);
  }

  // The list of all groups.

  /** Asks for all groups of the tree. The answer may arrive within this call. */
  public void list(long question) {
    listing.request(question, parent);
  }

  /** Forgets a question of this member. */
  public void forget(long question) {
    listing.forget(question);
  }

  /** Returns all groups, at the root; null if not all members have reported. */
  private @Nullable GroupList all() {
    if (epoch == null || (isAwake && !isComplete)) {
      return null;
    }
    TreeMap<GroupPath, Integer> sizes = new TreeMap<>();
    views.forEach((path, view) -> sizes.put(path, view.members().size()));
    sizes.values().removeIf(size -> size == 0);
    boolean hasMore = sizes.size() > GroupList.MAX_GROUPS;
    while (sizes.size() > GroupList.MAX_GROUPS) {
      sizes.pollLastEntry();
    }
    return new GroupList(sizes, hasMore);
  }

  // Messages of neighbours.

  /** Handles a message of a neighbour; ignores it without an open stream. */
  public void received(NodeId from, GroupMessage message) {
    if (!open.contains(from)) {
      return;
    }
    if (message instanceof ListRequest request) {
      listing.received(from, request, parent);
      return;
    } else if (message instanceof Answer answer) {
      listing.received(from, answer);
      return;
    }
    awakeNeighbours.add(from);
    wake();
    if (message instanceof Report report) {
      received(from, report);
    } else if (message instanceof ViewUpdate update && from.equals(parent)) {
      received(update);
    }
  }

  private void received(NodeId from, Report report) {
    if (!namesOnlyMembersBehind(from, report)) {
      effects.violated(from, "its report of groups names members that are not behind it");
      return;
    }
    Subtree before = reports.get(from);
    Subtree begun = report.first() ? new Subtree(report.epoch()) : arriving.remove(from);
    Subtree subtree = begun == null ? before : begun;
    if (subtree == null || !subtree.add(report)) {
      effects.violated(
          from,
          "its report of groups has more than "
              + Subtree.MAX_ENTRIES
              + " members, or continues no report");
      return;
    }
    TreeSet<GroupPath> paths = new TreeSet<>();
    if (subtree == before) {
      report.parts().forEach(part -> paths.add(part.path()));
    } else if (!report.last()) {
      arriving.put(from, subtree);
      return;
    } else {
      reports.put(from, subtree);
      paths.addAll(subtree.paths());
      paths.addAll(before == null ? List.of() : before.paths());
    }
    if (!children.contains(from) || !subtree.isFor(epoch)) {
      return;
    }
    if (isComplete) {
      changed(paths);
      paths.stream().filter(path -> isUpToDate(path, from)).forEach(path -> showTo(from, path));
    } else {
      completeIfReported();
    }
  }

  private boolean isBehind(NodeId child, NodeId member) {
    TreePaths.Path path = paths.to(member);
    return path != null && path.by().equals(child);
  }

  private boolean namesOnlyMembersBehind(NodeId from, Report report) {
    return !children.contains(from)
        || !report.epoch().equals(epoch)
        || report.parts().stream()
            .flatMap(part -> part.added().stream())
            .allMatch(member -> isBehind(from, member));
  }

  /** Returns whether the latest view has all of a child's members; if not, a later view follows. */
  private boolean isUpToDate(GroupPath path, NodeId child) {
    GroupView view = views.get(path);
    return view == null || view.members().containsAll(below(path, child).members);
  }

  private void received(ViewUpdate update) {
    GroupPath path = update.view().path();
    GroupView known = views.get(path);
    long knownNumber = known == null ? 0 : known.id().number();
    boolean isNext = update.previous() == 0 || update.previous() == knownNumber;
    if (!update.view().epoch().equals(epoch)
        || !isNext
        || knownNumber >= update.view().number()
        || below(path).isNothing()) {
      return;
    }
    TreeSet<NodeId> members = new TreeSet<>(update.added());
    if (update.previous() != 0 && known != null) {
      members.addAll(known.members());
      update.removed().forEach(members::remove);
    }
    adopt(new GroupView(update.view(), members));
  }

  // The groups of the subtree.

  private void completeIfReported() {
    if (epoch == null || !children.stream().allMatch(this::hasReported)) {
      return;
    }
    isComplete = true;
    if (parent == null) {
      allPaths().forEach(this::decide);
    } else {
      reportToParent();
    }
  }

  private boolean hasReported(NodeId child) {
    Subtree subtree = reports.get(child);
    return subtree != null && subtree.isFor(epoch);
  }

  private Collection<GroupPath> allPaths() {
    TreeSet<GroupPath> paths = new TreeSet<>(local.paths());
    for (NodeId child : children) {
      Subtree subtree = reports.get(child);
      if (subtree != null) {
        paths.addAll(subtree.paths());
      }
    }
    return paths;
  }

  private Below below(GroupPath path, NodeId child) {
    Subtree subtree = reports.get(child);
    return subtree == null || !subtree.isFor(epoch) ? Subtree.NOTHING : subtree.of(path);
  }

  private Below below(GroupPath path) {
    Below below = new Below();
    below.isWatched = local.isWatched(path);
    if (local.isMember(path)) {
      below.members.add(self);
    }
    for (NodeId child : children) {
      Below part = below(path, child);
      below.members.addAll(part.members);
      below.isWatched |= part.isWatched;
    }
    return below;
  }

  /** Sends the parent the first report on a new stream or in a new tree. */
  private void reportToParent() {
    if (isComplete && reported == null) {
      reportChanges(allPaths());
    }
  }

  private void changed(Collection<GroupPath> paths) {
    wake();
    if (!isComplete) {
      return;
    }
    for (GroupPath path : paths) {
      if (parent == null) {
        decide(path);
      } else if (below(path).isNothing()) {
        views.remove(path);
      }
    }
    reportChanges(paths);
  }

  private void reportChanges(Collection<GroupPath> paths) {
    if (parent == null || epoch == null || !open.contains(parent)) {
      return;
    }
    if (!effects.hasRoom(parent)) {
      late.addAll(paths);
      return;
    }
    boolean isFirst = reported == null;
    Subtree before = reported == null ? new Subtree(epoch) : reported;
    reported = before;
    List<Part> parts = new ArrayList<>();
    int entries = 0;
    for (GroupPath path : paths) {
      Part part = below(path).since(before.of(path), path);
      if (part != null) {
        if (entries + part.entries() > GroupMessage.MAX_ENTRIES) {
          send(parent, new Report(epoch, isFirst, false, parts));
          isFirst = false;
          parts.clear();
          entries = 0;
        }
        parts.add(part);
        entries += part.entries();
        before.put(part);
      }
    }
    if (isFirst || !parts.isEmpty()) {
      send(parent, new Report(epoch, isFirst, true, parts));
    }
  }

  // Views.

  private void decide(GroupPath path) {
    Below now = below(path);
    GroupView known = views.get(path);
    if (now.isNothing()) {
      views.remove(path);
    } else if (epoch != null && (known == null || !known.members().equals(now.members))) {
      lastNumber++;
      adopt(new GroupView(new GroupView.Id(path, epoch, lastNumber), now.members));
    }
  }

  private void adopt(GroupView view) {
    GroupPath path = view.id().path();
    views.put(path, view);
    children.forEach(child -> showTo(child, path));
    if (local.isWatched(path) || (local.isMember(path) && view.members().contains(self))) {
      effects.viewChanged(view);
    }
  }

  /** Sends a child the latest view, if its subtree needs the view and lacks it. */
  private void showTo(NodeId child, GroupPath path) {
    SortedMap<GroupPath, GroupView> known = shown.computeIfAbsent(child, id -> new TreeMap<>());
    if (below(path, child).isNothing()) {
      known.remove(path);
      return;
    }
    GroupView view = views.get(path);
    if (view == null || !open.contains(child)) {
      return;
    }
    if (!effects.hasRoom(child)) {
      late.add(path);
      return;
    }
    GroupView before = known.put(path, view);
    if (before == null) {
      send(child, new ViewUpdate(view.id(), 0, view.members(), new TreeSet<>()));
    } else if (!before.equals(view)) {
      send(
          child,
          new ViewUpdate(
              view.id(),
              before.id().number(),
              Subtree.without(view.members(), before.members()),
              Subtree.without(before.members(), view.members())));
    }
  }
}
