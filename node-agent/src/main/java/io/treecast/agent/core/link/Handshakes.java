package io.treecast.agent.core.link;

import io.treecast.agent.core.contract.Connection;
import io.treecast.agent.core.contract.Notice;
import io.treecast.agent.core.contract.Notice.Kind;
import io.treecast.agent.core.contract.Notice.Severity;
import io.treecast.agent.core.message.CountHorizon;
import io.treecast.agent.core.message.NetworkAddresses;
import io.treecast.agent.core.message.PeerMessage;
import io.treecast.agent.core.message.PeerMessage.Hello;
import io.treecast.agent.core.message.PeerMessage.Members;
import io.treecast.agent.core.message.PeerMessage.OpenLink;
import io.treecast.agent.core.message.PeerMessage.OtherHello;
import io.treecast.agent.core.message.PeerMessage.RefusalCause;
import io.treecast.agent.core.message.PeerMessage.RefuseLink;
import io.treecast.agent.core.settings.LinkLimits;
import io.treecast.ghs.NodeId;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The connections that are not links yet.
 *
 * <p>Either end may dial. Both send a Hello. Then the link's owner, the end with the lower id,
 * decides alone, so that at most one of two crossing connections becomes the link. The owner opens
 * the link and numbers its session, or refuses because a link exists. If the owner has lost a link
 * that the other end still holds, it opens the next session on a new connection, and the other end
 * drops the old one.
 */
final class Handshakes {
  private static final class Handshake {
    final Connection<PeerMessage> connection;
    final Dialer.@Nullable Target target;
    final long deadlineNanos;
    @Nullable Hello hello;

    /** Whether a message has arrived. */
    boolean answered;

    Handshake(
        Connection<PeerMessage> connection, Dialer.@Nullable Target target, long deadlineNanos) {
      this.connection = connection;
      this.target = target;
      this.deadlineNanos = deadlineNanos;
    }
  }

  /** The maximum number of reports that are remembered to avoid their repetition. */
  private static final int MAX_REPORTS = 256;

  /** The advice for two agents with one id, which may belong to two clusters. */
  private static final String OR_TWO_CLUSTERS =
      ", or name the clusters (--cluster) if these are two";

  private final Hello self;
  private final LinkLimits limits;
  private final Admission admission;
  private final Dialer dialer;
  private final MemberExchange exchange;
  private final CountHorizon horizon;
  private final Links links;
  private final Links.Events events;

  /** The handshakes by connection, in the order of their deadlines. */
  private final Map<Connection<PeerMessage>, Handshake> handshakes = new LinkedHashMap<>();

  private String lastRefusal = "";
  private long lastRefusedNanos;

  /** The reports made about agents that dial again and again. */
  private final Set<String> reports = new HashSet<>();

  Handshakes(
      Hello self,
      LinkLimits limits,
      Admission admission,
      Dialer dialer,
      MemberExchange exchange,
      CountHorizon horizon,
      Links links,
      Links.Events events) {
    this.self = self;
    this.limits = limits;
    this.admission = admission;
    this.dialer = dialer;
    this.exchange = exchange;
    this.horizon = horizon;
    this.links = links;
    this.events = events;
  }

  /**
   * Returns the latest reason why this agent or another refused a link between them; empty if no
   * link was refused since the last one opened.
   */
  String lastRefusal() {
    return lastRefusal;
  }

  /** Returns the time of {@link #lastRefusal}; undefined if that is empty. */
  long lastRefusedNanos() {
    return lastRefusedNanos;
  }

  private void remember(String refusal, long nowNanos) {
    lastRefusal = refusal;
    lastRefusedNanos = nowNanos;
  }

  /** Returns whether there is a handshake in which the other agent has sent its Hello. */
  boolean hasAnsweringPeer() {
    return answering() > 0;
  }

  /** Returns the number of handshakes in which the other agent has sent its Hello. */
  int answering() {
    int answering = 0;
    for (Handshake handshake : handshakes.values()) {
      answering += handshake.hello == null ? 0 : 1;
    }
    return answering;
  }

