package org.example.spring;

import io.treecast.client.Treecast;
import io.treecast.client.TreeView;
import org.springframework.boot.actuate.health.Health;
import org.springframework.boot.actuate.health.HealthIndicator;

/** Is up while the agent has a tree and the client is connected to it. */
final class TreecastHealth implements HealthIndicator {
  private final Treecast treecast;
  private volatile TreeView tree;

  TreecastHealth(Treecast treecast) {
    this.treecast = treecast;
    treecast.watchTree(latest -> tree = latest);
  }

  @Override
  public Health health() {
    TreeView latest = tree;
    if (latest == null || !treecast.isConnected()) {
      return Health.down().withDetail("reason", "no connection to an agent").build();
    }
    Health.Builder health = latest.ready() ? Health.up() : Health.down();
    return health
        .withDetail("agent", latest.nodeId())
        .withDetail("treeVersion", latest.version())
        .withDetail("members", latest.hasTree() ? latest.edges().size() + 1 : 0)
        .withDetail("reason", latest.notReadyReason())
        .build();
  }
}
