package io.treecast.testkit.schedule;

import io.treecast.testkit.network.NetworkConditions;
import io.treecast.testkit.network.Topology;
import io.treecast.testkit.schedule.ScheduleEvent.Broadcast;
import io.treecast.testkit.schedule.ScheduleEvent.Crash;
import io.treecast.testkit.schedule.ScheduleEvent.Join;
import io.treecast.testkit.schedule.ScheduleEvent.Leave;
import io.treecast.testkit.schedule.ScheduleEvent.Loss;
import io.treecast.testkit.schedule.ScheduleEvent.OfLink;
import io.treecast.testkit.schedule.ScheduleEvent.OfNode;
import io.treecast.testkit.schedule.ScheduleEvent.Partition;
import io.treecast.testkit.schedule.ScheduleEvent.Pause;
import io.treecast.testkit.schedule.ScheduleEvent.Restart;
import io.treecast.testkit.schedule.ScheduleEvent.Resume;
import io.treecast.testkit.schedule.ScheduleEvent.Rtt;
import io.treecast.testkit.schedule.ScheduleEvent.Subscribe;
import io.treecast.testkit.schedule.ScheduleEvent.Unsubscribe;
import java.util.Set;
import java.util.TreeSet;

/**
 * Checks the events of a schedule without a cluster, against the nodes that exist, run and are
 * paused at their times.
 */
final class ScheduleCheck {
  private final NetworkConditions network;
  private final Set<Integer> running;
  private final boolean isComplete;
  private final Set<Integer> paused = new TreeSet<>();

  ScheduleCheck(Topology topology) {
    this.network = new NetworkConditions(topology);
    this.running = new TreeSet<>(network.nodes());
    this.isComplete = topology.isComplete();
  }

  /**
   * Applies the next event.
   *
   * @throws IllegalArgumentException if there is no such node or link
   * @throws IllegalStateException if the state of the node does not permit it, or no node can join
   */
  void apply(ScheduleEvent event) {
    if (event instanceof OfLink link) {
      applyToLink(link);
    } else if (event instanceof Partition partition) {
      network.partition(partition.groups());
    } else if (event instanceof Join join) {
      require(isComplete, "nodes join where all are linked, and here some are not");
      network.join(join.node(), join.like());
      running.add(join.node());
    } else if (event instanceof OfNode node) {
      network.neighbours(node.node());
      applyToNode(node);
    }
  }

  private void applyToLink(OfLink link) {
    // Each of these throws for an unknown link.
    if (link instanceof Rtt rtt) {
      network.rtt(link.one(), link.other(), Math.round(rtt.millis().doubleValue() * 1_000));
    } else if (link instanceof Loss loss) {
      network.loss(link.one(), link.other(), loss.percent().movePointLeft(2).doubleValue());
    } else {
      network.cut(link.one(), link.other());
    }
  }

  private void applyToNode(OfNode event) {
    int node = event.node();
    if (event instanceof Restart) {
      require(running.add(node), "node " + node + " runs already");
    } else if (event instanceof Crash) {
      require(running.remove(node), "node " + node + " does not run then");
      paused.remove(node);
    } else if (event instanceof Leave) {
      require(!paused.contains(node), "node " + node + " is paused then");
      require(running.remove(node), "node " + node + " does not run then");
    } else if (event instanceof Pause) {
      require(running.contains(node), "node " + node + " does not run then");
      require(paused.add(node), "node " + node + " is paused already");
    } else if (event instanceof Resume) {
      require(paused.remove(node), "node " + node + " is not paused then");
    } else if (!(event instanceof Broadcast
        || event instanceof Subscribe
        || event instanceof Unsubscribe)) {
      throw new AssertionError("unknown event " + event);
    }
  }

  private static void require(boolean condition, String otherwise) {
    if (!condition) {
      throw new IllegalStateException(otherwise);
    }
  }
}
