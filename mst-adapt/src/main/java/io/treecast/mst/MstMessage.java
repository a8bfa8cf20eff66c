package io.treecast.mst;

import io.treecast.ghs.ConnectId;
import io.treecast.ghs.Edge;
import io.treecast.ghs.FragmentId;
import io.treecast.ghs.LinkWeight;
import io.treecast.ghs.NodeId;
import io.treecast.ghs.Round;
import io.treecast.ghs.TreeMessage;
import org.jspecify.annotations.Nullable;

/** The messages by which members commit their tree, cut its edges and certify it. Immutable. */
public sealed interface MstMessage extends TreeMessage {

  /**
   * One method for each kind of message, so that a new kind does not compile until every place that
   * must handle it does.
   *
   * @param <X> the exception that the methods throw
   */
  interface Visitor<X extends Exception> {
    void commit(Commit message) throws X;

    void cut(Cut message) throws X;

    void failure(Failure message) throws X;

    void cutOrder(CutOrder message) throws X;

    void refuse(Refuse message) throws X;
  }

  <X extends Exception> void visit(Visitor<X> visitor) throws X;

  /**
   * From a parent: no edge leaves the fragment, and this is its tree.
   *
   * @param edge the Connect that made the tree edge, or that this message answers
   * @param view the tree, and the round that commits it
   * @param isOffer whether two fragments merge right now and this is their tree. Then it moves the
   *     receiver to the new fragment, like an Initiate, and is the offer over the link that merges
   *     them
   */
  record Commit(ConnectId edge, CommittedView view, boolean isOffer) implements MstMessage {
    @Override
    public <X extends Exception> void visit(Visitor<X> visitor) throws X {
      visitor.commit(this);
    }
  }

  /** The sender has cut the tree edge of that Connect, on purpose. */
  record Cut(ConnectId edge) implements MstMessage {
    @Override
    public <X extends Exception> void visit(Visitor<X> visitor) throws X {
      visitor.cut(this);
    }
  }

  /**
   * Towards the root: the fragment has lost a tree edge, and the part behind it.
   *
   * @param suspect the end of the edge that is probably dead; null if only the link is lost
   */
  record Failure(FragmentId fragment, Edge edge, @Nullable NodeId suspect) implements MstMessage {
    @Override
    public <X extends Exception> void visit(Visitor<X> visitor) throws X {
      visitor.failure(this);
    }
  }

  /**
   * Along the committed tree: the command to the addressee to cut its edge towards the root,
   * because a lighter link closes a cycle with it.
   *
   * @param version the tree for which this holds
   * @param lowerEnd the addressee
   * @param lighterLink the link; the answer goes to its lower end
   */
  record CutOrder(Round version, NodeId lowerEnd, LinkWeight lighterLink) implements MstMessage {
    @Override
    public <X extends Exception> void visit(Visitor<X> visitor) throws X {
      visitor.cutOrder(this);
    }
  }

  /**
   * Along the committed tree: the edge is lighter than the order assumed, and stays.
   *
   * @param version as in the order
   * @param lowerEnd the node that refuses
   * @param present the present weight of its edge towards the root
   * @param lighterLink as in the order
   */
  record Refuse(Round version, NodeId lowerEnd, LinkWeight present, LinkWeight lighterLink)
      implements MstMessage {
    @Override
    public <X extends Exception> void visit(Visitor<X> visitor) throws X {
      visitor.refuse(this);
    }
  }
}
