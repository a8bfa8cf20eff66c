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
 * What an agent does besides talking to other agents. Called inside the event that causes it; must
 * not call back.
 */
public interface AgentEffects {
  /** The subscription of a local subscriber begins, after these messages. */
  void began(long subscriber, List<MessageId> after);

  /** A local subscriber has all that there was when its subscription began. */
  void live(long subscriber);

  /**
   * Hands a chunk to a local subscriber, whose driver answers with {@link AgentCore#consumed}.
   *
   * @param position of its message in the topic's total order; null if the subscriber did not ask
   *     for that
   */
  void deliver(long subscriber, Chunk chunk, @Nullable OrderPosition position);

  /** Messages that a local subscriber will not get; consumed like a chunk. */
  void missed(long subscriber, Gap gap, MissedReason reason);

  /** The rest of a message that a local subscriber has in part may never come. */
  void abandoned(long subscriber, MessageId message);

  /** Nobody waits for a local subscriber any more, which took nothing for too long. */
  void fellBehind(long subscriber);

  /** What is known, and will be, of the delivery of a broadcast that asked for it. */
  void confirmed(Confirmation confirmation);

  /** There is room for so many more pieces of an upload. */
  void uploadTaken(long upload, int pieces);

  /**
   * An upload is on its way to its end, and so many other members have it as are wanted, or the
   * time for that is over.
   *
   * @param replicas how many have it; 0 if none are wanted
   */
  void uploadEnded(long upload, int replicas);

  /**
   * A local application's call to take part in a collective operation has ended. Comes once, unless
   * the call is {@linkplain AgentCore#withdraw withdrawn}.
   */
  void collectiveEnded(long call, Outcome outcome);

  /**
   * This agent has measured its link to a neighbour.
   *
   * @param value in the unit of the resource
   */
  void measured(NodeId neighbour, SeriesResource resource, long value);

  /** This agent has committed a tree. */
  void treeChanged(TreeChange change);

  /** Something that an operator may want to read in a log. */
  void noticed(Notice notice);
}
