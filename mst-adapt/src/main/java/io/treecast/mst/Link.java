package io.treecast.mst;

import io.treecast.ghs.LinkWeight;
import io.treecast.ghs.NodeId;

/** One end of a link that is up, with its present weight. Immutable. */
final class Link {
  private static final long FNV_OFFSET = 0xcbf29ce484222325L;
  private static final long FNV_PRIME = 0x100000001b3L;
  private static final long GOLDEN_RATIO = 0x9e3779b97f4a7c15L;

  private final NodeId peer;
  private final long fingerprint;
  private final LinkWeight weight;

  Link(NodeId peer, long session, LinkWeight weight) {
    this(peer, weight, fingerprint(weight, session));
  }

  private Link(NodeId peer, LinkWeight weight, long fingerprint) {
    this.peer = peer;
    this.weight = weight;
    this.fingerprint = fingerprint;
  }

  NodeId peer() {
    return peer;
  }

  LinkWeight weight() {
    return weight;
  }

  /** The same session with another weight. */
  Link withWeight(LinkWeight present) {
    return new Link(peer, present, fingerprint);
  }

  /**
   * A number that both ends of this session compute alike and hardly any other session shares: the
   * XOR over all links of a set of nodes is zero exactly when no link leaves the set, but for a
   * chance of 2^-64.
   */
  long fingerprint() {
    return fingerprint;
  }

  private static long fingerprint(LinkWeight ends, long session) {
    return scatter(hash(ends.low()) ^ scatter(hash(ends.high()) ^ scatter(session)));
  }

  /** FNV-1a over the name. */
  private static long hash(NodeId node) {
    String name = node.toString();
    long hash = FNV_OFFSET;
    for (int i = 0; i < name.length(); i++) {
      hash = (hash ^ name.charAt(i)) * FNV_PRIME;
    }
    return hash;
  }

  /** The output function of SplitMix64: a bijection in which each bit depends on all. */
  private static long scatter(long value) {
    long z = value + GOLDEN_RATIO;
    z = (z ^ (z >>> 30)) * 0xbf58476d1ce4e5b9L;
    z = (z ^ (z >>> 27)) * 0x94d049bb133111ebL;
    return z ^ (z >>> 31);
  }

  @Override
  public String toString() {
    return weight.toString();
  }
}
