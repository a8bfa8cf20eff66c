package io.treecast.testkit.sim.network;

import io.treecast.agent.core.message.DataMessage;
import io.treecast.agent.core.message.PeerMessage;

/** A process at a node of the simulated network. */
public interface SimHost {
  /** Where it runs. */
  int node();

  /** Something happens to it: now, or when it is resumed, or never if it is gone. */
  void handle(Runnable event);

  /** Its control connections. */
  SimStream.End<PeerMessage> control();

  /** Its data connections. */
  SimStream.End<DataMessage> data();
}
