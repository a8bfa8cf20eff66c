package io.treecast.cli.output;

import java.io.FilterOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintWriter;
import java.nio.charset.Charset;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * The standard output of a command, which retains the reason of a failed write, unlike other {@link
 * PrintWriter}s. For one thread at a time.
 */
public final class StandardOutput extends PrintWriter {
  private final Target target;

  private StandardOutput(Target target, Charset charset) {
    super(target, true, charset);
    this.target = target;
  }

  /**
   * Returns an output to a stream. The stream must throw its errors, which {@link System#out} does
   * not.
   */
  public static StandardOutput to(OutputStream stream, Charset charset) {
    return new StandardOutput(new Target(stream), charset);
  }

  /**
   * Returns the reason of the first failed write; null without one, or if the system gives no
   * reason.
   */
  public @Nullable String failure() {
    return target.failure;
  }

  /**
   * Returns whether the output is a pipe whose reader has exited, as after {@code | head -1}. The
   * only sign is the system's message; in another language it counts as a failure.
   */
  public boolean isReaderGone() {
    String why = target.failure;
    return why != null && why.toLowerCase(Locale.ROOT).contains("broken pipe");
  }

  /** Retains the first failure. */
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
