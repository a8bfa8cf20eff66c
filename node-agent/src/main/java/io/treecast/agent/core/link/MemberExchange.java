package io.treecast.agent.core.link;

import io.treecast.agent.core.contract.Connection;
import io.treecast.agent.core.contract.Notice;
import io.treecast.agent.core.contract.Notice.Kind;
import io.treecast.agent.core.message.HostAddress;
import io.treecast.agent.core.message.Member;
import io.treecast.agent.core.message.PeerMessage;
import io.treecast.agent.core.message.PeerMessage.Hello;
import io.treecast.agent.core.message.PeerMessage.Members;
import io.treecast.agent.core.message.ToldMember;
import io.treecast.agent.core.settings.CoreConfig;
import io.treecast.agent.core.tree.Overlay;
import io.treecast.ghs.NodeId;
import java.util.List;
import java.util.SortedMap;

/**
 * What agents tell each other of the members, and what follows from it here: who becomes known is
 * dialed, who has left or was not heard of for too long is forgotten everywhere. Where neighbours
 * are configured nothing is told, and nobody is forgotten.
 *
 * <p>The ends of a new link tell each other whom they know; where a member has moved to, all
 * neighbours are told. In a large cluster only the link to a {@linkplain Neighbourhood#isStranger
 * stranger} begins like that, and news go along the tree, which is the matter of {@link Overlay}.
 */
public final class MemberExchange {
  /** In a large cluster, members that are told to one that may know few, or that is refused. */
  private static final int MAX_TOLD = 64;

  private final boolean configured;
  private final int fullMeshMembers;
  private final KnownMembers known;
  private final Neighbourhood neighbourhood;
  private final Dialer dialer;
  private final SortedMap<NodeId, Link> open;
  private final Links.Events events;

  /**
   * Nothing has been told.
   *
   * @param open the links that are open at any time, by peer
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

  /** Whether all links are to exist that can: there are few members, or links are configured. */
  boolean isMesh() {
    return configured || known.clusterSize() <= fullMeshMembers;
  }

  /** Forgets whom nobody has heard of for too long. */
  void tick(long nowNanos) {
    if (configured) {
      return;
    }
    for (Member member : known.unheard(nowNanos)) {
      events.noticed(Notice.info(Kind.MEMBER_FORGOTTEN, known.forgottenText(member, nowNanos)));
      forget(member.id());
    }
  }

  long nextDeadlineNanos() {
    return configured ? Long.MAX_VALUE : known.nextDeadlineNanos();
  }

  /** A member says itself who it is. */
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
   * A member has said who it is, and the link with it has come to nothing. It may have nobody else
   * to learn of the others from, so these are told of it, once, and dial it. In a large cluster the
   * tree carries that.
   */
  void introduce(NodeId peer, long nowNanos) {
    Member member = configured || !isMesh() ? null : known.passOn(peer);
    if (member != null) {
      open.values().forEach(link -> tell(link, List.of(member), nowNanos));
    }
  }

  /** A link has opened: its other end may know few. */
  void linked(Link link, long nowNanos) {
    if (configured) {
      return;
    }
    if (isMesh()) {
      tell(link, List.copyOf(known.all()), nowNanos);
    } else if (neighbourhood.isStranger(link.peer)) {
      tell(link, known.some(link.peer, MAX_TOLD), nowNanos);
    }
  }

  /** A link goes on with its next session; members may have left meanwhile. */
  void resumed(Link link, long nowNanos) {
    if (!configured && known.knowsGoodbyes()) {
      tell(link, List.of(), nowNanos);
    }
  }

  /** Whom to ask instead of this agent, for one that it has no room for. */
  void tellOthers(Connection<PeerMessage> connection, Hello peer, long nowNanos) {
    introduced(peer, nowNanos);
    List<Member> others = known.tellable(known.some(peer.node(), MAX_TOLD));
    connection.send(known.tell(others, nowNanos));
  }

  /** Tells the other end of a link of those of these members that it may be told of. */
  public void tell(Link link, List<Member> told, long nowNanos) {
    link.control.send(known.tell(known.tellable(told), nowNanos));
  }

  /** The other end of a link tells of members. */
  void received(Members told, long nowNanos) {
    if (!configured) {
      known.toldLeft(told.goodbyes(), nowNanos).forEach(this::forget);
      learn(told.members(), nowNanos);
    }
  }

  /** A member has answered at an address that was dialed. */
  void answered(NodeId id, String address) {
    known.answered(new Member(id, address));
  }

  /** Members that somebody has told of. */
  void learn(List<ToldMember> told, long nowNanos) {
    for (ToldMember one : told) {
      if (!HostAddress.isDialable(one.member().address())) {
        continue; // Nobody could reach it, and others are not to be told of it.
      }
      int sizeBefore = known.clusterSize();
      boolean isLater = known.knowsEarlier(one);
      if (known.learn(one, nowNanos)) {
        learned(one.member(), sizeBefore, nowNanos);
      }
      if (isLater && open.containsKey(one.member().id())) {
        // It was restarted and has not come here yet, or it is a second one of this name.
        dialer.lookUp(one.member(), nowNanos);
      }
    }
  }

  private void learned(Member member, int sizeBefore, long nowNanos) {
    if (known.clusterSize() > sizeBefore) {
      events.met(nowNanos);
      dialer.addMember(member, nowNanos);
      return;
    }
    dialer.moved(member, nowNanos);
    if (isMesh()) {
      open.values().forEach(link -> tell(link, List.of(member), nowNanos));
    }
  }

  /** A link is lost: whoever has said goodbye is forgotten. */
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
