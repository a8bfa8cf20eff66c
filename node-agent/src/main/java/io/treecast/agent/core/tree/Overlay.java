package io.treecast.agent.core.tree;

import io.treecast.agent.core.contract.TreePhase;
import io.treecast.agent.core.link.Link;
import io.treecast.agent.core.link.Links;
import io.treecast.agent.core.link.Neighbourhood;
import io.treecast.agent.core.message.Member;
import io.treecast.agent.core.message.Nearby;
import io.treecast.agent.core.message.PeerMessage;
import io.treecast.agent.core.message.PeerMessage.LinkWanted;
import io.treecast.agent.core.message.PeerMessage.LinkedMembers;
import io.treecast.agent.core.message.PeerMessage.Members;
import io.treecast.agent.core.message.PeerMessage.RefusalCause;
import io.treecast.agent.core.settings.CoreConfig;
import io.treecast.agent.core.settings.OverlayLimits;
import io.treecast.ghs.LinkWeight;
import io.treecast.ghs.NodeId;
import io.treecast.monitor.weight.Expectation;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.OptionalLong;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The links of a large cluster: lets {@link Neighbourhood} decide which ones this agent wants,
 * informs the other ends, and when there are too many ends the farthest of those that neither end
 * wants and the tree does not need. In a small cluster all links exist, and this does nothing.
 */
public final class Overlay {
  /** The review interval while links are sought, or there are members to announce. */
  static final long REVIEW_NANOS = 1_000_000_000L;

  /** The review interval otherwise. */
  static final long QUIET_REVIEW_NANOS = 5_000_000_000L;

  private final NodeId self;
  private final OverlayLimits limits;
  private final Links links;
  private final TreeDriver tree;
  private final WidestTree widestTree;
  private final Neighbourhood neighbourhood;
  private boolean everNeeded;
  private long lastReviewNanos;
  private long nextReviewNanos;

  public Overlay(CoreConfig config, Links links, TreeDriver tree, WidestTree widestTree) {
    this.self = config.self();
    this.limits = config.overlay();
    this.links = links;
    this.tree = tree;
    this.widestTree = widestTree;
    this.neighbourhood = links.neighbourhood();
  }

  public void start(long nowNanos) {
    nextReviewNanos = nowNanos;
  }

  public long nextDeadlineNanos() {
    if (!everNeeded) {
      return links.isMesh() ? Long.MAX_VALUE : nextReviewNanos;
    }
    return links.known().hasNews()
        ? Math.min(nextReviewNanos, lastReviewNanos + REVIEW_NANOS)
        : nextReviewNanos;
  }

  /**
   * Reviews the links, if it is time.
   *
   * @param mayTry whether other members may be tried
   */
  public void tick(boolean mayTry, long nowNanos) {
    if (nowNanos < nextDeadlineNanos()) {
      return;
    }
    everNeeded = true;
    lastReviewNanos = nowNanos;
    review(mayTry, nowNanos);
    boolean isQuiet =
        links.count() <= limits.linksAtRest()
            && links.byPeer().keySet().containsAll(neighbourhood.purposes().keySet());
    nextReviewNanos = nowNanos + (isQuiet ? QUIET_REVIEW_NANOS : REVIEW_NANOS);
    for (Link link : List.copyOf(links.open())) {
      tellWanted(link);
      tellLinks(link);
    }
    tellMembers(nowNanos);
    makeRoom(nowNanos);
  }

  private void review(boolean mayTry, long nowNanos) {
    for (Link link : links.open()) {
      if (link.weight != null && link.rttKnown(self)) {
        neighbourhood.measured(link.peer, rttMicros(link, link.weight));
      }
    }
    Set<NodeId> wanted = Set.copyOf(neighbourhood.purposes().keySet());
    // A trial before there is a tree could not be kept out of the search for the first one.
    int places = tree.tree() == null || !mayTry ? 0 : limits.linksWithinTree() - links.count();
    neighbourhood.review(
        links.known().ids(), tree.tree(), links.byPeer().keySet(), places, nowNanos);
    if (!wanted.equals(neighbourhood.purposes().keySet())) {
      links.wantsOthers();
    }
  }

  /**
   * At the owner: the forecast, but after a single measurement that itself: its forecast depends on
   * other links, whose forecasts must not depend on this one in turn. At the other end: the owner's
   * announcement, or the weight if that is less.
   */
  private long rttMicros(Link link, LinkWeight weight) {
    if (link.forecast != null) {
      Expectation expected = link.forecast.expectation();
      return expected.measurements() == 1 ? expected.measuredMicros() : expected.forecastMicros();
    }
    return Math.min(weight.cost(), neighbourhood.rttMicros(link.peer));
  }