  /**
   * Returns the next deadline. All handshakes have the same timeout, so the oldest is due first.
   */
  long nextDeadlineNanos() {
    return handshakes.isEmpty()
        ? Long.MAX_VALUE
        : handshakes.values().iterator().next().deadlineNanos;
  }

  /** Aborts handshakes that have timed out. */
  void tick(long nowNanos) {
    for (Handshake handshake : List.copyOf(handshakes.values())) {
      if (handshake.deadlineNanos <= nowNanos) {
        handshake.connection.abort();
        unfinished(handshake, nowNanos);
        drop(handshake, nowNanos);
      }
    }
  }

  /** Handles a connection from another agent. */
  void accepted(Connection<PeerMessage> connection, long nowNanos) {
    if (handshakes.size() >= limits.handshakes()) {
      refuse(
          connection,
          RefusalCause.PROTOCOL_VIOLATION,
          "too many handshakes at once; try again later");
      return;
    }
    begin(connection, null, nowNanos);
  }

  /** Handles a connection to another agent. */
  void dialed(Connection<PeerMessage> connection, Dialer.Target target, long nowNanos) {
    begin(connection, target, nowNanos);
    connection.send(self);
  }

  private void begin(
      Connection<PeerMessage> connection, Dialer.@Nullable Target target, long nowNanos) {
    handshakes.put(
        connection, new Handshake(connection, target, nowNanos + limits.handshakeTimeoutNanos()));
  }

  /**
   * Handles a message on a connection that is not a link. Ignores it if the handshake was aborted.
   */
  void received(Connection<PeerMessage> connection, PeerMessage message, long nowNanos) {
    Handshake handshake = handshakes.get(connection);
    if (handshake == null) {
      return;
    }
    Hello hello = handshake.hello;
    handshake.answered = true;
    String problem = horizon.problemWith(message, nowNanos);
    if (problem != null) {
      end(handshake, new Admission.Refusal(RefusalCause.PROTOCOL_VIOLATION, problem), nowNanos);
      return;
    }
    if (handshake.target != null) {
      dialer.answered(handshake.target);
    }
    if (message instanceof Hello peer && hello == null) {
      greeted(handshake, peer, nowNanos);
    } else if (message instanceof OtherHello peer && hello == null) {
      end(handshake, admission.otherVersion(peer), nowNanos);
    } else if (message instanceof OpenLink openLink
        && hello != null
        && self.node().compareTo(hello.node()) > 0) {
      ownerOpened(handshake, hello, openLink.session(), nowNanos);
    } else if (message instanceof RefuseLink refusal) {
      refused(handshake, refusal, nowNanos);
    } else if (message instanceof Members announced && hello == null && handshake.target != null) {
      exchange.learn(announced.members(), nowNanos);
    } else {
      end(
          handshake,
          new Admission.Refusal(
              RefusalCause.PROTOCOL_VIOLATION,
              message.getClass().getSimpleName() + " is unexpected in a handshake"),
          nowNanos);
    }
  }

  private void greeted(Handshake handshake, Hello peer, long nowNanos) {
    handshake.hello = peer;
    Admission.Refusal refusal = admission.of(peer, links.byPeer(), nowNanos);
    if (refusal != null && refusal.cause() == RefusalCause.OTHER_CLUSTER) {
      handshake.answered = false;
      end(handshake, refusal, nowNanos);
      return;
    }
    if (handshake.target != null) {
      reportOtherMember(handshake.target, peer);
      boolean isItsAddress = NetworkAddresses.contain(peer.address(), handshake.target.address);
      dialer.identified(handshake.target, peer.node(), isItsAddress);
      exchange.answered(peer.node(), isItsAddress ? peer.address() : handshake.target.address);
    }
    if (peer.node().equals(self.node()) && peer.incarnation() == self.incarnation()) {
      // This agent has dialed itself. The dialing end learns it from this Hello.
      handshake.connection.send(self);
      discard(handshake, nowNanos);
      return;
    }
    handshake.connection.identified(peer.node());
    if (refusal != null) {
      if (refusal.cause() == RefusalCause.DUPLICATE_ID && givesWayTo(peer)) {
        yieldTo(handshake, peer, nowNanos);
      } else {
        end(handshake, refusal, nowNanos);
      }
      return;
    }
    if (handshake.target == null) {
      handshake.connection.send(self);
    }
    if (self.node().compareTo(peer.node()) < 0) {
      openAsOwner(handshake, peer, nowNanos);
    }
  }

