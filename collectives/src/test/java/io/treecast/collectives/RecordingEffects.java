package io.treecast.collectives;

import io.treecast.ghs.NodeId;
import java.util.ArrayList;
import java.util.List;

/** Remembers what a relay asked for, as lines in the order in which it did. */
final class RecordingEffects implements BroadcastEffects {
  private final List<String> lines = new ArrayList<>();
  private final List<Chunk> sent = new ArrayList<>();

  @Override
  public void send(NodeId neighbour, Chunk chunk) {
    sent.add(chunk);
    lines.add("send to " + neighbour + ": " + Examples.name(chunk));
  }

  @Override
  public void grant(NodeId neighbour, long bytes) {
    lines.add("grant " + neighbour + " " + bytes);
  }

  @Override
  public void deliver(long subscriber, Chunk chunk) {
    lines.add("deliver to s" + subscriber + ": " + Examples.name(chunk));
  }

  @Override
  public void violated(NodeId neighbour, String reason) {
    lines.add("violated by " + neighbour + ": " + reason);
  }

  /** The lines since the last call. */
  List<String> take() {
    List<String> taken = List.copyOf(lines);
    lines.clear();
    return taken;
  }

  /** All chunks sent to any neighbour so far. */
  List<Chunk> sent() {
    return sent;
  }
}
