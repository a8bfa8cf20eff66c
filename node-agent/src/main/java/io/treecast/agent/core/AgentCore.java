package io.treecast.agent.core;

import io.treecast.agent.core.DataMessage.AttachData;
import io.treecast.agent.core.Notice.Kind;
import io.treecast.agent.core.Notice.Severity;
import io.treecast.agent.core.PeerMessage.Hello;
import io.treecast.agent.core.PeerMessage.RefusalCause;
import io.treecast.agent.core.PeerMessage.Tree;
import io.treecast.collectives.BroadcastEffects;
import io.treecast.collectives.BroadcastRefusedException;
import io.treecast.collectives.BroadcastRelay;
import io.treecast.collectives.Chunk;
import io.treecast.ghs.NodeId;
import io.treecast.mst.CommittedTree;
import io.treecast.mst.FixedMembershipTree;
import io.treecast.mst.TreeMessage;
import io.treecast.mst.TreePhase;
import io.treecast.mst.TreeProtocol;
import io.treecast.mst.TreeStatus;
import io.treecast.mst.TreeViolation;
import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import java.util.TreeMap;

/**
 * One agent: its links, their measurement, the tree protocol and the broadcast relay, composed.
 *
 * <p>A call tells what happened and when; whatever follows from it happens through {@link
 * Transport} and {@link AgentEffects} before the call returns. After each call the driver asks
 * {@link #nextDeadlineNanos} and sees to it that {@link #tick} is called no earlier. Times are
 * nanoseconds of any clock that never goes back.
 *
 * <p>Driven by one thread at a time.
 */
public final class AgentCore {
  private final CoreConfig config;
  private final AgentEffects effects;
  private final Links links;
  private final FixedMembershipTree tree;
  private final Measurement measurement;
  private final BroadcastRelay relay;
  private final DataStreams dataStreams;
  private final Publishing publishing;
  private final TreeMap<String, Long> treeMessagesSent = new TreeMap<>();
  private TreePhase phase = TreePhase.WAITING;
  private long wokenNanos;
  private long committedNanos;
  private long nowNanos;

  /** Neighbours whose data broke the rules, to be dealt with when the relay has returned. */
  private final ArrayDeque<DataViolation> dataViolations = new ArrayDeque<>();

  private record DataViolation(NodeId neighbour, String reason) {}

  /** An agent that does nothing until {@link #start}. */
  public AgentCore(CoreConfig config, Transport transport, AgentEffects effects) {
    this.config = config;
    this.effects = effects;
    Membership membership = config.membership();
    this.links =
        new Links(
            new Hello(
                config.self(),
                config.incarnation(),
                config.address(),
                membership.expectedMembers()),
            membership,
            config.links(),
            transport,
            new LinkEvents());
    this.tree =
        new FixedMembershipTree(config.self(), membership.expectedLinks(), new TreeEffects());
    this.measurement =
        new Measurement(config.self(), config.probes(), links, tree, effects::noticed);
    this.relay =
        new BroadcastRelay(
            config.self(), config.incarnation(), config.broadcast(), new RelayEffects());
    this.dataStreams =
        new DataStreams(
            new AttachData(config.self(), config.incarnation(), 0),
            config.links().handshakeTimeoutNanos(),
            links,
            transport,
            relay,
            new DataStreamEvents());
    this.publishing = new Publishing(relay, config.broadcast());
  }

  /** To be called once, first. */
  public void start(long nowNanos) {
    this.nowNanos = nowNanos;
    tree.start();
    treeMayHaveChanged();
    links.start(nowNanos);
  }

  /**
   * Says goodbye to the neighbours, closes all connections and refuses the broadcasts that wait.
   * What is called afterwards has no effect on other agents.
   */
  public void leave() {
    publishing.leave();
    dataStreams.leave();
    links.leave();
  }

