package io.treecast.testkit.sim;

import io.treecast.agent.core.data.Participation;
import io.treecast.collectives.operation.contract.Operation;
import io.treecast.collectives.operation.contract.Outcome;
import io.treecast.collectives.operation.contract.Outcome.Completed;
import io.treecast.collectives.operation.contract.Value;
import io.treecast.testkit.cluster.Nodes;
import io.treecast.testkit.sim.network.SimSettings;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** The calls of a cluster's applications to take part in collective operations. Single-threaded. */
public final class SimCollectives {
  private final Nodes<SimAgent> nodes;
  private long lastCall;

  SimCollectives(Nodes<SimAgent> nodes) {
    this.nodes = nodes;
  }

  /** One call. It has no outcome if its agent crashes first. */
  public static final class Call {
    private @Nullable Outcome outcome;

    private Call() {}

    /** Returns the outcome; null before the end. */
    public @Nullable Outcome outcome() {
      return outcome;
    }

    /** Returns whether the call has ended, with a result or a failure. */
    public boolean hasEnded() {
      return outcome != null;
    }

    /**
     * Returns the result.
     *
     * @throws AssertionError if the call has none
     */
    public Completed result() {
      if (outcome instanceof Completed completed) {
        return completed;
      }
      throw new AssertionError("the call has no result: " + outcome);
    }

    void ended(Outcome how) {
      if (outcome != null) {
        throw new AssertionError("ended twice: " + outcome + ", then " + how);
      }
      outcome = how;
    }
  }

  /** Lets an application of a node take part by a call that is not repeated. */
  public Call takePart(int node, Operation operation, Value contribution, long waitMillis) {
    return takePart(node, "call-" + (lastCall + 1), operation, contribution, waitMillis);
  }

  /**
   * Lets an application of a node take part.
   *
   * @param token the token of the call, identical in repetitions
   * @throws IllegalArgumentException if the contribution is not allowed
   * @throws IllegalStateException if the node's agent does not run, or is paused
   */
  public Call takePart(
      int node, String token, Operation operation, Value contribution, long waitMillis) {
    Call call = new Call();
    nodes
        .unpaused(node)
        .takePart(
            ++lastCall,
            Participation.of(
                SimSettings.id(node),
                token,
                operation,
                contribution,
                TimeUnit.MILLISECONDS.toNanos(waitMillis)),
            call);
    return call;
  }
}
