package io.treecast.client;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;

/** The file of an upload. Stateless; for any thread. */
final class PayloadSource {
  private PayloadSource() {}

  /**
   * Opens the file.
   *
   * @throws IOException with the file and the reason in its message
   */
  static InputStream open(Path file) throws IOException {
    String name = file.toString();
    if (Files.isDirectory(file)) {
      throw new FileSystemException(
          name, null, "a directory cannot be uploaded; upload its files one by one");
    }
    try {
      return Files.newInputStream(file);
    } catch (NoSuchFileException e) {
      throw from(new NoSuchFileException(name, null, "the file to upload does not exist"), e);
    } catch (AccessDeniedException e) {
      throw from(
          new AccessDeniedException(
              name, null, "this program has no permission to read the file to upload"),
          e);
    }
  }

  private static IOException from(FileSystemException described, IOException cause) {
    described.initCause(cause);
    return described;
  }
}
