package io.treecast.agent.core.link;

import io.treecast.agent.core.message.Membership;
import io.treecast.agent.core.message.NetworkAddresses;
import io.treecast.agent.core.message.PeerMessage;
import io.treecast.agent.core.message.PeerMessage.Hello;
import io.treecast.agent.core.message.PeerMessage.OtherHello;
import io.treecast.agent.core.message.PeerMessage.RefusalCause;
import io.treecast.ghs.NodeId;
import java.util.SortedMap;
import org.jspecify.annotations.Nullable;

/**
 * Decides which agents this agent may link with. It refuses agents with another protocol version,
 * cluster or chunk size, agents with its own id or that of a linked agent, and, if neighbours are
 * configured, all others. At its limit of links it refuses all agents; slightly below the limit it
 * refuses members of its own tree.
 *
 * <p>An agent with the id of a linked agent is admitted once the linked one no longer answers,
 * regardless of the addresses of the two. Until then, a restarted agent cannot be distinguished
 * from a second live one.
 */
final class Admission {
  /**
   * The refusal of a link.
   *
   * @param cause the cause, for the other agent
   * @param reason the reason, for people
   * @param holderIncarnation the incarnation of the live agent that has the other's id; 0 for other
   *     causes
   */
  record Refusal(RefusalCause cause, String reason, long holderIncarnation) {
    Refusal(RefusalCause cause, String reason) {
      this(cause, reason, 0);
    }
  }

  private final Hello self;
  private final Membership membership;
  private final Links links;

  Admission(Hello self, Membership membership, Links links) {
    this.self = self;
    this.membership = membership;
    this.links = links;
  }

  /**
   * Returns why this agent may not link with another one now.
   *
   * @param open the open links, by peer
   * @return the refusal; null if the two may link
   */
  @Nullable Refusal of(Hello peer, SortedMap<NodeId, Link> open, long nowNanos) {
    // The first check, since ids of another cluster are unrelated to those of this one.
    if (!peer.cluster().equals(self.cluster())) {
      return new Refusal(RefusalCause.OTHER_CLUSTER, otherCluster(peer));
    }
    if (!NetworkAddresses.areDialable(peer.address())) {
      return new Refusal(
          RefusalCause.OTHER_SETTINGS,
          peer.node()
              + " announces the address '"
              + peer.address()
              + "', which cannot be dialed: correct listen or advertise there; a host is an IP"
              + " address, or a name of letters, digits, hyphens and dots");
    }
    boolean isOther = !peer.node().equals(self.node());
    if (isOther && peer.address().equals(self.address())) {
      return new Refusal(RefusalCause.OTHER_SETTINGS, sameAddress(peer));
    }
    boolean bothSayChunks = self.chunkBytes() != 0 && peer.chunkBytes() != 0;
    if (bothSayChunks && self.chunkBytes() != peer.chunkBytes()) {
      return new Refusal(RefusalCause.OTHER_SETTINGS, otherChunks(peer));
    }
    if (peer.node().equals(self.node())) {
      return new Refusal(
          RefusalCause.DUPLICATE_ID,
          taken(peer.node(), self.address(), peer.address()),
          self.incarnation());
    }
    Link current = open.get(peer.node());
    if (current != null && current.incarnation != peer.incarnation() && !current.suspended) {
      LivenessCheck livenessCheck = current.livenessCheck;
      boolean isThere =
          livenessCheck != null && livenessCheck.isAnswered(peer.incarnation(), nowNanos);
      return isThere ? duplicate(peer, current) : underLivenessCheck(peer, current.address);
    }
    if (links.dataPauses().isPaused(peer.node(), peer.incarnation(), nowNanos)) {
      return new Refusal(
          RefusalCause.NO_DATA,
          "the link between %s and %s carried no data, and is paused for a while"
              .formatted(self.node(), peer.node()));
    }
    if (membership.isConfigured()) {
      return isConfiguredNeighbour(peer.node())
          ? null
          : unexpected(
              "%s has configured neighbours and %s is not one of them"
                  .formatted(self.node(), peer.node()));
    }
    if (current == null && !links.hasRoomFor(peer.node())) {
      return new Refusal(
          RefusalCause.FULL,
          self.node() + " has links to " + open.size() + " members, its maximum");
    }
    return null;
  }

  private boolean isConfiguredNeighbour(NodeId node) {
    return membership.configuredNeighbours().stream().anyMatch(member -> member.id().equals(node));
  }

  /** Returns the refusal of an agent with another version of the protocol. */
  Refusal otherVersion(OtherHello peer) {
    return new Refusal(
        RefusalCause.OTHER_VERSION,
        ("%s at %s speaks version %s of the protocol between agents, and %s at %s version "
                + "%s; run the same release of Treecast at both")
            .formatted(
                self.node(),
                self.address(),
                PeerMessage.PROTOCOL_VERSION,
                peer.node(),
                peer.address(),
                peer.version()));
  }

  private String otherCluster(Hello peer) {
    return ("%s at %s belongs to %s, and %s at %s to %s; start all agents of a cluster with the "
            + "same --cluster, and with seeds of that cluster only")
        .formatted(
            self.node(), self.address(), cluster(self), peer.node(), peer.address(), cluster(peer));
  }

  private String otherChunks(Hello peer) {
    return ("%s at %s has limits.chunkBytes = %s, and %s at %s %s; all agents of a cluster need "
            + "the same value: correct it where it differs, and restart that agent")
        .formatted(
            self.node(),
            self.address(),
            self.chunkBytes(),
            peer.node(),
            peer.address(),
            peer.chunkBytes());
  }

  private String sameAddress(Hello peer) {
    return ("%s and %s both announce the address %s, which can belong to one of them only: set "
            + "advertise or listen differently at each; the name of a service or load "
            + "balancer is for seeds")
        .formatted(self.node(), peer.node(), self.address());
  }

  private static String cluster(Hello agent) {
    return agent.cluster().isEmpty() ? "no named cluster" : "cluster " + agent.cluster();
  }

  private static Refusal duplicate(Hello peer, Link holder) {
    // The remote address of the connection distinguishes two agents that announce one address.
    String held = holder.address + ", which is connected as " + holder.control.remoteAddress();
    return new Refusal(
        RefusalCause.DUPLICATE_ID, taken(peer.node(), held, peer.address()), holder.incarnation);
  }

  /** Returns the text that one of two live agents with the same id needs another id. */
  static String taken(NodeId id, String holder, String other) {
    return ("node id %s is taken by the agent at %s; stop the agent at %s, or start it with "
            + "another --id")
        .formatted(id, holder, other);
  }

  private Refusal underLivenessCheck(Hello peer, String holder) {
    return new Refusal(
        RefusalCause.LIVENESS_CHECK,
        "node id "
            + peer.node()
            + " belongs to the agent at "
            + holder
            + ", and "
            + self.node()
            + " is checking whether that agent is alive; the agent at "
            + peer.address()
            + " retries until it has answered, or has been silent for too long");
  }

  private static Refusal unexpected(String reason) {
    return new Refusal(RefusalCause.UNEXPECTED_MEMBER, reason);
  }
}
