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
import java.net.InetAddress;
import java.net.Socket;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.platform.engine.TestExecutionResult;
import org.junit.platform.launcher.LauncherDiscoveryRequest;
import org.junit.platform.launcher.TestExecutionListener;
import org.junit.platform.launcher.TestIdentifier;
import org.junit.platform.launcher.core.LauncherDiscoveryRequestBuilder;
import org.junit.platform.launcher.core.LauncherFactory;

/** What a test with {@code @ClusterTest} does when it passes and when it fails. */
class ClusterTestExtensionTest {

  /** Not found by its name: its test fails. */
  static class FailsWhenNodeCrashes {
    @ClusterTest(nodes = 4, topology = TestNetwork.COMPLETE, seeds = 30, faults = 30)
    void nobody_crashes(SimCluster cluster, RandomFaults faults) {
      boolean crashes =
          faults.schedule().steps().stream()
              .anyMatch(step -> step.event() instanceof ScheduleEvent.Crash);
      assertThat(crashes && cluster.topology().nodes() > 1).as("somebody crashes").isFalse();
    }
  }

  /** As a base class of several has it. */
  static class InheritsTest extends FailsWhenNodeCrashes {}

  /** The service under test would be connected to the cluster before the test. */
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

  /** One of them would be nobody's. */
  static class HasTwoClusters {
    @ClusterTest(nodes = 2)
    void uses_one(SimCluster cluster, SimCluster other) {}
  }

  private static final class Outcomes implements TestExecutionListener {
    final List<String> passed = new ArrayList<>();
    final List<Throwable> failures = new ArrayList<>();

    @Override
    public void executionFinished(TestIdentifier test, TestExecutionResult result) {
      if (test.isTest() && result.getThrowable().isPresent()) {
        failures.add(result.getThrowable().get());
      } else if (test.isTest()) {
        passed.add(test.getDisplayName());
      }
    }
  }

  private static Outcomes run(Class<?> tests) {
    Outcomes outcomes = new Outcomes();
    LauncherDiscoveryRequest request =
        LauncherDiscoveryRequestBuilder.request().selectors(selectClass(tests)).build();
    LauncherFactory.create().execute(request, outcomes);
    return outcomes;
  }

  @Test
  void a_test_runs_once_for_each_seed() {
    Outcomes outcomes = run(FailsWhenNodeCrashes.class);
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
    Outcomes outcomes = run(InheritsTest.class);
    assertThat(outcomes.failures.get(0).getMessage())
        .contains(" -Dtest='" + InheritsTest.class.getName() + "#nobody_crashes' ");
  }

  @Test
  void a_second_cluster_is_refused() {
    assertThat(run(HasTwoClusters.class).passed).isEmpty();
  }

  @Test
  void a_failure_names_its_seed_the_command_and_the_smallest_schedule() throws Exception {
    Outcomes outcomes = run(FailsWhenNodeCrashes.class);
    assertThat(outcomes.failures).isNotEmpty();
    String message = String.valueOf(outcomes.failures.get(0).getMessage());
    assertThat(message)
        .matches("(?s)seed \\d+: .*somebody crashes.*")
        .contains("to repeat it: mvn ")
        .contains(
            " -Dtest='"
                + FailsWhenNodeCrashes.class.getName()
                + "#nobody_crashes' -Dtreecast.seed=")
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
