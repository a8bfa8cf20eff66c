package io.treecast.testkit.junit;

import io.treecast.testkit.cluster.Cluster;
import io.treecast.testkit.local.LocalCluster;
import java.lang.reflect.Method;
import java.util.Arrays;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.extension.ExtensionConfigurationException;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.TestTemplateInvocationContext;
import org.junit.jupiter.api.extension.TestTemplateInvocationContextProvider;

/** Runs a {@link ClusterTest} once for each seed. */
final class ClusterTestExtension implements TestTemplateInvocationContextProvider {
  /** For JUnit. */
  ClusterTestExtension() {}

  @Override
  public boolean supportsTestTemplate(ExtensionContext context) {
    return context.getRequiredTestMethod().isAnnotationPresent(ClusterTest.class);
  }

  @Override
  public Stream<TestTemplateInvocationContext> provideTestTemplateInvocationContexts(
      ExtensionContext context) {
    Method method = context.getRequiredTestMethod();
    ClusterTest settings = method.getAnnotation(ClusterTest.class);
    if (settings == null || settings.nodes() < 1 || settings.seeds() < 1) {
      throw new ExtensionConfigurationException(
          "@ClusterTest of " + method + ": nodes and seeds are at least 1");
    }
    long clusters =
        Arrays.stream(method.getParameterTypes()).filter(Cluster.class::isAssignableFrom).count();
    if (clusters != 1) {
      throw new ExtensionConfigurationException(
          "@ClusterTest of "
              + method
              + (clusters == 0
                  ? ": it tests nothing without a cluster among its parameters"
                  : ": it has one cluster, so one parameter for it"));
    }
    boolean isReal = Arrays.asList(method.getParameterTypes()).contains(LocalCluster.class);
    Long only = Long.getLong("treecast.seed");
    long first = only == null ? 0 : only;
    long count =
        isReal || only != null ? 1 : Long.getLong("treecast.seeds", (long) settings.seeds());
    return LongStream.range(first, first + count)
        .mapToObj(seed -> new SeededInvocation(settings, seed));
  }
}
