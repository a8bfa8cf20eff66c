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
 * Maintains the links of an agent in a large cluster. {@link Neighbourhood} decides which links the
 * agent wants; this class informs the other ends. If there are too many links, it ends the farthest
 * of those that neither end wants and the tree does not need. In a small cluster all links exist,
 * and this class is idle.
 */
public final class Overlay {
  /** The review interval while wanted links are missing, or there are members to announce. */
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
    return links.known().hasChanges()
        ? Math.min(nextReviewNanos, lastReviewNanos + REVIEW_NANOS)
        : nextReviewNanos;
  }

  /**
   * Reviews the links if a review is due.
   *
   * @param mayTry whether trial links may be opened
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
      announceWanted(link);
      announceLinks(link);
    }
    announceMembers(nowNanos);
    makeRoom(nowNanos);
  }

  private void review(boolean mayTry, long nowNanos) {
    for (Link link : links.open()) {
      if (link.weight != null && link.rttKnown(self)) {
        neighbourhood.measured(link.peer, rttMicros(link, link.weight));
      }
    }
    Set<NodeId> wanted = Set.copyOf(neighbourhood.purposes().keySet());
    // Before the first tree, a trial link could not be withheld from the search.
    int places = tree.tree() == null || !mayTry ? 0 : limits.linksWithinTree() - links.count();
    neighbourhood.review(
        links.known().ids(), tree.tree(), links.byPeer().keySet(), places, nowNanos);
    if (!wanted.equals(neighbourhood.purposes().keySet())) {
      links.wantedMembersChanged();
    }
  }

  /**
   * Returns the round trip of a link. The owner takes its forecast, except after a single
   * measurement: then it takes the measured value, since that forecast depends on other links,
   * whose forecasts must not depend on this one in turn. The other end takes the owner's
   * announcement, or the weight if that is less.
   */
  private long rttMicros(Link link, LinkWeight weight) {
    if (link.forecast != null) {
      Expectation expected = link.forecast.expectation();
      return expected.measurements() == 1 ? expected.measuredMicros() : expected.forecastMicros();
    }
    return Math.min(weight.cost(), neighbourhood.rttMicros(link.peer));
  }

  private boolean isNeeded(Link link) {
    return links.isWanted(link.peer) || needs(link);
  }

  private boolean needs(Link link) {
    return widestTree.uses(link.peer) || tree.needs(link, neighbourhood.rttMicros(link.peer));
  }

  private void announceWanted(Link link) {
    boolean isNeeded = isNeeded(link);
    if (isNeeded != link.announcedWanted) {
      link.announcedWanted = isNeeded;
      link.control.send(new LinkWanted(isNeeded));
    }
  }

  private void announceLinks(Link link) {
    if (link.weight != null && link.announcedLinksVersion != neighbourhood.linkedVersion()) {
      boolean isFirst = link.announcedLinksVersion == 0;
      link.announcedLinksVersion = neighbourhood.linkedVersion();
      link.control.send(
          new LinkedMembers(isFirst ? neighbourhood.linkedNow() : neighbourhood.linkedNearby()));
    }
  }

  /**
   * Announces changes of members along the tree, so that each member receives them from one
   * neighbour. The ends of a new edge first compare digests of the members that they know.
   */
  private void announceMembers(long nowNanos) {
    if (tree.phase() != TreePhase.COMMITTED) {
      return;
    }
    List<Member> news = links.known().takeChanges();
    for (Link link : links.open()) {
      boolean isEdge = tree.isEdge(link.peer);
      if (isEdge && (!link.digestAnnounced || !news.isEmpty())) {
        links.exchange().announce(link, news, nowNanos);
      }
      link.digestAnnounced = isEdge;
      link.membersAnnounced &= isEdge;
    }
  }

  private void compareMembers(Link link, long digest, long nowNanos) {
    boolean isEdge = tree.isEdge(link.peer);
    if (isEdge && !links.isMesh() && !link.membersAnnounced && digest != links.known().digest()) {
      link.membersAnnounced = true;
      links.exchange().announce(link, List.copyOf(links.known().all()), nowNanos);
    }
  }

  /**
   * Ends links until there is room for trials and for members outside of the tree. Unwanted links
   * stay while there is room.
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
   * Returns the link to end; null if none may be ended. While the tree is stable, links that
   * neither end wants come first, then those that only the other end wants, then those that the
   * tree may need: a tree edge that has become heavy makes very many links needed. Among equal
   * links the farthest comes first.
   *
   * <p>While the tree is changing, only links that are withheld from the automaton and that neither
   * end wants may be ended. If a link existed at one end only, a search would have to be repeated.
   */
  private @Nullable Link spare() {
    List<Link> spare = new ArrayList<>();
    for (Link link : links.open()) {
      boolean isSpare =
          tree.phase() == TreePhase.COMMITTED
              ? !tree.uses(link) && !widestTree.uses(link.peer)
              : tree.awaitsCommit(link) && !link.wantedThere && !isNeeded(link);
      if (isSpare && link.rttKnown(self)) {
        spare.add(link);
      }
    }
    return spare.stream()
        .max(
            Comparator.comparing((Link link) -> !links.isWanted(link.peer))
                .thenComparing(link -> !needs(link))
                .thenComparing(link -> !link.wantedThere)
                .thenComparing(link -> neighbourhood.rttMicros(link.peer)))
        .orElse(null);
  }

  /**
   * Returns the round trip to this agent in its neighbour's announcement; empty if the announcement
   * only has nearer members.
   */
  private OptionalLong ownMicros(LinkedMembers reported) {
    return reported.members().stream()
        .filter(member -> member.id().equals(self))
        .mapToLong(Nearby::rttMicros)
        .findFirst();
  }

  /**
   * Handles a message if it is about the choice of links.
   *
   * @return whether the message was handled
   */
  public boolean received(Link link, PeerMessage message, long nowNanos) {
    if (message instanceof LinkWanted reported) {
      link.wantedThere = reported.wanted();
    } else if (message instanceof Members reported) {
      compareMembers(link, reported.digest(), nowNanos);
    } else if (message instanceof LinkedMembers reported) {
      neighbourhood.reported(link.peer, reported.members());
      if (!link.isOwnedBy(self) && link.weight != null) {
        link.rttReported = true;
        neighbourhood.measured(link.peer, ownMicros(reported).orElse(link.weight.cost()));
      }
    } else {
      return false;
    }
    return true;
  }
}
