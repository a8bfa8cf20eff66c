package io.treecast.testkit.sim.network;

import io.treecast.agent.core.message.DataMessage;
import io.treecast.agent.core.message.PeerMessage;

/** A process at a node of the simulated network. */
public interface SimHost {
  int node();

  /** Handles an event now, or when the process is resumed; discards it after the end. */
  void handle(Runnable event);

  /** Returns the receiver of events of its control connections. */
  SimStream.End<PeerMessage> control();

  /** Returns the receiver of events of its data connections. */
  SimStream.End<DataMessage> data();
}
