package io.treecast.agent.core;

import io.treecast.agent.core.contract.Connection;
import io.treecast.ghs.NodeId;
import java.util.ArrayList;
import java.util.List;

/** A connection whose other end is the test. */
public final class RecordingConnection<M> implements Connection<M> {
  private final String remoteAddress;
  private final List<M> sent = new ArrayList<>();
  private boolean closed;

  public RecordingConnection(String remoteAddress) {
    this.remoteAddress = remoteAddress;
  }

  /** Returns the messages sent since the last call. */
  public List<M> takeSent() {
    List<M> taken = List.copyOf(sent);
    sent.clear();
    return taken;
  }

  boolean hasSent() {
    return !sent.isEmpty();
  }

  public boolean isClosed() {
    return closed;
  }

  @Override
  public void send(M message) {
    if (!closed) {
      sent.add(message);
    }
  }

  @Override
  public void close() {
    closed = true;
  }

  @Override
  public void identified(NodeId peer) {
    // The test knows who it is.
  }

  @Override
  public String remoteAddress() {
    return remoteAddress;
  }
}
