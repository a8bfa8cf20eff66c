package io.treecast.cli.messages;

import io.treecast.cli.console.ProgressBar;
import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;

/** Adds the bytes that are read to a progress bar. */
final class CountingInputStream extends FilterInputStream {
  private final ProgressBar progress;

  CountingInputStream(InputStream in, ProgressBar progress) {
    super(in);
    this.progress = progress;
  }

  @Override
  public int read() throws IOException {
    int value = super.read();
    progress.add(value < 0 ? 0 : 1);
    return value;
  }

  @Override
  public int read(byte[] into, int offset, int length) throws IOException {
    int count = super.read(into, offset, length);
    progress.add(Math.max(0, count));
    return count;
  }
}
