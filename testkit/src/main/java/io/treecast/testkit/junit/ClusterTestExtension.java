package io.treecast.testkit.junit;

import io.treecast.testkit.cluster.Cluster;
import io.treecast.testkit.local.LocalCluster;
import java.lang.reflect.Method;
import java.util.Arrays;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.TestTemplate;
import org.junit.jupiter.api.extension.ExtensionConfigurationException;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.TestTemplateInvocationContext;
import org.junit.jupiter.api.extension.TestTemplateInvocationContextProvider;

/** Runs a {@link ClusterTest} once for each seed. */
final class ClusterTestExtension implements TestTemplateInvocationContextProvider {
  private static final long MAX_SHRINK_SECONDS = 60;

  /** Used by JUnit. */
  ClusterTestExtension() {}

  @Override
  public boolean supportsTestTemplate(ExtensionContext context) {
    Method method = context.getRequiredTestMethod();
    boolean isClusterTest = method.isAnnotationPresent(ClusterTest.class);
    if (isClusterTest && kinds(method) > 1) {
      throw new ExtensionConfigurationException(
          "@ClusterTest of "
              + method
              + ": it already runs once for each seed; remove the other kind of test");
    }
    return isClusterTest;
  }

  /**
   * Returns the number of annotations by which the test runs several times, such as JUnit's
   * RepeatedTest.
   */
  private static long kinds(Method method) {
    return Arrays.stream(method.getAnnotations())
        .filter(annotation -> annotation.annotationType().isAnnotationPresent(TestTemplate.class))
        .count();
  }

  @Override
  public Stream<TestTemplateInvocationContext> provideTestTemplateInvocationContexts(
      ExtensionContext context) {
    Method method = context.getRequiredTestMethod();
    ClusterTest settings = method.getAnnotation(ClusterTest.class);
    if (settings == null || settings.nodes() < 1 || settings.seeds() < 1 || settings.faults() < 0) {
      throw new ExtensionConfigurationException(
          "@ClusterTest of " + method + ": nodes and seeds are at least 1, faults at least 0");
    }
    checkNodes(method, settings);
    long clusters =
        Arrays.stream(method.getParameterTypes()).filter(Cluster.class::isAssignableFrom).count();
    if (clusters != 1) {
      throw new ExtensionConfigurationException(
          "@ClusterTest of "
              + method
              + (clusters == 0
                  ? ": add a parameter for the cluster"
                  : ": only one parameter may be a cluster"));
    }
    boolean isReal = Arrays.asList(method.getParameterTypes()).contains(LocalCluster.class);
    Long only = number(context, "treecast.seed", Long.MIN_VALUE);
    Long many = number(context, "treecast.seeds", 1);
    Long shrinkSeconds = number(context, "treecast.shrink.seconds", 0);
    ShrinkTime shrinkTime =
        new ShrinkTime(shrinkSeconds == null ? MAX_SHRINK_SECONDS : shrinkSeconds);
    long first = only == null ? 0 : only;
    long count = isReal || only != null ? 1 : many == null ? settings.seeds() : many;
    return LongStream.range(first, first + count)
        .mapToObj(seed -> new SeededInvocation(settings, seed, shrinkTime));
  }

  /** Checks that the topology has the number of nodes. */
  private static void checkNodes(Method method, ClusterTest settings) {
    try {
      var unused = settings.topology().of(settings.nodes(), 0);
    } catch (IllegalArgumentException e) {
      throw new ExtensionConfigurationException(
          "@ClusterTest of %s: change nodes = %s, or topology = %s: %s"
              .formatted(method, settings.nodes(), settings.topology(), e.getMessage()),
          e);
    }
  }

  /**
   * Returns the decimal number of a configuration parameter of JUnit, which may be a system
   * property; null if it is not set.
   */
  private static @Nullable Long number(ExtensionContext context, String property, long least) {
    String text = context.getConfigurationParameter(property).orElse(null);
    if (text == null) {
      return null;
    }
    try {
      long number = Long.parseLong(text);
      if (number >= least) {
        return number;
      }
    } catch (NumberFormatException e) {
      // Reported below.
    }
    throw new ExtensionConfigurationException(
        "-D"
            + property
            + "="
            + text
            + " is not allowed; allowed is a whole number"
            + (least == Long.MIN_VALUE ? "" : " from " + least + " on"));
  }
}
