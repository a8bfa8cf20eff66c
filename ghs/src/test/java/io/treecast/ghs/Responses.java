package io.treecast.ghs;

import static io.treecast.ghs.Responses.Outcome.DONE;
import static io.treecast.ghs.Responses.Outcome.MUST_WAIT;
import static java.util.Comparator.naturalOrder;
import static java.util.Comparator.nullsLast;

import io.treecast.ghs.GhsMessage.Accept;
import io.treecast.ghs.GhsMessage.ChangeCore;
import io.treecast.ghs.GhsMessage.Connect;
import io.treecast.ghs.GhsMessage.Initiate;
import io.treecast.ghs.GhsMessage.Phase;
import io.treecast.ghs.GhsMessage.Reject;
import io.treecast.ghs.GhsMessage.Report;
import io.treecast.ghs.GhsMessage.Test;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The algorithm itself: the variables of a node, and its responses to waking up and to each
 * message. The numbers on them are those of the paper's appendix (GHS 1983).
 *
 * <p>Owned by one {@link GhsNode}, which says what may be called when, and keeps what must wait.
 */
final class Responses {
  /** What became of a message. */
  enum Outcome {
    DONE,
    /** Nothing was changed; the message is to be offered again when something was. */
    MUST_WAIT
  }

  /** The lightest outgoing edge found in this round, and the link behind which it is. */
  record Best(Link link, LinkWeight edge) {}

  /** Nothing found is heavier than any edge. */
  private static final Comparator<@Nullable LinkWeight> LIGHTER_FIRST = nullsLast(naturalOrder());

  private final NodeId self;
  private final Links links;
  private final GhsNode.Effects effects;

  /** Branches found below this node in this round, for a report of no outgoing edge. */
  private final List<LinkWeight> gathered = new ArrayList<>();

  /** Whether Initiate asked for a search that has not started. */
  private boolean searchDue;

  // Read by Contract and GhsNode, changed here only.

  boolean awake;
  int level;

  /** Null at level 0, whose fragments need no name. */
  @Nullable LinkWeight fragment;

  Phase phase = Phase.FOUND;

  /** The branch towards the core; null at a lone node and while asleep. */
  @Nullable Link inBranch;

  /** The link over which a Test is unanswered. */
  @Nullable Link testLink;

  @Nullable Best best;

  /** The branches whose reports are awaited: the paper counts them, in find-count. */
  final Set<Link> searching = new LinkedHashSet<>();

  /** The branch over which this node sent Connect, until the other end's answer. */
  @Nullable Link connecting;

  boolean halted;

  Responses(NodeId self, Links links, GhsNode.Effects effects) {
    this.self = self;
    this.links = links;
    this.effects = effects;
  }

  /** Responds to a message that keeps the {@link Contract}. */
  Outcome to(GhsMessage message, Link link) {
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
   * The end of response (4). Where the paper goes on to test at once, what waited for the new level
   * is served first: often that is the Connect of a fragment behind the very link to test next,
   * which then is a branch and costs no Test and no Reject.
   */
  void startSearchIfDue() {
    if (searchDue) {
      searchDue = false;
      testNext();
    }
  }

  /** One response for each kind of message; link is j in the paper. */
  private final class Receipt implements GhsMessage.Visitor<Outcome> {
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
     * Response (4). The in-branch leads to the sender already: see moveCore. The call of procedure
     * test is left to {@link #startSearchIfDue}.
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
     * Response (6). A fragment of higher level waits for an answer: this node may already belong to
     * it and not know. A Test that crosses this node's own is the answer to it.
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
     * Response (10). The core's ends send their results to each other; each compares them when it
     * has its own, and the one on the side of the minimum acts.
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
        moveCore();
      } else if (found == null && own == null) {
        gathered.add(link.weight());
        gathered.addAll(report.branches());
        halt(link.weight().low(), gathered);
      }
      return DONE;
    }

    /** Response (12). */
    @Override
    public Outcome changeCore(ChangeCore changeCore) {
      moveCore();
      return DONE;
    }

    /** A branch stays one: its other end may have tested it before the two were joined over it. */
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
   * Procedure change-core (11). The core is now behind the best link, and so is whoever sends the
   * next Initiate: that makes it the in-branch here, where the paper waits for that Initiate.
   */
  private void moveCore() {
    Link towardsBest = Objects.requireNonNull(best).link();
    if (towardsBest.isBranch()) {
      inBranch = towardsBest;
      send(towardsBest, new ChangeCore());
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

  private void send(Link link, GhsMessage message) {
    effects.send(link.neighbour(), message);
  }
}
