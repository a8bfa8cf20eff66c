package io.treecast.ghs.paper;

import static io.treecast.ghs.paper.Responses.Outcome.DONE;
import static io.treecast.ghs.paper.Responses.Outcome.MUST_WAIT;
import static java.util.Comparator.naturalOrder;
import static java.util.Comparator.nullsLast;

import io.treecast.ghs.LinkWeight;
import io.treecast.ghs.NodeId;
import io.treecast.ghs.paper.PaperMessage.Accept;
import io.treecast.ghs.paper.PaperMessage.ChangeRoot;
import io.treecast.ghs.paper.PaperMessage.Connect;
import io.treecast.ghs.paper.PaperMessage.Initiate;
import io.treecast.ghs.paper.PaperMessage.Phase;
import io.treecast.ghs.paper.PaperMessage.Reject;
import io.treecast.ghs.paper.PaperMessage.Report;
import io.treecast.ghs.paper.PaperMessage.Test;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.EnumMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The algorithm itself: the variables of a node, and its responses to waking up and to each
 * message. Their numbers are those of the paper's appendix.
 *
 * <p>{@link PaperNode} owns it, calls it, and keeps the messages that must wait.
 */
final class Responses {
  /** The result of offering a message. */
  enum Outcome {
    /** The node has responded. */
    DONE,
    /** Nothing has changed. The message must be offered again after a later change. */
    MUST_WAIT
  }

  /**
   * The lightest outgoing edge found in this search, best-wt in the paper, and the link that leads
   * to it, best-edge.
   */
  record Best(Link link, LinkWeight edge) {}

  /** Null, for no edge, is heavier than any edge: the paper's infinite weight. */
  private static final Comparator<@Nullable LinkWeight> LIGHTER_FIRST = nullsLast(naturalOrder());

  private final NodeId self;
  private final Links links;
  private final PaperNode.Effects effects;

  /** The branches reported from below in this search, for a report without an outgoing edge. */
  private final List<LinkWeight> gathered = new ArrayList<>();

  /** Whether Initiate asked for a search that has not started. */
  private boolean searchDue;

  // Contract and PaperNode read these fields; only this class changes them.

  boolean awake;
  int level;

  /** The fragment's name, FN in the paper. Null at level 0, where fragments need no name. */
  @Nullable LinkWeight fragment;

  Phase phase = Phase.FOUND;

  /** The branch towards the core; null at a lone node and while asleep. */
  @Nullable Link inBranch;

  /** The link over which a Test is unanswered. */
  @Nullable Link testLink;

  @Nullable Best best;

  /** The branches whose reports are outstanding. The paper counts them in find-count. */
  final Set<Link> searching = new LinkedHashSet<>();

  /** The branch over which this node sent a Connect that has no answer yet. */
  @Nullable Link connecting;

  boolean halted;

  /** The number of messages sent, by kind. */
  final Map<PaperMessage.Kind, Long> sent = new EnumMap<>(PaperMessage.Kind.class);

  Responses(NodeId self, Links links, PaperNode.Effects effects) {
    this.self = self;
    this.links = links;
    this.effects = effects;
  }

  /** Responds to a message that keeps the {@link Contract}. */
  Outcome to(PaperMessage message, Link link) {
    return message.visit(new Receipt(link));
  }

  /** Procedure wakeup (2): a fragment of level 0 connects over its lightest link at once. */
  void wakeUp() {
    if (awake) {
      return;
    }
    awake = true;
    Link lightest = links.lightestBasic();
    if (lightest == null) {
      halt(self, List.of());
    } else {
      connectOver(lightest);
    }
  }

  /**
   * The end of response (4). The paper tests at once. Here, the messages that were deferred until
   * the new level come first: often one of them is a Connect over the very link to test next, which
   * then becomes a branch and costs no Test and no Reject.
   */
  void startSearchIfDue() {
    if (searchDue) {
      searchDue = false;
      testNext();
    }
  }

  /** One response for each kind of message; link is j in the paper. */
  private final class Receipt implements PaperMessage.Visitor<Outcome> {
    private final Link link;

    Receipt(Link link) {
      this.link = link;
    }

    /**
     * Response (3). A fragment of lower level is absorbed. One of equal level waits until this
     * fragment chooses the same link, and then merges with it, or outgrows it.
     */
    @Override
    public Outcome connect(Connect connect) {
      wakeUp();
      if (connect.level() < level) {
        links.makeBranch(link);
        send(link, new Initiate(level, fragmentName(), phase));
        if (phase == Phase.FIND) {
          searching.add(link);
        }
        return DONE;
      }
      if (link.isBasic()) {
        return MUST_WAIT;
      }
      connecting = null;
      send(link, new Initiate(level + 1, link.weight(), Phase.FIND));
      return DONE;
    }

