package io.treecast.jobs;

import static org.assertj.core.api.Assertions.assertThat;

import io.treecast.client.Treecast;
import io.treecast.jobs.Queens.Board;
import io.treecast.testkit.junit.ClusterTest;
import io.treecast.testkit.local.LocalCluster;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Timeout;

/** The test of a program with jobs, which the page on jobs shows. */
@Timeout(300)
class JobsUnderFaultsTest {
  // tag::test
  @ClusterTest(nodes = 3)
  void a_job_survives_the_crash_of_a_member(LocalCluster cluster) {
    try (Jobs<Board, Long> first = Queens.join(Treecast.connect(cluster.address(0)));
        Jobs<Board, Long> second = Queens.join(Treecast.connect(cluster.address(1)));
        Jobs<Board, Long> third = Queens.join(Treecast.connect(cluster.address(2)))) {
      second.ready().join();
      third.ready().join();
      CompletableFuture<Long> solutions = first.run(Board.empty(15));
      assertThat(cluster.runUntil(() -> third.counts().solved() > 0, 60_000)).isTrue();

      cluster.crash(2);

      assertThat(solutions.join()).isEqualTo(2_279_184);
      assertThat(second.counts().solved()).isPositive();
    }
  }
  // end::test
}
