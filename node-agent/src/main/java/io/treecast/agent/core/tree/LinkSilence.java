package io.treecast.agent.core.tree;

import io.treecast.agent.core.link.Link;
import io.treecast.agent.core.link.Links;
import io.treecast.agent.core.message.PeerMessage;
import io.treecast.agent.core.message.PeerMessage.Heartbeat;
import io.treecast.agent.core.message.PeerMessage.HeartbeatReply;
import io.treecast.agent.core.message.PeerMessage.OpenLink;
import io.treecast.agent.core.message.PeerMessage.Probe;
import io.treecast.agent.core.message.PeerMessage.ProbeReply;
import io.treecast.agent.core.message.PeerMessage.SuspendLink;
import io.treecast.agent.core.settings.LinkLimits;
import io.treecast.ghs.NodeId;
import java.util.List;
import java.util.concurrent.TimeUnit;

/**
 * Ends the session of a link whose other end is silent, and begins the next session on the same
 * connection when messages arrive again.
 *
 * <p>Either end may detect the silence of the other. The end with the higher id reports it to the
 * owner, the end with the lower id. The owner then opens the next session, which begins when the
 * other end has echoed it. The stream delivers both messages once the network passes data again, so
 * they are not repeated. Earlier messages belong to the old session and are dropped. A connection
 * that does not recover in time is closed, and the link is dialed again.
 */
public final class LinkSilence {
  public interface Events {
    /** Reports that the session has ended; the connection stays open. */
    void suspended(Link link, String reason, long nowNanos);

    /** Reports a link that has been silent for almost long enough to be suspended. */
    void suspected(Link link, long nowNanos);

    /** Reports that the next session has begun. */
    void resumed(Link link, long nowNanos);
  }

  private final NodeId self;
  private final LinkLimits limits;
  private final Links links;
  private final Events events;

  /** No link has an earlier deadline, so most calls of {@link #tick} need not visit the links. */
  private long nothingDueBeforeNanos = Long.MAX_VALUE;

  public LinkSilence(NodeId self, LinkLimits limits, Links links, Events events) {
    this.self = self;
    this.limits = limits;
    this.links = links;
    this.events = events;
  }

  /** Starts to watch a link that has opened. */
  public void opened(Link link) {
    noteDeadline(link);
  }

  private void noteDeadline(Link link) {
    nothingDueBeforeNanos = Math.min(nothingDueBeforeNanos, deadlineNanos(link));
  }

  private long deadlineNanos(Link link) {
    if (link.suspended) {
      return link.suspendedUntilNanos;
    }
    return link.suspected ? link.silence.silentAtNanos() : link.silence.suspectAtNanos();
  }

  /** Excludes a time in which this agent did not run from the silence of all links. */
  public void paused(long gapNanos, long nowNanos) {
    for (Link link : links.open()) {
      link.silence.paused(gapNanos, nowNanos);
      link.suspendedUntilNanos += gapNanos;
    }
  }

  /** Returns a time no later than the next deadline of {@link #tick}. */
  public long nextDeadlineNanos() {
    return nothingDueBeforeNanos;
  }

  public void tick(long nowNanos) {
    if (nowNanos < nothingDueBeforeNanos) {
      return;
    }
    nothingDueBeforeNanos = Long.MAX_VALUE;
    for (Link link : List.copyOf(links.open())) {
      if (link.suspended && link.suspendedUntilNanos <= nowNanos) {
        links.abort(link, "silent for too long", nowNanos);
      } else if (!link.suspended && link.silence.isSilent(nowNanos)) {
        suspend(link, "no message from " + link.peer + " for a while", nowNanos);
        if (!link.isOwnedBy(self)) {
          link.control.send(new SuspendLink());
        }
      } else if (!link.suspended && !link.suspected && link.silence.suspectAtNanos() <= nowNanos) {
        link.suspected = true;
        events.suspected(link, nowNanos);
      }
    }
    links.open().forEach(this::noteDeadline);
  }

  private void suspend(Link link, String reason, long nowNanos) {
    link.suspended = true;
    link.suspendedReason = reason;
    link.suspendedNanos = nowNanos;
    link.suspendedUntilNanos = nowNanos + limits.suspendedNanos();
    link.silence.expectProbe(0);
    link.silence.expectReply(0);
    noteDeadline(link);
    events.suspended(link, reason, nowNanos);
    if (link.isOwnedBy(self)) {
      link.control.send(new OpenLink(links.nextSession(link.peer, link.incarnation)));
    }
  }

  /**
   * Notes a message on an open link, and handles it if it is about the session.
   *
   * @return whether the message needs no further handling
   */
  public boolean received(Link link, PeerMessage message, long nowNanos) {
    link.silence.received(nowNanos);
    if (link.livenessCheck != null) {
      link.livenessCheck.received(message);
    }
    link.suspected = false;
    expectNext(link, message);
    noteDeadline(link);
    if (message instanceof SuspendLink && link.isOwnedBy(self)) {
      if (!link.suspended) {
        suspend(link, link.peer + " receives nothing from this agent", nowNanos);
      }
      return true;
    }
    if (message instanceof OpenLink next && next.session() == link.session + 1) {
      return open(link, next, nowNanos);
    }
    boolean isOfSession =
        message instanceof PeerMessage.Tree
            || message instanceof PeerMessage.WeightUpdate
            || message instanceof PeerMessage.ThroughputUpdate
            || message instanceof PeerMessage.RingOffer
            || message instanceof PeerMessage.RingVerdict;
    return link.suspended && isOfSession;
  }

  /** Sets when the next message is expected, which probes and their replies announce. */
  private static void expectNext(Link link, PeerMessage message) {
    if (message instanceof Probe probe) {
      link.silence.expectProbe(TimeUnit.MILLISECONDS.toNanos(probe.nextMillis()));
    } else if (message instanceof Heartbeat heartbeat) {
      link.silence.expectProbe(TimeUnit.MILLISECONDS.toNanos(heartbeat.nextMillis()));
    } else if (message instanceof HeartbeatReply reply) {
      link.silence.expectReply(TimeUnit.MILLISECONDS.toNanos(reply.nextMillis()));
    } else if (message instanceof ProbeReply reply && link.probe != null) {
      link.silence.expectReply(link.probe.intervalAfterNanos(reply.number() - link.probesBefore));
    }
  }

  /**
   * Requires quick answers from all neighbours after a roll call. A link beside the tree that does
   * not answer in time counts as silent.
   */
  public void demandAnswers(TreeDriver tree, long nowNanos) {
    links.open().forEach(link -> demandAnswer(link, tree, nowNanos));
  }

  /** Requires a quick answer from one neighbour, unless its link is an edge of the tree. */
  public void demandAnswer(Link link, TreeDriver tree, long nowNanos) {
    if (link.weight != null && !link.suspended && !tree.isEdge(link.peer)) {
      link.silence.demandAnswer(TimeUnit.MICROSECONDS.toNanos(link.rttMicros()), nowNanos);
      link.control.suspected();
      noteDeadline(link);
    }
  }

  private boolean open(Link link, OpenLink next, long nowNanos) {
    if (link.isOwnedBy(self)) {
      if (!link.suspended) {
        return false;
      }
    } else {
      if (!link.suspended) {
        suspend(link, link.peer + " receives nothing from this agent", nowNanos);
      }
      link.control.send(next);
    }
    link.session = next.session();
    link.suspended = false;
    noteDeadline(link);
    links.resumed(link, nowNanos);
    events.resumed(link, nowNanos);
    return true;
  }
}
