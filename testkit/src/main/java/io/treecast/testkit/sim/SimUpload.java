package io.treecast.testkit.sim;

import io.treecast.agent.core.publish.PublishOutcome;
import io.treecast.collectives.broadcast.contract.BroadcastRefusedException;
import io.treecast.collectives.broadcast.message.MessageId;
import io.treecast.testkit.sim.network.VirtualTime;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/**
 * An application that uploads to a simulated agent piece by piece in virtual time, with a limited
 * number of waiting pieces. It may die in the middle.
 */
final class SimUpload implements PublishOutcome {
  private static final int MAX_WAITING = 8;

  /** Receives the progress of an upload. */
  interface Observer {
    void begun(SimUpload upload, MessageId id, long treeVersion);

    /** The agent has the complete upload. */
    void ended(SimUpload upload, MessageId id, int replicas);
  }

  private final SimAgent agent;
  private final long number;
  private final VirtualTime time;
  private final ByteBuffer payload;
  private final int pieceBytes;
  private final long intervalNanos;
  private final boolean crashesMidway;
  private final Observer observer;
  private @Nullable MessageId id;
  private int waiting;
  private boolean isFull;

  SimUpload(SimAgent agent, long number, VirtualTime time, UploadPlan plan, Observer observer) {
    this.agent = agent;
    this.number = number;
    this.time = time;
    this.payload = ByteBuffer.allocate(plan.bytes());
    this.pieceBytes = Math.max(1, plan.bytes() / plan.pieces());
    this.intervalNanos = plan.intervalNanos();
    this.crashesMidway = plan.crashesMidway();
    this.observer = observer;
  }

  SimAgent agent() {
    return agent;
  }

  long number() {
    return number;
  }

  boolean crashesMidway() {
    return crashesMidway;
  }

  @Override
  public void accepted(MessageId messageId, long treeVersion, int replicas) {
    id = messageId;
    observer.begun(this, messageId, treeVersion);
    next();
  }

  @Override
  public void refused(BroadcastRefusedException.Reason reason, String text) {
    // The upload does not begin.
  }

  private void next() {
    time.after(intervalNanos, () -> agent.handle(this::sendNext));
  }

  private void sendNext() {
    if (crashesMidway && payload.position() * 2 >= payload.capacity()) {
      agent.abandon(this);
    } else if (waiting == MAX_WAITING) {
      isFull = true; // Resumed in taken().
    } else if (payload.hasRemaining()) {
      int length = Math.min(pieceBytes, payload.remaining());
      waiting++;
      agent.add(this, payload.slice(payload.position(), length));
      payload.position(payload.position() + length);
      next();
    } else {
      agent.end(this);
    }
  }

  void taken(int pieces) {
    waiting -= pieces;
    if (isFull) {
      isFull = false;
      next();
    }
  }

  void ended(int replicas) {
    if (id != null) {
      observer.ended(this, id, replicas);
    }
  }

  @Override
  public String toString() {
    return "upload " + id;
  }
}
