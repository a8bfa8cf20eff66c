package io.treecast.agent.core;

import io.treecast.ghs.NodeId;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Stream;

/**
 * The members that this agent knows, and which of them it has to tell others of.
 *
 * <p>Owned by the agent's thread.
 */
final class KnownMembers {
  private final Member self;
  private final TreeMap<NodeId, Member> byId = new TreeMap<>();
  private final TreeMap<NodeId, Member> news = new TreeMap<>();
  private long digest;

  KnownMembers(Member self) {
    this.self = self;
    this.digest = PairHash.of(self.id());
  }

  Member self() {
    return self;
  }

  /** All but this agent's own, by id. */
  Collection<Member> all() {
    return byId.values();
  }

  /** The names of all but this agent. */
  Set<NodeId> ids() {
    return byId.keySet();
  }

  /** How many there are with this agent. */
  int clusterSize() {
    return byId.size() + 1;
  }

  /** Who knows the same members has the same digest: a sum of hashes of the names of all. */
  long digest() {
    return digest;
  }

  /**
   * Takes note of a member, or of its new address.
   *
   * @return whether it was not known
   */
  boolean learn(Member member) {
    if (byId.put(member.id(), member) != null) {
      return false;
    }
    digest += PairHash.of(member.id());
    news.put(member.id(), member);
    return true;
  }

  /** A member that has left. */
  void forget(NodeId id) {
    news.remove(id);
    if (byId.remove(id) != null) {
      digest -= PairHash.of(id);
    }
  }

  boolean hasNews() {
    return !news.isEmpty();
  }

  /** Those that became known since this was last asked. */
  List<Member> takeNews() {
    List<Member> taken = List.copyOf(news.values());
    news.clear();
    return taken;
  }

  /** This agent and so many others: those whose names follow the asker's. */
  List<Member> some(NodeId asker, int count) {
    List<Member> some = new ArrayList<>(List.of(self));
    Stream.concat(byId.tailMap(asker).values().stream(), byId.headMap(asker).values().stream())
        .limit(count)
        .forEach(some::add);
    return some;
  }
}
