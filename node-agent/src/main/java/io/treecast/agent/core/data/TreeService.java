package io.treecast.agent.core.data;

import io.treecast.agent.core.message.DataMessage.ServiceMessage;
import io.treecast.ghs.NodeId;
import io.treecast.mst.CommittedTree;

/**
 * A service that follows the committed tree. Its instances at neighbouring members exchange
 * messages on the data streams of their links.
 *
 * <p>An edge of the tree has a data stream soon after the commit; other links may have one as well.
 * Messages on a stream arrive in order, or the stream closes. Each service must bound its own
 * messages that wait for a slow stream.
 */
public interface TreeService {
  /** Handles a tree that this agent has committed. */
  void treeCommitted(CommittedTree tree, long nowNanos);

  /** Handles a data stream that has opened. Messages may be sent on it from now on. */
  void streamOpened(NodeId neighbour, long nowNanos);

  /** Handles a data stream that has closed. Messages that were sent on it may be lost. */
  void streamClosed(NodeId neighbour);

  /** Handles a neighbour's message; returns false if it belongs to another service. */
  boolean received(NodeId neighbour, ServiceMessage message, long nowNanos);

  /** Runs the tasks that are due. */
  void tick(long nowNanos);

  /** Returns when {@link #tick} is due; {@link Long#MAX_VALUE} for never. */
  long nextDeadlineNanos();
}
