package io.treecast.tls;

import java.time.Instant;

/** Has files checked without waiting for the minute to pass. Stateless. */
public final class Reload {
  private Reload() {}

  public static void now(TlsFiles files) {
    files.look(Instant.now());
  }
}
