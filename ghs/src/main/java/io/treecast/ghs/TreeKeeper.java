package io.treecast.ghs;

import org.jspecify.annotations.Nullable;

/**
 * The services that GHS needs from the layer above, which keeps committed trees. All calls come
 * from inside a call to {@link GhsNode}, in the order of events.
 */
public interface TreeKeeper {
  /** Sends a message over a link that is up. */
  void send(NodeId peer, TreeMessage message);

  /**
   * No edge leaves the fragment: its tree is complete, and this node is its root.
   *
   * @param round the search that found this, or the merge that made it so
   * @param tree the members and edges of the fragment
   * @param isOffer whether the fragment merged right now, so that the tree must be sent to the
   *     other fragment as the offer that answers its Connect
   */
  void noOutgoingEdge(Round round, FragmentMap tree, boolean isOffer);

  /** The history that this node adds to the Report that it is about to send. */
  History history();

  /**
   * The committed tree from this node downwards: a first guess of the members when the edge to the
   * parent is gone. Null before the first commit.
   */
  @Nullable FragmentMap committedSubtree();

  /**
   * The peer may be in a fragment that can join only if this one searches again. If the peer is
   * outside the committed tree, the keeper {@linkplain GhsNode#wake wakes} the fragment.
   */
  void nonMemberConnects(NodeId peer);

  /** Whether the present round of the present fragment has committed its tree. */
  boolean hasCommittedRound();

  /** An edge of the committed tree is gone: the peer declined the offer that had made it. */
  void lost(Edge edge);
}
