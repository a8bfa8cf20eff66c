package io.treecast.testkit.junit;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The place of a test's failure. Two failures at one place count as the same, even if their
 * messages differ. Immutable.
 *
 * @param kind the class of the failure
 * @param raised the frame that raised it, without assertion libraries and the JDK; null if not
 *     known
 * @param inTest the frames of the test, innermost first
 */
record FailurePlace(
    Class<?> kind, @Nullable StackTraceElement raised, List<StackTraceElement> inTest) {
  private static final List<String> LIBRARIES =
      List.of("java.", "jdk.", "org.assertj.", "org.junit.");

  /** Returns the place of a failure of a test of this class. */
  static FailurePlace of(Throwable failure, Class<?> test) {
    List<StackTraceElement> frames = Arrays.asList(failure.getStackTrace());
    return new FailurePlace(
        failure.getClass(),
        frames.stream().filter(frame -> !isOfLibrary(frame)).findFirst().orElse(null),
        frames.stream().filter(frame -> isOf(test, frame.getClassName())).toList());
  }

  private static boolean isOfLibrary(StackTraceElement frame) {
    return LIBRARIES.stream().anyMatch(frame.getClassName()::startsWith);
  }

  /**
   * Returns whether a name is that of the test class, a superclass, or a class nested in one of
   * them.
   */
  private static boolean isOf(Class<?> test, String name) {
    List<Class<?>> classes = new ArrayList<>();
    for (Class<?> each = test; each != null; each = each.getSuperclass()) {
      classes.add(each);
    }
    classes.remove(Object.class);
    return classes.stream()
        .anyMatch(each -> name.equals(each.getName()) || name.startsWith(each.getName() + "$"));
  }
}
