package io.treecast.agent.core.bulk;

import io.treecast.agent.core.link.Link;
import io.treecast.agent.core.link.Links;
import io.treecast.agent.core.message.PeerMessage.PassToken;
import io.treecast.ghs.LinkWeight;
import io.treecast.ghs.NodeId;
import io.treecast.monitor.throughput.CliqueToken;
import io.treecast.monitor.throughput.CliqueToken.Token;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * The turns of this agent at bulk probes. An agent may probe while it holds the token of its
 * clique, which consists of the probing agents of its site. If both ends of a link have configured
 * sites, these decide whether they share a site; otherwise the link's weight does. The token
 * travels over control streams.
 */
final class CliqueTurns {
  private final @Nullable String site;
  private final long siteMicros;
  private final Links links;
  private final CliqueToken<NodeId> token;

  /**
   * Creates an instance without the token.
   *
   * @param site the name of this agent's site; null if none is configured
   * @param siteMicros the weight up to which a link is within a site, unless both ends have
   *     configured sites
   */
  CliqueTurns(NodeId self, @Nullable String site, long siteMicros, Links links) {
    this.site = site;
    this.siteMicros = siteMicros;
    this.links = links;
    this.token = new CliqueToken<>(self);
  }

  /** Updates the members of the clique. */
  void look(long nowNanos) {
    TreeSet<NodeId> near = new TreeSet<>();
    for (Link link : links.open()) {
      if (link.peerMeasuresThroughput && isWithinSite(link)) {
        near.add(link.peer);
      }
    }
    token.members(near, nowNanos);
  }

  /** Returns whether the other end is in this agent's site; false before the link is measured. */
  boolean isWithinSite(Link link) {
    LinkWeight weight = link.weight;
    if (weight == null) {
      return false;
    }
    if (site != null && link.site != null) {
      return site.equals(link.site);
    }
    return weight.cost() <= siteMicros;
  }

  boolean isTurn(long nowNanos) {
    return token.isHeld(nowNanos);
  }

  void used(long nowNanos) {
    token.used(nowNanos);
  }

  void received(PassToken passed, long nowNanos) {
    token.received(new Token<>(passed.generation(), passed.founder()), nowNanos);
  }

  long nextDeadlineNanos(boolean inUse) {
    return token.nextDeadlineNanos(inUse);
  }

  void tick(boolean inUse, long nowNanos) {
    NodeId next = token.tick(inUse, nowNanos);
    Link link = next == null ? null : links.open(next);
    if (link != null) {
      Token<NodeId> passed = token.token();
      link.control.send(new PassToken(passed.generation(), passed.founder()));
    }
  }
}
