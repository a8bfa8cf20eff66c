package io.treecast.testkit.local;

import io.treecast.agent.core.AgentSnapshot;
import io.treecast.agent.core.contract.TreeChange;
import io.treecast.testkit.cluster.ClusterHistory;
import io.treecast.testkit.cluster.Life;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;

/** Records the commits of a cluster's agents in its history, each tree once. Thread-safe. */
final class NotedCommits {
  private final ClusterHistory history;
  private final Map<Life, AtomicLong> lastVersions = new ConcurrentHashMap<>();

  /** Creates an empty record. */
  NotedCommits(ClusterHistory history) {
    this.history = history;
  }

  /**
   * Records that an agent has committed a tree. Its next snapshot, taken right after the commit,
   * has the change.
   */
  void committed(LocalAgent agent, long atNanos) {
    var unused =
        agent.agent.snapshot().thenAccept(snapshot -> note(agent.life(), atNanos, snapshot));
  }

  private void note(Life life, long atNanos, AgentSnapshot snapshot) {
    TreeChange change = snapshot.lastChange();
    if (change != null && isNews(life, change.tree().version())) {
      history.reacted(atNanos - change.durationNanos());
      history.committed(atNanos, life, change);
    }
  }

  /**
   * Returns whether a version is newer than all recorded ones of a life; snapshots may arrive out
   * of order.
   */
  private boolean isNews(Life life, long version) {
    AtomicLong last = lastVersions.computeIfAbsent(life, first -> new AtomicLong());
    return last.getAndAccumulate(version, Math::max) < version;
  }
}
