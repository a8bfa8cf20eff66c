package io.treecast.agent.core.link;

import io.treecast.agent.core.contract.Connection;
import io.treecast.agent.core.contract.Notice;
import io.treecast.agent.core.contract.Notice.Kind;
import io.treecast.agent.core.contract.Notice.Severity;
import io.treecast.agent.core.contract.Transport;
import io.treecast.agent.core.message.AnnouncedMember;
import io.treecast.agent.core.message.CountHorizon;
import io.treecast.agent.core.message.Member;
import io.treecast.agent.core.message.Membership;
import io.treecast.agent.core.message.NetworkAddresses;
import io.treecast.agent.core.message.PeerMessage;
import io.treecast.agent.core.message.PeerMessage.Hello;
import io.treecast.agent.core.message.PeerMessage.Leave;
import io.treecast.agent.core.message.PeerMessage.Members;
import io.treecast.agent.core.message.PeerMessage.RefusalCause;
import io.treecast.agent.core.message.PeerMessage.RefuseLink;
import io.treecast.agent.core.settings.CoreConfig;
import io.treecast.agent.core.settings.OverlayLimits;
import io.treecast.ghs.NodeId;
import io.treecast.monitor.probe.SilenceDetector;
import io.treecast.monitor.probe.SilencePolicy;
import java.util.Collection;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * The links of one agent. Discovers the other members, and keeps one link to each wanted member.
 * {@link Handshakes} decides which connections become links, {@link MemberExchange} which members
 * become known and are forgotten, and {@link Neighbourhood} which links are wanted in a large
 * cluster.
 */
public final class Links {
  public interface Events {
    /** Reports that a member has become known, or has yet to decide whether it links. */
    void memberDiscovered(long nowNanos);

    public void opened(Link link, long nowNanos);

    public void received(Link link, PeerMessage message, long nowNanos);

    void lost(Link link, String reason, long nowNanos);

    /** Requests a check whether the other end is alive. */
    void livenessCheckRequested(Link link, long nowNanos);

    void noticed(Notice notice);
  }

  /**
   * The time after which an agent without links that has found only itself at its seeds reports it.
   */
  private static final long ALONE_NANOS = TimeUnit.SECONDS.toNanos(30);

  private final Hello self;
  private final Membership membership;
  private final OverlayLimits limits;
  private final Neighbourhood neighbourhood;
  private final Transport transport;
  private final CountHorizon horizon;
  private final Events events;
  private final SilencePolicy silence;
  private final Dialer dialer;
  private final Dialer.Satisfied needsNoDialing = this::needsNoDialing;
  private final Handshakes handshakes;
  private final TreeMap<NodeId, Link> open = new TreeMap<>();
  private final KnownMembers members;
  private final MemberExchange exchange;
  private final DataPauses dataPauses = new DataPauses();
  private final LastSessions lastSessions = new LastSessions();
  private final IdentityHashMap<Connection<PeerMessage>, Link> linkOf = new IdentityHashMap<>();
  private boolean seedsReportedSilent;
  private boolean reportedAlone;
  private long startedNanos;
  private boolean left;

  public Links(
      Hello self, CoreConfig config, Transport transport, CountHorizon horizon, Events events) {
    this.self = self;
    this.membership = config.membership();
    this.limits = config.overlay();
    this.members =
        new KnownMembers(
            new Member(self.node(), self.address()),
            self.site(),
            config.links().forgetNanos(),
            Collections.unmodifiableSet(open.keySet()));
    this.neighbourhood = new Neighbourhood(self.node(), limits, config.links().redialMaxNanos());
    this.silence = config.silence();
    this.transport = transport;
    this.horizon = horizon;
    this.events = events;
    this.dialer =
        new Dialer(
            self.node(),
            config.links(),
            new Dialer.Cluster() {
              @Override
              public int size() {
                return members.clusterSize();
              }

              @Override
              public boolean isPresent(NodeId id) {
                return members.isPresent(id);
              }

              @Override
              public boolean isAlone() {
                return open.isEmpty();
              }
            });
    this.exchange = new MemberExchange(config, members, neighbourhood, dialer, byPeer(), events);
    this.handshakes =
        new Handshakes(
            self,
            config.links(),
            new Admission(self, membership, this),
            dialer,
            exchange,
            horizon,
            this,
            events);
  }

