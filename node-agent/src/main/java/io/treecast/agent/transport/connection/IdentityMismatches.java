package io.treecast.agent.transport.connection;

import io.treecast.agent.core.contract.Notice;
import io.treecast.agent.core.contract.Notice.Kind;
import io.treecast.agent.core.contract.Notice.Severity;
import java.util.HashSet;
import java.util.Set;
import java.util.function.Consumer;

/**
 * Reports connections that were closed because the other end claims an id that its certificate does
 * not have: each one for counting, and the first of its kind for the log. For the loop's thread.
 */
public final class IdentityMismatches {
  /** The limit of reports that are remembered to avoid repetition. */
  private static final int MAX_REPORTED = 256;

  private final Consumer<Notice> notices;
  private final Set<String> reported = new HashSet<>();

  public IdentityMismatches(Consumer<Notice> notices) {
    this.notices = notices;
  }

  /**
   * Reports a connection.
   *
   * @param connection for example {@code refused a connection from 10.0.0.7:40112}
   * @param lie the id that it claims, and that of its certificate
   */
  public void refused(String connection, String lie) {
    if (reported.size() >= MAX_REPORTED) {
      reported.clear();
    }
    notices.accept(
        new Notice(
            reported.add(lie) ? Severity.WARNING : Severity.DETAIL,
            Kind.OTHER_CERTIFICATE,
            connection + ": " + lie));
  }
}
