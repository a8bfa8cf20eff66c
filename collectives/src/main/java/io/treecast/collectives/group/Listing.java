package io.treecast.collectives.group;

import io.treecast.collectives.broadcast.tree.TreePaths;
import io.treecast.collectives.group.GroupMessage.Answer;
import io.treecast.collectives.group.GroupMessage.ListRequest;
import io.treecast.ghs.NodeId;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Questions for all groups of the tree, on their way to its root, and the answers. A message
 * without an open path is lost; the member that asks repeats its question.
 */
final class Listing {
  private final NodeId self;
  private final GroupEffects effects;
  private final TreePaths paths;
  private final Set<NodeId> open;
  private final Supplier<@Nullable GroupList> known;

  /** Questions of this member without an answer. */
  private final TreeSet<Long> questions = new TreeSet<>();

  /**
   * Creates a listing without questions.
   *
   * @param open the neighbours with open streams
   * @param known all groups as the root knows them; null if it does not know them yet
   */
  Listing(
      NodeId self,
      GroupEffects effects,
      TreePaths paths,
      Set<NodeId> open,
      Supplier<@Nullable GroupList> known) {
    this.self = self;
    this.effects = effects;
    this.paths = paths;
    this.open = open;
    this.known = known;
  }

  void request(long question, @Nullable NodeId parent) {
    questions.add(question);
    received(self, new ListRequest(self, question), parent);
  }

  void askAgain(@Nullable NodeId parent) {
    List.copyOf(questions).forEach(question -> request(question, parent));
  }

  void forget(long question) {
    questions.remove(question);
  }

  boolean isWaiting() {
    return !questions.isEmpty();
  }

  /** Handles a question of a member: answers it at the root. */
  void received(NodeId from, ListRequest request, @Nullable NodeId parent) {
    if (parent != null) {
      pass(parent, from, request);
      return;
    }
    GroupList list = known.get();
    if (list != null) {
      received(self, new Answer(request.member(), request.number(), list));
    }
  }

  void received(NodeId from, Answer answer) {
    TreePaths.Path way = paths.to(answer.member());
    if (!answer.member().equals(self)) {
      pass(way == null ? null : way.by(), from, answer);
    } else if (questions.remove(answer.number())) {
      effects.listed(answer.number(), answer.groups());
    }
  }

  /** Forwards a message, but never back to its sender. */
  private void pass(@Nullable NodeId to, NodeId from, GroupMessage message) {
    if (to != null && !to.equals(from) && open.contains(to) && effects.hasRoom(to)) {
      effects.send(to, message);
    }
  }
}
