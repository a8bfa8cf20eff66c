package io.treecast.testkit.schedule;

import io.treecast.collectives.broadcast.message.Topic;
import io.treecast.testkit.cluster.Cluster;
import io.treecast.testkit.network.NodeGroup;
import java.math.BigDecimal;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.stream.Collectors;

/** Something that is to happen to a cluster. {@code toString} is how a schedule writes it. */
public sealed interface ScheduleEvent {

  /**
   * Applies the event.
   *
   * @throws IllegalArgumentException if there is no such node or link
   * @throws IllegalStateException if it does not fit the state of the cluster
   */
  void applyTo(Cluster cluster);

  /** An event of one link. */
  sealed interface OfLink extends ScheduleEvent {
    /** One end. */
    int one();

    /** The other end. */
    int other();
  }

  /** An event of one node. */
  sealed interface OfNode extends ScheduleEvent {
    /** Returns the node. */
    int node();
  }

  /** {@code rtt 4-6 6001}: the link has another round trip, in milliseconds. */
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

  /** {@code down 12-20}: the link is silent. */
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

  /** {@code up 12-20}: the link works again, both ways, and loses nothing. */
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

  /** {@code loss 4-6 20%}: so many messages of the link have to be sent again. */
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

  /** {@code oneway 4-6}: what 4 sends to 6 does not arrive; the other way is as it was. */
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

  /** {@code reset 4-6}: the connections of the link end with an error. */
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

  /** {@code partition 0-11 | 12-23}: the links between the groups are silent. */
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

  /** {@code heal}: all links work again, both ways, and lose nothing. */
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

  /** {@code crash 7}: the node's agent is gone without a word. */
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

  /** {@code restart 7}: the agent of a node that does not run starts, and knows nothing. */
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

  /** {@code pause 7}: the node's agent freezes. */
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

  /** {@code resume 7}: the frozen agent goes on. */
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

  /** {@code leave 7}: the node's agent says goodbye and stops. */
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

  /** {@code join 24 like 3}: a new node, as far from everybody as that one, and close to it. */
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

  /** {@code broadcast 12 24B prices}: the node's agent broadcasts so many bytes on a topic. */
  record Broadcast(int node, int bytes, String topic) implements OfNode {
    @Override
    public void applyTo(Cluster cluster) {
      cluster.broadcast(node, topic, ByteBuffer.allocate(bytes));
    }

    /** The default topic is left out. */
    @Override
    public String toString() {
      String text = "broadcast " + node + " " + PayloadSize.text(bytes);
      return topic.equals(Topic.DEFAULT) ? text : text + " " + topic;
    }
  }

  /** {@code subscribe 7 prices}: the node's application wants the topic. */
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

  /** {@code unsubscribe 7 prices}: the node's application does not want the topic any more. */
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
