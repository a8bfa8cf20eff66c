package io.treecast.agent.core.link;

import io.treecast.agent.core.contract.Connection;
import io.treecast.agent.core.contract.Notice;
import io.treecast.agent.core.contract.Notice.Kind;
import io.treecast.agent.core.message.AnnouncedMember;
import io.treecast.agent.core.message.Member;
import io.treecast.agent.core.message.NetworkAddresses;
import io.treecast.agent.core.message.PeerMessage;
import io.treecast.agent.core.message.PeerMessage.Hello;
import io.treecast.agent.core.message.PeerMessage.Members;
import io.treecast.agent.core.settings.CoreConfig;
import io.treecast.agent.core.tree.Overlay;
import io.treecast.ghs.NodeId;
import java.util.List;
import java.util.SortedMap;

/**
 * Exchanges members with other agents, and acts on the exchange: new members are dialed; members
 * that have left, or were absent for too long, are forgotten. If neighbours are configured, members
 * are neither exchanged nor forgotten.
 *
 * <p>The ends of a new link send each other the members that they know; a member's new address is
 * sent to all neighbours. In a large cluster only the ends of a link to a {@linkplain
 * Neighbourhood#isNonMember stranger} do so, and {@link Overlay} announces changes along the tree.
 */
public final class MemberExchange {
  /**
   * The maximum number of members sent, in a large cluster, to a stranger or to a refused agent.
   */
  private static final int MAX_ANNOUNCED = 64;

  private final boolean configured;
  private final int fullMeshMembers;
  private final KnownMembers known;
  private final Neighbourhood neighbourhood;
  private final Dialer dialer;
  private final SortedMap<NodeId, Link> open;
  private final Links.Events events;

  /**
   * Creates an exchange.
   *
   * @param open a view of the open links, by peer
   */
  MemberExchange(
      CoreConfig config,
      KnownMembers known,
      Neighbourhood neighbourhood,
      Dialer dialer,
      SortedMap<NodeId, Link> open,
      Links.Events events) {
    this.configured = config.membership().isConfigured();
    this.fullMeshMembers = config.overlay().fullMeshMembers();
    this.known = known;
    this.neighbourhood = neighbourhood;
    this.dialer = dialer;
    this.open = open;
    this.events = events;
  }

  /**
   * Returns whether all possible links are wanted, because there are few members or links are
   * configured.
   */
  boolean isMesh() {
    return configured || known.clusterSize() <= fullMeshMembers;
  }

  /** Forgets members that were absent for too long. */
  void tick(long nowNanos) {
    if (configured) {
      return;
    }
    for (Member member : known.expired(nowNanos)) {
      events.noticed(Notice.info(Kind.MEMBER_FORGOTTEN, known.forgottenText(member, nowNanos)));
      forget(member.id());
    }
  }

  long nextDeadlineNanos() {
    return configured ? Long.MAX_VALUE : known.nextDeadlineNanos();
  }

  /** Handles a member's Hello. */
  void introduced(Hello peer, long nowNanos) {
    if (configured) {
      known.setSite(peer.node(), peer.site());
      return;
    }
    Member member = new Member(peer.node(), peer.address());
    int sizeBefore = known.clusterSize();
    if (known.introduced(member, peer.incarnation(), peer.site(), nowNanos)) {
      learned(member, sizeBefore, nowNanos);
    }
  }

  /**
   * Announces a member that has sent its Hello, but has no link with this agent. The member may not
   * learn of the others elsewhere, so they are informed once, and dial it. In a large cluster
   * changes are announced along the tree instead.
   */
  void introduce(NodeId peer, long nowNanos) {
    Member member = configured || !isMesh() ? null : known.firstIntroduction(peer);
    if (member != null) {
      open.values().forEach(link -> announce(link, List.of(member), nowNanos));
    }
  }

  /** Sends members over a link that has opened, since the other end may know few. */
  void linked(Link link, long nowNanos) {
    if (configured) {
      return;
    }
    if (isMesh()) {
      announce(link, List.copyOf(known.all()), nowNanos);
    } else if (neighbourhood.isNonMember(link.peer)) {
      announce(link, known.some(link.peer, MAX_ANNOUNCED), nowNanos);
    }
  }

  /** Sends goodbyes over a link whose next session has begun. */
  void resumed(Link link, long nowNanos) {
    if (!configured && known.hasGoodbyes()) {
      announce(link, List.of(), nowNanos);
    }
  }

  /** Sends some members to an agent that is refused for lack of room, so that it can dial them. */
  void announceOthers(Connection<PeerMessage> connection, Hello peer, long nowNanos) {
    introduced(peer, nowNanos);
    List<Member> others = known.announceable(known.some(peer.node(), MAX_ANNOUNCED));
    connection.send(known.announce(others, nowNanos));
  }

  /** Sends the other end of a link those members that may be announced. */
  public void announce(Link link, List<Member> announced, long nowNanos) {
    link.control.send(known.announce(known.announceable(announced), nowNanos));
  }

  /** Handles the members that the other end of a link sends. */
  void received(Members announced, long nowNanos) {
    if (!configured) {
      known.learnGoodbyes(announced.goodbyes(), nowNanos).forEach(this::forget);
      learn(announced.members(), nowNanos);
    }
  }

  /** Notes that a member has answered at a dialed address. */
  void answered(NodeId id, String address) {
    known.answered(new Member(id, address));
  }

  /** Notes members that another agent announces. */
  void learn(List<AnnouncedMember> announced, long nowNanos) {
    for (AnnouncedMember one : announced) {
      if (!NetworkAddresses.areDialable(one.member().address())) {
        continue; // Such a member cannot be reached, and must not be announced.
      }
      int sizeBefore = known.clusterSize();
      boolean isLater = known.isLaterIncarnation(one);
      if (known.learn(one, nowNanos)) {
        learned(one.member(), sizeBefore, nowNanos);
      }
      if (isLater && open.containsKey(one.member().id())) {
        // The member has restarted and not dialed yet, or this is a second agent with its id.
        dialer.lookUp(one.member(), nowNanos);
      }
    }
  }

  private void learned(Member member, int sizeBefore, long nowNanos) {
    if (known.clusterSize() > sizeBefore) {
      events.memberDiscovered(nowNanos);
      dialer.addMember(member, nowNanos);
      return;
    }
    dialer.moved(member, nowNanos);
    if (isMesh()) {
      open.values().forEach(link -> announce(link, List.of(member), nowNanos));
    }
  }

  /** Notes the loss of a link. A member that has left is forgotten. */
  void lost(Link link) {
    if (!configured && known.hasLeft(link.peer, link.incarnation)) {
      forget(link.peer);
    }
  }

  private void forget(NodeId id) {
    known.forget(id);
    neighbourhood.forget(id);
    dialer.forget(id);
  }
}
