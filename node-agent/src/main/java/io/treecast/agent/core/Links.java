package io.treecast.agent.core;

import io.treecast.agent.core.Notice.Kind;
import io.treecast.agent.core.Notice.Severity;
import io.treecast.agent.core.PeerMessage.Hello;
import io.treecast.agent.core.PeerMessage.Leave;
import io.treecast.agent.core.PeerMessage.Members;
import io.treecast.agent.core.PeerMessage.OpenLink;
import io.treecast.agent.core.PeerMessage.RefusalCause;
import io.treecast.agent.core.PeerMessage.RefuseLink;
import io.treecast.ghs.NodeId;
import java.util.ArrayList;
import java.util.Collection;
import java.util.IdentityHashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * The links of one agent: finds the other members, and makes of any number of connections one link
 * to each.
 *
 * <p>Either end may dial. Both send a Hello; then one end alone decides, so that two connections
 * that cross never both become the link: the link's owner, the end with the lower id, opens the
 * link and numbers its session, or refuses because there is one. An owner that lost a link that the
 * other end still holds opens the next session on a new connection; the other end then drops the
 * old one.
 *
 * <p>Owned by the agent's thread.
 */
final class Links {
  /** What happens to links. */
  interface Events {
    void opened(Link link, long nowNanos);

    void received(Link link, PeerMessage message, long nowNanos);

    void lost(Link link, String reason, long nowNanos);

    void noticed(Notice notice);
  }

  private static final class Handshake {
    final Connection<PeerMessage> connection;
    final Dialer.@Nullable Target target;
    final long deadlineNanos;
    @Nullable Hello hello;

    Handshake(
        Connection<PeerMessage> connection, Dialer.@Nullable Target target, long deadlineNanos) {
      this.connection = connection;
      this.target = target;
      this.deadlineNanos = deadlineNanos;
    }
  }

  /** The last session of the link to a node, and the incarnation of that node that it was with. */
  private record Session(long incarnation, long number) {}

  private final Hello self;
  private final Membership membership;
  private final LinkLimits limits;
  private final Transport transport;
  private final Events events;
  private final Dialer dialer;
  private final Admission admission;
  private final TreeMap<NodeId, Link> open = new TreeMap<>();
  private final TreeMap<NodeId, Member> members = new TreeMap<>();
  private final Map<NodeId, Session> lastSessions = new TreeMap<>();
  private final IdentityHashMap<Connection<PeerMessage>, Link> linkOf = new IdentityHashMap<>();
  private final Map<Connection<PeerMessage>, Handshake> handshakes = new LinkedHashMap<>();
  private boolean seedsReportedSilent;
  private boolean left;
  private String lastRefusal = "";

  Links(Hello self, Membership membership, LinkLimits limits, Transport transport, Events events) {
    this.self = self;
    this.membership = membership;
    this.limits = limits;
    this.transport = transport;
    this.events = events;
    this.dialer = new Dialer(self.node(), limits);
    this.admission = new Admission(self, membership);
  }

  void start(long nowNanos) {
    for (String seed : membership.seeds()) {
      if (!seed.equals(self.address())) {
        dialer.addSeed(seed, nowNanos);
      }
    }
    for (Member neighbour : membership.neighbours()) {
      members.put(neighbour.id(), neighbour);
      dialer.addNeighbour(neighbour, nowNanos);
    }
    tick(nowNanos);
  }

  /** Open links, by peer. */
  Collection<Link> open() {
    return open.values();
  }

  @Nullable Link open(NodeId peer) {
    return open.get(peer);
  }

  /** All members known, this one excluded, by id. */
  Collection<Member> members() {
    return members.values();
  }

  /**
   * Why another agent refused to link with this one; empty if none did since the last link opened.
   */
  String lastRefusal() {
    return lastRefusal;
  }

  /** Seeds that nobody has answered at. */
  List<String> silentSeeds() {
    return dialer.targets().stream().filter(t -> t.seed && t.silent()).map(t -> t.address).toList();
  }

  void tick(long nowNanos) {
    if (left) {
      return;
    }
    for (Handshake handshake : List.copyOf(handshakes.values())) {
      if (handshake.deadlineNanos <= nowNanos) {
        handshake.connection.close();
        closed(handshake.connection, "no answer to the handshake in time", nowNanos);
      }
    }
    for (Dialer.Target target : dialer.due(nowNanos, this::needsNoDialing)) {
      Connection<PeerMessage> connection = transport.dialControl(target.address);
      begin(connection, target, nowNanos);
      connection.send(self);
    }
  }

