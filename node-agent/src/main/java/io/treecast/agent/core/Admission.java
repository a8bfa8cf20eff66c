package io.treecast.agent.core;

import io.treecast.agent.core.PeerMessage.Hello;
import io.treecast.agent.core.PeerMessage.RefusalCause;
import io.treecast.ghs.NodeId;
import java.util.SortedMap;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Decides whom this agent may link with: not with somebody of its own name or of a linked agent's
 * name, and not with more members, or others, than it expects.
 *
 * <p>Owned by the agent's thread.
 */
final class Admission {
  /**
   * Why there is to be no link.
   *
   * @param cause for the other agent
   * @param reason for a person
   */
  record Refusal(RefusalCause cause, String reason) {}

  private final Hello self;
  private final Membership membership;

  Admission(Hello self, Membership membership) {
    this.self = self;
    this.membership = membership;
  }

  /**
   * Whether this agent may link with that one now.
   *
   * @param open the open links, by peer
   * @return null if it may
   */
  @Nullable Refusal of(Hello peer, SortedMap<NodeId, Link> open) {
    if (peer.node().equals(self.node())) {
      return duplicate(peer, self.address());
    }
    Link current = open.get(peer.node());
    // An agent that comes back under its old address has been restarted.
    if (current != null
        && current.incarnation != peer.incarnation()
        && !current.address.equals(peer.address())) {
      return duplicate(peer, current.address);
    }
    if (membership.isConfigured()) {
      return isConfiguredNeighbour(peer.node())
          ? null
          : unexpected(
              self.node()
                  + " has configured neighbours and "
                  + peer.node()
                  + " is not one of them");
    }
    if (peer.expectedMembers() != membership.expectedMembers()) {
      return unexpected(
          self.node()
              + " expects "
              + membership.expectedMembers()
              + " members and "
              + peer.node()
              + " expects "
              + peer.expectedMembers()
              + "; start all agents with the same --expect");
    }
    if (current == null && open.size() >= membership.expectedLinks()) {
      return unexpected(
          "the cluster is complete: "
              + self.node()
              + " expects "
              + membership.expectedMembers()
              + " members and has "
              + names(open)
              + "; "
              + peer.node()
              + " is unknown. Restart all agents with a larger --expect to admit it");
    }
    return null;
  }

  private boolean isConfiguredNeighbour(NodeId node) {
    return membership.neighbours().stream().anyMatch(member -> member.id().equals(node));
  }

  private String names(SortedMap<NodeId, Link> open) {
    return Stream.concat(Stream.of(self.node()), open.keySet().stream())
        .map(NodeId::toString)
        .collect(Collectors.joining(", "));
  }

  private static Refusal duplicate(Hello peer, String holder) {
    return new Refusal(
        RefusalCause.DUPLICATE_ID,
        "node id "
            + peer.node()
            + " is taken by the agent at "
            + holder
            + "; start the agent at "
            + peer.address()
            + " with another --id");
  }

  private static Refusal unexpected(String reason) {
    return new Refusal(RefusalCause.UNEXPECTED_MEMBER, reason);
  }
}
