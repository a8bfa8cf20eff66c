package io.treecast.testkit.sim;

import io.treecast.agent.core.data.Participation;
import io.treecast.collectives.operation.Operation;
import io.treecast.collectives.operation.Outcome;
import io.treecast.collectives.operation.Outcome.Completed;
import io.treecast.collectives.operation.Value;
import io.treecast.testkit.cluster.Nodes;
import io.treecast.testkit.sim.network.SimSettings;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** The calls of a cluster's applications to take part in collective operations. One thread. */
public final class SimCollectives {
  private final Nodes<SimAgent> nodes;
  private long lastCall;

  SimCollectives(Nodes<SimAgent> nodes) {
    this.nodes = nodes;
  }

  /** One call. It has no outcome if its agent crashes before. */
  public static final class Call {
    private @Nullable Outcome outcome;

    private Call() {}

    /** How it has ended; null before. */
    public @Nullable Outcome outcome() {
      return outcome;
    }

    /** Returns whether it has ended, with a result or without. */
    public boolean hasEnded() {
      return outcome != null;
    }

    /**
     * Its result.
     *
     * @throws AssertionError if it has none
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

  /** Lets an application of a node take part, by a call that is never repeated. */
  public Call takePart(int node, Operation operation, Value contribution, long waitMillis) {
    return takePart(node, "call-" + (lastCall + 1), operation, contribution, waitMillis);
  }

  /**
   * Returns an application of a node takes part.
   *
   * @param token the same whenever it repeats the call
   * @throws IllegalArgumentException if it may not give that
   * @throws IllegalStateException if the node's agent does not run, or is paused
   */
  public Call takePart(
      int node, String token, Operation operation, Value contribution, long waitMillis) {
    Call call = new Call();
    nodes
        .standing(node)
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