  long nextDeadlineNanos() {
    if (left) {
      return Long.MAX_VALUE;
    }
    long next = dialer.nextDeadlineNanos(this::needsNoDialing);
    // All handshakes have the same timeout, so the first is due first.
    for (Handshake handshake : handshakes.values()) {
      return Math.min(next, handshake.deadlineNanos);
    }
    return next;
  }

  private boolean needsNoDialing(NodeId id) {
    return id.equals(self.node()) || open.containsKey(id);
  }

  /** Another agent has connected. */
  void accepted(Connection<PeerMessage> connection, long nowNanos) {
    if (left) {
      connection.close();
      return;
    }
    if (handshakes.size() >= limits.handshakes()) {
      refuse(
          connection,
          RefusalCause.PROTOCOL_VIOLATION,
          "too many handshakes at once; try again later");
      return;
    }
    begin(connection, null, nowNanos);
  }

  private void begin(
      Connection<PeerMessage> connection, Dialer.@Nullable Target target, long nowNanos) {
    handshakes.put(
        connection, new Handshake(connection, target, nowNanos + limits.handshakeTimeoutNanos()));
  }

  void received(Connection<PeerMessage> connection, PeerMessage message, long nowNanos) {
    Link link = linkOf.get(connection);
    if (link != null) {
      if (message instanceof Members m && !membership.isConfigured()) {
        m.members().forEach(member -> learn(member, nowNanos));
      } else if (message instanceof Leave) {
        left(link, nowNanos);
      } else if (message instanceof RefuseLink refusal) {
        link.control.close();
        lose(link, link.peer + " ended the link: " + refusal.reason(), nowNanos);
      } else {
        events.received(link, message, nowNanos);
      }
      return;
    }
    Handshake handshake = handshakes.get(connection);
    if (handshake == null) {
      return;
    }
    Hello hello = handshake.hello;
    if (handshake.target != null) {
      dialer.answered(handshake.target);
    }
    if (message instanceof Hello peer && hello == null) {
      greeted(handshake, peer, nowNanos);
    } else if (message instanceof OpenLink openLink
        && hello != null
        && self.node().compareTo(hello.node()) > 0) {
      ownerOpened(handshake, hello, openLink.session(), nowNanos);
    } else if (message instanceof RefuseLink refusal) {
      refused(handshake, refusal, nowNanos);
    } else {
      end(
          handshake,
          RefusalCause.PROTOCOL_VIOLATION,
          message.getClass().getSimpleName() + " is not what the handshake expects",
          nowNanos);
    }
  }

  private void greeted(Handshake handshake, Hello peer, long nowNanos) {
    handshake.hello = peer;
    if (handshake.target != null) {
      dialer.identified(handshake.target, peer.node());
    }
    if (peer.node().equals(self.node()) && peer.incarnation() == self.incarnation()) {
      // One of the seeds is this very agent. The end that dialed is to know it too.
      handshake.connection.send(self);
      discard(handshake, nowNanos);
      return;
    }
    handshake.connection.identified(peer.node());
    Admission.Refusal refusal = admission.of(peer, open);
    if (refusal != null) {
      end(handshake, refusal.cause(), refusal.reason(), nowNanos);
      return;
    }
    if (handshake.target == null) {
      handshake.connection.send(self);
    }
    if (self.node().compareTo(peer.node()) < 0) {
      Link current = open.get(peer.node());
      if (current != null && current.incarnation == peer.incarnation()) {
        end(
            handshake,
            RefusalCause.ALREADY_LINKED,
            "there is a link between these agents already",
            nowNanos);
        return;
      }
      Session last = lastSessions.get(peer.node());
      long session = last == null ? 1 : last.number + 1;
      handshake.connection.send(new OpenLink(session));
      open(handshake, peer, session, nowNanos);
    }
  }

  /** The link's owner has made this connection the link. */
  private void ownerOpened(Handshake handshake, Hello peer, long session, long nowNanos) {
    Session last = lastSessions.get(peer.node());
    if (last != null && last.incarnation == peer.incarnation() && session <= last.number) {
      // Connections overtake each other: the owner has given this one up already.
      discard(handshake, nowNanos);
      return;
    }
    // Other links may have opened since the Hello.
    Admission.Refusal refusal = admission.of(peer, open);
    if (refusal != null) {
      end(handshake, refusal.cause(), refusal.reason(), nowNanos);
      return;
    }
    open(handshake, peer, session, nowNanos);
  }