  /**
   * When {@link #tick} is due, unless something happens before; {@link Long#MAX_VALUE} for never.
   */
  public long nextDeadlineNanos() {
    long next = Math.min(links.nextDeadlineNanos(), dataStreams.nextDeadlineNanos());
    next = Math.min(next, publishing.nextDeadlineNanos());
    return Math.min(next, measurement.nextDeadlineNanos());
  }

  /** Time has passed. */
  public void tick(long nowNanos) {
    this.nowNanos = nowNanos;
    links.tick(nowNanos);
    dataStreams.tick(nowNanos);
    measurement.tick(nowNanos);
    if (publishing.nextDeadlineNanos() <= nowNanos) {
      publishing.tick(nowNanos, explanation());
    }
  }

  /** Another agent has opened a control stream. */
  public void controlAccepted(Connection<PeerMessage> connection, long nowNanos) {
    this.nowNanos = nowNanos;
    links.accepted(connection, nowNanos);
  }

  public void controlReceived(
      Connection<PeerMessage> connection, PeerMessage message, long nowNanos) {
    this.nowNanos = nowNanos;
    links.received(connection, message, nowNanos);
    endViolatingLinks();
  }

  /** A control stream is gone, whichever end opened it. */
  public void controlClosed(Connection<PeerMessage> connection, String reason, long nowNanos) {
    this.nowNanos = nowNanos;
    links.closed(connection, reason, nowNanos);
  }

  /** Another agent has opened a data stream. */
  public void dataAccepted(Connection<DataMessage> connection, long nowNanos) {
    this.nowNanos = nowNanos;
    dataStreams.accepted(connection, nowNanos);
  }

  public void dataReceived(Connection<DataMessage> connection, DataMessage message, long nowNanos) {
    this.nowNanos = nowNanos;
    dataStreams.received(connection, message, nowNanos);
    endViolatingLinks();
  }

  /** A data stream is gone, whichever end opened it. */
  public void dataClosed(Connection<DataMessage> connection, String reason, long nowNanos) {
    this.nowNanos = nowNanos;
    dataStreams.closed(connection, reason, nowNanos);
  }

  /**
   * A local application broadcasts.
   *
   * @param payload not to be changed afterwards
   * @param deadlineNanos until when it may wait for a tree
   * @param outcome told once, now or later
   */
  public void publish(
      ByteBuffer payload, long deadlineNanos, PublishOutcome outcome, long nowNanos) {
    this.nowNanos = nowNanos;
    publishing.publish(payload, deadlineNanos, tree.status(), explanation(), outcome);
  }

  /**
   * A local application subscribes, under a number that no other subscriber of this agent has.
   *
   * @throws BroadcastRefusedException if the agent has as many subscribers as it may have
   */
  public void subscribe(long subscriber) throws BroadcastRefusedException {
    relay.subscribe(subscriber);
  }

  public void unsubscribe(long subscriber) {
    relay.unsubscribe(subscriber);
  }

  /** Chunks of this cost went out to the subscriber. */
  public void consumed(long subscriber, long bytes) {
    relay.consumed(subscriber, bytes);
  }

  /** Where the agent stands now. */
  public AgentSnapshot snapshot() {
    return AgentSnapshot.of(
        config,
        treeStatus(),
        links,
        treeMessagesSent,
        wokenNanos,
        committedNanos,
        relay.counters());
  }

  /** The tree's status, with its reason completed by what the links know. */
  public TreeStatus treeStatus() {
    TreeStatus status = tree.status();
    return new TreeStatus(status.phase(), status.tree(), explanation());
  }

  private String explanation() {
    TreeStatus status = tree.status();
    return status.phase() == TreePhase.WAITING
        ? WaitingExplanation.of(config.membership(), links, status.reason())
        : status.reason();
  }

