package io.treecast.tls;

import java.time.Instant;

/** Has files looked at without a wait for the minute to pass. No state. */
public final class Reload {
  private Reload() {}

  public static void now(TlsFiles files) {
    files.look(Instant.now());
  }
}
