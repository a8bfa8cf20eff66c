package io.treecast.client;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;

/**
 * A sink that writes the payload of a large message to a file. Until the checksum is verified and
 * all bytes are on disk, the file has a temporary name, which ends in {@code .part}. If the message
 * fails, the file is deleted. Throws {@link UncheckedIOException}, which ends the subscription, if
 * the file cannot be written.
 */
public final class PayloadFile implements PayloadSink {
  private final Path file;
  private final Path part;
  private final FileChannel channel;

  private PayloadFile(Path file, Path part, FileChannel channel) {
    this.file = file;
    this.part = part;
    this.channel = channel;
  }

  /**
   * Creates the temporary file; at the end it replaces a file of the given name.
   *
   * @param file a file for this message alone, for example with {@link MessageId#fileName}: two
   *     messages that arrive at the same time cannot share a file
   * @throws IOException if it cannot be created, or another message is being written to it
   */
  public static PayloadFile create(Path file) throws IOException {
    return create(
        file, part -> FileChannel.open(part, StandardOpenOption.CREATE, StandardOpenOption.WRITE));
  }

  /** Opens a file for writing, and creates it if it does not exist. */
  interface Opening {
    FileChannel open(Path part) throws IOException;
  }

  /** Creates the temporary file, with another way to open it. */
  static PayloadFile create(Path file, Opening opening) throws IOException {
    Path part = file.resolveSibling(file.getFileName() + ".part");
    boolean isOurs = Files.notExists(part);
    FileChannel channel = opening.open(part);
    try {
      if (channel.tryLock() == null) {
        throw new OverlappingFileLockException();
      }
      isOurs = true;
      channel.truncate(0);
    } catch (OverlappingFileLockException beingWritten) {
      channel.close();
      throw new IOException(
          "another message is being written to " + file + "; give each a file of its own",
          beingWritten);
    } catch (IOException e) {
      try {
        channel.close();
        if (isOurs) {
          Files.deleteIfExists(part);
        }
      } catch (IOException also) {
        e.addSuppressed(also);
      }
      throw e;
    }
    return new PayloadFile(file, part, channel);
  }

  @Override
  public void chunk(ByteBuffer bytes) {
    try {
      while (bytes.hasRemaining()) {
        channel.write(bytes);
      }
    } catch (IOException e) {
      throw given(e);
    }
  }

  @Override
  public void complete() {
    try {
      channel.force(
          true); // Without this, a power failure could leave the name without the content.
      channel.close();
      Files.move(part, file, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
    } catch (IOException e) {
      throw given(e);
    }
  }

  @Override
  public void failed(TreecastException why) {
    try {
      channel.close();
      Files.deleteIfExists(part);
    } catch (IOException e) {
      throw new UncheckedIOException(part + " cannot be removed: " + e.getMessage(), e);
    }
  }

  /** Deletes the file after a write error. */
  private UncheckedIOException given(IOException e) {
    UncheckedIOException given =
        new UncheckedIOException(file + " cannot be written: " + e.getMessage(), e);
    try {
      channel.close();
      Files.deleteIfExists(part);
    } catch (IOException also) {
      given.addSuppressed(also);
    }
    return given;
  }
}
