package io.treecast.testkit.junit;

import io.treecast.agent.config.ConfigException;
import io.treecast.testkit.cluster.Cluster;
import io.treecast.testkit.local.LocalCluster;
import io.treecast.testkit.network.Topology;
import io.treecast.testkit.schedule.RandomScenarios;
import io.treecast.testkit.schedule.Scenario;
import io.treecast.testkit.schedule.ScenarioShrinker;
import io.treecast.testkit.sim.SimCluster;
import java.lang.reflect.Constructor;
import java.lang.reflect.Executable;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.extension.AfterEachCallback;
import org.junit.jupiter.api.extension.Extension;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.InvocationInterceptor;
import org.junit.jupiter.api.extension.ParameterContext;
import org.junit.jupiter.api.extension.ParameterResolutionException;
import org.junit.jupiter.api.extension.ParameterResolver;
import org.junit.jupiter.api.extension.ReflectiveInvocationContext;
import org.junit.jupiter.api.extension.TestExecutionExceptionHandler;
import org.junit.jupiter.api.extension.TestTemplateInvocationContext;
import org.opentest4j.TestAbortedException;

/**
 * A {@link ClusterTest} with one seed and its cluster, which the test and its before and after
 * methods share. If the test fails with random faults, smaller scenarios are tried, unless another
 * method has used the cluster.
 */
