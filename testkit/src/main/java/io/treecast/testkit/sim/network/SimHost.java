package io.treecast.testkit.sim.network;

import io.treecast.agent.core.message.DataMessage;
import io.treecast.agent.core.message.PeerMessage;
import java.util.function.LongConsumer;

/** A process at a node of the simulated network. */
public interface SimHost {
  int node();

  /** Handles an event now, or when the process is resumed; discards it after the end. */
  void handle(Runnable event);

  /**
   * Sends a message now, or when the thread of its transport continues.
   *
   * @param sending receives how much later that is, in nanoseconds
   */
  default void passOn(LongConsumer sending) {
    sending.accept(0);
  }

  /** Returns the receiver of events of its control connections. */
  SimStream.End<PeerMessage> control();

  /** Returns the receiver of events of its data connections. */
  SimStream.End<DataMessage> data();
}
