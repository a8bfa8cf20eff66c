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
   * Returns, for people, the users besides its owner that may read the key; null if there are none,
   * or the system does not tell. The group of a key of another user, such as root, is permitted: it
   * is how this process can read the key.
   */
  static @Nullable String besidesOwner(Path key) {
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
