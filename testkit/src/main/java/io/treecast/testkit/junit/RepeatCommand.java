package io.treecast.testkit.junit;

import java.lang.reflect.Method;
import java.nio.file.Files;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/** The command line that runs one test with one seed again. */
final class RepeatCommand {
  private RepeatCommand() {}

  /**
   * To be given in the directory of the whole build.
   *
   * @param tests the class that runs it, which may have inherited it
   */
  static String of(Class<?> tests, Method test, long seed) {
    // Nested classes have a dollar in their names, which means something to a shell.
    String what =
        " -Dtest='" + tests.getName() + "#" + test.getName() + "' -Dtreecast.seed=" + seed;
    String module = module();
    return module == null
        ? "mvn test" + what
        : "mvn -pl " + module + " -am test -Dsurefire.failIfNoSpecifiedTests=false" + what;
  }

  /** The module that the test is in, if it is one of several. */
  private static @Nullable String module() {
    // Surefire says where.
    Path directory = Path.of(System.getProperty("basedir", "")).toAbsolutePath();
    Path parent = directory.getParent();
    Path name = directory.getFileName();
    boolean isModule = parent != null && Files.exists(parent.resolve("pom.xml"));
    return isModule && name != null ? name.toString() : null;
  }
}
