package io.treecast.agent.transport;

import io.treecast.agent.core.contract.Notice;
import io.treecast.agent.core.contract.Notice.Kind;
import io.treecast.agent.core.contract.Notice.Severity;
import java.util.HashSet;
import java.util.Set;
import java.util.function.Consumer;

/**
 * Tells of connections that were given up because the other end says that it is an agent that its
 * certificate is not of: each time, for counting, and once for the log.
 */
final class Impostors {
  /** What is remembered for not being reported again. */
  private static final int MAX_SAID = 256;

  private final Consumer<Notice> notices;
  private final Set<String> said = new HashSet<>();

  Impostors(Consumer<Notice> notices) {
    this.notices = notices;
  }

  /**
   * One more.
   *
   * @param connection for example {@code refused a connection from 10.0.0.7:40112}
   * @param lie who it says that it is, and who it is
   */
  void refused(String connection, String lie) {
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
