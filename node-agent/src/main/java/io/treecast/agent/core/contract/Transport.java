package io.treecast.agent.core.contract;

import io.treecast.agent.core.message.DataMessage;
import io.treecast.agent.core.message.PeerMessage;

/**
 * Opens connections. One that cannot be established is reported as closed, later, never inside the
 * call.
 *
 * <p>Addresses are HOST:PORT as members announce them; only the driver reads them.
 */
public interface Transport {
  Connection<PeerMessage> dialControl(String address);

  Connection<DataMessage> dialData(String address);
}
