package io.treecast.ghs;

import java.util.Collections;
import java.util.SortedSet;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/** The messages by which fragments search, connect and merge. Immutable. */
public sealed interface GhsMessage extends TreeMessage {

  /**
   * One method for each kind of message, so that a new kind does not compile until every place that
   * must handle it does.
   *
   * @param <X> the exception that the methods throw
   */
  interface Visitor<X extends Exception> {
    void hello(Hello message) throws X;

    void initiate(Initiate message) throws X;

    void report(Report message) throws X;

    void changeRoot(ChangeRoot message) throws X;

    void connect(Connect message) throws X;

    void nack(Nack message) throws X;

    void cancel(Cancel message) throws X;

    void decline(Decline message) throws X;

    void wake(Wake message) throws X;
  }

  <X extends Exception> void visit(Visitor<X> visitor) throws X;

  /**
   * The first message of each end of a link. It belongs to the handshake of the link's session and
   * is counted with it.
   *
   * @param fragment the sender's fragment
   */
  record Hello(FragmentId fragment) implements GhsMessage {
    @Override
    public <X extends Exception> void visit(Visitor<X> visitor) throws X {
      visitor.hello(this);
    }
  }

  /**
   * From a parent: the command to search the subtree below the receiver. Over a link with a pending
   * Connect: the offer to join the sender's fragment and its search.
   *
   * @param edge the Connect that made the tree edge, or that this message answers
   * @param round the search
   * @param members the nodes that are considered members
   * @param suspects nodes that have left the fragment and are suspected dead: the search skips
   *     links to them
   */
  record Initiate(ConnectId edge, Round round, MemberList members, SortedSet<NodeId> suspects)
      implements GhsMessage {
    /** Copies the suspects. */
    public Initiate {
      suspects = Collections.unmodifiableSortedSet(new TreeSet<>(suspects));
    }

    @Override
    public <X extends Exception> void visit(Visitor<X> visitor) throws X {
      visitor.initiate(this);
    }
  }

  /**
   * A link that leaves the fragment.
   *
   * @param farEnd its end outside
   */
  record OutgoingEdge(LinkWeight weight, NodeId farEnd) {}

  /**
   * From a child: the result of the search below it.
   *
   * @param round the search
   * @param best the lightest link to a node that is not on the list of members; null if there is
   *     none
   * @param echo the nodes that answered, and their tree edges
   * @param crossing the XOR of the fingerprints of all links of the nodes that answered: zero
   *     exactly when none of these links leaves them
   * @param listWasWrong whether a list that was sent down named a node that did not answer
   * @param history the contribution of the nodes that answered to the next tree
   */
  record Report(
      Round round,
      @Nullable OutgoingEdge best,
      Subtree echo,
      long crossing,
      boolean listWasWrong,
      History history)
      implements GhsMessage {
    @Override
    public <X extends Exception> void visit(Visitor<X> visitor) throws X {
      visitor.report(this);
    }
  }

  /**
   * From the old root: the receiver, a child nearer to the minimum outgoing edge, becomes the root.
   *
   * @param round the search that found the edge
   * @param map the root's knowledge of the fragment
   * @param crossing as in {@link Report}, for the whole fragment
   */
  record ChangeRoot(Round round, FragmentMap map, long crossing) implements GhsMessage {
    @Override
    public <X extends Exception> void visit(Visitor<X> visitor) throws X {
      visitor.changeRoot(this);
    }
  }

  /**
   * From the root of a fragment over its minimum outgoing edge: the request to join. The answer is
   * an offer, either {@link Initiate} or the commit of both fragments, or it is {@link Nack}; or
   * the Connect waits.
   *
   * @param id names this Connect, and the tree edge if it becomes one
   * @param fragment the sender's fragment
   * @param weight the weight of the link for which the sender connects
   * @param map the sender's knowledge of its fragment
   * @param crossing as in {@link ChangeRoot}
   */
  record Connect(
      ConnectId id, FragmentId fragment, LinkWeight weight, FragmentMap map, long crossing)
      implements GhsMessage {
    @Override
    public <X extends Exception> void visit(Visitor<X> visitor) throws X {
      visitor.connect(this);
    }
  }

  /**
   * The Connect of that id is void: the link does not leave the sender's fragment, or has another
   * weight.
   */
  record Nack(ConnectId id) implements GhsMessage {
    @Override
    public <X extends Exception> void visit(Visitor<X> visitor) throws X {
      visitor.nack(this);
    }
  }

  /** The sender cancels its Connect, if that is still waiting; the answer is {@link Nack}. */
  record Cancel(ConnectId id) implements GhsMessage {
    @Override
    public <X extends Exception> void visit(Visitor<X> visitor) throws X {
      visitor.cancel(this);
    }
  }

  /** The sender declines the offer that answered this Connect. */
  record Decline(ConnectId id) implements GhsMessage {
    @Override
    public <X extends Exception> void visit(Visitor<X> visitor) throws X {
      visitor.decline(this);
    }
  }

  /**
   * Towards the root: an edge may leave the fragment that its last search did not see.
   *
   * @param round that search; a newer one will see the edge
   */
  record Wake(Round round) implements GhsMessage {
    @Override
    public <X extends Exception> void visit(Visitor<X> visitor) throws X {
      visitor.wake(this);
    }
  }
}
