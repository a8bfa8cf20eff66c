package io.treecast.tls;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFileAttributes;
import java.nio.file.attribute.PosixFilePermission;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Finds the users that may read a private key, by the permissions of its file. Stateless. */
final class KeyReaders {
  private KeyReaders() {}

  /**
   * Returns a description of the users besides the owner that may read the key; null if there are
   * none, or the system does not report it. If another user such as root owns the file, its group
   * is permitted, because this process can only read the key as a member of that group.
   */
  static @Nullable String otherReaders(Path key) {
    PosixFileAttributes attributes;
    try {
      attributes = Files.readAttributes(key, PosixFileAttributes.class);
    } catch (IOException | UnsupportedOperationException e) {
      return null;
    }
    Set<PosixFilePermission> permissions = attributes.permissions();
    if (permissions.contains(PosixFilePermission.OTHERS_READ)) {
      return "all users of this machine";
    }
    boolean isOwn = attributes.owner().getName().equals(System.getProperty("user.name"));
    return isOwn && permissions.contains(PosixFilePermission.GROUP_READ)
        ? "users of the group " + attributes.group().getName()
        : null;
  }
}