  /** Reports that an unexpected agent has answered at an address. */
  private void reportOtherMember(Dialer.Target target, Hello peer) {
    NodeId expected = target.id();
    boolean isOther = expected != null && !target.seed && !expected.equals(peer.node());
    if (isOther && isFirst(peer.node() + " for " + expected + " at " + target.address)) {
      notice(
          Severity.WARNING,
          Kind.OTHER_MEMBER,
          ("%s answers at %s, the announced address of %s: if both run, correct advertise at "
                  + "the one with the wrong address, or the forwarding of that address")
              .formatted(peer.node(), target.address, expected));
    }
  }

  /**
   * Returns whether the other agent is an earlier incarnation with the same id, so that this agent
   * must exit.
   */
  private boolean givesWayTo(Hello peer) {
    return peer.node().equals(self.node())
        && peer.incarnation() < self.incarnation()
        && links.open().isEmpty();
  }

  private void yieldTo(Handshake handshake, Hello peer, long nowNanos) {
    if (handshake.target == null) {
      handshake.connection.send(self); // The other agent must detect the duplicate id as well.
    }
    String holder = peer.address() + ", which is connected as " + remote(handshake);
    discard(handshake, nowNanos);
    endAsDuplicate(Admission.taken(self.node(), holder, self.address()), nowNanos);
  }

  /** Reports that another live agent is entitled to this agent's id, and ends all links. */
  private void endAsDuplicate(String reason, long nowNanos) {
    notice(Severity.FATAL, Kind.DUPLICATE_ID, reason + OR_TWO_CLUSTERS);
    links.withdraw(reason, nowNanos);
  }

  private static String remote(Handshake handshake) {
    return handshake.connection.remoteAddress();
  }

  private void openAsOwner(Handshake handshake, Hello peer, long nowNanos) {
    Link current = links.open(peer.node());
    // A suspended link is replaced, since an agent that dials again has dropped its connection.
    if (current != null && current.incarnation == peer.incarnation() && !current.suspended) {
      end(
          handshake,
          new Admission.Refusal(RefusalCause.ALREADY_LINKED, "these agents already have a link"),
          nowNanos);
      return;
    }
    long session = links.nextSession(peer.node(), peer.incarnation());
    handshake.connection.send(new OpenLink(session));
    open(handshake, peer, session, nowNanos);
  }

  /** Handles the owner's message that this connection becomes the link. */
  private void ownerOpened(Handshake handshake, Hello peer, long session, long nowNanos) {
    if (links.isOver(peer.node(), peer.incarnation(), session)) {
      // The owner has already dropped this connection, which a later one has overtaken.
      discard(handshake, nowNanos);
      return;
    }
    // Other links may have opened since the Hello.
    Admission.Refusal refusal = admission.of(peer, links.byPeer(), nowNanos);
    if (refusal != null) {
      end(handshake, refusal, nowNanos);
      return;
    }
    open(handshake, peer, session, nowNanos);
  }

  private void open(Handshake handshake, Hello peer, long session, long nowNanos) {
    handshakes.remove(handshake.connection);
    Dialer.Target target = handshake.target;
    if (target != null) {
      dialer.linked(target, nowNanos);
    }
    lastRefusal = "";
    links.opened(
        peer,
        session,
        handshake.connection,
        target == null ? null : handshake.connection.remoteAddress(),
        nowNanos);
  }

