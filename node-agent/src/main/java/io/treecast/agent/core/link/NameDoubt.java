package io.treecast.agent.core.link;

import io.treecast.agent.core.message.PeerMessage;
import io.treecast.agent.core.message.PeerMessage.HeartbeatReply;
import io.treecast.agent.core.message.PeerMessage.ProbeReply;
import java.util.concurrent.TimeUnit;

/**
 * Whether the other end of a link is still there, since an agent has come with its name: it was
 * asked, and only a reply to what was sent to it afterwards is an answer. All else may have been
 * under way, or have waited here to be read, when it was dead already. A host that is dead does not
 * answer, and its link is suspended; then its name is free.
 *
 * <p>The answer holds for the agent that it was asked for, which tries again: for another one, or
 * when that agent has been told, the other end is asked anew.
 */
public final class NameDoubt {
  /** Whoever comes again does so a few times by then; who comes later has it asked anew. */
  private static final long VALID_NANOS = TimeUnit.SECONDS.toNanos(30);

  /** It is asked again by then, as it cannot be asked while the link is not measured. */
  private static final long PATIENCE_NANOS = TimeUnit.SECONDS.toNanos(5);

  private final long incarnation;
  private final long probesBefore;
  private long repliesBefore;
  private boolean answered;
  private long askedNanos;

  /**
   * Of an end that is asked now.
   *
   * @param incarnation of the agent that has come with its name
   * @param probesBefore the highest number of a probe that was sent to it before
   * @param heartbeatsAwaited how many heartbeats that were sent to it before have no reply yet
   */
  NameDoubt(long incarnation, long probesBefore, long heartbeatsAwaited, long nowNanos) {
    this.incarnation = incarnation;
    this.probesBefore = probesBefore;
    this.repliesBefore = heartbeatsAwaited;
    this.askedNanos = nowNanos;
  }

  /** The other end sent this. */
  public void received(PeerMessage message) {
    if (message instanceof ProbeReply reply) {
      answered |= reply.number() > probesBefore;
    } else if (message instanceof HeartbeatReply) {
      // They have no numbers, and come in the order of the heartbeats.
      repliesBefore--;
      answered |= repliesBefore < 0;
    }
  }

  /** Whether it is still there, as far as the agent of this incarnation has to know. */
  boolean isAnswered(long incarnationThere, long nowNanos) {
    return answered && incarnation == incarnationThere && nowNanos - askedNanos <= VALID_NANOS;
  }

  /**
   * Whether what was asked is still to be answered. It is not asked anew then, however many come;
   * only if that takes long it is reminded.
   */
  boolean isPending() {
    return !answered;
  }

  /** Whether it is to be asked the same again; at most once in a few seconds. */
  boolean reminds(long nowNanos) {
    if (nowNanos - askedNanos < PATIENCE_NANOS) {
      return false;
    }
    askedNanos = nowNanos;
    return true;
  }
}
