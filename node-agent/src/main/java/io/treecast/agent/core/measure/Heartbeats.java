package io.treecast.agent.core.measure;

import io.treecast.agent.core.link.Lateness;
import io.treecast.agent.core.link.Link;
import io.treecast.agent.core.link.Links;
import io.treecast.agent.core.message.PeerMessage.ClockEcho;
import io.treecast.agent.core.message.PeerMessage.Heartbeat;
import io.treecast.agent.core.message.PeerMessage.HeartbeatReply;
import io.treecast.ghs.NodeId;
import java.util.concurrent.TimeUnit;

/**
 * Sends heartbeats on links that this end does not own, while they are {@linkplain Pace brisk} at
 * this end. A heartbeat echoes the owner's clock in the latest reply and the age of that reply, so
 * the owner measures the round trip without a probe of its own.
 */
public final class Heartbeats {
  private static final long NEVER = Long.MAX_VALUE;

  private final NodeId self;
  private final Links links;
  private final Pace pace;
  private final Lateness lateness;
  private long sent;

  /** No heartbeat of any link is due before this time. */
  private long noneBeforeNanos = NEVER;

  public Heartbeats(NodeId self, Links links, Pace pace, Lateness lateness) {
    this.self = self;
    this.links = links;
    this.pace = pace;
    this.lateness = lateness;
  }

  /** Returns the number of heartbeats sent. */
  long sent() {
    return sent;
  }

  /** Ends the heartbeats of a session. */
  static void lost(Link link) {
    link.heartbeatDueNanos = NEVER;
    link.trialHeartbeats = 0;
    link.heartbeatReply = null;
  }

  /**
   * Starts the heartbeats of a link, unless they have started. A link that is not brisk gets a
   * single one.
   */
  void begin(Link link, long nowNanos) {
    boolean isAsked = link.heartbeatDueNanos != NEVER;
    if (!isAsked && !link.isOwnedBy(self) && !link.suspended && link.weight != null) {
      ask(link, nowNanos);
    }
  }

  /**
   * Starts enough heartbeats for the owner of a new link to measure this many round trips. The
   * first heartbeat has no reply to echo.
   */
  void beginTrial(Link link, int roundTrips, long nowNanos) {
    link.trialHeartbeats = 1 + roundTrips;
    ask(link, nowNanos);
  }

  private void ask(Link link, long nowNanos) {
    link.heartbeatDueNanos = nowNanos;
    noneBeforeNanos = nowNanos;
  }

  /** Returns a time no later than the next due heartbeat. */
  long nextDeadlineNanos() {
    return noneBeforeNanos;
  }

  /** Sends the heartbeats that are due. */
  void tick(long nowNanos) {
    tick(false, nowNanos);
  }

  /**
   * Sends the heartbeats that are due.
   *
   * @param probesAllLinks whether the receivers must probe all their neighbours as well
   */
  void tick(boolean probesAllLinks, long nowNanos) {
    if (nowNanos < noneBeforeNanos) {
      return;
    }
    noneBeforeNanos = NEVER;
    for (Link link : links.open()) {
      if (link.heartbeatDueNanos <= nowNanos) {
        send(link, probesAllLinks, nowNanos);
      }
      noneBeforeNanos = Math.min(noneBeforeNanos, link.heartbeatDueNanos);
    }
  }

  /** Sends a heartbeat. The last one announces that no other follows. */
  private void send(Link link, boolean probesAllLinks, long nowNanos) {
    link.trialHeartbeats = Math.max(0, link.trialHeartbeats - 1);
    long nextNanos = pace.isBrisk(link) ? pace.steadyNanos() : 0;
    link.heartbeatDueNanos = nextNanos == 0 ? NEVER : nowNanos + nextNanos;
    HeartbeatReply reply = link.heartbeatReply;
    ClockEcho echo =
        reply == null
            ? null
            : new ClockEcho(reply.clockNanos(), nowNanos - link.heartbeatRepliedNanos);
    sent++;
    link.heartbeatsAwaited++;
    pace.asked(link, nowNanos);
    link.control.send(
        new Heartbeat(
            TimeUnit.NANOSECONDS.toMillis(nextNanos),
            probesAllLinks,
            nowNanos,
            echo,
            lateness.mostNanos(nowNanos)));
  }

  void replied(Link link, HeartbeatReply reply, long nowNanos) {
    link.heartbeatsAwaited--;
    link.heartbeatReply = reply;
    link.heartbeatRepliedNanos = lateness.arrivedNanos(nowNanos);
  }
}
