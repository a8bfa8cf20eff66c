package io.treecast.agent.core.link;

import io.treecast.agent.core.contract.Connection;
import io.treecast.agent.core.contract.Notice;
import io.treecast.agent.core.contract.Notice.Kind;
import io.treecast.agent.core.contract.Notice.Severity;
import io.treecast.agent.core.contract.Transport;
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
import io.treecast.agent.core.message.ToldMember;
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
 * The links of one agent: finds the other members, and has one link to each that it wants. {@link
 * Handshakes} decides which connections become links, {@link MemberExchange} which members become
 * known and are forgotten, {@link Neighbourhood} which links are wanted in a large cluster.
 */
public final class Links {
  /** The events of links. */
  public interface Events {
    /** Reports a member that has become known, or that is about to decide whether it links. */
    void met(long nowNanos);

    public void opened(Link link, long nowNanos);

    public void received(Link link, PeerMessage message, long nowNanos);

    void lost(Link link, String reason, long nowNanos);

    /** Asks to check whether the other end is still there. */
    void doubted(Link link, long nowNanos);

    void noticed(Notice notice);
  }

  /** An agent that has been alone for this long, and has only found itself, reports it. */
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
      members.learn(new ToldMember(neighbour, 0, 0), nowNanos);
      dialer.addNeighbour(neighbour, nowNanos);
    }
    tick(nowNanos);
  }

  /** Open links, by peer. */
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
   * Returns why another agent and this one did not link, as either said; empty if no link was
   * refused since the last one opened.
   */
  public String lastRefusal() {
    return handshakes.lastRefusal();
  }

  /** Returns when that was; meaningless if it is empty. */
  public long lastRefusedNanos() {
    return handshakes.lastRefusedNanos();
  }

  /** Returns the seeds at which no agent has answered. */
  public List<String> silentSeeds() {
    return seeds().stream().filter(Dialer.Target::silent).map(t -> t.address).toList();
  }

  /** How many seeds there are, this agent's own address not counted. */
  public int seedCount() {
    return seeds().size();
  }

  /** Seeds at which no agent but this one has ever answered, each with the reason if known. */
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
    for (Dialer.Target target : dialer.due(nowNanos, this::needsNoDialing)) {
      Connection<PeerMessage> connection = transport.dialControl(target.address);
      handshakes.dialed(connection, target, nowNanos);
    }
  }

  public long nextDeadlineNanos() {
    if (left) {
      return Long.MAX_VALUE;
    }
    long next =
        Math.min(dialer.nextDeadlineNanos(this::needsNoDialing), handshakes.nextDeadlineNanos());
    return Math.min(next, exchange.nextDeadlineNanos());
  }

  private boolean needsNoDialing(NodeId id) {
    return !wants(id) || id.equals(self.node()) || open.containsKey(id);
  }

  /**
   * Returns whether all possible links are wanted: there are few members, or links are configured.
   */
  public boolean isMesh() {
    return exchange.isMesh();
  }

  /** Returns whether this agent wants a link with that member. */
  public boolean wants(NodeId id) {
    return isMesh() || neighbourhood.purpose(id) != null;
  }

  /** Returns which links are wanted in a large cluster. */
  public Neighbourhood neighbourhood() {
    return neighbourhood;
  }

  /** Returns the known members. */
  public KnownMembers known() {
    return members;
  }

  /** Returns the exchange of members with other agents. */
  public MemberExchange exchange() {
    return exchange;
  }

  /** Notes that other members are wanted than before. */
  public void wantsOthers() {
    dialer.changed();
  }

  /** Returns how many links there are and are about to be. */
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
      link.heard = true;
      if (message instanceof Leave) {
        left(link, nowNanos);
      } else if (message instanceof RefuseLink refusal) {
        link.control.close();
        link.endedOnPurpose = isOnPurpose(refusal.cause());
        if (refusal.cause() == RefusalCause.FULL) {
          neighbourhood.unavailable(link.peer, nowNanos);
        }
        if (refusal.cause() == RefusalCause.NO_DATA) {
          leaveAlone(link, "as " + link.peer + " says, " + refusal.reason(), nowNanos);
          return;
        }
        // "This end" in the reason is the other end here.
        lose(link, link.peer + " ended the link and says: " + refusal.reason(), nowNanos);
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
    if (message instanceof Members told) {
      exchange.received(told, nowNanos);
    }
    events.received(link, message, nowNanos);
  }

  /**
   * Returns the number of the next session of the link to a node, for its owner: a new one each
   * time.
   */
  public long nextSession(NodeId peer, long incarnation) {
    long number = lastSessions.next(peer);
    remember(peer, incarnation, number);
    return number;
  }

  private void remember(NodeId peer, long incarnation, long session) {
    if (lastSessions.wasLater(peer, incarnation)) {
      notice(
          Severity.WARNING,
          Kind.EARLIER_INCARNATION,
          peer
              + " seems to have restarted with a clock that is behind that of its last start, and"
              + " counts as an earlier one: set the clock of its machine and restart it, or give it"
              + " a directory for --series, where it remembers its starts");
    }
    lastSessions.put(peer, incarnation, session, open.keySet());
  }

  /** Returns whether the owner has opened this session, or a later one, before. */
  boolean isOver(NodeId peer, long incarnation, long session) {
    return lastSessions.isOver(peer, incarnation, session);
  }

  /** Makes a connection the link. */
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
   * Returns whether there is room for a link with this member, whose handshake already counts:
   * members that are in no tree with this one may have the last places.
   */
  boolean hasRoomFor(NodeId peer) {
    boolean mayHaveLast = isMesh() || neighbourhood.isStranger(peer);
    return count() <= (mayHaveLast ? limits.maxLinks() : limits.linksWithinTree());
  }

  /** Notes that an attempt to link has failed, though an agent may have answered. */
  void unreached(@Nullable NodeId peer, boolean answered, long nowNanos) {
    if (peer == null || open.containsKey(peer) || !members.ids().contains(peer)) {
      return;
    }
    if (answered) {
      members.heard(peer, nowNanos);
      neighbourhood.unavailable(peer, nowNanos);
    } else {
      neighbourhood.unreached(peer, nowNanos);
    }
  }

  private static boolean isOnPurpose(RefusalCause cause) {
    return cause == RefusalCause.FULL || cause == RefusalCause.NOT_NEEDED;
  }

  /** Returns whether members are still to be met or measured before the set of members is known. */
  public boolean unsettled() {
    return handshakes.isAnybodyAnswering()
        || dialer.hasUntried(this::needsNoDialing)
        || open.values().stream().anyMatch(Link::isFirstWeightDue);
  }

  /** Notes that a link continues with its next session. */
  public void resumed(Link link, long nowNanos) {
    remember(link.peer, link.incarnation, link.session);
    exchange.resumed(link, nowNanos);
  }

  /** Closes the connection of a link without a goodbye, which would not arrive. */
  public void giveUp(Link link, String reason, long nowNanos) {
    link.control.close();
    lose(link, reason, nowNanos);
  }

  /** Ends the link to an agent that breaks the rules. */
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

  /** Says goodbye on every link, and stops dialing and accepting. */
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
   * Ends all links because another agent has the right to this one's id, and stops dialing and
   * accepting. Says no goodbye, which would count for the other agent.
   */
  void withdraw(String reason, long nowNanos) {
    left = true;
    for (Link link : List.copyOf(open.values())) {
      end(link, RefusalCause.DUPLICATE_ID, reason, nowNanos);
    }
    handshakes.closeAll();
  }

  /** Handles the other end's goodbye. */
  public void left(Link link, long nowNanos) {
    link.control.close();
    link.closedByPeer = true;
    members.left(link.peer, link.incarnation, nowNanos);
    lose(link, link.peer + " has left", nowNanos);
  }

  /** Notes that another agent has come with the id of a peer, which may not be there any more. */
  void doubt(Hello namesake, long nowNanos) {
    Link link = open.get(namesake.node());
    if (link == null) {
      return;
    }
    if (link.doubt == null || !link.doubt.isPending()) {
      link.doubt =
          new NameDoubt(
              namesake.incarnation(), link.probesSent(), link.heartbeatsAwaited, nowNanos);
      events.doubted(link, nowNanos);
    } else if (link.doubt.reminds(nowNanos)) {
      events.doubted(link, nowNanos);
    }
  }

  /** Notes that the namesake was informed that the peer of its id is there. */
  void doubtEnded(Hello namesake) {
    Link link = open.get(namesake.node());
    if (link != null) {
      link.doubt = null;
    }
  }

  /**
   * Ends a link whose control stream works and whose data stream does not. Both ends leave it alone
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
    lose(link, reason + "; it is tried again in " + seconds + " s", nowNanos);
    dialer.pause(link.peer, nowNanos + pauseNanos);
    neighbourhood.unavailable(link.peer, nowNanos);
  }

  /** Returns the pauses of links that carry no data. */
  public DataPauses dataPauses() {
    return dataPauses;
  }

  /** Ends a link from this end. */
  public void end(Link link, RefusalCause cause, String reason, long nowNanos) {
    Handshakes.refuse(link.control, cause, reason);
    link.endedOnPurpose = isOnPurpose(cause);
    lose(link, reason, nowNanos);
  }

  private void lose(Link link, String reason, long nowNanos) {
    linkOf.remove(link.control);
    members.lost(link.peer, reason, nowNanos);
    if (open.remove(link.peer, link)) {
      if (!link.heard && link.dialedAddress == null) {
        handshakes.cameToNothing(
            link.peer, link.control.remoteAddress(), nowNanos - link.openedNanos, nowNanos);
      }
      dialer.changed();
      dialer.lost(link.peer, link.livedNanos(nowNanos), nowNanos);
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
          "no seed answers yet ("
              + seeds.stream().map(Dialer.Target::silence).collect(Collectors.joining("; "))
              + "); trying on, ever less often. "
              + "If this lasts, check --seeds and that those agents run");
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
              + "), so it is a tree of its own; trying on. Unless it is the first agent of its"
              + " cluster, check --seeds, what their names resolve to, and that those agents run");
    }
  }

  private void notice(Severity severity, Kind kind, String text) {
    events.noticed(new Notice(severity, kind, text));
  }
}
