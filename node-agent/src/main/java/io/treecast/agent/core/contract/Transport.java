package io.treecast.agent.core.contract;

import io.treecast.agent.core.message.DataMessage;
import io.treecast.agent.core.message.PeerMessage;
import java.util.List;
import java.util.function.Supplier;

/**
 * Opens connections. One that cannot be established is reported as closed, later, never inside the
 * call.
 *
 * <p>Addresses are HOST:PORT as members announce them; only the driver reads them.
 */
public interface Transport {
  Connection<PeerMessage> dialControl(String address);

  Connection<DataMessage> dialData(String address);

  /**
   * Dials a data stream whose uploads may use further paths.
   *
   * @param paths supplies the addresses that lead to the same agent now, this one among them; empty
   *     if only this one is known
   */
  default Connection<DataMessage> dialData(String address, Supplier<List<String>> paths) {
    return dialData(address);
  }
}