    /**
     * Response (4). The in-branch already leads to the sender: see {@link #changeRoot()}. {@link
     * #startSearchIfDue} then calls procedure test.
     */
    @Override
    public Outcome initiate(Initiate initiate) {
      level = initiate.level();
      fragment = initiate.fragment();
      phase = initiate.phase();
      connecting = null;
      best = null;
      gathered.clear();
      for (Link branch : links.branches()) {
        if (branch != link) {
          send(branch, initiate);
          if (phase == Phase.FIND) {
            searching.add(branch);
          }
        }
      }
      searchDue = phase == Phase.FIND;
      return DONE;
    }

    /**
     * Response (6). A Test of a higher level waits: this node may already belong to that fragment
     * without knowing it. A Test that crosses this node's own Test answers it.
     */
    @Override
    public Outcome test(Test test) {
      wakeUp();
      if (test.level() > level) {
        return MUST_WAIT;
      }
      if (!test.fragment().equals(fragment)) {
        send(link, new Accept());
        return DONE;
      }
      rejectIfBasic();
      if (link == testLink) {
        testNext();
      } else {
        send(link, new Reject());
      }
      return DONE;
    }

    /** Response (7). */
    @Override
    public Outcome accept(Accept accept) {
      testLink = null;
      consider(link.weight());
      reportIfComplete();
      return DONE;
    }

    /** Response (8). */
    @Override
    public Outcome reject(Reject reject) {
      rejectIfBasic();
      testNext();
      return DONE;
    }

    /**
     * Response (10). The ends of the core send their results to each other. Each compares both when
     * it has its own, and the end on the side of the minimum acts.
     */
    @Override
    public Outcome report(Report report) {
      LinkWeight found = report.minimumOutgoingEdge();
      if (link != inBranch) {
        searching.remove(link);
        if (found != null) {
          consider(found);
        } else {
          gathered.add(link.weight());
          gathered.addAll(report.branches());
        }
        reportIfComplete();
        return DONE;
      }
      if (phase == Phase.FIND) {
        return MUST_WAIT;
      }
      LinkWeight own = best == null ? null : best.edge();
      if (LIGHTER_FIRST.compare(found, own) > 0) {
        Responses.this.changeRoot();
      } else if (found == null && own == null) {
        gathered.add(link.weight());
        gathered.addAll(report.branches());
        halt(link.weight().low(), gathered);
      }
      return DONE;
    }

    /** Response (12). */
    @Override
    public Outcome changeRoot(ChangeRoot message) {
      Responses.this.changeRoot();
      return DONE;
    }

    /**
     * A branch stays a branch: its other end may have tested it before they were joined over it.
     */
    private void rejectIfBasic() {
      if (link.isBasic()) {
        links.reject(link);
      }
    }

    private void consider(LinkWeight edge) {
      if (best == null || edge.compareTo(best.edge()) < 0) {
        best = new Best(link, edge);
      }
    }
  }

  /** Procedure test (5). */
  private void testNext() {
    testLink = links.lightestBasic();
    if (testLink != null) {
      send(testLink, new Test(level, fragmentName()));
    } else {
      reportIfComplete();
    }
  }

  /** Procedure report (9). */
  private void reportIfComplete() {
    if (searching.isEmpty() && testLink == null) {
      phase = Phase.FOUND;
      send(
          Objects.requireNonNull(inBranch),
          best == null ? new Report(null, gathered) : new Report(best.edge(), List.of()));
    }
  }

  /**
   * Procedure change-root (11). The root is now beyond the best link, and the next Initiate will
   * come over it. So it becomes the in-branch here; in the paper it does when that Initiate
   * arrives.
   */
  private void changeRoot() {
    Link towardsBest = Objects.requireNonNull(best).link();
    if (towardsBest.isBranch()) {
      inBranch = towardsBest;
      send(towardsBest, new ChangeRoot());
    } else {
      connectOver(towardsBest);
    }
  }

  private void connectOver(Link link) {
    links.makeBranch(link);
    inBranch = link;
    connecting = link;
    send(link, new Connect(level));
  }

  private void halt(NodeId root, List<LinkWeight> branches) {
    halted = true;
    effects.halted(root, level, branches.stream().sorted().toList());
  }

  private LinkWeight fragmentName() {
    return Objects.requireNonNull(fragment, "a fragment of level 0 has no name and sends none");
  }

  private void send(Link link, PaperMessage message) {
    sent.merge(message.kind(), 1L, Long::sum);
    effects.send(link.neighbour(), message);
  }
}
