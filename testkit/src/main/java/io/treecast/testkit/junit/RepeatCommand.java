package io.treecast.testkit.junit;

import java.lang.reflect.Method;
import java.nio.file.Files;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/** The command line that repeats one test with one seed. */
final class RepeatCommand {
  private RepeatCommand() {}

  /**
   * Returns the command for the root directory of the build.
   *
   * @param tests the class that runs the test, which may have inherited it
   */
  static String of(Class<?> tests, Method test, long seed) {
    // Names of nested classes contain a dollar, which shells would expand.
    String what =
        " -Dtest='" + tests.getName() + "#" + test.getName() + "' -Dtreecast.seed=" + seed;
    String module = module();
    return module == null
        ? "mvn test" + what
        : "mvn -pl " + module + " -am test -Dsurefire.failIfNoSpecifiedTests=false" + what;
  }

  /** Returns the Maven module of the test; null in a build of one module. */
  private static @Nullable String module() {
    // Surefire sets the property.
    Path directory = Path.of(System.getProperty("basedir", "")).toAbsolutePath();
    Path parent = directory.getParent();
    Path name = directory.getFileName();
    boolean isModule = parent != null && Files.exists(parent.resolve("pom.xml"));
    return isModule && name != null ? name.toString() : null;
  }
}
