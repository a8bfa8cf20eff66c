package io.treecast.collectives.broadcast.edge;

import io.treecast.collectives.broadcast.message.Gap;
import io.treecast.collectives.broadcast.message.LogItem;
import io.treecast.collectives.broadcast.message.MissedReason;
import io.treecast.collectives.broadcast.message.StreamId;
import java.util.function.Consumer;

/** The exit of items to a neighbour, which wants everything that it lacks. */
final class NeighbourExit implements Exit {
  private final Consumer<LogItem> send;

  NeighbourExit(Consumer<LogItem> send) {
    this.send = send;
  }

  @Override
  public boolean wants(LogItem item) {
    return true;
  }

  @Override
  public void pass(LogItem item) {
    send.accept(item);
  }

  @Override
  public void lose(Gap gap, MissedReason reason) {
    pass(gap);
  }

  @Override
  public void moved(StreamId stream) {}

  @Override
  public boolean isMember() {
    return true;
  }

  @Override
  public void caughtUp() {}
}
