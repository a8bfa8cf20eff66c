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
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.extension.AfterEachCallback;
import org.junit.jupiter.api.extension.Extension;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.ParameterContext;
import org.junit.jupiter.api.extension.ParameterResolutionException;
import org.junit.jupiter.api.extension.ParameterResolver;
import org.junit.jupiter.api.extension.TestExecutionExceptionHandler;
import org.junit.jupiter.api.extension.TestTemplateInvocationContext;
import org.opentest4j.TestAbortedException;

/**
 * A {@link ClusterTest} with one seed, and its cluster: the methods before, after and the test
 * itself get the same one. If it fails and its faults were drawn at random, it is tried with
 * smaller scenarios, unless another method has seen the cluster.
 */
final class SeededInvocation
    implements TestTemplateInvocationContext,
        ParameterResolver,
        TestExecutionExceptionHandler,
        AfterEachCallback {
  /** Smaller scenarios that are tried. */
  private static final int MAX_SHRINK_TRIES = 300;

  private static final int LAST_LINES = 30;
  private static final List<Class<?>> CLUSTERS =
      List.of(SimCluster.class, LocalCluster.class, Cluster.class);

  private final long seed;
  private final Scenario scenario;
  private final long maxShrinkSeconds;
  private @Nullable Cluster cluster;
  private boolean isSeenByOthers;

  /**
   * One run.
   *
   * @param settings of the test
   * @param seed the run's
   * @param maxShrinkSeconds a smaller scenario is tried no longer, all of them together
   */
  SeededInvocation(ClusterTest settings, long seed, long maxShrinkSeconds) {
    this.seed = seed;
    this.maxShrinkSeconds = maxShrinkSeconds;
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
    // An instance is made before there is anything that would end its cluster.
    if (parameter.getDeclaringExecutable() instanceof Constructor) {
      return false;
    }
    Class<?> type = parameter.getParameter().getType();
    return CLUSTERS.contains(type) || type == RandomFaults.class;
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
    isSeenByOthers |= !parameter.getDeclaringExecutable().equals(test);
    return made;
  }

  /** As the test itself wants it. */
  private static Class<?> kindOfCluster(Executable test) {
    return Arrays.stream(test.getParameterTypes())
        .filter(Cluster.class::isAssignableFrom)
        .findFirst()
        .orElse(Cluster.class);
  }

  /** After the test's own methods of this kind. */
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
      throw new IllegalStateException("the agents can not be started: " + e.getMessage(), e);
    }
  }

  /** Once the test is over, and so the time that it may take. */
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
    // A smaller one would take as long, too.
    if (types.contains(RandomFaults.class)
        && !types.contains(LocalCluster.class)
        && !isSeenByOthers
        && !(failure instanceof TimeoutException)) {
      long deadlineNanos = System.nanoTime() + TimeUnit.SECONDS.toNanos(maxShrinkSeconds);
      Scenario smallest =
          ScenarioShrinker.shrink(
              scenario,
              smaller -> failsBy(deadlineNanos, () -> fails(smaller, context, failure.getClass())),
              MAX_SHRINK_TRIES);
      text.append("\nthe smallest that still fails, for 'treecast simulate --seed ");
      text.append(seed).append("':\n").append(smallest);
    }
    return text.toString();
  }

  /**
   * On a thread of its own, since nothing else ends what hangs: it is interrupted when time is up,
   * and whether it fails is not known.
   */
  private static boolean failsBy(long deadlineNanos, Callable<Boolean> smaller) {
    long leftNanos = deadlineNanos - System.nanoTime();
    if (leftNanos <= 0) {
      return false;
    }
    FutureTask<Boolean> attempt = new FutureTask<>(smaller);
    Thread thread = new Thread(attempt, "smaller scenario");
    thread.setDaemon(true);
    thread.start();
    try {
      return attempt.get(leftNanos, TimeUnit.NANOSECONDS);
    } catch (TimeoutException tooSlow) {
      thread.interrupt();
      return false;
    } catch (ExecutionException e) {
      throw new IllegalStateException("a smaller scenario could not be tried", e.getCause());
    } catch (InterruptedException e) {
      thread.interrupt();
      Thread.currentThread().interrupt();
      return false;
    }
  }

  /** Whether the test fails alike, on a cluster of its own. */
  private boolean fails(Scenario smaller, ExtensionContext context, Class<?> kindOfFailure) {
    Method method = context.getRequiredTestMethod();
    List<Object> arguments = new ArrayList<>();
    try {
      for (Class<?> type : method.getParameterTypes()) {
        arguments.add(argument(type, smaller));
      }
      method.setAccessible(true);
      method.invoke(context.getRequiredTestInstance(), arguments.toArray());
      return false;
    } catch (InvocationTargetException e) {
      return kindOfFailure.isInstance(e.getCause());
    } catch (AssertionError neverReady) {
      return false;
    } catch (IllegalAccessException e) {
      throw new IllegalStateException("JUnit could call " + method + " and this can not", e);
    } finally {
      for (Object argument : arguments) {
        if (argument instanceof Cluster made) {
          made.close();
        }
      }
    }
  }
}
