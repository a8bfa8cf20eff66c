package io.treecast.agent.core.contract;

import io.treecast.agent.core.AgentCore;
import io.treecast.collectives.broadcast.message.Chunk;
import io.treecast.collectives.broadcast.message.Confirmation;
import io.treecast.collectives.broadcast.message.Gap;
import io.treecast.collectives.broadcast.message.MessageId;
import io.treecast.collectives.broadcast.message.MissedReason;
import io.treecast.collectives.broadcast.message.OrderPosition;
import io.treecast.collectives.operation.Outcome;
import io.treecast.ghs.NodeId;
import io.treecast.monitor.series.SeriesResource;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The effects of an agent besides messages to other agents. Called inside the event that causes
 * them; must not call back.
 */
public interface AgentEffects {
  /** Begins the subscription of a local subscriber, after these messages. */
  void began(long subscriber, List<MessageId> after);

  /**
   * Reports that a local subscriber has received all that there was when its subscription began.
   */
  void live(long subscriber);

  /**
   * Hands a chunk to a local subscriber, whose driver answers with {@link AgentCore#consumed}.
   *
   * @param position of its message in the topic's total order; null if the subscriber did not ask
   *     for that
   */
  void deliver(long subscriber, Chunk chunk, @Nullable OrderPosition position);

  /** Reports messages that a local subscriber will not get; consumed like a chunk. */
  void missed(long subscriber, Gap gap, MissedReason reason);

  /** Reports that the rest of a message that a local subscriber has in part may never come. */
  void abandoned(long subscriber, MessageId message);

  /**
   * Reports that publishers no longer wait for a local subscriber, which took nothing for too long.
   */
  void fellBehind(long subscriber);

  /** Reports the final confirmation of a broadcast that asked for it. */
  void confirmed(Confirmation confirmation);

  /** Grants room for this many more pieces of an upload. */
  void uploadTaken(long upload, int pieces);

  /**
   * Reports that an upload is on its way to its end, and that the wanted replicas were reached or
   * the time for them is over.
   *
   * @param replicas how many have it; 0 if none are wanted
   */
  void uploadEnded(long upload, int replicas);

  /**
   * Reports the end of a local application's call to take part in a collective operation. Called
   * once, unless the call is {@linkplain AgentCore#withdraw withdrawn}.
   */
  void collectiveEnded(long call, Outcome outcome);

  /**
   * Reports a measurement of the link to a neighbour.
   *
   * @param value in the unit of the resource
   */
  void measured(NodeId neighbour, SeriesResource resource, long value);

  /** Reports a tree that this agent has committed. */
  void treeChanged(TreeChange change);

  /** Reports an event for an operator's log. */
  void noticed(Notice notice);
}
