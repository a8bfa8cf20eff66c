package io.treecast.ghs.paper;

import io.treecast.ghs.LinkWeight;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The seven messages of the paper. Immutable. */
public sealed interface PaperMessage {

  /** The kind of a message, for counting. Declared in the order of a fragment's life. */
  enum Kind {
    CONNECT(Connect.class),
    INITIATE(Initiate.class),
    TEST(Test.class),
    ACCEPT(Accept.class),
    REJECT(Reject.class),
    REPORT(Report.class),
    CHANGE_ROOT(ChangeRoot.class);

    private final Class<? extends PaperMessage> type;

    Kind(Class<? extends PaperMessage> type) {
      this.type = type;
    }

    /** The name of the message, for example {@code ChangeRoot}. */
    public String label() {
      return type.getSimpleName();
    }
  }

  /**
   * One method for each kind of message, so that a new kind does not compile until every place that
   * must handle it does.
   *
   * @param <R> the result
   */
  interface Visitor<R> {
    R connect(Connect message);

    R initiate(Initiate message);

    R test(Test message);

    R accept(Accept message);

    R reject(Reject message);

    R report(Report message);

    R changeRoot(ChangeRoot message);
  }

  <R> R visit(Visitor<R> visitor);

  /** The kind of this message. */
  default Kind kind() {
    return Arrays.stream(Kind.values())
        .filter(kind -> kind.type == getClass())
        .findAny()
        .orElseThrow();
  }

  /** Whether the receiver of an {@link Initiate} searches for its minimum outgoing edge. */
  enum Phase {
    /** The node takes part in a search. */
    FIND,
    /** The node has reported its result, or sleeps. */
    FOUND
  }

  /**
   * The sender's fragment asks to join over this link, its minimum outgoing edge. Response (3).
   *
   * @param level the sender's level
   */
  record Connect(int level) implements PaperMessage {
    @Override
    public <R> R visit(Visitor<R> visitor) {
      return visitor.connect(this);
    }
  }

  /**
   * Tells the nodes of a fragment its level, its name and whether to search. Response (4).
   *
   * @param level the fragment's level
   * @param fragment the fragment's name: its core edge
   * @param phase whether to search
   */
  record Initiate(int level, LinkWeight fragment, Phase phase) implements PaperMessage {
    @Override
    public <R> R visit(Visitor<R> visitor) {
      return visitor.initiate(this);
    }
  }

  /**
   * Asks whether the receiver is in another fragment. Response (6).
   *
   * @param level the sender's level
   * @param fragment the sender's fragment
   */
  record Test(int level, LinkWeight fragment) implements PaperMessage {
    @Override
    public <R> R visit(Visitor<R> visitor) {
      return visitor.test(this);
    }
  }

  /** Answer to {@link Test}: the sender is in another fragment. Response (7). */
  record Accept() implements PaperMessage {
    @Override
    public <R> R visit(Visitor<R> visitor) {
      return visitor.accept(this);
    }
  }

  /** Answer to {@link Test}: the sender is in the same fragment. Response (8). */
  record Reject() implements PaperMessage {
    @Override
    public <R> R visit(Visitor<R> visitor) {
      return visitor.reject(this);
    }
  }

  /**
   * The result of the search below the sender. Response (10).
   *
   * <p>Beyond the paper, a report without an outgoing edge lists the branches below the sender, so
   * that the core knows the whole tree when it halts. This needs no further message.
   *
   * @param minimumOutgoingEdge the lightest edge found, or null if no edge leaves the fragment
   *     below the sender
   * @param branches if there is no outgoing edge, all branches on the sender's side of this link;
   *     empty otherwise
   */
  record Report(@Nullable LinkWeight minimumOutgoingEdge, List<LinkWeight> branches)
      implements PaperMessage {
    /** Copies the list. */
    public Report {
      branches = List.copyOf(branches);
    }

    @Override
    public <R> R visit(Visitor<R> visitor) {
      return visitor.report(this);
    }
  }

  /** Moves the root of the fragment towards the minimum outgoing edge. Response (12). */
  record ChangeRoot() implements PaperMessage {
    @Override
    public <R> R visit(Visitor<R> visitor) {
      return visitor.changeRoot(this);
    }
  }
}
