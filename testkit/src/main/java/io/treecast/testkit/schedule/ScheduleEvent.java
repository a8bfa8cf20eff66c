package io.treecast.testkit.schedule;

import io.treecast.collectives.broadcast.message.Topic;
import io.treecast.testkit.cluster.Cluster;
import io.treecast.testkit.network.NodeGroup;
import java.math.BigDecimal;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.stream.Collectors;

/** A planned event of a cluster. {@code toString} returns it in the syntax of schedules. */
public sealed interface ScheduleEvent {

  /**
   * Applies the event.
   *
   * @throws IllegalArgumentException if there is no such node or link
   * @throws IllegalStateException if the state of the cluster does not permit it
   */
  void applyTo(Cluster cluster);

  /** An event of one link. */
  sealed interface OfLink extends ScheduleEvent {
    /** Returns one end. */
    int one();

    /** Returns the other end. */
    int other();
  }

  /** An event of one node. */
  sealed interface OfNode extends ScheduleEvent {
    int node();
  }

  /** {@code rtt 4-6 6001}: sets the round trip of the link, in milliseconds. */
  record Rtt(int one, int other, BigDecimal millis) implements OfLink {
    @Override
    public void applyTo(Cluster cluster) {
      cluster.links().rtt(one, other, millis.doubleValue());
    }

    @Override
    public String toString() {
      return "rtt " + one + "-" + other + " " + millis.toPlainString();
    }
  }

  /** {@code down 12-20}: cuts the link. */
  record Down(int one, int other) implements OfLink {
    @Override
    public void applyTo(Cluster cluster) {
      cluster.links().cut(one, other);
    }

    @Override
    public String toString() {
      return "down " + one + "-" + other;
    }
  }

  /** {@code up 12-20}: heals the link in both directions and ends its loss. */
  record Up(int one, int other) implements OfLink {
    @Override
    public void applyTo(Cluster cluster) {
      cluster.links().heal(one, other);
    }

    @Override
    public String toString() {
      return "up " + one + "-" + other;
    }
  }

  /** {@code loss 4-6 20%}: the share of the link's messages that must be retransmitted. */
  record Loss(int one, int other, BigDecimal percent) implements OfLink {
    @Override
    public void applyTo(Cluster cluster) {
      cluster.links().loss(one, other, percent.movePointLeft(2).doubleValue());
    }

    @Override
    public String toString() {
      return "loss " + one + "-" + other + " " + percent.toPlainString() + "%";
    }
  }

  /** {@code oneway 4-6}: blocks messages from 4 to 6; the other direction is unchanged. */
  record OneWay(int one, int other) implements OfLink {
    @Override
    public void applyTo(Cluster cluster) {
      cluster.links().oneWay(one, other);
    }

    @Override
    public String toString() {
      return "oneway " + one + "-" + other;
    }
  }

  /** {@code reset 4-6}: ends the connections of the link with an error. */
  record Reset(int one, int other) implements OfLink {
    @Override
    public void applyTo(Cluster cluster) {
      cluster.links().reset(one, other);
    }

    @Override
    public String toString() {
      return "reset " + one + "-" + other;
    }
  }

  /** {@code partition 0-11 | 12-23}: cuts the links between the groups. */
  record Partition(List<NodeGroup> groups) implements ScheduleEvent {
    /** Copies the list. */
    public Partition {
      groups = List.copyOf(groups);
    }

    @Override
    public void applyTo(Cluster cluster) {
      cluster.links().partition(groups.toArray(NodeGroup[]::new));
    }

    @Override
    public String toString() {
      return "partition "
          + groups.stream().map(NodeGroup::toString).collect(Collectors.joining(" | "));
    }
  }

  /** {@code heal}: heals all links in both directions and ends their loss. */
  record Heal() implements ScheduleEvent {
    @Override
    public void applyTo(Cluster cluster) {
      cluster.links().heal();
    }

    @Override
    public String toString() {
      return "heal";
    }
  }

  /** {@code crash 7}: kills the node's agent. */
  record Crash(int node) implements OfNode {
    @Override
    public void applyTo(Cluster cluster) {
      cluster.crash(node);
    }

    @Override
    public String toString() {
      return "crash " + node;
    }
  }

  /** {@code restart 7}: starts the agent of a node that does not run, without state. */
  record Restart(int node) implements OfNode {
    @Override
    public void applyTo(Cluster cluster) {
      cluster.restart(node);
    }

    @Override
    public String toString() {
      return "restart " + node;
    }
  }

  /** {@code pause 7}: freezes the node's agent. */
  record Pause(int node) implements OfNode {
    @Override
    public void applyTo(Cluster cluster) {
      cluster.pause(node);
    }

    @Override
    public String toString() {
      return "pause " + node;
    }
  }

  /** {@code resume 7}: resumes the frozen agent. */
  record Resume(int node) implements OfNode {
    @Override
    public void applyTo(Cluster cluster) {
      cluster.resume(node);
    }

    @Override
    public String toString() {
      return "resume " + node;
    }
  }

  /** {@code leave 7}: stops the node's agent after it has announced its departure. */
  record Leave(int node) implements OfNode {
    @Override
    public void applyTo(Cluster cluster) {
      cluster.leave(node);
    }

    @Override
    public String toString() {
      return "leave " + node;
    }
  }

  /**
   * {@code join 24 like 3}: adds a node close to node 3, with the same round trips to all others.
   */
  record Join(int node, int like) implements OfNode {
    @Override
    public void applyTo(Cluster cluster) {
      cluster.join(node, like);
    }

    @Override
    public String toString() {
      return "join " + node + " like " + like;
    }
  }

  /** {@code broadcast 12 24B prices}: broadcasts a number of bytes from the node on a topic. */
  record Broadcast(int node, int bytes, String topic) implements OfNode {
    @Override
    public void applyTo(Cluster cluster) {
      cluster.broadcast(node, topic, ByteBuffer.allocate(bytes));
    }

    /** Returns the text without the default topic. */
    @Override
    public String toString() {
      String text = "broadcast " + node + " " + PayloadSize.text(bytes);
      return topic.equals(Topic.DEFAULT) ? text : text + " " + topic;
    }
  }

  /** {@code subscribe 7 prices}: subscribes the node's application to the topic. */
  record Subscribe(int node, String topic) implements OfNode {
    @Override
    public void applyTo(Cluster cluster) {
      var unusedAsEventsDoNotWait = cluster.beginSubscription(node, topic);
    }

    @Override
    public String toString() {
      return "subscribe " + node + " " + topic;
    }
  }

  /** {@code unsubscribe 7 prices}: ends the subscription of the node's application. */
  record Unsubscribe(int node, String topic) implements OfNode {
    @Override
    public void applyTo(Cluster cluster) {
      cluster.unsubscribe(node, topic);
    }

    @Override
    public String toString() {
      return "unsubscribe " + node + " " + topic;
    }
  }
}