  public void start(long nowNanos) {
    startedNanos = nowNanos;
    for (String seed : membership.seeds()) {
      if (NetworkAddresses.contain(self.address(), seed)) {
        dialer.addOwnAddress(seed, nowNanos);
      } else {
        dialer.addSeed(seed, nowNanos);
      }
    }
    for (Member neighbour : membership.configuredNeighbours()) {
      members.learn(new AnnouncedMember(neighbour, 0, 0), nowNanos);
      dialer.addNeighbour(neighbour, nowNanos);
    }
    tick(nowNanos);
  }

  /** Returns the open links, ordered by peer. */
  public Collection<Link> open() {
    return open.values();
  }

  public SortedMap<NodeId, Link> byPeer() {
    return Collections.unmodifiableSortedMap(open);
  }

  @Nullable
  public Link open(NodeId peer) {
    return open.get(peer);
  }

  /**
   * Returns the latest reason why this agent or another refused a link between them; empty if no
   * link was refused since the last one opened.
   */
  public String lastRefusal() {
    return handshakes.lastRefusal();
  }

  /** Returns the time of {@link #lastRefusal}; undefined if that is empty. */
  public long lastRefusedNanos() {
    return handshakes.lastRefusedNanos();
  }

  /** Returns the seeds at which no agent has answered. */
  public List<String> silentSeeds() {
    return seeds().stream().filter(Dialer.Target::silent).map(t -> t.address).toList();
  }

  /** Returns the number of seeds, except this agent's own address. */
  public int seedCount() {
    return seeds().size();
  }

  /** Returns the seeds at which no other agent has ever answered, each with the reason if known. */
  public List<String> unansweredSeeds() {
    return seeds().stream()
        .filter(seed -> seed.silent() || seed.isOnlySelf())
        .map(Dialer.Target::silence)
        .toList();
  }

  private List<Dialer.Target> seeds() {
    return dialer.targets().stream().filter(t -> t.seed && !t.own).toList();
  }

  public void tick(long nowNanos) {
    if (left) {
      return;
    }
    handshakes.tick(nowNanos);
    reportSilentSeeds();
    reportAlone(nowNanos);
    exchange.tick(nowNanos);
    for (Dialer.Target target : dialer.due(nowNanos, needsNoDialing)) {
      Connection<PeerMessage> connection = transport.dialControl(target.address);
      handshakes.dialed(connection, target, nowNanos);
    }
  }

  public long nextDeadlineNanos() {
    if (left) {
      return Long.MAX_VALUE;
    }
    long next = Math.min(dialer.nextDeadlineNanos(needsNoDialing), handshakes.nextDeadlineNanos());
    return Math.min(next, exchange.nextDeadlineNanos());
  }

  private boolean needsNoDialing(NodeId id) {
    return !isWanted(id) || id.equals(self.node()) || open.containsKey(id);
  }

  /**
   * Returns whether all possible links are wanted, because there are few members or links are
   * configured.
   */
  public boolean isMesh() {
    return exchange.isMesh();
  }

  /** Returns whether this agent wants a link with this member. */
  public boolean isWanted(NodeId id) {
    return isMesh() || neighbourhood.purpose(id) != null;
  }

  /** Returns the choice of links in a large cluster. */
  public Neighbourhood neighbourhood() {
    return neighbourhood;
  }

  public KnownMembers known() {
    return members;
  }

  /** Returns the exchange of members with other agents. */
  public MemberExchange exchange() {
    return exchange;
  }

  /** Notes that the set of wanted members has changed. */
  public void wantedMembersChanged() {
    dialer.changed();
  }

