package io.treecast.analysis;

import com.sun.source.util.JavacTask;
import com.sun.source.util.Plugin;
import com.sun.tools.javac.api.BasicJavacTask;
import com.sun.tools.javac.processing.JavacProcessingEnvironment;
import java.lang.reflect.Field;
import java.util.ServiceLoader;

/**
 * Error Prone, from the class loader of Maven's compiler plugin, which is the same for all modules.
 * The compiler's own loader of plugins is new for each compilation: it would load and warm up the
 * classes of all checks each time, which takes longer than the checks of most modules.
 */
public final class SharedErrorProne implements Plugin {
  @Override
  public String getName() {
    return "SharedErrorProne";
  }

  @Override
  public void init(JavacTask task, String... options) {
    ClassLoader shared = Thread.currentThread().getContextClassLoader();
    loadChecksFrom(shared, task);
    ServiceLoader.load(Plugin.class, shared).stream()
        .map(ServiceLoader.Provider::get)
        .filter(plugin -> plugin.getName().equals("ErrorProne"))
        .findFirst()
        .orElseThrow(() -> new IllegalStateException("no Error Prone in " + shared))
        .init(task, options);
  }

  /** Lets Error Prone find checks such as NullAway where it is itself. */
  private static void loadChecksFrom(ClassLoader shared, JavacTask task) {
    JavacProcessingEnvironment environment =
        JavacProcessingEnvironment.instance(((BasicJavacTask) task).getContext());
    try {
      Field loader = JavacProcessingEnvironment.class.getDeclaredField("processorClassLoader");
      loader.setAccessible(true); // .mvn/jvm.config opens the package.
      loader.set(environment, shared);
    } catch (ReflectiveOperationException e) {
      throw new IllegalStateException("this compiler is not the one of JDK 17", e);
    }
  }
}
