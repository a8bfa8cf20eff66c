package io.treecast.tls;

import java.time.Instant;

/** Checks files at once, without waiting for a minute. Stateless. */
public final class Reload {
  private Reload() {}

  public static void now(TlsFiles files) {
    files.look(Instant.now());
  }
}