  /** Returns the number of open links and of handshakes that may become links. */
  public int count() {
    return open.size() + handshakes.answering();
  }

  /** Handles a connection from another agent. */
  public void accepted(Connection<PeerMessage> connection, long nowNanos) {
    if (left) {
      connection.close();
      return;
    }
    handshakes.accepted(connection, nowNanos);
  }

  /** Returns the open link that has this control stream. */
  @Nullable
  public Link of(Connection<PeerMessage> control) {
    return linkOf.get(control);
  }

  public void received(Connection<PeerMessage> connection, PeerMessage message, long nowNanos) {
    Link link = linkOf.get(connection);
    if (link != null) {
      link.hasReceived = true;
      if (message instanceof Leave) {
        left(link, nowNanos);
      } else if (message instanceof RefuseLink refusal) {
        link.control.close();
        link.endedOnPurpose = isOnPurpose(refusal.cause());
        if (refusal.cause() == RefusalCause.FULL) {
          neighbourhood.unavailable(link.peer, nowNanos);
        }
        if (refusal.cause() == RefusalCause.NO_DATA) {
          leaveAlone(link, "as " + link.peer + " reports, " + refusal.reason(), nowNanos);
          return;
        }
        // The reason is from the view of the other end.
        lose(link, link.peer + " ended the link with the reason: " + refusal.reason(), nowNanos);
      } else {
        receivedOn(link, message, nowNanos);
      }
      return;
    }
    handshakes.received(connection, message, nowNanos);
  }

  private void receivedOn(Link link, PeerMessage message, long nowNanos) {
    String problem = horizon.problemWith(message, nowNanos);
    if (problem != null) {
      violated(link, problem, nowNanos);
      return;
    }
    if (message instanceof Members announced) {
      exchange.received(announced, nowNanos);
    }
    events.received(link, message, nowNanos);
  }

  /** Returns a new number for the next session of the link to a node. Called at the owner. */
  public long nextSession(NodeId peer, long incarnation) {
    long number = lastSessions.next(peer);
    remember(peer, incarnation, number);
    return number;
  }

  private void remember(NodeId peer, long incarnation, long session) {
    if (lastSessions.hasLaterIncarnation(peer, incarnation)) {
      notice(
          Severity.WARNING,
          Kind.EARLIER_INCARNATION,
          peer
              + " seems to have restarted with a clock that is behind that of its last start, and"
              + " so counts as an earlier incarnation: set the clock of its machine and restart it,"
              + " or give it a directory for --series, where it stores the number of its starts");
    }
    lastSessions.put(peer, incarnation, session, open.keySet());
  }

  /** Returns whether this session, or a later one, has been opened already. */
  boolean isOver(NodeId peer, long incarnation, long session) {
    return lastSessions.isOver(peer, incarnation, session);
  }

  /** Turns a connection into the link to a peer. */
  public void opened(
      Hello peer,
      long session,
      Connection<PeerMessage> control,
      @Nullable String dialedAddress,
      long nowNanos) {
    Link previous = open.get(peer.node());
    if (previous != null) {
      previous.control.close();
      lose(previous, "replaced by session " + session, nowNanos);
    }
    exchange.introduced(peer, nowNanos);
    Link link =
        new Link(peer, session, control, dialedAddress, new SilenceDetector(silence, nowNanos));
    link.openedNanos = nowNanos;
    link.onProbation = dataPauses.isDoubtful(link.peer, link.incarnation);
    linkOf.put(link.control, link);
    open.put(link.peer, link);
    dialer.changed();
    remember(link.peer, link.incarnation, session);
    exchange.linked(link, nowNanos);
    events.opened(link, nowNanos);
  }

  /**
   * Returns whether there is room for a link with this member, whose handshake is already counted.
   * The last places are reserved for members outside of this agent's tree.
   */
  boolean hasRoomFor(NodeId peer) {
    boolean mayHaveLast = isMesh() || neighbourhood.isNonMember(peer);
    return count() <= (mayHaveLast ? limits.maxLinks() : limits.linksWithinTree());
  }