  private void refused(Handshake handshake, RefuseLink refusal, long nowNanos) {
    if (refusal.cause() != RefusalCause.ALREADY_LINKED && refusal.cause() != RefusalCause.NO_DATA) {
      remember(refusal.reason(), nowNanos);
    }
    if (refusal.cause() == RefusalCause.OTHER_CLUSTER) {
      // The agent at this address is not the known member.
      handshake.answered = false;
    }
    awaitVerdict(handshake, refusal.cause());
    if (refusal.cause() == RefusalCause.LIVENESS_CHECK) {
      events.memberDiscovered(
          nowNanos); // The start of the tree is delayed, since this agent may have to exit.
    }
    discard(handshake, nowNanos);
    switch (refusal.cause()) {
      case ALREADY_LINKED, FULL, NOT_NEEDED, NO_DATA -> {}
      case DUPLICATE_ID -> {
        // A linked agent takes precedence over one without links, and of two linked agents the
        // earlier one. Only a member that this agent has dialed is trusted.
        boolean isLater =
            refusal.holderIncarnation() != 0 && refusal.holderIncarnation() < self.incarnation();
        if (handshake.target != null && (links.open().isEmpty() || isLater)) {
          endAsDuplicate(refusal.reason(), nowNanos);
        } else {
          notice(
              severity(refusal.cause(), refusal.reason()),
              Kind.DUPLICATE_ID,
              "refused by " + remote(handshake) + ": " + refusal.reason() + OR_TWO_CLUSTERS);
        }
      }
      case UNEXPECTED_MEMBER,
          PROTOCOL_VIOLATION,
          OTHER_CLUSTER,
          LIVENESS_CHECK,
          OTHER_VERSION,
          OTHER_SETTINGS -> {
        notice(
            severity(refusal.cause(), refusal.reason()),
            refusal.cause() == RefusalCause.PROTOCOL_VIOLATION
                ? Kind.LINK_REFUSED
                : kind(refusal.cause()),
            "refused by " + handshake.connection.remoteAddress() + ": " + refusal.reason());
      }
    }
  }

  private void awaitVerdict(Handshake handshake, RefusalCause cause) {
    if (cause == RefusalCause.LIVENESS_CHECK && handshake.target != null) {
      dialer.awaits(handshake.target);
    }
  }

  private void end(Handshake handshake, Admission.Refusal refusal, long nowNanos) {
    RefusalCause cause = refusal.cause();
    String reason = refusal.reason();
    if (cause == RefusalCause.FULL) {
      if (handshake.target == null && handshake.hello != null) {
        // An agent that knows no other members would dial this one again.
        exchange.announceOthers(handshake.connection, handshake.hello, nowNanos);
      }
    } else if (cause != RefusalCause.ALREADY_LINKED && cause != RefusalCause.NO_DATA) {
      notice(
          severity(cause, reason),
          kind(cause),
          "refused a connection from "
              + handshake.connection.remoteAddress()
              + ": "
              + reason
              + (cause == RefusalCause.DUPLICATE_ID ? OR_TWO_CLUSTERS : ""));
    }
    if (isOfOthers(cause)) {
      remember(reason, nowNanos); // The refused agent may be a missing member.
    }
    if (cause == RefusalCause.LIVENESS_CHECK && handshake.hello != null) {
      links.checkLiveness(handshake.hello, nowNanos);
    } else if (cause == RefusalCause.DUPLICATE_ID && handshake.hello != null) {
      links.livenessChecked(handshake.hello);
    }
    awaitVerdict(handshake, cause);
    handshake.connection.send(new RefuseLink(cause, reason, refusal.holderIncarnation()));
    handshake.connection.close();
    drop(handshake, nowNanos);
  }