  private void open(Handshake handshake, Hello peer, long session, long nowNanos) {
    Link previous = open.get(peer.node());
    if (previous != null) {
      previous.control.close();
      lose(previous, "replaced by session " + session, nowNanos);
    }
    handshakes.remove(handshake.connection);
    if (handshake.target != null) {
      dialer.linked(handshake.target);
    }
    String dialedAddress = handshake.target == null ? null : handshake.target.address;
    Link link = new Link(peer, session, handshake.connection, dialedAddress);
    lastSessions.put(link.peer, new Session(link.incarnation, session));
    linkOf.put(link.control, link);
    open.put(link.peer, link);
    lastRefusal = "";
    if (!membership.isConfigured()) {
      learn(new Member(peer.node(), peer.address()), nowNanos);
      link.control.send(new Members(new ArrayList<>(members.values())));
    }
    events.opened(link, nowNanos);
  }

  private void learn(Member member, long nowNanos) {
    if (!member.id().equals(self.node()) && members.size() < Membership.MAX_MEMBERS) {
      members.put(member.id(), member);
      dialer.addMember(member, nowNanos);
    }
  }

  private void refused(Handshake handshake, RefuseLink refusal, long nowNanos) {
    if (refusal.cause() != RefusalCause.ALREADY_LINKED) {
      lastRefusal = refusal.reason();
    }
    discard(handshake, nowNanos);
    switch (refusal.cause()) {
      case ALREADY_LINKED -> {}
      case DUPLICATE_ID -> {
        // Whoever is linked already has the older right to its name.
        boolean fatal = handshake.target != null && open.isEmpty();
        notice(fatal ? Severity.FATAL : Severity.WARNING, Kind.DUPLICATE_ID, refusal.reason());
      }
      case UNEXPECTED_MEMBER, PROTOCOL_VIOLATION ->
          notice(
              Severity.WARNING,
              Kind.LINK_REFUSED,
              "refused by " + handshake.connection.remoteAddress() + ": " + refusal.reason());
    }
  }

  private void end(Handshake handshake, RefusalCause cause, String reason, long nowNanos) {
    if (cause != RefusalCause.ALREADY_LINKED) {
      notice(
          Severity.WARNING,
          cause == RefusalCause.PROTOCOL_VIOLATION ? Kind.PROTOCOL_VIOLATION : Kind.LINK_REFUSED,
          "refused a connection from " + handshake.connection.remoteAddress() + ": " + reason);
    }
    refuse(handshake.connection, cause, reason);
    drop(handshake, nowNanos);
  }

  private static void refuse(
      Connection<PeerMessage> connection, RefusalCause cause, String reason) {
    connection.send(new RefuseLink(cause, reason));
    connection.close();
  }

  private void discard(Handshake handshake, long nowNanos) {
    handshake.connection.close();
    drop(handshake, nowNanos);
  }

  private void drop(Handshake handshake, long nowNanos) {
    handshakes.remove(handshake.connection);
    if (handshake.target != null) {
      dialer.failed(handshake.target, nowNanos);
    }
  }

  /** The driver reports that a connection is gone. */
  void closed(Connection<PeerMessage> connection, String reason, long nowNanos) {
    Link link = linkOf.get(connection);
    if (link != null) {
      lose(link, reason, nowNanos);
      return;
    }
    Handshake handshake = handshakes.get(connection);
    if (handshake != null) {
      drop(handshake, nowNanos);
      reportSilentSeeds();
    }
  }

  /** Says goodbye on every link, and neither dials nor accepts any more. */
  void leave() {
    left = true;
    for (Link link : open.values()) {
      link.control.send(new Leave());
      link.control.close();
    }
    open.clear();
    linkOf.clear();
    handshakes.keySet().forEach(Connection::close);
    handshakes.clear();
  }

  /** The other end's agent said goodbye. */
  void left(Link link, long nowNanos) {
    link.control.close();
    lose(link, link.peer + " has left", nowNanos);
  }

  /** Ends a link from this end. */
  void end(Link link, RefusalCause cause, String reason, long nowNanos) {
    refuse(link.control, cause, reason);
    lose(link, reason, nowNanos);
  }

  private void lose(Link link, String reason, long nowNanos) {
    linkOf.remove(link.control);
    if (open.remove(link.peer, link)) {
      dialer.lost(link.peer, nowNanos);
      events.lost(link, reason, nowNanos);
    }
  }

  private void reportSilentSeeds() {
    List<String> silent = silentSeeds();
    boolean none =
        open.isEmpty()
            && !silent.isEmpty()
            && silent.size() == dialer.targets().stream().filter(t -> t.seed).count();
    if (none && !seedsReportedSilent) {
      seedsReportedSilent = true;
      notice(
          Severity.WARNING,
          Kind.SEEDS_SILENT,
          "no seed answers yet ("
              + String.join(", ", silent)
              + "); trying on, ever less often. "
              + "If this lasts, check --seeds and that those agents run");
    }
  }

  private void notice(Severity severity, Kind kind, String text) {
    events.noticed(new Notice(severity, kind, text));
  }
}
