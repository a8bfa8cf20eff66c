package io.treecast.ghs;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What neighbours say to each other in the merge automaton (GHS 1983, section 2 and appendix).
 * Immutable.
 */
public sealed interface GhsMessage {

  /**
   * One method for each kind of message, so that whoever adds a kind is shown every place that must
   * know it.
   */
  interface Visitor<R> {
    R connect(Connect message);

    R initiate(Initiate message);

    R test(Test message);

    R accept(Accept message);

    R reject(Reject message);

    R report(Report message);

    R changeCore(ChangeCore message);
  }

  <R> R visit(Visitor<R> visitor);

  /** Whether the receiver of an {@link Initiate} searches for its minimum outgoing edge. */
  enum Phase {
    FIND,
    FOUND
  }

  /**
   * The sender's fragment asks to join over this link, its minimum outgoing edge.
   *
   * @param level the sender's level
   */
  record Connect(int level) implements GhsMessage {
    @Override
    public <R> R visit(Visitor<R> visitor) {
      return visitor.connect(this);
    }
  }

  /**
   * Tells the nodes of a fragment its level, its name and whether to search.
   *
   * @param level the fragment's level
   * @param fragment the fragment's name: its core edge
   * @param phase whether to search
   */
  record Initiate(int level, LinkWeight fragment, Phase phase) implements GhsMessage {
    @Override
    public <R> R visit(Visitor<R> visitor) {
      return visitor.initiate(this);
    }
  }

  /**
   * Asks whether the receiver is in another fragment.
   *
   * @param level the sender's level
   * @param fragment the sender's fragment
   */
  record Test(int level, LinkWeight fragment) implements GhsMessage {
    @Override
    public <R> R visit(Visitor<R> visitor) {
      return visitor.test(this);
    }
  }

  /** Answer to {@link Test}: another fragment. */
  record Accept() implements GhsMessage {
    @Override
    public <R> R visit(Visitor<R> visitor) {
      return visitor.accept(this);
    }
  }

  /** Answer to {@link Test}: the same fragment. */
  record Reject() implements GhsMessage {
    @Override
    public <R> R visit(Visitor<R> visitor) {
      return visitor.reject(this);
    }
  }

  /**
   * The result of the search below the sender.
   *
   * <p>Beyond the paper, a report of no outgoing edge carries the branches that it gathered, so
   * that the core knows the whole tree when it halts, at no further message.
   *
   * @param minimumOutgoingEdge the lightest found, or null if no edge leaves the fragment below the
   *     sender
   * @param branches when there is none: all branches between nodes of the sender's side of this
   *     link; else empty
   */
  record Report(@Nullable LinkWeight minimumOutgoingEdge, List<LinkWeight> branches)
      implements GhsMessage {
    public Report {
      branches = List.copyOf(branches);
    }

    @Override
    public <R> R visit(Visitor<R> visitor) {
      return visitor.report(this);
    }
  }

  /** Moves the core towards the minimum outgoing edge. */
  record ChangeCore() implements GhsMessage {
    @Override
    public <R> R visit(Visitor<R> visitor) {
      return visitor.changeCore(this);
    }
  }
}
