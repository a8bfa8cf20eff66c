package io.treecast.agent.core.link;

import io.treecast.ghs.NodeId;

/**
 * Pseudorandom hashes of ids, which are the same at all members and at all times (rendezvous
 * hashing: Thaler, Ravishankar, IEEE/ACM Transactions on Networking 6, 1998).
 */
final class PairHash {
  /** The offset basis of FNV-1a, 64 bits. */
  private static final long FNV_BASIS = 0xcbf29ce484222325L;

  private static final long FNV_PRIME = 0x100000001b3L;

  private PairHash() {}

  /** Returns the hash of one id. */
  static long of(NodeId id) {
    String name = id.toString();
    long hash = FNV_BASIS;
    for (int i = 0; i < name.length(); i++) {
      hash = (hash ^ name.charAt(i)) * FNV_PRIME;
    }
    return mixed(hash);
  }

  /** Returns the hash of an ordered pair, which differs in each round. */
  static long of(NodeId from, NodeId to, long round) {
    return mixed(mixed(of(from) + round) ^ of(to));
  }

  /** Applies the finalizer of SplitMix64 (Steele, Lea, Flood, OOPSLA 2014). */
  private static long mixed(long value) {
    long z = value;
    z = (z ^ (z >>> 30)) * 0xbf58476d1ce4e5b9L;
    z = (z ^ (z >>> 27)) * 0x94d049bb133111ebL;
    return z ^ (z >>> 31);
  }

  /** Returns whether a hash is in this fraction of the range of hashes. */
  static boolean isWithin(long hash, double part) {
    return (hash >>> 11) * 0x1p-53 < part;
  }
}
