package io.treecast.agent.transport.connection;

import io.treecast.agent.core.contract.Notice;
import io.treecast.agent.core.contract.Notice.Kind;
import io.treecast.agent.core.contract.Notice.Severity;
import java.util.HashSet;
import java.util.Set;
import java.util.function.Consumer;

/**
 * Reports connections that were given up because the other end claims to be an agent to which its
 * certificate does not belong: each one for counting, and once for the log. For the loop's thread.
 */
public final class Impostors {
  /** The most reports that are remembered to avoid repetition. */
  private static final int MAX_SAID = 256;

  private final Consumer<Notice> notices;
  private final Set<String> said = new HashSet<>();

  public Impostors(Consumer<Notice> notices) {
    this.notices = notices;
  }

  /**
   * Reports a connection.
   *
   * @param connection for example {@code refused a connection from 10.0.0.7:40112}
   * @param lie which agent it claims to be, and which it is
   */
  public void refused(String connection, String lie) {
    if (said.size() >= MAX_SAID) {
      said.clear();
    }
    notices.accept(
        new Notice(
            said.add(lie) ? Severity.WARNING : Severity.DETAIL,
            Kind.OTHER_CERTIFICATE,
            connection + ": " + lie));
  }
}
