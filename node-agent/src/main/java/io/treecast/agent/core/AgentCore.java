package io.treecast.agent.core;

import io.treecast.agent.core.bulk.BulkProbes;
import io.treecast.agent.core.contract.AgentEffects;
import io.treecast.agent.core.contract.Connection;
import io.treecast.agent.core.contract.MeasurementTotals;
import io.treecast.agent.core.contract.Notice;
import io.treecast.agent.core.contract.Notice.Kind;
import io.treecast.agent.core.contract.Transport;
import io.treecast.agent.core.contract.TransportEvents;
import io.treecast.agent.core.contract.TreeChange;
import io.treecast.agent.core.contract.TreeStatus;
import io.treecast.agent.core.contract.UploadEdges;
import io.treecast.agent.core.data.ClaimPost;
import io.treecast.agent.core.data.ClaimSetup;
import io.treecast.agent.core.data.ClockPost;
import io.treecast.agent.core.data.Collectives;
import io.treecast.agent.core.data.DataStreams;
import io.treecast.agent.core.data.GroupPost;
import io.treecast.agent.core.data.Participation;
import io.treecast.agent.core.data.RelayEffects;
import io.treecast.agent.core.data.SharedValues;
import io.treecast.agent.core.link.DataViolations;
import io.treecast.agent.core.link.Lateness;
import io.treecast.agent.core.link.Link;
import io.treecast.agent.core.link.LinkNotices;
import io.treecast.agent.core.link.Links;
import io.treecast.agent.core.measure.Measurement;
import io.treecast.agent.core.message.CountHorizon;
import io.treecast.agent.core.message.DataMessage;
import io.treecast.agent.core.message.DataMessage.AttachData;
import io.treecast.agent.core.message.DataMessage.ServiceMessage;
import io.treecast.agent.core.message.PeerMessage;
import io.treecast.agent.core.message.PeerMessage.PassToken;
import io.treecast.agent.core.message.PeerMessage.Tree;
import io.treecast.agent.core.message.TreeMetric;
import io.treecast.agent.core.path.Paths;
import io.treecast.agent.core.publish.Publication;
import io.treecast.agent.core.publish.PublishOutcome;
import io.treecast.agent.core.publish.Publishing;
import io.treecast.agent.core.publish.Shortcuts;
import io.treecast.agent.core.settings.CoreConfig;
import io.treecast.agent.core.tree.DisseminationTree;
import io.treecast.agent.core.tree.LinkSilence;
import io.treecast.agent.core.tree.Overlay;
import io.treecast.agent.core.tree.TreeDriver;
import io.treecast.agent.core.tree.WidestTree;
import io.treecast.collectives.broadcast.BroadcastRelay;
import io.treecast.collectives.broadcast.contract.BroadcastRefusedException;
import io.treecast.collectives.broadcast.contract.SubscribeOptions;
import io.treecast.collectives.broadcast.contract.TopicUse;
import io.treecast.collectives.broadcast.message.Chunk;
import io.treecast.collectives.broadcast.message.Confirmation;
import io.treecast.collectives.broadcast.message.EdgeMessage;
import io.treecast.collectives.broadcast.message.MessageId;
import io.treecast.collectives.broadcast.topic.Interests.InterestState;
import io.treecast.collectives.claim.Claims;
import io.treecast.collectives.clock.ClusterClock;
import io.treecast.collectives.group.Groups;
import io.treecast.collectives.values.Values;
import io.treecast.collectives.values.ValuesLimits;
import io.treecast.ghs.NodeId;
import io.treecast.ghs.TreeViolation;
import io.treecast.mst.CommittedTree;
import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import java.util.List;
import java.util.SortedSet;
import java.util.function.Consumer;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * One agent, composed of its links, their measurement, the tree protocol and the broadcast relay.
 *
 * <p>Each call reports an event and its time. Before the call returns, the agent acts on the event
 * through {@link Transport} and {@link AgentEffects}. After each call the driver reads {@link
 * #nextDeadlineNanos}, and calls {@link #tick} at that time. Times are in nanoseconds, of any
 * monotonic clock.
 *
 * <p>Driven by one thread at a time.
 */
public final class AgentCore implements TransportEvents {
  /** A data stream counts as stalled after this long without data, plus the time of one chunk. */
  private static final long STALL_NANOS = 30_000_000_000L;

  /** The transmission time of a byte at 100 kbit/s. */
  private static final long SLOWEST_BYTE_NANOS = 80_000;

  private final AgentEffects effects;
  private final Lateness lateness = new Lateness();
  private final StallDetector stallDetector;
  private final CountHorizon horizon;
  private final Paths paths;
  private final Links links;
  private final LinkSilence silence;
  private final TreeDriver tree;
  private final WidestTree widestTree;
  private final Measurement measurement;
  private final LinkExplainer explainer;
  private final Overlay overlay;
  private final BroadcastRelay relay;
  private final Collectives collectives;
  private final ClaimPost claims;
  private final ClockPost clock;
  private final SharedValues values;
  private final GroupPost groups;
  private final DataStreams dataStreams;
  private final BulkProbes bulkProbes;
  private final Publishing publishing;
  private final int readyMembers;
  private final Shortcuts shortcuts;

  private long nowNanos;

  /** The trees committed during the current event. */
  private final ArrayDeque<TreeChange> changes = new ArrayDeque<>();

  private final DataViolations dataViolations = new DataViolations();

  /** Creates an agent that grants no claims. It is idle until {@link #start}. */
  public AgentCore(CoreConfig config, Transport transport, AgentEffects effects) {
    this(config, transport, effects, ClaimSetup.NONE, ValuesLimits.defaults());
  }

  /** Creates an agent. It is idle until {@link #start}. */
  public AgentCore(
      CoreConfig config,
      Transport transport,
      AgentEffects effects,
      ClaimSetup claimSetup,
      ValuesLimits valuesLimits) {
    this.effects = effects;
    this.stallDetector = new StallDetector(effects, lateness);
    this.horizon = new CountHorizon(config.incarnation());
    this.paths =
        new Paths(
            config.hello(), config.links().handshakeTimeoutNanos(), transport, new PathEvents());
    this.links = new Links(config.hello(), config, paths, horizon, new LinkEvents());
    this.silence = new LinkSilence(config.self(), config.links(), links, new SilenceEvents());
    this.tree = new TreeDriver(config, links, lateness, this::committed);
    this.widestTree = new WidestTree(config, links, tree);
    this.measurement =
        new Measurement(
            config, links, tree, widestTree, lateness, effects::noticed, effects::measured);
    this.explainer = new LinkExplainer(config, tree, widestTree);
    this.overlay = new Overlay(config, links, tree, widestTree);
    this.relay =
        new BroadcastRelay(
            config.self(),
            config.incarnation(),
            config.links().forgetNanos(),
            config.broadcast(),
            new RelayEffects(
                effects::noticed,
                this::send,
                this::maySendByShortcut,
                this::replicated,
                dataViolations::add),
            effects);
    this.shortcuts = new Shortcuts(config, links, tree, relay);
    this.groups = new GroupPost(config.self(), effects, this::send, dataViolations::add);
    this.collectives =
        new Collectives(config, effects, this::send, dataViolations::add, groups::isOver);
    this.claims = new ClaimPost(config, claimSetup, this::send);
    this.clock = new ClockPost(config.self(), links, effects, this::send);
    this.values = new SharedValues(config, valuesLimits, effects, this::send);
    this.bulkProbes =
        new BulkProbes(config, links, paths, widestTree::mayUseInRing, effects::measured);
    this.dataStreams =
        new DataStreams(
            new AttachData(config.self(), config.incarnation(), 0, 0),
            config.links().handshakeTimeoutNanos(),
            STALL_NANOS + config.broadcast().chunkBytes() * SLOWEST_BYTE_NANOS,
            links,
            paths,
            horizon,
            relay,
            List.of(groups, collectives, claims, clock, values),
            bulkProbes,
            measurement::uploading,
            measurement::probationPassed);
    this.readyMembers = config.readyMembers();
    this.publishing = new Publishing(relay, config.broadcast());
  }

  /** Starts the agent. Must be the first call, and must be called once. */
  public void start(long nowNanos) {
    this.nowNanos = nowNanos;
    paths.at(nowNanos);
    horizon.start(nowNanos);
    claims.start(nowNanos);
    tree.start(nowNanos);
    widestTree.start(nowNanos);
    overlay.start(nowNanos);
    links.start(nowNanos);
    publishing.start(nowNanos);
    bulkProbes.start(nowNanos);
    after();
  }

  /**
   * Refuses all queued and future broadcasts. Runs the action once, when the neighbours have
   * received the data accepted so far. That may be during this call, or never.
   */
  public void prepareToLeave(Runnable handedOn) {
    publishing.leave(nowNanos);
    dataStreams.prepareToLeave(handedOn);
  }

  /**
   * Sends Leave to the neighbours and closes all connections. Later calls have no effect on other
   * agents.
   */
  public void leave() {
    publishing.leave(nowNanos);
    relay.settleReplicas();
    dataStreams.leave(nowNanos);
    links.leave();
  }

  /**
   * Returns when {@link #tick} is due, unless another event occurs before; {@link Long#MAX_VALUE}
   * for never.
   */
  public long nextDeadlineNanos() {
    long next = Math.min(links.nextDeadlineNanos(), dataStreams.nextDeadlineNanos());
    next = Math.min(next, paths.nextDeadlineNanos());
    next = Math.min(next, publishing.nextDeadlineNanos());
    next = Math.min(next, silence.nextDeadlineNanos());
    next = Math.min(next, tree.nextDeadlineNanos());
    next = Math.min(next, overlay.nextDeadlineNanos());
    next = Math.min(next, measurement.nextDeadlineNanos());
    stallDetector.promised(next, nowNanos);
    return next;
  }

  /** Runs the tasks that are due. */
  public void tick(long nowNanos) {
    before(nowNanos);
    paths.tick();
    overlay.tick(measurement.mayTry(nowNanos), nowNanos);
    links.tick(nowNanos);
    silence.tick(nowNanos);
    dataStreams.tick(nowNanos);
    measurement.tick(nowNanos);
    tree.tick(nowNanos);
    if (publishing.nextDeadlineNanos() <= nowNanos) {
      publishing.tick(treeStatus(), nowNanos);
    }
    after();
  }

  /**
   * Prepares for an event. Excludes a time in which this agent did not run from the silence of its
   * neighbours. Advances the relay's time before any message reaches it, so that it handles its
   * deadlines first.
   */
  private void before(long nowNanos) {
    this.nowNanos = nowNanos;
    paths.at(nowNanos);
    long stalledNanos = stallDetector.passedNanos(nowNanos);
    if (stalledNanos > 0) {
      silence.paused(stalledNanos, nowNanos);
      dataStreams.paused(stalledNanos);
    }
    relay.tick(nowNanos);
  }

  /** Handles the consequences of an event. */
  private void after() {
    dataViolations.endLinks(links, nowNanos);
    tree.handOverIfDue();
    if (measurement.follow(nowNanos)) {
      silence.demandAnswers(tree, nowNanos);
    }
    widestTree.uploadsNeedLoan(relay.uploads().needLoan());
    // The widest tree's edges depend on those of the first tree, so the first tree goes first.
    SortedSet<NodeId> active = tree.changedActiveNeighbours();
    UploadEdges uploads = widestTree.changedUploadEdges();
    dataStreams.follow(active, uploads, nowNanos);
    relay.uploads().borrow(widestTree.isBorrower());
    if (uploads != null) {
      collectives.ring(widestTree.ringOrder(), nowNanos);
    }
    if (groups.hasChanged()) {
      collectives.viewsChanged(nowNanos);
    }
    for (TreeChange committed = changes.poll(); committed != null; committed = changes.poll()) {
      effects.noticed(Notice.info(Kind.TREE_COMMITTED, "tree committed: " + committed.tree()));
      effects.treeChanged(committed);
    }
    publishWhatWaits();
  }

  /** Sends queued broadcasts, since the event may have made room. */
  private void publishWhatWaits() {
    if (publishing.isWaiting() && tree.tree() != null) {
      publishing.proceed(treeStatus(), nowNanos);
    }
  }

  @Override
  public void controlAccepted(Connection<PeerMessage> connection, long nowNanos) {
    before(nowNanos);
    paths.accepted(connection);
    after();
  }

  /** Handles a control message that did not wait for this thread. */
  public void controlReceived(
      Connection<PeerMessage> connection, PeerMessage message, long nowNanos) {
    controlReceived(connection, message, nowNanos, nowNanos);
  }

  @Override
  public void late(long nanos, long nowNanos) {
    lateness.ofTransport(nanos, nowNanos);
  }

  @Override
  public void controlReceived(
      Connection<PeerMessage> connection, PeerMessage message, long arrivedNanos, long nowNanos) {
    before(nowNanos);
    lateness.handedOver(arrivedNanos, nowNanos);
    paths.received(connection, message);
    after();
  }

  @Override
  public void controlClosed(Connection<PeerMessage> connection, String reason, long nowNanos) {
    before(nowNanos);
    paths.closed(connection, reason);
    after();
  }

  @Override
  public void dataAccepted(Connection<DataMessage> connection, long nowNanos) {
    before(nowNanos);
    dataStreams.accepted(connection, nowNanos);
    after();
  }

  @Override
  public void dataReceived(Connection<DataMessage> connection, DataMessage message, long nowNanos) {
    before(nowNanos);
    dataStreams.received(connection, message, nowNanos);
    after();
  }

  @Override
  public void dataClosed(Connection<DataMessage> connection, String reason, long nowNanos) {
    before(nowNanos);
    dataStreams.closed(connection, reason, nowNanos);
    after();
  }

  /**
   * Publishes a broadcast of a local application. The broadcast is queued until there is a tree and
   * room, at most until its deadline.
   *
   * @param outcome called once, during this call or later
   */
  public void publish(Publication publication, PublishOutcome outcome, long nowNanos) {
    before(nowNanos);
    publishing.publish(publication, treeStatus(), outcome, nowNanos);
    after();
  }

  /** Drops queued requests that no caller waits for any longer. */
  public void dropCancelled(long nowNanos) {
    before(nowNanos);
    publishing.dropUnwanted(nowNanos);
    after();
  }

  /**
   * Begins an upload of a local application.
   *
   * @param upload a number that no other upload of this agent has
   * @param begun the request without payload, checksum and attempt; payload and checksum follow
   * @param outcome called once, during this call or later; an accepted upload lasts until it is
   *     ended or abandoned
   */
  public void beginUpload(long upload, Publication begun, PublishOutcome outcome, long nowNanos) {
    before(nowNanos);
    publishing.beginUpload(upload, begun, treeStatus(), outcome, nowNanos);
    after();
  }

  /**
   * Adds the next piece of an upload. A few pieces may be outstanding; each further one requires
   * that an earlier one was {@linkplain AgentEffects#uploadTaken taken}.
   *
   * @param piece the bytes, which must not change afterwards
   * @throws BroadcastRefusedException if the payload is too large; the upload is abandoned
   */
  public void upload(long upload, ByteBuffer piece, long nowNanos)
      throws BroadcastRefusedException {
    before(nowNanos);
    relay.uploads().add(upload, piece);
    after();
  }

  /**
   * Completes an upload. {@link AgentEffects#uploadEnded} reports when all of it is logged and the
   * wanted replicas are counted.
   *
   * @param crc32c the checksum of the whole payload, which receivers verify; null if unknown
   */
  public void endUpload(long upload, @Nullable Integer crc32c, long nowNanos) {
    before(nowNanos);
    relay.uploads().end(upload, crc32c);
    after();
  }

  /**
   * Returns the tree that uploads on the default topic currently use at this agent; null if there
   * is no tree.
   */
  public @Nullable DisseminationTree uploadTree() {
    return widestTree.disseminationTree();
  }

  /** Returns whether uploads of this agent may take more than its share of the logs. */
  public boolean hasUploadLoan() {
    return widestTree.isBorrower();
  }

  /** Abandons the upload with this number, if there is one. */
  public void abandonUpload(long upload, long nowNanos) {
    before(nowNanos);
    relay.uploads().abandon(upload);
    after();
  }

  /**
   * Returns the known deliveries of a broadcast. Null if this incarnation did not publish it, if it
   * requests no confirmations, or if it is not among the latest that do.
   */
  public @Nullable Confirmation confirmation(MessageId message) {
    return relay.confirmation(message);
  }

  /**
   * Begins a subscription of a local application.
   *
   * @param subscriber a number that no other subscriber of this agent has
   * @throws BroadcastRefusedException if the agent's limits of subscribers or topics are reached,
   *     or the subscription cannot begin at the requested position
   */
  public void subscribe(long subscriber, SubscribeOptions options)
      throws BroadcastRefusedException {
    relay.subscribe(subscriber, options);
  }

  public void unsubscribe(long subscriber, long nowNanos) {
    before(nowNanos);
    relay.unsubscribe(subscriber);
    publishWhatWaits();
  }

  /** Reports that chunks of this total cost were sent to the subscriber. */
  public void consumed(long subscriber, long bytes, long nowNanos) {
    before(nowNanos);
    relay.consumed(subscriber, bytes);
    publishWhatWaits();
  }

  /**
   * Begins a local application's part in a collective operation. {@link
   * AgentEffects#collectiveEnded} reports the outcome, possibly before this method returns.
   *
   * @param call a number that no other call of this agent has
   */
  public void takePart(long call, Participation participation, long nowNanos) {
    before(nowNanos);
    collectives.takePart(call, participation, nowNanos);
    after();
  }

  /** Withdraws a call whose caller no longer waits. Its contribution still counts. */
  public void withdraw(long call, long nowNanos) {
    before(nowNanos);
    collectives.withdraw(call, nowNanos);
    after();
  }

  /** Applies a local application's request to the agent's claims. */
  public void claim(Consumer<Claims> event, long nowNanos) {
    before(nowNanos);
    event.accept(claims.at(nowNanos));
    after();
  }

  /** Returns the clock of the root's time, for reading. */
  public ClusterClock clock() {
    return clock.clock();
  }

  /** Applies a local application's request to the shared values, and returns its result. */
  public <T> T values(Function<Values, T> event, long nowNanos) {
    before(nowNanos);
    T result = event.apply(values.values());
    after();
    return result;
  }

  /** Applies a local application's request to the agent's groups. */
  public void group(Consumer<Groups> event, long nowNanos) {
    before(nowNanos);
    event.accept(groups.at(nowNanos));
    after();
  }

  /** Returns the number of group messages that this agent has sent. */
  public long sentGroupMessages() {
    return groups.sentMessages();
  }

  /** Returns the agent's state. */
  public AgentSnapshot snapshot() {
    return AgentSnapshot.of(
        treeStatus(),
        links,
        tree,
        widestTree,
        paths.moves(),
        relay.counters(),
        publishing.counters(),
        shortcuts.sentMessages(),
        collectives.counters(),
        values.values().counters(),
        nowNanos);
  }

  /** Explains whether and why the link to a peer is in a tree; null if there is no such link. */
  public @Nullable LinkExplanation explain(NodeId peer, TreeMetric metric, long nowNanos) {
    Link link = links.open(peer);
    return link == null ? null : explainer.explain(link, metric, nowNanos);
  }

  /** Returns the topics in use at this agent. */
  public List<TopicUse> topics() {
    return relay.topicsInUse();
  }

  /**
   * Returns whether any member of the committed tree, including this one, subscribes to the topic.
   */
  public InterestState interest(String topic) {
    return relay.interest(topic);
  }

  /** Returns the totals of this agent's measurements. */
  public MeasurementTotals measurementTotals() {
    return measurement.totals();
  }

  /** Returns the name of a member's site; null if it is unknown or not configured. */
  public @Nullable String site(NodeId member) {
    return links.known().site(member);
  }

  /** Returns this agent's state in the tree protocol. */
  public TreeStatus treeStatus() {
    return new TreeStatus(tree.phase(), tree.tree(), notReadyReason(tree.tree()));
  }

  private String notReadyReason(@Nullable CommittedTree committed) {
    if (committed == null) {
      return WaitingExplanation.of(tree.phase(), links);
    }
    int members = committed.members().size();
    return members >= readyMembers
        ? ""
        : "tree of " + members + ", readyMembers is " + readyMembers;
  }

  private void replicated(MessageId message, int replicas) {
    publishing.replicated(message, replicas);
  }

  private void send(NodeId neighbour, EdgeMessage message) {
    dataStreams.send(neighbour, message, nowNanos);
  }

  private void maySendByShortcut(Chunk message) {
    shortcuts.maySendByShortcut(message, nowNanos);
  }

  private void send(NodeId neighbour, ServiceMessage message) {
    dataStreams.send(neighbour, message, nowNanos);
  }

  private void committed(TreeChange committed) {
    changes.add(committed);
    links.known().treeChanged(committed, nowNanos);
    links.wantedMembersChanged();
    relay.treeCommitted(committed.tree());
    groups.treeCommitted(committed.tree(), nowNanos);
    collectives.treeCommitted(committed.tree(), nowNanos);
    claims.treeCommitted(committed.tree(), nowNanos);
    clock.treeCommitted(committed.tree(), nowNanos);
    values.treeCommitted(committed.tree(), nowNanos);
  }

  private final class PathEvents implements Paths.Events {
    @Override
    public void accepted(Connection<PeerMessage> stream) {
      links.accepted(stream, nowNanos);
    }

    @Override
    public void received(Connection<PeerMessage> stream, PeerMessage message) {
      links.received(stream, message, nowNanos);
    }

    @Override
    public void closed(Connection<PeerMessage> stream, String reason) {
      links.closed(stream, reason, nowNanos);
    }

    @Override
    public void pathsChanged(Connection<PeerMessage> stream, boolean isLoss) {
      Link link = links.of(stream);
      if (link != null) {
        dataStreams.pathsChanged(link, isLoss, nowNanos);
      }
    }
  }

  private final class LinkEvents implements Links.Events {
    @Override
    public void memberDiscovered(long nowNanos) {
      tree.gathering(nowNanos);
    }

    @Override
    public void opened(Link link, long nowNanos) {
      effects.noticed(LinkNotices.opened(link));
      silence.opened(link);
      tree.opened(nowNanos);
      measurement.opened(link, nowNanos);
      bulkProbes.opened(link, nowNanos);
      dataStreams.opened(link, nowNanos);
    }

    @Override
    public void received(Link link, PeerMessage message, long nowNanos) {
      if (!dataStreams.controlReceived(link, message, nowNanos)) {
        links.violated(link, "it counts data that was not sent", nowNanos);
      }
      if (links.open(link.peer) != link || silence.received(link, message, nowNanos)) {
        return;
      }
      if (message instanceof Tree treeMessage) {
        receiveTree(link, treeMessage);
      } else if (message instanceof PassToken pass) {
        bulkProbes.received(pass, nowNanos);
      } else if (!overlay.received(link, message, nowNanos)
          && !shortcuts.received(link, message, nowNanos)
          && !widestTree.received(link, message)
          && !measurement.received(link, message, nowNanos)) {
        links.violated(
            link, message.getClass().getSimpleName() + " arrived out of order", nowNanos);
      }
    }

    private void receiveTree(Link link, Tree message) {
      try {
        if (message.metric() == TreeMetric.BANDWIDTH) {
          widestTree.received(link, message.message());
        } else {
          tree.received(link, message.message(), nowNanos);
        }
      } catch (TreeViolation violation) {
        links.violated(link, violation.reason(), nowNanos);
      }
    }

    @Override
    public void lost(Link link, String reason, long nowNanos) {
      effects.noticed(LinkNotices.lost(link, reason));
      dataStreams.linkLost(link, nowNanos);
      measurement.lost(link, nowNanos);
      tree.lost(link, nowNanos);
    }

    @Override
    public void livenessCheckRequested(Link link, long nowNanos) {
      measurement.askNow(link, nowNanos);
      silence.demandAnswer(link, tree, nowNanos);
    }

    @Override
    public void noticed(Notice notice) {
      effects.noticed(notice);
    }
  }

  /**
   * Handles silent links. Data continues to flow over a suspended link, whose connection may
   * recover.
   */
  private final class SilenceEvents implements LinkSilence.Events {
    @Override
    public void suspended(Link link, String reason, long nowNanos) {
      effects.noticed(LinkNotices.suspended(link, reason));
      measurement.lost(link, nowNanos);
      tree.lost(link, nowNanos);
    }

    @Override
    public void suspected(Link link, long nowNanos) {
      link.control.suspected();
      measurement.suspected(link);
    }

    @Override
    public void resumed(Link link, long nowNanos) {
      effects.noticed(LinkNotices.resumed(link));
      measurement.opened(link, nowNanos);
    }
  }
}