  /** Notes that an attempt to link has failed, with or without an answer of an agent. */
  void unreached(@Nullable NodeId peer, boolean answered, long nowNanos) {
    if (peer == null || open.containsKey(peer) || !members.ids().contains(peer)) {
      return;
    }
    if (answered) {
      members.contacted(peer, nowNanos);
      neighbourhood.unavailable(peer, nowNanos);
    } else {
      neighbourhood.unreached(peer, nowNanos);
    }
  }

  private static boolean isOnPurpose(RefusalCause cause) {
    return cause == RefusalCause.FULL || cause == RefusalCause.NOT_NEEDED;
  }

  /**
   * Returns whether dials, handshakes or first measurements are pending, so that further links may
   * follow.
   */
  public boolean unsettled() {
    return handshakes.hasAnsweringPeer() || dialer.hasUntried(needsNoDialing) || isFirstWeightDue();
  }

  private boolean isFirstWeightDue() {
    for (Link link : open.values()) { // After each event of a starting agent.
      if (link.isFirstWeightDue()) {
        return true;
      }
    }
    return false;
  }

  /** Notes that the next session of a link has begun. */
  public void resumed(Link link, long nowNanos) {
    remember(link.peer, link.incarnation, link.session);
    exchange.resumed(link, nowNanos);
  }

  /** Closes the connection of a link without a reason, which would not arrive. */
  public void abort(Link link, String reason, long nowNanos) {
    link.control.close();
    lose(link, reason, nowNanos);
  }

  /** Ends the link to an agent that has violated the protocol. */
  public void violated(Link link, String reason, long nowNanos) {
    notice(
        Severity.WARNING,
        Kind.PROTOCOL_VIOLATION,
        "ending the link to " + link.peer + ": " + reason);
    end(link, RefusalCause.PROTOCOL_VIOLATION, reason, nowNanos);
  }

  /** Handles the end of a connection. */
  public void closed(Connection<PeerMessage> connection, String reason, long nowNanos) {
    Link link = linkOf.get(connection);
    if (link != null) {
      link.closedByPeer = true;
      lose(link, reason, nowNanos);
      return;
    }
    handshakes.closed(connection, reason, nowNanos);
    reportSilentSeeds();
  }

  /** Sends Leave on every link, and stops dialing and accepting. */
  public void leave() {
    left = true;
    for (Link link : open.values()) {
      link.control.send(new Leave());
      link.control.close();
    }
    open.clear();
    linkOf.clear();
    handshakes.closeAll();
  }

  /**
   * Ends all links because another agent is entitled to this agent's id, and stops dialing and
   * accepting. Sends no Leave, since it would count as the other agent's.
   */
  void withdraw(String reason, long nowNanos) {
    left = true;
    for (Link link : List.copyOf(open.values())) {
      end(link, RefusalCause.DUPLICATE_ID, reason, nowNanos);
    }
    handshakes.closeAll();
  }

  /** Handles the other end's Leave. */
  public void left(Link link, long nowNanos) {
    link.control.close();
    link.closedByPeer = true;
    members.left(link.peer, link.incarnation, nowNanos);
    lose(link, link.peer + " has left", nowNanos);
  }

  /** Notes that another agent has dialed with the id of a peer, which may be dead. */
  void checkLiveness(Hello namesake, long nowNanos) {
    Link link = open.get(namesake.node());
    if (link == null) {
      return;
    }
    if (link.livenessCheck == null || !link.livenessCheck.isPending()) {
      link.livenessCheck =
          new LivenessCheck(
              namesake.incarnation(), link.probesSent(), link.heartbeatsAwaited, nowNanos);
      events.livenessCheckRequested(link, nowNanos);
    } else if (link.livenessCheck.isReminderDue(nowNanos)) {
      events.livenessCheckRequested(link, nowNanos);
    }
  }

