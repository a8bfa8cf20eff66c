package io.treecast.mst;

import io.treecast.ghs.LinkWeight;
import io.treecast.ghs.NodeId;
import java.util.Collections;
import java.util.SortedSet;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * What neighbours say to each other. Immutable.
 *
 * <p>Messages carry maps, lists and trees whole. Whoever encodes them may send differences against
 * what the receiver is known to have.
 */
public sealed interface RankedMessage {

  /**
   * One method for each kind of message, so that whoever adds a kind is shown every place that must
   * know it.
   *
   * @param <X> what the methods throw
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

    void commit(Commit message) throws X;

    void cut(Cut message) throws X;

    void failure(Failure message) throws X;

    void wake(Wake message) throws X;

    void cutOrder(CutOrder message) throws X;

    void refuse(Refuse message) throws X;
  }

  <X extends Exception> void visit(Visitor<X> visitor) throws X;

  /** The kind of message, for counting: the name that metrics, reports and documentation use. */
  default String type() {
    return getClass().getSimpleName();
  }

  /**
   * The first message of each end of a link. Belongs to the handshake of the link's session and is
   * counted with it.
   *
   * @param fragment the sender's fragment
   */
  record Hello(FragmentId fragment) implements RankedMessage {
    @Override
    public <X extends Exception> void visit(Visitor<X> visitor) throws X {
      visitor.hello(this);
    }
  }

  /**
   * From a parent: search below you. Over a link with an unanswered Connect: the offer to join the
   * sender's fragment and its search.
   *
   * @param edge the Connect that made the tree edge, or that this answers
   * @param round the search
   * @param members who is taken for a member
   * @param suspects who has left the fragment, and probably life: links to him are left out
   */
  record Initiate(ConnectId edge, Round round, MemberList members, SortedSet<NodeId> suspects)
      implements RankedMessage {
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
   * @param best the lightest link to a node that is not on the list of members; null if none
   * @param echo who answered, and their tree edges
   * @param crossing the XOR of the fingerprints of all links of those who answered: zero exactly
   *     when none of these links leaves them
   * @param listWasWrong whether a list that was handed out below named somebody who did not answer
   * @param history what they bring into the next commit
   */
  record Report(
      Round round,
      @Nullable OutgoingEdge best,
      Subtree echo,
      long crossing,
      boolean listWasWrong,
      History history)
      implements RankedMessage {
    @Override
    public <X extends Exception> void visit(Visitor<X> visitor) throws X {
      visitor.report(this);
    }
  }

  /**
   * From a parent that was the root: you are the root now, and nearer to the minimum outgoing edge.
   *
   * @param round the search that found the edge
   * @param map what the root knows of the fragment
   * @param crossing as in {@link Report}, for the whole fragment
   */
  record ChangeRoot(Round round, FragmentMap map, long crossing) implements RankedMessage {
    @Override
    public <X extends Exception> void visit(Visitor<X> visitor) throws X {
      visitor.changeRoot(this);
    }
  }

  /**
   * From the root of a fragment over its minimum outgoing edge: the request to join. Answered by an
   * {@link Initiate} or a {@link Commit} as an offer, or by {@link Nack}; or it waits.
   *
   * @param id names this request, and the tree edge if it becomes one
   * @param fragment the sender's fragment
   * @param weight the weight of the link that the sender connects for
   * @param map what the sender knows of its fragment
   * @param crossing as in {@link ChangeRoot}
   */
  record Connect(
      ConnectId id, FragmentId fragment, LinkWeight weight, FragmentMap map, long crossing)
      implements RankedMessage {
    @Override
    public <X extends Exception> void visit(Visitor<X> visitor) throws X {
      visitor.connect(this);
    }
  }

  /** The Connect of that id is void: the link is no outgoing edge, or not of that weight. */
  record Nack(ConnectId id) implements RankedMessage {
    @Override
    public <X extends Exception> void visit(Visitor<X> visitor) throws X {
      visitor.nack(this);
    }
  }

  /** The sender takes its Connect back, if that still waits; it is answered by {@link Nack}. */
  record Cancel(ConnectId id) implements RankedMessage {
    @Override
    public <X extends Exception> void visit(Visitor<X> visitor) throws X {
      visitor.cancel(this);
    }
  }

  /** The offer that answered this Connect is not accepted. */
  record Decline(ConnectId id) implements RankedMessage {
    @Override
    public <X extends Exception> void visit(Visitor<X> visitor) throws X {
      visitor.decline(this);
    }
  }

  /**
   * From a parent: nothing leaves the fragment, this is its tree.
   *
   * @param edge the Connect that made the tree edge, or that this answers
   * @param view the tree, and the round that commits it
   * @param isOffer whether the tree is of two fragments that merge right now. Then it relabels the
   *     receiver like {@link Initiate}, and over the link that merges it is the offer
   */
  record Commit(ConnectId edge, CommittedView view, boolean isOffer) implements RankedMessage {
    @Override
    public <X extends Exception> void visit(Visitor<X> visitor) throws X {
      visitor.commit(this);
    }
  }

  /** The sender has cut the tree edge of that Connect, on purpose. */
  record Cut(ConnectId edge) implements RankedMessage {
    @Override
    public <X extends Exception> void visit(Visitor<X> visitor) throws X {
      visitor.cut(this);
    }
  }

  /**
   * Towards the root: the fragment has lost a tree edge, and what is behind it.
   *
   * @param suspect the end of the edge that is probably dead; null if only the link is
   */
  record Failure(FragmentId fragment, Edge edge, @Nullable NodeId suspect)
      implements RankedMessage {
    @Override
    public <X extends Exception> void visit(Visitor<X> visitor) throws X {
      visitor.failure(this);
    }
  }

  /**
   * Towards the root: something leaves the fragment that its last search may not have seen.
   *
   * @param round that search; a newer one will see it
   */
  record Wake(Round round) implements RankedMessage {
    @Override
    public <X extends Exception> void visit(Visitor<X> visitor) throws X {
      visitor.wake(this);
    }
  }

  /**
   * Along the committed tree: cut your edge towards the root, this link is lighter and closes a
   * cycle with it.
   *
   * @param version the tree that this was judged by
   * @param lowerEnd the addressee
   * @param lighterLink the link; the answer goes to its lower end
   */
  record CutOrder(Round version, NodeId lowerEnd, LinkWeight lighterLink) implements RankedMessage {
    @Override
    public <X extends Exception> void visit(Visitor<X> visitor) throws X {
      visitor.cutOrder(this);
    }
  }

  /**
   * Along the committed tree: the edge is lighter than the order assumed, and stays.
   *
   * @param version as in the order
   * @param lowerEnd who refuses
   * @param present the present weight of its edge towards the root
   * @param lighterLink as in the order
   */
  record Refuse(Round version, NodeId lowerEnd, LinkWeight present, LinkWeight lighterLink)
      implements RankedMessage {
    @Override
    public <X extends Exception> void visit(Visitor<X> visitor) throws X {
      visitor.refuse(this);
    }
  }
}