  private boolean wants(Link link) {
    return links.wants(link.peer) || needs(link);
  }

  private boolean needs(Link link) {
    return widestTree.uses(link.peer) || tree.needs(link, neighbourhood.rttMicros(link.peer));
  }

  private void tellWanted(Link link) {
    boolean wants = wants(link);
    if (wants != link.toldWanted) {
      link.toldWanted = wants;
      link.control.send(new LinkWanted(wants));
    }
  }

  private void tellLinks(Link link) {
    if (link.weight != null && link.linksTold != neighbourhood.linkedVersion()) {
      boolean isFirst = link.linksTold == 0;
      link.linksTold = neighbourhood.linkedVersion();
      link.control.send(
          new LinkedMembers(isFirst ? neighbourhood.linkedNow() : neighbourhood.linkedNearby()));
    }
  }

  /**
   * News of members travel along the tree, so each member has them from one neighbour. The ends of
   * a new edge first find out whether they know the same members.
   */
  private void tellMembers(long nowNanos) {
    if (tree.phase() != TreePhase.COMMITTED) {
      return;
    }
    List<Member> news = links.known().takeNews();
    for (Link link : links.open()) {
      boolean isEdge = tree.isEdge(link.peer);
      if (isEdge && (!link.digestTold || !news.isEmpty())) {
        links.exchange().tell(link, news, nowNanos);
      }
      link.digestTold = isEdge;
      link.membersTold &= isEdge;
    }
  }

  private void compareMembers(Link link, long digest, long nowNanos) {
    boolean isEdge = tree.isEdge(link.peer);
    if (isEdge && !links.isMesh() && !link.membersTold && digest != links.known().digest()) {
      link.membersTold = true;
      links.exchange().tell(link, List.copyOf(links.known().all()), nowNanos);
    }
  }

  /**
   * Keeps places free for strangers and trials: links that neither end wants stay while there is
   * room.
   */
  private void makeRoom(long nowNanos) {
    while (!links.isMesh() && links.open().size() > limits.linksAtRest()) {
      Link spare = spare();
      if (spare == null) {
        return;
      }
      links.end(
          spare,
          spare.wantedThere ? RefusalCause.FULL : RefusalCause.NOT_NEEDED,
          self + " has more than " + limits.linksAtRest() + " links",
          nowNanos);
    }
  }

  /**
   * Returns the farthest of the links that neither end wants; else of those that only the other end
   * wants, then of those that the tree may need, for a link that has become heavy may need very
   * many. While the tree is changing, only links that it does not have and that neither end wants:
   * a search must be repeated if a link is there for one end and not for the other.
   */
  private @Nullable Link spare() {
    List<Link> spare = new ArrayList<>();
    for (Link link : links.open()) {
      boolean isSpare =
          tree.phase() == TreePhase.COMMITTED
              ? !tree.uses(link) && !widestTree.uses(link.peer)
              : tree.awaitsCommit(link) && !link.wantedThere && !wants(link);
      if (isSpare && link.rttKnown(self)) {
        spare.add(link);
      }
    }
    return spare.stream()
        .max(
            Comparator.comparing((Link link) -> !links.wants(link.peer))
                .thenComparing(link -> !needs(link))
                .thenComparing(link -> !link.wantedThere)
                .thenComparing(link -> neighbourhood.rttMicros(link.peer)))
        .orElse(null);
  }

  /** Returns the owner's round trip of a link; empty if it has nearer ones to report. */
  private OptionalLong ownMicros(LinkedMembers told) {
    return told.members().stream()
        .filter(member -> member.id().equals(self))
        .mapToLong(Nearby::rttMicros)
        .findFirst();
  }

  /**
   * Handles a message if it is about which links exist.
   *
   * @return whether it did
   */
  public boolean received(Link link, PeerMessage message, long nowNanos) {
    if (message instanceof LinkWanted told) {
      link.wantedThere = told.wanted();
    } else if (message instanceof Members told) {
      compareMembers(link, told.digest(), nowNanos);
    } else if (message instanceof LinkedMembers told) {
      neighbourhood.told(link.peer, told.members());
      if (!link.isOwnedBy(self) && link.weight != null) {
        link.rttTold = true;
        neighbourhood.measured(link.peer, ownMicros(told).orElse(link.weight.cost()));
      }
    } else {
      return false;
    }
    return true;
  }
}
