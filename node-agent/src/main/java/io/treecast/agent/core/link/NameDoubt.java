package io.treecast.agent.core.link;

import io.treecast.agent.core.message.PeerMessage;
import io.treecast.agent.core.message.PeerMessage.HeartbeatReply;
import io.treecast.agent.core.message.PeerMessage.ProbeReply;
import java.util.concurrent.TimeUnit;

/**
 * Whether the other end of a link is still there, since an agent has come with its name. The other
 * end was asked, and only a reply to a message that was sent afterwards is an answer: other
 * messages may have been under way, or have waited here, since before its death. A dead host does
 * not answer, and its link is suspended; then its name is free.
 *
 * <p>The answer holds for the agent for which it was asked, which tries again: for another agent,
 * or once that agent was informed, the other end is asked again.
 */
public final class NameDoubt {
  /**
   * How long an answer holds. An agent that comes again does so a few times by then; for one that
   * comes later the other end is asked again.
   */
  private static final long VALID_NANOS = TimeUnit.SECONDS.toNanos(30);

  /** When the other end is asked again, as it cannot be asked while the link is not measured. */
  private static final long PATIENCE_NANOS = TimeUnit.SECONDS.toNanos(5);

  private final long incarnation;
  private final long probesBefore;
  private long repliesBefore;
  private boolean answered;
  private long askedNanos;

  /**
   * Begins a doubt about an end that is asked now.
   *
   * @param incarnation of the agent that has come with its name
   * @param probesBefore the highest number of a probe sent to it before
   * @param heartbeatsAwaited how many heartbeats sent to it before have no reply yet
   */
  NameDoubt(long incarnation, long probesBefore, long heartbeatsAwaited, long nowNanos) {
    this.incarnation = incarnation;
    this.probesBefore = probesBefore;
    this.repliesBefore = heartbeatsAwaited;
    this.askedNanos = nowNanos;
  }

  /** Handles a message of the other end. */
  public void received(PeerMessage message) {
    if (message instanceof ProbeReply reply) {
      answered |= reply.number() > probesBefore;
    } else if (message instanceof HeartbeatReply) {
      // Replies have no numbers, and come in the order of the heartbeats.
      repliesBefore--;
      answered |= repliesBefore < 0;
    }
  }

  /** Returns whether it is still there, for the agent of this incarnation. */
  boolean isAnswered(long incarnationThere, long nowNanos) {
    return answered && incarnation == incarnationThere && nowNanos - askedNanos <= VALID_NANOS;
  }

  /**
   * Returns whether the answer is still due. Then the question is not repeated, however many agents
   * come; it is repeated only if the answer takes long.
   */
  boolean isPending() {
    return !answered;
  }

  /** Returns whether to repeat the question; at most once in a few seconds. */
  boolean reminds(long nowNanos) {
    if (nowNanos - askedNanos < PATIENCE_NANOS) {
      return false;
    }
    askedNanos = nowNanos;
    return true;
  }
}
