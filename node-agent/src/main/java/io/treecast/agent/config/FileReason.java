package io.treecast.agent.config;

import java.io.IOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.FileSystemException;
import java.nio.file.NoSuchFileException;

/**
 * Describes why a file or directory cannot be used, since the message of some exceptions is only
 * its path.
 */
public final class FileReason {
  private FileReason() {}

  /** Returns the reason, without the path. */
  public static String of(IOException e) {
    if (e instanceof NoSuchFileException) {
      return "there is no such file or directory";
    }
    if (e instanceof AccessDeniedException) {
      return "permission denied";
    }
    if (e instanceof FileAlreadyExistsException) {
      return "there is a file of that name";
    }
    String reason = e instanceof FileSystemException file ? file.getReason() : e.getMessage();
    return reason == null ? e.getClass().getSimpleName() : reason;
  }
}