  private void treeMayHaveChanged() {
    TreeStatus status = treeStatus();
    if (status.phase() == phase) {
      return;
    }
    if (phase == TreePhase.WAITING) {
      wokenNanos = nowNanos;
    }
    phase = status.phase();
    if (phase == TreePhase.COMMITTED) {
      committedNanos = nowNanos;
    }
    Severity severity = phase == TreePhase.BROKEN ? Severity.WARNING : Severity.INFO;
    String text =
        phase == TreePhase.COMMITTED ? "tree committed: " + status.tree() : status.reason();
    effects.noticed(new Notice(severity, Kind.TREE_PHASE, text));
    effects.treeChanged(status);
    publishing.treeChanged(status, status.reason());
  }

  private void endViolatingLinks() {
    for (DataViolation v = dataViolations.poll(); v != null; v = dataViolations.poll()) {
      Link link = links.open(v.neighbour);
      if (link != null) {
        violated(link, v.reason);
      }
    }
  }

  private void violated(Link link, String reason) {
    effects.noticed(
        new Notice(
            Severity.WARNING,
            Kind.PROTOCOL_VIOLATION,
            "ending the link to " + link.peer + ": " + reason));
    links.end(link, RefusalCause.PROTOCOL_VIOLATION, reason, nowNanos);
  }

  private final class LinkEvents implements Links.Events {
    @Override
    public void opened(Link link, long nowNanos) {
      effects.noticed(
          new Notice(
              Severity.INFO, Kind.LINK_OPENED, "linked with " + link.peer + " at " + link.address));
      measurement.opened(link, nowNanos);
    }

    @Override
    public void received(Link link, PeerMessage message, long nowNanos) {
      if (message instanceof Tree treeMessage) {
        receiveTree(link, treeMessage.message());
      } else if (measurement.received(link, message, nowNanos)) {
        treeMayHaveChanged();
      } else {
        violated(link, message.getClass().getSimpleName() + " came out of turn");
      }
    }

    private void receiveTree(Link link, TreeMessage message) {
      try {
        tree.receive(link.peer, message);
        treeMayHaveChanged();
      } catch (TreeViolation violation) {
        violated(link, violation.reason());
      }
    }

    @Override
    public void lost(Link link, String reason, long nowNanos) {
      effects.noticed(
          new Notice(
              Severity.WARNING, Kind.LINK_LOST, "lost the link to " + link.peer + ": " + reason));
      dataStreams.linkLost(link);
      if (link.weight != null) {
        tree.linkLost(link.peer);
        treeMayHaveChanged();
      }
    }

    @Override
    public void noticed(Notice notice) {
      effects.noticed(notice);
    }
  }

  private final class DataStreamEvents implements DataStreams.Events {
    @Override
    public void failed(Link link, String reason, long nowNanos) {
      links.end(link, RefusalCause.PROTOCOL_VIOLATION, reason, nowNanos);
    }

    @Override
    public void violated(Link link, String reason) {
      AgentCore.this.violated(link, reason);
    }

    @Override
    public void left(Link link, long nowNanos) {
      links.left(link, nowNanos);
    }
  }

  private final class TreeEffects implements TreeProtocol.Effects {
    @Override
    public void send(NodeId neighbour, TreeMessage message) {
      Link link = links.open(neighbour);
      if (link != null) {
        treeMessagesSent.merge(message.type(), 1L, Long::sum);
        link.control.send(new Tree(message));
      }
    }

    @Override
    public void committed(CommittedTree committed) {
      relay.treeCommitted(committed);
      dataStreams.treeCommitted(committed, nowNanos);
    }
  }

  private final class RelayEffects implements BroadcastEffects {
    @Override
    public void send(NodeId neighbour, Chunk chunk) {
      dataStreams.send(neighbour, new DataMessage.Data(chunk));
    }

    @Override
    public void grant(NodeId neighbour, long bytes) {
      dataStreams.send(neighbour, new DataMessage.Credit(bytes));
    }

    @Override
    public void deliver(long subscriber, Chunk chunk) {
      effects.deliver(subscriber, chunk);
    }

    @Override
    public void violated(NodeId neighbour, String reason) {
      dataViolations.add(new DataViolation(neighbour, reason));
    }
  }
}
