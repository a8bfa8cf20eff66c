package io.treecast.cli.console;

import java.io.File;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.Objects;

/** The executable file of a program that a command starts later. Stateless; for any thread. */
public final class ProgramFile {
  /** The directories that are searched without the variable PATH. */
  private static final String STANDARD_PATH = "/bin:/usr/bin";

  private ProgramFile() {}

  /**
   * Checks that a program can be found: a name without a slash in the directories of the variable
   * PATH. On Windows, where the search has other rules, the start of the program is the only check.
   *
   * @throws CommandFailure if no executable file has this name
   */
  public static void require(String program) {
    if (File.separatorChar == '/') {
      require(program, Objects.requireNonNullElse(System.getenv("PATH"), STANDARD_PATH));
    }
  }

  static void require(String program, String searchPath) {
    if (!program.contains("/")) {
      for (String directory : searchPath.split(":", -1)) { // An empty one is the current one.
        if (!program.isEmpty() && isExecutable(directory, program)) {
          return;
        }
      }
      throw CommandFailure.usage(
          "the program '"
              + program
              + "' cannot be started: no directory of PATH has an executable file of this name; "
              + "correct the name, or install the program");
    }
    if (!isExecutable("", program)) {
      throw CommandFailure.usage(
          "the program '"
              + program
              + "' cannot be started: no executable file has this name; "
              + "correct the name, or make the file executable");
    }
  }

  private static boolean isExecutable(String directory, String name) {
    try {
      Path file = Path.of(directory, name);
      return Files.isRegularFile(file) && Files.isExecutable(file);
    } catch (InvalidPathException e) {
      return false;
    }
  }
}