  private static Kind kind(RefusalCause cause) {
    return switch (cause) {
      case PROTOCOL_VIOLATION -> Kind.PROTOCOL_VIOLATION;
      case DUPLICATE_ID -> Kind.DUPLICATE_ID;
      case OTHER_CLUSTER -> Kind.OTHER_CLUSTER;
      case OTHER_VERSION -> Kind.OTHER_VERSION;
      case OTHER_SETTINGS -> Kind.OTHER_SETTINGS;
      case ALREADY_LINKED, UNEXPECTED_MEMBER, FULL, NOT_NEEDED, LIVENESS_CHECK, NO_DATA ->
          Kind.LINK_REFUSED;
    };
  }

  /**
   * Returns whether the configurations or releases of the two agents do not match, so that only a
   * restart helps.
   */
  private static boolean isOfOthers(RefusalCause cause) {
    return switch (cause) {
      case OTHER_CLUSTER, OTHER_VERSION, OTHER_SETTINGS -> true;
      default -> false;
    };
  }

  /** Returns the severity of a report. Repeated reports have the severity DETAIL. */
  private Severity severity(RefusalCause cause, String reason) {
    return isNoteworthy(cause, reason) ? Severity.WARNING : Severity.DETAIL;
  }

  private boolean isNoteworthy(RefusalCause cause, String reason) {
    boolean isRepeated =
        isOfOthers(cause)
            || cause == RefusalCause.LIVENESS_CHECK
            || cause == RefusalCause.DUPLICATE_ID;
    if (!isRepeated) {
      return true;
    }
    return isFirst(reason);
  }

  private boolean isFirst(String report) {
    if (reports.size() >= MAX_REPORTS) {
      reports.clear();
    }
    return reports.add(report);
  }

  /** Closes a connection, before or after it became a link, with a reason. */
  static void refuse(Connection<PeerMessage> connection, RefusalCause cause, String reason) {
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
      links.unreached(handshake.target.id(), handshake.answered, nowNanos);
    }
  }

  /** Handles the end of a connection. */
  void closed(Connection<PeerMessage> connection, String reason, long nowNanos) {
    Handshake handshake = handshakes.get(connection);
    if (handshake != null) {
      if (handshake.target != null) {
        dialer.broke(handshake.target, reason);
      }
      unfinished(handshake, nowNanos);
      drop(handshake, nowNanos);
    }
  }

  private void unfinished(Handshake handshake, long nowNanos) {
    Hello peer = handshake.hello;
    if (peer != null && handshake.target == null && links.open(peer.node()) == null) {
      exchange.introduced(peer, nowNanos);
      long beganNanos = handshake.deadlineNanos - limits.handshakeTimeoutNanos();
      handshakeFailed(peer.node(), remote(handshake), nowNanos - beganNanos, nowNanos);
    }
  }

  /**
   * Handles the end of a handshake in which a member has dialed and sent its Hello, and nothing
   * else. The member has closed the connection before it had an answer, or its link was lost at
   * once. Other members may be able to link with it.
   *
   * @param remote the remote address of its connection
   * @param lastedNanos how long the connection has lasted
   */
  void handshakeFailed(NodeId peer, String remote, long lastedNanos, long nowNanos) {
    exchange.introduce(peer, nowNanos);
    if (lastedNanos >= limits.handshakeTimeoutNanos() / 2 && isFirst("no handshake with " + peer)) {
      notice(
          Severity.WARNING,
          Kind.HANDSHAKE_TIMEOUT,
          ("no link with %s at %s: the handshake has timed out; if several round trips to it "
                  + "take longer than links.handshakeTimeoutMillis (%s), raise that setting "
                  + "at both agents")
              .formatted(peer, remote, limits.handshakeTimeoutNanos() / 1_000_000));
    }
  }

  /** Closes all connections, since this agent leaves. */
  void closeAll() {
    handshakes.keySet().forEach(Connection::close);
    handshakes.clear();
  }

  private void notice(Severity severity, Kind kind, String text) {
    events.noticed(new Notice(severity, kind, text));
  }
}
