package io.treecast.agent.runtime.server;

import java.io.IOException;

/** The reason why an agent cannot listen on an address, as the system reports it. Stateless. */
final class BindReason {
  private BindReason() {}

  static String of(IOException e) {
    Throwable root = e;
    while (root.getCause() != null) {
      root = root.getCause();
    }
    // Netty's native transport puts the name of its call before the system's text.
    return String.valueOf(root.getMessage())
        .replaceFirst("^bind\\(\\.\\.\\) failed with error\\(-?\\d+\\): ", "");
  }
}
