package io.treecast.ghs;

/**
 * One end of a link that is up. Immutable.
 *
 * @param peer the other end
 * @param weight the present weight
 * @param fingerprint a number that both ends of this session compute, and that hardly any other
 *     session shares. The XOR over all links of a set of nodes is zero exactly when no link leaves
 *     the set, except with probability 2^-64
 */
record Link(NodeId peer, LinkWeight weight, long fingerprint) {
  private static final long FNV_OFFSET = 0xcbf29ce484222325L;
  private static final long FNV_PRIME = 0x100000001b3L;
  private static final long GOLDEN_RATIO = 0x9e3779b97f4a7c15L;

  /** A link in a new session. */
  static Link of(NodeId peer, long session, LinkWeight weight) {
    return new Link(
        peer,
        weight,
        scatter(hash(weight.low()) ^ scatter(hash(weight.high()) ^ scatter(session))));
  }

  /** This link with another weight, in the same session. */
  Link withWeight(LinkWeight present) {
    return new Link(peer, present, fingerprint);
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

  /** The output function of SplitMix64: a bijection in which each bit depends on all bits. */
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
