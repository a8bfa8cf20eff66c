package io.treecast.testkit.junit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.platform.engine.discovery.DiscoverySelectors.selectClass;

import io.treecast.testkit.cluster.Cluster;
import io.treecast.testkit.local.LocalCluster;
import io.treecast.testkit.schedule.Schedule;
import io.treecast.testkit.schedule.ScheduleEvent;
import io.treecast.testkit.schedule.ScheduleFile;
import io.treecast.testkit.sim.SimCluster;
import java.io.IOException;
import java.io.StringReader;
import java.lang.reflect.Method;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInfo;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.InvocationInterceptor;
import org.junit.jupiter.api.extension.ReflectiveInvocationContext;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.platform.engine.TestExecutionResult;
import org.junit.platform.launcher.LauncherDiscoveryRequest;
import org.junit.platform.launcher.TestExecutionListener;
import org.junit.platform.launcher.TestIdentifier;
import org.junit.platform.launcher.core.LauncherDiscoveryRequestBuilder;
import org.junit.platform.launcher.core.LauncherFactory;

/** A test with {@code @ClusterTest} that passes, and one that fails. */
@Order(2)
class ClusterTestExtensionTest {

  /** Not run by Maven itself, since its test fails. */
  static class FailsWhenNodeCrashes {
    @ClusterTest(nodes = 4, topology = TestNetwork.COMPLETE, seeds = 30, faults = 30)
    void no_node_crashes(SimCluster cluster, RandomFaults faults) {
      boolean crashes =
          faults.schedule().steps().stream()
              .anyMatch(step -> step.event() instanceof ScheduleEvent.Crash);
      assertThat(crashes && cluster.topology().nodes() > 1).as("somebody crashes").isFalse();
    }
  }

  /** Inherits the test of a base class. */
  static class InheritsTest extends FailsWhenNodeCrashes {}

  /** Uses the cluster before the test, as for a service under test. */
  static class SharesItsCluster {
    static final List<LocalCluster> SEEN = new ArrayList<>();

    @BeforeEach
    void before(LocalCluster cluster) {
      SEEN.add(cluster);
    }

    @ClusterTest(nodes = 2, topology = TestNetwork.COMPLETE)
    void uses_it(LocalCluster cluster) {
      SEEN.add(cluster);
    }

    @AfterEach
    void after(Cluster cluster) {
      SEEN.add((LocalCluster) cluster);
      assertThat(listens(cluster)).isTrue();
    }

