package io.treecast.collectives.broadcast;

import java.lang.reflect.Constructor;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import org.junit.jupiter.api.Test;

/** Runs the tests of a class over changed sources. Stateless. */
public final class Stories {
  private Stories() {}

  /**
   * Returns whether one of the tests fails.
   *
   * @param test has methods with {@link Test}, and none that run before or after them
   */
  public static boolean notice(Class<?> test) throws ReflectiveOperationException {
    Constructor<?> instance = test.getDeclaredConstructor();
    instance.setAccessible(true);
    for (Method method : test.getDeclaredMethods()) {
      if (method.isAnnotationPresent(Test.class)) {
        method.setAccessible(true);
        try {
          method.invoke(instance.newInstance());
        } catch (InvocationTargetException failure) {
          return true;
        }
      }
    }
    return false;
  }
}
