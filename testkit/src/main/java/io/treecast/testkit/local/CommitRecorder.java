package io.treecast.testkit.local;

import io.treecast.agent.core.AgentSnapshot;
import io.treecast.agent.core.contract.TreeChange;
import io.treecast.testkit.cluster.ClusterHistory;
import io.treecast.testkit.cluster.Incarnation;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;

/** Records the commits of a cluster's agents in its history, each tree once. Thread-safe. */
final class CommitRecorder {
  private final ClusterHistory history;
  private final Map<Incarnation, AtomicLong> lastVersions = new ConcurrentHashMap<>();

  /** Creates an empty record. */
  CommitRecorder(ClusterHistory history) {
    this.history = history;
  }

  /**
   * Records that an agent has committed a tree. Its next snapshot, taken right after the commit,
   * has the change.
   */
  void committed(LocalAgent agent, long atNanos) {
    var unused =
        agent.agent.snapshot().thenAccept(snapshot -> note(agent.incarnation(), atNanos, snapshot));
  }

  private void note(Incarnation incarnation, long atNanos, AgentSnapshot snapshot) {
    TreeChange change = snapshot.lastChange();
    if (change != null && isNew(incarnation, change.tree().version())) {
      history.reacted(atNanos - change.durationNanos());
      history.committed(atNanos, incarnation, change);
    }
  }

  /**
   * Returns whether a version is newer than all recorded ones of a incarnation; snapshots may
   * arrive out of order.
   */
  private boolean isNew(Incarnation incarnation, long version) {
    AtomicLong last = lastVersions.computeIfAbsent(incarnation, first -> new AtomicLong());
    return last.getAndAccumulate(version, Math::max) < version;
  }
}