  /** Notes that the other agent with the id was informed that the peer is alive. */
  void livenessChecked(Hello namesake) {
    Link link = open.get(namesake.node());
    if (link != null) {
      link.livenessCheck = null;
    }
  }

  /**
   * Ends a link whose control stream works and whose data stream does not. Both ends pause the link
   * for a while.
   */
  public void withoutData(Link link, String reason, long nowNanos) {
    Handshakes.refuse(link.control, RefusalCause.NO_DATA, reason);
    leaveAlone(link, reason, nowNanos);
  }

  private void leaveAlone(Link link, String reason, long nowNanos) {
    link.withoutData = true;
    long carriedNanos = link.dataProgress.carriedNanos();
    long pauseNanos = dataPauses.begin(link.peer, link.incarnation, carriedNanos, nowNanos);
    long seconds = TimeUnit.NANOSECONDS.toSeconds(pauseNanos);
    lose(link, reason + "; retrying in " + seconds + " s", nowNanos);
    dialer.pause(link.peer, nowNanos + pauseNanos);
    neighbourhood.unavailable(link.peer, nowNanos);
  }

  /** Returns the pauses of links that carry no data. */
  public DataPauses dataPauses() {
    return dataPauses;
  }

  /** Ends a link, and sends the reason to the other end. */
  public void end(Link link, RefusalCause cause, String reason, long nowNanos) {
    Handshakes.refuse(link.control, cause, reason);
    link.endedOnPurpose = isOnPurpose(cause);
    lose(link, reason, nowNanos);
  }

  private void lose(Link link, String reason, long nowNanos) {
    linkOf.remove(link.control);
    members.lost(link.peer, reason, nowNanos);
    if (open.remove(link.peer, link)) {
      if (!link.hasReceived && link.dialedAddress == null) {
        handshakes.handshakeFailed(
            link.peer, link.control.remoteAddress(), nowNanos - link.openedNanos, nowNanos);
      }
      dialer.changed();
      dialer.lost(link.peer, link.openNanos(nowNanos), nowNanos);
      if (open.isEmpty()) {
        dialer.isAlone(nowNanos);
      }
      neighbourhood.lost(link.peer, nowNanos);
      exchange.lost(link);
      events.lost(link, reason, nowNanos);
    }
  }

  private void reportSilentSeeds() {
    if (seedsReportedSilent || !open.isEmpty()) {
      return;
    }
    List<Dialer.Target> seeds = seeds();
    if (!seeds.isEmpty() && seeds.stream().allMatch(Dialer.Target::silent)) {
      seedsReportedSilent = true;
      notice(
          Severity.WARNING,
          Kind.SEEDS_SILENT,
          "no seed has answered yet ("
              + seeds.stream().map(Dialer.Target::silence).collect(Collectors.joining("; "))
              + "); retrying with increasing delay. If this lasts, check --seeds and that those"
              + " agents run");
    }
  }

  private void reportAlone(long nowNanos) {
    if (reportedAlone || !open.isEmpty() || nowNanos - startedNanos < ALONE_NANOS) {
      return;
    }
    List<Dialer.Target> seeds = seeds();
    boolean isSelfThere = seeds.stream().anyMatch(Dialer.Target::isOnlySelf);
    if (isSelfThere && seeds.stream().allMatch(t -> t.silent() || t.isOnlySelf())) {
      reportedAlone = true;
      notice(
          Severity.WARNING,
          Kind.SEEDS_SILENT,
          "no seed but this agent itself has answered ("
              + seeds.stream().map(Dialer.Target::silence).collect(Collectors.joining("; "))
              + "), so it forms a tree of its own; retrying. Unless it is the first agent of its"
              + " cluster, check --seeds, what their names resolve to, and that those agents run");
    }
  }

  private void notice(Severity severity, Kind kind, String text) {
    events.noticed(new Notice(severity, kind, text));
  }
}
