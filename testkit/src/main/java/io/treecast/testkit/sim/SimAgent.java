package io.treecast.testkit.sim;

import io.treecast.agent.core.AgentCore;
import io.treecast.agent.core.AgentEffects;
import io.treecast.agent.core.AgentSnapshot;
import io.treecast.agent.core.CoreConfig;
import io.treecast.agent.core.DataMessage;
import io.treecast.agent.core.Notice;
import io.treecast.agent.core.PeerMessage;
import io.treecast.agent.core.PublishOutcome;
import io.treecast.agent.core.Transport;
import io.treecast.collectives.BroadcastRefusedException;
import io.treecast.collectives.Chunk;
import io.treecast.mst.TreeStatus;
import java.nio.ByteBuffer;

/**
 * One simulated agent: a real core whose driver is virtual time. It has one subscriber that takes
 * whatever comes, at once.
 */
final class SimAgent {
  private static final long SUBSCRIBER = 1;

  /** What the cluster observes of its agents. */
  interface Observer {
    void delivered(int node, Chunk chunk);

    void noticed(int node, Notice notice);
  }

  private final int node;
  private final VirtualTime time;
  private final Observer observer;
  private final AgentCore core;
  private final ControlEnd controlEnd = new ControlEnd();
  private final DataEnd dataEnd = new DataEnd();
  private long tickAtNanos = Long.MAX_VALUE;

  SimAgent(int node, CoreConfig config, VirtualTime time, Transport transport, Observer observer) {
    this.node = node;
    this.time = time;
    this.observer = observer;
    this.core = new AgentCore(config, transport, new Effects());
  }

  void start() {
    core.start(time.nowNanos());
    try {
      core.subscribe(SUBSCRIBER);
    } catch (BroadcastRefusedException e) {
      throw new AssertionError("an agent without subscribers refuses one", e);
    }
    scheduleTick();
  }

  void publish(ByteBuffer payload, PublishOutcome outcome) {
    core.publish(payload, time.nowNanos(), outcome, time.nowNanos());
    scheduleTick();
  }

  AgentSnapshot snapshot() {
    return core.snapshot();
  }

  TreeStatus treeStatus() {
    return core.treeStatus();
  }

  boolean carriesBroadcasts() {
    return core.treeStatus().ready() && core.snapshot().carriesBroadcasts();
  }

  SimStream.End<PeerMessage> controlEnd() {
    return controlEnd;
  }

  SimStream.End<DataMessage> dataEnd() {
    return dataEnd;
  }

  void controlAccepted(SimStream<PeerMessage> stream) {
    core.controlAccepted(stream, time.nowNanos());
    scheduleTick();
  }

  void dataAccepted(SimStream<DataMessage> stream) {
    core.dataAccepted(stream, time.nowNanos());
    scheduleTick();
  }

  /**
   * Sees to it that the core's next deadline is met; a deadline that moved back costs one idle
   * tick.
   */
  private void scheduleTick() {
    long deadline = core.nextDeadlineNanos();
    if (deadline < tickAtNanos) {
      tickAtNanos = deadline;
      time.at(deadline, () -> tick(deadline));
    }
  }

  private void tick(long scheduledNanos) {
    if (scheduledNanos != tickAtNanos) {
      return;
    }
    tickAtNanos = Long.MAX_VALUE;
    core.tick(time.nowNanos());
    scheduleTick();
  }

  private final class ControlEnd implements SimStream.End<PeerMessage> {
    @Override
    public void received(SimStream<PeerMessage> stream, PeerMessage message) {
      core.controlReceived(stream, message, time.nowNanos());
      scheduleTick();
    }

    @Override
    public void closed(SimStream<PeerMessage> stream, String reason) {
      core.controlClosed(stream, reason, time.nowNanos());
      scheduleTick();
    }
  }

  private final class DataEnd implements SimStream.End<DataMessage> {
    @Override
    public void received(SimStream<DataMessage> stream, DataMessage message) {
      core.dataReceived(stream, message, time.nowNanos());
      scheduleTick();
    }

    @Override
    public void closed(SimStream<DataMessage> stream, String reason) {
      core.dataClosed(stream, reason, time.nowNanos());
      scheduleTick();
    }
  }

  private final class Effects implements AgentEffects {
    @Override
    public void deliver(long subscriber, Chunk chunk) {
      observer.delivered(node, chunk);
      time.after(0, () -> core.consumed(subscriber, chunk.cost()));
    }

    @Override
    public void treeChanged(TreeStatus status) {
      // Seen through snapshots.
    }

    @Override
    public void noticed(Notice notice) {
      observer.noticed(node, notice);
    }
  }
}
