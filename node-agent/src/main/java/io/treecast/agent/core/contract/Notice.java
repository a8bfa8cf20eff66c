package io.treecast.agent.core.contract;

/**
 * An event for an operator's log.
 *
 * @param severity the severity
 * @param kind the kind of event, for counting
 * @param text the event, the parties, and what to do, for people
 */
public record Notice(Severity severity, Kind kind, String text) {

  public enum Severity {
    /** The event is frequent in normal operation. */
    DETAIL,
    INFO,
    WARNING,
    /** The agent must stop. */
    FATAL;

    /** Returns whether an operator may have to act. */
    public boolean needsAttention() {
      return compareTo(WARNING) >= 0;
    }
  }

  /** The kind of event. */
  public enum Kind {
    LINK_OPENED,
    LINK_MEASURED,
    LINK_SUSPENDED,
    LINK_LOST,
    LINK_WITHOUT_DATA,
    LINK_ENDED,
    LINK_REFUSED,
    HANDSHAKE_TIMEOUT,
    OTHER_CLUSTER,
    OTHER_CERTIFICATE,
    OTHER_VERSION,
    OTHER_SETTINGS,
    DUPLICATE_ID,
    EARLIER_INCARNATION,
    OTHER_MEMBER,
    SEEDS_SILENT,
    MEMBER_FORGOTTEN,
    PROTOCOL_VIOLATION,
    STREAM_DROPPED,
    SUBSCRIBER_SLOW,
    STALLED,
    VALUES_FULL,
    TREE_COMMITTED
  }

  public static Notice info(Kind kind, String text) {
    return new Notice(Severity.INFO, kind, text);
  }

  public static Notice warning(Kind kind, String text) {
    return new Notice(Severity.WARNING, kind, text);
  }
}
