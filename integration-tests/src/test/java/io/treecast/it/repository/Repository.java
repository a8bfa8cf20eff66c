package io.treecast.it.repository;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;

/**
 * The files of the repository, without the output of builds and editors. Each is read once, since
 * most tests read all.
 */
public final class Repository {
  private static final Set<String> NOT_OURS =
      Set.of(".git", ".idea", ".vscode", "target", "node_modules", "__pycache__");

  private static final List<Path> FILES = all();
  private static final ConcurrentMap<Path, String> TEXTS = new ConcurrentHashMap<>();

  private Repository() {}

  /** Returns the directory of the README; tests run in their module's directory below it. */
  public static Path root() {
    Path directory = Path.of("").toAbsolutePath();
    while (directory != null && !Files.exists(directory.resolve("ARCHITECTURE.md"))) {
      directory = directory.getParent();
    }
    if (directory == null) {
      throw new IllegalStateException("run this test in the directory of its module");
    }
    return directory;
  }

  /** Returns the files with an ending, relative to the root, in order. */
  static List<Path> files(String ending) {
    return FILES.stream().filter(file -> file.toString().endsWith(ending)).toList();
  }

  private static List<Path> all() {
    Path root = root();
    List<Path> files = new ArrayList<>();
    try {
      Files.walkFileTree(
          root,
          new SimpleFileVisitor<>() {
            @Override
            public FileVisitResult preVisitDirectory(Path directory, BasicFileAttributes unused) {
              return NOT_OURS.contains(String.valueOf(directory.getFileName()))
                  ? FileVisitResult.SKIP_SUBTREE
                  : FileVisitResult.CONTINUE;
            }

            @Override
            public FileVisitResult visitFile(Path file, BasicFileAttributes unused) {
              // In a linked work tree .git is a file.
              if (!NOT_OURS.contains(String.valueOf(file.getFileName()))) {
                files.add(root.relativize(file));
              }
              return FileVisitResult.CONTINUE;
            }
          });
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    files.sort(Path::compareTo);
    return List.copyOf(files);
  }

  /** Returns the text of a file; malformed bytes are replaced. */
  public static String text(Path file) {
    return TEXTS.computeIfAbsent(file, Repository::read);
  }

  private static String read(Path file) {
    try {
      return new String(Files.readAllBytes(root().resolve(file)), StandardCharsets.UTF_8);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
