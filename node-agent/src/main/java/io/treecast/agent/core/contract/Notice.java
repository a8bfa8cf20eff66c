package io.treecast.agent.core.contract;

/**
 * Something that an operator may want to read in a log.
 *
 * @param severity how much it matters
 * @param kind what happened, for counting
 * @param text what happened, to whom, and what to do, for a person
 */
public record Notice(Severity severity, Kind kind, String text) {

  /** How much a notice matters. */
  public enum Severity {
    /** Happens often, and all is well. */
    DETAIL,
    INFO,
    WARNING,
    /** The agent cannot go on. */
    FATAL;

    /** Whether somebody may have to do something. */
    public boolean isTrouble() {
      return compareTo(WARNING) >= 0;
    }
  }

  /** What happened. */
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
    STOOD_STILL,
    TREE_COMMITTED
  }

  public static Notice info(Kind kind, String text) {
    return new Notice(Severity.INFO, kind, text);
  }

  public static Notice warning(Kind kind, String text) {
    return new Notice(Severity.WARNING, kind, text);
  }
}