    static boolean listens(Cluster cluster) {
      String address = ((LocalCluster) cluster).address(0);
      int port = Integer.parseInt(address.substring(address.lastIndexOf(':') + 1));
      try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), port)) {
        return socket.isConnected();
      } catch (IOException e) {
        return false;
      }
    }
  }

  /** Has two clusters, which is not allowed. */
  static class HasTwoClusters {
    @ClusterTest(nodes = 2)
    void uses_one(SimCluster cluster, SimCluster other) {}
  }

  /** Fails without a message. */
  static class FailsWithoutMessage {
    @ClusterTest(nodes = 1, seeds = 1)
    void it_fails(SimCluster cluster) {
      throw new IllegalStateException();
    }
  }

  /** Has another kind of test annotation, which is not allowed. */
  static class IsRepeatedToo {
    @ClusterTest(nodes = 1)
    @RepeatedTest(2)
    void is_two_kinds(SimCluster cluster) {}
  }

  static class DrawsLessThanNoFaults {
    @ClusterTest(nodes = 1, faults = -1)
    void it_draws(SimCluster cluster, RandomFaults faults) {}
  }

  static class WantsMoreNodesThanTheReference {
    @ClusterTest(nodes = 30, topology = TestNetwork.REFERENCE)
    void it_runs(SimCluster cluster) {}
  }

  /** An interceptor around a test, as for a timeout. */
  static final class Around implements InvocationInterceptor {
    static boolean isInside;

    @Override
    public void interceptTestTemplateMethod(
        Invocation<Void> invocation,
        ReflectiveInvocationContext<Method> call,
        ExtensionContext context)
        throws Throwable {
      isInside = true;
      try {
        invocation.proceed();
      } finally {
        isInside = false;
      }
    }
  }

  @ExtendWith(Around.class)
  static class FailsAlways {
    static int inside;
    static int outside;

    @ClusterTest(nodes = 2, seeds = 1)
    void it_fails(SimCluster cluster, RandomFaults faults) {
      if (Around.isInside) {
        inside++;
      } else {
        outside++;
      }
      throw new IllegalStateException("as always");
    }
  }

  static class TakesTooLong {
    static int runs;

    @ClusterTest(nodes = 2, seeds = 1)
    void it_waits(SimCluster cluster, RandomFaults faults) throws TimeoutException {
      runs++;
      throw new TimeoutException("too long");
    }
  }

  /** Fails by another assertion on fewer than four nodes. */
  static class FailsInTwoWays {
    @ClusterTest(nodes = 6, topology = TestNetwork.COMPLETE, seeds = 1)
    void it_fails(SimCluster cluster, RandomFaults faults) {
      int nodes = cluster.topology().nodes();
      assertThat(nodes).as("enough of them").isGreaterThan(3);
      assertThat(nodes).as("far too many").isZero();
    }
  }

  /** Hangs in smaller scenarios with each seed. */
  @ExtendWith(Around.class)
  static class HangsTwice {
    @ClusterTest(nodes = 2, seeds = 2)
    void it_hangs(SimCluster cluster, RandomFaults faults) throws InterruptedException {
      if (Around.isInside) {
        throw new IllegalStateException("as-the-first");
      }
      new CountDownLatch(1).await();
    }
  }

  /** Hangs in each scenario smaller than the first. */
  static class HangsWhenSmaller {
    static final AtomicInteger RUNS = new AtomicInteger();
    static final CountDownLatch INTERRUPTED = new CountDownLatch(1);

    @ClusterTest(nodes = 2, seeds = 1)
    void it_hangs(SimCluster cluster, RandomFaults faults) throws InterruptedException {
      if (RUNS.incrementAndGet() == 1) {
        throw new IllegalStateException("as-the-first");
      }
      try {
        new CountDownLatch(1).await();
      } catch (InterruptedException e) {
        INTERRUPTED.countDown();
        throw e;
      }
    }
  }

  /** Fails on any number of nodes. */
  static class WantsMoreThanACluster {
    @ClusterTest(nodes = 5, seeds = 1)
    void it_fails(RandomFaults faults, TestInfo info, SimCluster cluster, @TempDir Path directory) {
      assertThat(Files.isDirectory(directory)).isTrue();
      throw new IllegalStateException("of " + info.getDisplayName());
    }
  }

  /** Its failure makes the search for a smaller scenario fail. */
  static class FailsWithoutPlace {
    static final class Placeless extends IllegalStateException {
      private static final long serialVersionUID = 1;
      private boolean asked;

      Placeless() {
        super("what failed");
      }

      @Override
      public StackTraceElement[] getStackTrace() {
        if (!asked) {
          asked = true;
          throw new UnsupportedOperationException("no place");
        }
        return super.getStackTrace();
      }
    }

    @ClusterTest(nodes = 2, seeds = 1)
    void it_fails(SimCluster cluster, RandomFaults faults) {
      throw new Placeless();
    }
  }

  private static final class Outcomes implements TestExecutionListener {
    final List<String> passed = new ArrayList<>();
    final List<Throwable> failures = new ArrayList<>();
    final List<String> refusals = new ArrayList<>();

    @Override
    public void executionFinished(TestIdentifier test, TestExecutionResult result) {
      if (!test.isTest() && result.getThrowable().isPresent()) {
        refusals.add(String.valueOf(result.getThrowable().get().getMessage()));
      }
      if (test.isTest() && result.getThrowable().isPresent()) {
        failures.add(result.getThrowable().get());
      } else if (test.isTest()) {
        passed.add(test.getDisplayName());
      }
    }
  }

  private static Outcomes run(Class<?> tests) {
    return run(tests, Map.of());
  }

  private static Outcomes run(Class<?> tests, Map<String, String> parameters) {
    Outcomes outcomes = new Outcomes();
    LauncherDiscoveryRequest request =
        LauncherDiscoveryRequestBuilder.request()
            .selectors(selectClass(tests))
            // A pool of threads cannot run within a thread of another one.
            .configurationParameter("junit.jupiter.execution.parallel.enabled", "false")
            .configurationParameters(parameters)
            .build();
    LauncherFactory.create().execute(request, outcomes);
    return outcomes;
  }

  @Test
  void a_test_runs_once_for_each_seed() {
    Outcomes outcomes = with("treecast.shrink.seconds", "0", FailsWhenNodeCrashes.class);
    assertThat(outcomes.passed.size() + outcomes.failures.size()).isEqualTo(30);
    assertThat(outcomes.passed).isNotEmpty().allMatch(name -> name.startsWith("seed "));
  }

  @Test
  void the_methods_around_a_test_get_its_cluster_which_is_closed_after_them() {
    SharesItsCluster.SEEN.clear();
    Outcomes outcomes = run(SharesItsCluster.class);
    assertThat(outcomes.failures).isEmpty();
    assertThat(SharesItsCluster.SEEN).hasSize(3);
    assertThat(new HashSet<>(SharesItsCluster.SEEN)).hasSize(1);
    assertThat(SharesItsCluster.listens(SharesItsCluster.SEEN.get(0))).isFalse();
  }

  @Test
  void an_inherited_test_is_repeated_in_the_class_that_ran_it() {
    Outcomes outcomes = with("treecast.seeds", "1", InheritsTest.class);
    assertThat(outcomes.failures.get(0).getMessage())
        .contains(" -Dtest='" + InheritsTest.class.getName() + "#no_node_crashes' ");
  }

  @Test
  void a_second_cluster_is_refused() {
    assertThat(run(HasTwoClusters.class).passed).isEmpty();
  }

  @Test
  void a_failure_without_a_text_is_named_by_its_kind() {
    assertThat(run(FailsWithoutMessage.class).failures)
        .singleElement()
        .satisfies(
            failure ->
                assertThat(failure)
                    .hasMessageStartingWith("seed 0: java.lang.IllegalStateException\n"));
  }

  @Test
  void an_invalid_cluster_test_is_refused() {
    Outcomes repeated = run(IsRepeatedToo.class);
    assertThat(repeated.refusals)
        .singleElement()
        .asString()
        .contains("is_two_kinds", SimCluster.class.getName());
    assertThat(repeated.failures).isEmpty();
    assertThat(run(DrawsLessThanNoFaults.class).refusals)
        .singleElement()
        .asString()
        .contains(DrawsLessThanNoFaults.class.getName(), "faults");
    assertThat(run(WantsMoreNodesThanTheReference.class).refusals)
        .singleElement()
        .asString()
        .contains(
            WantsMoreNodesThanTheReference.class.getName(),
            "nodes = 30",
            "topology = REFERENCE",
            "1 to 24");
  }

  @ParameterizedTest
  @CsvSource({
    "treecast.seed, abc",
    "treecast.seed, 0x11",
    "treecast.seeds, 0",
  })
  void a_seed_that_is_not_a_number_is_refused(String property, String value) {
    Outcomes outcomes = with(property, value, FailsWhenNodeCrashes.class);
    assertThat(outcomes.refusals)
        .singleElement()
        .asString()
        .startsWith("-D" + property + "=" + value + " ");
    assertThat(outcomes.passed).isEmpty();
  }

  @Test
  void a_seed_is_decimal() {
    Outcomes outcomes = with("treecast.seed", "010", FailsWhenNodeCrashes.class);
    assertThat(outcomes.passed.size() + outcomes.failures.size()).isEqualTo(1);
    assertThat(outcomes.passed).allMatch(name -> name.equals("seed 10"));
    assertThat(outcomes.failures)
        .allMatch(failure -> String.valueOf(failure.getMessage()).startsWith("seed 10: "));
  }

  /** Not by a system property, which tests of other classes would read. */
  private static Outcomes with(String parameter, String value, Class<?> tests) {
    return run(tests, Map.of(parameter, value));
  }

  @Test
  void smaller_scenarios_are_not_tried_in_the_time_that_the_test_may_take() {
    FailsAlways.inside = 0;
    FailsAlways.outside = 0;
    assertThat(run(FailsAlways.class).failures).hasSize(1);
    assertThat(FailsAlways.inside).isEqualTo(1);
    assertThat(FailsAlways.outside).isPositive();

    TakesTooLong.runs = 0;
    assertThat(run(TakesTooLong.class).failures).hasSize(1);
    assertThat(TakesTooLong.runs).isEqualTo(1);
  }

  @Test
  void a_smaller_scenario_that_hangs_is_interrupted_when_the_search_is_over()
      throws InterruptedException {
    assertThat(with("treecast.shrink.seconds", "1", HangsWhenSmaller.class).failures)
        .singleElement()
        .satisfies(
            failure ->
                assertThat(failure)
                    .hasMessageStartingWith("seed 0: as-the-first\n")
                    .hasMessageContaining(SeededInvocation.SMALLEST));
    HangsWhenSmaller.INTERRUPTED.await();
    assertThat(HangsWhenSmaller.RUNS).hasValue(2);
  }

  @Test
  void the_time_for_smaller_scenarios_is_that_of_all_seeds() {
    List<Throwable> failures = with("treecast.shrink.seconds", "1", HangsTwice.class).failures;
    assertThat(failures).hasSize(2);
    assertThat(failures.get(0))
        .hasMessageContaining(SeededInvocation.SMALLEST)
        .hasMessageNotContaining(SeededInvocation.NOT_REDUCED);
    assertThat(failures.get(1))
        .hasMessageContaining(SeededInvocation.NOT_REDUCED)
        .hasMessageNotContaining(SeededInvocation.SMALLEST);
  }

  @Test
  void a_smaller_scenario_is_tried_with_the_other_arguments_of_the_test() {
    assertThat(run(WantsMoreThanACluster.class).failures)
        .singleElement()
        .satisfies(
            failure ->
                assertThat(failure)
                    .hasMessageStartingWith("seed 0: of seed 0\n")
                    .hasMessageContaining(SeededInvocation.WITHOUT_FAULTS)
                    .hasMessageContaining("# network (--matrix)\n-\n# schedule"));
  }

  @Test
  void a_failing_search_for_a_smaller_scenario_does_not_replace_the_failure() {
    assertThat(run(FailsWithoutPlace.class).failures)
        .singleElement()
        .satisfies(
            failure -> {
              assertThat(failure)
                  .hasMessageStartingWith("seed 0: what failed\n")
                  .hasMessageEndingWith(": java.lang.UnsupportedOperationException: no place");
              assertThat(failure.getCause())
                  .isInstanceOf(FailsWithoutPlace.Placeless.class)
                  .hasSuppressedException(new UnsupportedOperationException("no place"));
            });
  }

  @Test
  void a_different_failure_is_not_a_smaller_one_and_a_failure_without_faults_says_so() {
    String message = String.valueOf(run(FailsInTwoWays.class).failures.get(0).getMessage());
    assertThat(message)
        .contains(SeededInvocation.WITHOUT_FAULTS + SeededInvocation.SMALLEST)
        .contains("# network (--matrix)\n-,-,-,-\n-,-,-,-\n-,-,-,-\n-,-,-,-\n# schedule");
  }

  @Test
  void a_failure_names_its_seed_the_command_and_the_smallest_schedule() throws Exception {
    Outcomes outcomes = with("treecast.seeds", "1", FailsWhenNodeCrashes.class);
    assertThat(outcomes.failures).isNotEmpty();
    String message = String.valueOf(outcomes.failures.get(0).getMessage());
    assertThat(message)
        .matches("(?s)seed \\d+: .*somebody crashes.*")
        .doesNotContain(SeededInvocation.WITHOUT_FAULTS)
        .contains(
            ": mvn ",
            " -Dtest='"
                + FailsWhenNodeCrashes.class.getName()
                + "#no_node_crashes' -Dtreecast.seed=")
        .contains("last events:\n")
        .contains("committed v1 root");
    String text = message.substring(message.indexOf("# schedule"));
    Schedule smallest = ScheduleFile.read("smallest", new StringReader(text));
    assertThat(smallest.steps())
        .singleElement()
        .satisfies(step -> assertThat(step.event()).isInstanceOf(ScheduleEvent.Crash.class));
    assertThat(message.substring(message.indexOf("# network"), message.indexOf("# schedule")))
        .as("two nodes without a link")
        .isEqualTo("# network (--matrix)\n-,-\n-,-\n");
  }
}
