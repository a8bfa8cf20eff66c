package io.treecast.cli.output;

import java.io.FilterOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintWriter;
import java.nio.charset.Charset;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * Where a command's answer goes. Unlike another {@link PrintWriter} it knows why something could
 * not be written. Printed to by one thread at a time.
 */
public final class StandardOutput extends PrintWriter {
  private final Target target;

  private StandardOutput(Target target, Charset charset) {
    super(target, true, charset);
    this.target = target;
  }

  /** Prints to a stream, which must not swallow its errors as {@link System#out} does. */
  public static StandardOutput to(OutputStream stream, Charset charset) {
    return new StandardOutput(new Target(stream), charset);
  }

  /** Returns why something could not be written; null if all was, or the system does not say. */
  public @Nullable String failure() {
    return target.failure;
  }

  /**
   * Returns whether it is a pipe whose other end is closed, as after {@code | head -1}. Java tells
   * that by the system's words only. Where these are in another language, it is a failure like
   * others.
   */
  public boolean isReaderGone() {
    String why = target.failure;
    return why != null && why.toLowerCase(Locale.ROOT).contains("broken pipe");
  }

  /** Remembers the first failure. */
  private static final class Target extends FilterOutputStream {
    private @Nullable String failure;

    Target(OutputStream stream) {
      super(stream);
    }

    @Override
    public void write(int b) throws IOException {
      write(new byte[] {(byte) b}, 0, 1);
    }

    @Override
    public void write(byte[] bytes, int offset, int length) throws IOException {
      try {
        out.write(bytes, offset, length);
      } catch (IOException e) {
        if (failure == null) {
          failure = e.getMessage();
        }
        throw e;
      }
    }
  }
}
