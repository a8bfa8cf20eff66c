package io.treecast.agent.transport;

import io.treecast.agent.core.contract.Notice;
import java.util.EnumMap;
import java.util.Map;
import java.util.concurrent.atomic.LongAdder;

/** Counts streams and frames that were dropped for breaking a rule or a limit. Thread-safe. */
public final class StreamDrops {
  public enum Reason {
    /** The incoming connection does not speak this protocol. */
    INVALID_CONNECTION,
    /** A frame that no agent of this version sends. */
    INVALID_FRAME,
    /** The other end does not read, and too many messages wait. */
    SEND_QUEUE_FULL,
    /** A neighbour broke a rule of the protocol. */
    PROTOCOL_VIOLATION,
    /** Two agents have the same id, so a link was refused. */
    DUPLICATE_ID,
    /** The other end claims an id that its certificate does not have. */
    OTHER_CERTIFICATE,
    /** A link was refused, at either end, because the two agents belong to different clusters. */
    OTHER_CLUSTER,
    /**
     * A link was refused, at either end, because the two agents speak different versions of the
     * protocol.
     */
    OTHER_VERSION,
    /**
     * A link was refused, at either end, because a setting differs that must be equal at all
     * agents.
     */
    OTHER_SETTINGS
  }

  private final Map<Reason, LongAdder> counts = new EnumMap<>(Reason.class);

  public StreamDrops() {
    for (Reason reason : Reason.values()) {
      counts.put(reason, new LongAdder());
    }
  }

  /** Counts a notice, if it reports a drop. */
  public void count(Notice.Kind kind) {
    switch (kind) {
      case PROTOCOL_VIOLATION -> count(Reason.PROTOCOL_VIOLATION);
      case DUPLICATE_ID -> count(Reason.DUPLICATE_ID);
      case OTHER_CERTIFICATE -> count(Reason.OTHER_CERTIFICATE);
      case OTHER_CLUSTER -> count(Reason.OTHER_CLUSTER);
      case OTHER_VERSION -> count(Reason.OTHER_VERSION);
      case OTHER_SETTINGS -> count(Reason.OTHER_SETTINGS);
      default -> {}
    }
  }

  public void count(Reason reason) {
    adder(reason).increment();
  }

  public long counted(Reason reason) {
    return adder(reason).sum();
  }

  private LongAdder adder(Reason reason) {
    LongAdder adder = counts.get(reason);
    if (adder == null) {
      throw new IllegalArgumentException("no counter for " + reason);
    }
    return adder;
  }
}
