package io.treecast.agent.core.contract;

import io.treecast.agent.core.message.DataMessage;
import io.treecast.agent.core.message.PeerMessage;
import java.util.List;
import java.util.function.Supplier;

/**
 * Opens connections. A failure to connect is reported as the end of the connection, after the call
 * has returned.
 *
 * <p>Addresses are HOST:PORT as members announce them; only the driver interprets them.
 */
public interface Transport {
  /**
   * Sets the time of the present event. The transport corrects messages that {@linkplain
   * PeerMessage#leaving leave later}.
   */
  default void eventBegins(long nowNanos) {}

  Connection<PeerMessage> dialControl(String address);

  Connection<DataMessage> dialData(String address);

  /**
   * Dials a data stream whose uploads may use further paths.
   *
   * @param paths supplies the present addresses of the same agent, including this one; empty if no
   *     other is known
   */
  default Connection<DataMessage> dialData(String address, Supplier<List<String>> paths) {
    return dialData(address);
  }
}
