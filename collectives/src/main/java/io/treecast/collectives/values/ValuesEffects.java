package io.treecast.collectives.values;

import io.treecast.ghs.NodeId;

/** The effects of {@link Values} beside its own state. */
public interface ValuesEffects {
  /** Sends a message on the data stream to a neighbour. */
  void send(NodeId neighbour, ValuesMessage message);

  /** Returns the time of this machine, in microseconds since 1970. It may step. */
  long unixMicros();

  /** Reports that an entry has changed, was deleted or ended. */
  void changed(MapName map, String key);

  /** Reports the first entry of another member that has no space here, also after each recovery. */
  void full(MapName map);
}
