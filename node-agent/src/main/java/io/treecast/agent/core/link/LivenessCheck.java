package io.treecast.agent.core.link;

import io.treecast.agent.core.message.PeerMessage;
import io.treecast.agent.core.message.PeerMessage.HeartbeatReply;
import io.treecast.agent.core.message.PeerMessage.ProbeReply;
import java.util.concurrent.TimeUnit;

/**
 * A check whether the other end of a link is alive, because another agent has dialed with its id.
 * Only a reply to a message that was sent after the beginning of the check counts: other messages
 * may have been in transit, or queued at this agent, since before the other end's death. A dead
 * host does not answer; its link is suspended, and then its id is free.
 *
 * <p>The result is valid for the agent that caused the check, and that dials again. For another
 * agent, or once that agent was informed, a new check begins.
 */
public final class LivenessCheck {
  /** How long a result is valid. An agent that dials again does so a few times within this time. */
  private static final long VALID_NANOS = TimeUnit.SECONDS.toNanos(30);

  /**
   * The interval of repeated requests, which are needed since an unmeasured link cannot be probed.
   */
  private static final long PATIENCE_NANOS = TimeUnit.SECONDS.toNanos(5);

  private final long incarnation;
  private final long probesBefore;
  private long repliesBefore;
  private boolean answered;
  private long askedNanos;

  /**
   * Begins a check.
   *
   * @param incarnation the incarnation of the agent that has dialed with the id
   * @param probesBefore the highest number of an earlier probe to the other end
   * @param heartbeatsAwaited the number of earlier heartbeats to the other end without a reply yet
   */
  LivenessCheck(long incarnation, long probesBefore, long heartbeatsAwaited, long nowNanos) {
    this.incarnation = incarnation;
    this.probesBefore = probesBefore;
    this.repliesBefore = heartbeatsAwaited;
    this.askedNanos = nowNanos;
  }

  /** Handles a message from the other end. */
  public void received(PeerMessage message) {
    if (message instanceof ProbeReply reply) {
      answered |= reply.number() > probesBefore;
    } else if (message instanceof HeartbeatReply) {
      // Replies have no numbers, and arrive in the order of the heartbeats.
      repliesBefore--;
      answered |= repliesBefore < 0;
    }
  }

  /** Returns whether the other end is known to be alive, for the agent with this incarnation. */
  boolean isAnswered(long incarnationThere, long nowNanos) {
    return answered && incarnation == incarnationThere && nowNanos - askedNanos <= VALID_NANOS;
  }

  /**
   * Returns whether the answer is outstanding. Further agents with the id do not start another
   * check meanwhile.
   */
  boolean isPending() {
    return !answered;
  }

  /** Returns whether to repeat the request, which is at most once in a few seconds. */
  boolean isReminderDue(long nowNanos) {
    if (nowNanos - askedNanos < PATIENCE_NANOS) {
      return false;
    }
    askedNanos = nowNanos;
    return true;
  }
}
