package io.treecast.agent.runtime.server;

import java.io.IOException;

/** Why an address cannot be listened on, in the system's words. Stateless. */
final class BindReason {
  private BindReason() {}

  static String of(IOException e) {
    Throwable root = e;
    while (root.getCause() != null) {
      root = root.getCause();
    }
    // Netty's native transport puts its own call before the system's words.
    return String.valueOf(root.getMessage())
        .replaceFirst("^bind\\(\\.\\.\\) failed with error\\(-?\\d+\\): ", "");
  }
}
