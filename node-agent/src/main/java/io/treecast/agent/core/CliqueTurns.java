package io.treecast.agent.core;

import io.treecast.agent.core.PeerMessage.PassToken;
import io.treecast.ghs.LinkWeight;
import io.treecast.ghs.NodeId;
import io.treecast.monitor.CliqueToken;
import io.treecast.monitor.CliqueToken.Token;
import java.util.TreeSet;

/**
 * When it is this agent's turn to probe with bulk: while it holds the token of its clique, which is
 * the agents of its site, as links show it. The token goes over control streams.
 *
 * <p>Owned by the agent's thread.
 */
final class CliqueTurns {
  private final long siteMicros;
  private final Links links;
  private final CliqueToken<NodeId> token;

  CliqueTurns(NodeId self, long siteMicros, Links links) {
    this.siteMicros = siteMicros;
    this.links = links;
    this.token = new CliqueToken<>(self);
  }

  /** Finds out who is of this site now. */
  void look(long nowNanos) {
    TreeSet<NodeId> near = new TreeSet<>();
    for (Link link : links.open()) {
      LinkWeight weight = link.weight;
      if (weight != null && weight.rttMicros() <= siteMicros) {
        near.add(link.peer);
      }
    }
    token.members(near, nowNanos);
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