final class SeededInvocation
    implements TestTemplateInvocationContext,
        ParameterResolver,
        InvocationInterceptor,
        TestExecutionExceptionHandler,
        AfterEachCallback {
  /** Limit of the smaller scenarios that are tried. */
  private static final int MAX_SHRINK_TRIES = 300;

  private static final int LAST_LINES = 30;

  /** Lines before a scenario in the text of a failure. */
  static final String SMALLEST = "\nthe smallest scenario that still fails";

  static final String NOT_REDUCED =
      "\nthe failed scenario (no time was left to search for a smaller one)";
  static final String WITHOUT_FAULTS = "\nit fails without faults, too";
  private static final List<Class<?>> CLUSTERS =
      List.of(SimCluster.class, LocalCluster.class, Cluster.class);

  private final long seed;
  private final Scenario scenario;
  private final ShrinkTime shrinkTime;
  private @Nullable Cluster cluster;
  private boolean isUsedByOthers;

  /** Arguments of the test method. */
  private List<Object> arguments = List.of();

  /**
   * Prepares one run.
   *
   * @param settings the settings of the test
   * @param seed the seed of the run
   * @param shrinkTime time for smaller scenarios, shared by the runs of all seeds
   */
  SeededInvocation(ClusterTest settings, long seed, ShrinkTime shrinkTime) {
    this.seed = seed;
    this.shrinkTime = shrinkTime;
    Topology topology = settings.topology().of(settings.nodes(), seed);
    int events = new Random(seed).nextInt(2 * settings.faults() + 1);
    this.scenario = RandomScenarios.draw(seed, topology, events);
  }

  @Override
  public String getDisplayName(int invocationIndex) {
    return "seed " + seed;
  }

  @Override
  public List<Extension> getAdditionalExtensions() {
    return List.of(this);
  }

  @Override
  public boolean supportsParameter(ParameterContext parameter, ExtensionContext context) {
    // JUnit creates the instance before it registers the callback that closes the cluster.
    if (parameter.getDeclaringExecutable() instanceof Constructor) {
      return false;
    }
    return isSupplied(parameter.getParameter().getType());
  }

  private static boolean isSupplied(Class<?> type) {
    return CLUSTERS.contains(type) || type == RandomFaults.class;
  }

  @Override
  public void interceptTestTemplateMethod(
      Invocation<Void> invocation,
      ReflectiveInvocationContext<Method> call,
      ExtensionContext context)
      throws Throwable {
    arguments = new ArrayList<>(call.getArguments());
    invocation.proceed();
  }

  @Override
  public Object resolveParameter(ParameterContext parameter, ExtensionContext context) {
    Class<?> type = parameter.getParameter().getType();
    if (type == RandomFaults.class) {
      return argument(type, scenario);
    }
    Method test = context.getRequiredTestMethod();
    Cluster made = cluster;
    if (made == null) {
      made = (Cluster) argument(kindOfCluster(test), scenario);
      cluster = made;
    }
    if (!type.isInstance(made)) {
      throw new ParameterResolutionException(
          "the cluster of " + test.getName() + " is a " + made.getClass().getSimpleName());
    }
    isUsedByOthers |= !parameter.getDeclaringExecutable().equals(test);
    return made;
  }

  /** Returns the type of cluster in the parameters of the test. */
  private static Class<?> kindOfCluster(Executable test) {
    return Arrays.stream(test.getParameterTypes())
        .filter(Cluster.class::isAssignableFrom)
        .findFirst()
        .orElse(Cluster.class);
  }

  /** Closes the cluster, after the after methods of the test. */
  @Override
  public void afterEach(ExtensionContext context) {
    Cluster made = cluster;
    if (made != null) {
      made.close();
    }
  }

  private Object argument(Class<?> type, Scenario of) {
    if (type == RandomFaults.class) {
      return new RandomFaults(of.schedule());
    }
    Cluster made =
        type == LocalCluster.class ? local(of.topology()) : new SimCluster(of.topology(), seed);
    if (!made.runUntilReady(made.patienceMillis())) {
      made.close();
      throw new AssertionError("the cluster of seed " + seed + " never became ready");
    }
    return made;
  }

  private static LocalCluster local(Topology topology) {
    try {
      return LocalCluster.start(topology, LocalCluster.Settings.DEFAULT);
    } catch (ConfigException e) {
      throw new IllegalStateException("the agents cannot be started: " + e.getMessage(), e);
    }
  }

  /**
   * Searches smaller scenarios after the test has ended, so that its timeout does not include the
   * search.
   */
  @Override
  public void handleTestExecutionException(ExtensionContext context, Throwable failure)
      throws Throwable {
    if (failure instanceof TestAbortedException) {
      throw failure;
    }
    throw new AssertionError(describe(failure, context), failure);
  }

  private String describe(Throwable failure, ExtensionContext context) {
    Method test = context.getRequiredTestMethod();
    String message = failure.getMessage() == null ? failure.toString() : failure.getMessage();
    StringBuilder text = new StringBuilder();
    text.append("seed ").append(seed).append(": ").append(message);
    text.append("\nto repeat it: ")
        .append(RepeatCommand.of(context.getRequiredTestClass(), test, seed));
    Cluster made = cluster;
    if (made != null) {
      text.append("\nlast events:\n  ");
      text.append(String.join("\n  ", made.history().lastLines(LAST_LINES)));
    }
    List<Class<?>> types = Arrays.asList(test.getParameterTypes());
    // A smaller scenario would run into the same timeout.
    if (types.contains(RandomFaults.class)
        && !types.contains(LocalCluster.class)
        && !isUsedByOthers
        && !(failure instanceof TimeoutException)) {
      try {
        text.append(smallest(FailurePlace.of(failure, context.getRequiredTestClass()), context));
      } catch (Throwable e) { // The original failure matters more.
        failure.addSuppressed(e);
        text.append("\nsmaller scenarios could not be tried: ").append(e);
      }
    }
    return text.toString();
  }

  /** Returns the smallest scenario with the same failure, as text. The first try has no events. */
  private String smallest(FailurePlace place, ExtensionContext context) {
    boolean isTooLate = shrinkTime.isOver();
    Scenario smallest =
        ScenarioShrinker.shrink(
            scenario,
            smaller -> shrinkTime.fails(() -> fails(smaller, context, place)),
            MAX_SHRINK_TRIES);
    return (smallest.schedule().steps().isEmpty() ? WITHOUT_FAULTS : "")
        + (isTooLate ? NOT_REDUCED : SMALLEST)
        + ", for 'treecast simulate --seed "
        + seed
        + "':\n"
        + smallest;
  }

  /**
   * Returns whether the test fails in the same way on a new cluster, with the other arguments
   * unchanged.
   */
  private boolean fails(Scenario smaller, ExtensionContext context, FailurePlace place) {
    Method method = context.getRequiredTestMethod();
    Object[] given = arguments.toArray();
    List<Cluster> made = new ArrayList<>();
    try {
      for (int i = 0; i < given.length; i++) {
        Class<?> type = method.getParameterTypes()[i];
        if (isSupplied(type)) {
          given[i] = argument(type, smaller);
        }
        if (CLUSTERS.contains(type)) {
          made.add((Cluster) given[i]);
        }
      }
      method.setAccessible(true);
      method.invoke(context.getRequiredTestInstance(), given);
      return false;
    } catch (InvocationTargetException e) {
      Throwable failure = e.getTargetException();
      return failure != null
          && place.equals(FailurePlace.of(failure, context.getRequiredTestClass()));
    } catch (AssertionError neverReady) {
      return false;
    } catch (IllegalAccessException e) {
      throw new IllegalStateException(
          "JUnit called " + method + ", but a repetition is not permitted", e);
    } finally {
      made.forEach(Cluster::close);
    }
  }
}
