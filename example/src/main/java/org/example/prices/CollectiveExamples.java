package org.example.prices;

import io.treecast.client.ClusterTime;
import io.treecast.client.CollectiveOptions;
import io.treecast.client.CollectiveResult;
import io.treecast.client.Collectives;
import io.treecast.client.Group;
import io.treecast.client.GroupView;
import io.treecast.client.LongReduction;
import io.treecast.client.NumberVector;
import io.treecast.client.RetryToken;
import io.treecast.client.Treecast;
import io.treecast.client.TreecastException;
import io.treecast.client.VectorReduction;
import java.nio.FloatBuffer;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;

/** The examples of the page on collective operations, which shows them word for word. */
final class CollectiveExamples {
  private CollectiveExamples() {}

  // tag::reduce
  /** Sums up the sales of a round by kind, and names the contributors. */
  static String sold(Treecast treecast, int round, long[] soldHere) {
    CollectiveResult<long[]> sold =
        treecast.blocking().collectives().allReduce("sold-" + round, LongReduction.SUM, soldHere);
    return Arrays.toString(sold.value()) + " by " + sold.contributors();
  }

  // end::reduce

  // tag::vectors
  /** Averages the weights of a model over all sites, and returns how many have contributed. */
  static int average(Treecast treecast, int round, FloatBuffer weights, FloatBuffer into) {
    return treecast
        .blocking()
        .collectives()
        .allReduce(
            "model-" + round,
            VectorReduction.MEAN,
            NumberVector.of(weights),
            NumberVector.of(into),
            CollectiveOptions.defaults().withWait(Duration.ofMinutes(5)))
        .contributors()
        .size();
  }

  // end::vectors

  // tag::groups
  /** Joins the trainers of a region, and sums up what they and others have trained. */
  static long trained(Treecast treecast, String region, int trainers, long trainedHere) {
    Group group = treecast.groups().join("trainers/" + region);
    GroupView view = group.joined().join(); // this member is in the view
    System.out.println("rank " + view.rank() + " of " + view.members().size());
    return group
        .blockingCollectives()
        .allReduce(
            "round-1",
            LongReduction.SUM,
            new long[] {trainedHere},
            CollectiveOptions.defaults().withMinimum(trainers)) // waits for enough members
        .value()[0];
  }

  // end::groups

  // tag::scatter
  /** The owner distributes the shares; each member gets its own, if there is one. */
  static CompletableFuture<Optional<byte[]>> share(
      Treecast treecast, String name, String self, String owner, Map<String, byte[]> shares) {
    Collectives collectives = treecast.collectives();
    CompletableFuture<CollectiveResult<Optional<byte[]>>> shared =
        self.equals(owner)
            ? collectives.scatter(name, shares)
            : collectives.receive(name, owner);
    return shared.thenApply(CollectiveResult::value);
  }

  // end::scatter

  // tag::wait
  /** Waits until each of these members has called, however long that takes. */
  static void meet(
      Treecast treecast,
      String name,
      Set<String> members,
      Duration patience,
      Consumer<String> log) {
    CollectiveOptions options =
        CollectiveOptions.defaults()
            .among(members)
            .withWait(patience)
            .withRetryToken(RetryToken.create()); // Repeats the same call.
    while (true) {
      try {
        treecast.blocking().collectives().barrier(name, options);
        return;
      } catch (TreecastException e) {
        switch (e.reason()) {
          case MEMBERS_MISSING, OUTCOME_UNKNOWN, AGENT_UNREACHABLE -> log.accept(e.getMessage());
          default -> throw e;
        }
      }
    }
  }

  // end::wait

  // tag::clock
  /** Begins a step together with all members, and returns its begin and its end here. */
  static List<ClusterTime> timed(Treecast treecast, String name, Runnable step) {
    treecast.blocking().collectives().barrier(name);
    ClusterTime begun = treecast.blocking().clusterTime();
    step.run();
    return List.of(begun, treecast.blocking().clusterTime());
  }
  // end::clock
}
