package io.treecast.cli;

import java.nio.charset.Charset;

/** Where commands print. */
final class Terminal {
  private Terminal() {}

  /** The characters that standard output can show. */
  static Charset charset() {
    // Known to newer Java only; before it, standard output has the default charset.
    String encoding = System.getProperty("stdout.encoding");
    return encoding != null && Charset.isSupported(encoding)
        ? Charset.forName(encoding)
        : Charset.defaultCharset();
  }
}
