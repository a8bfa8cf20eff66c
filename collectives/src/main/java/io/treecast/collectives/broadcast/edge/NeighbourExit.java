package io.treecast.collectives.broadcast.edge;

import io.treecast.collectives.broadcast.message.Gap;
import io.treecast.collectives.broadcast.message.LogItem;
import io.treecast.collectives.broadcast.message.MissedReason;
import io.treecast.collectives.broadcast.message.StreamId;
import java.util.function.Consumer;
import java.util.function.Predicate;

/**
 * The exit of items to a neighbour. The neighbour wants everything that it lacks, except the
 * streams that it publishes itself.
 */
final class NeighbourExit implements Exit {
  private final Predicate<StreamId> isOwn;
  private final Consumer<LogItem> send;

  NeighbourExit(Predicate<StreamId> isOwn, Consumer<LogItem> send) {
    this.isOwn = isOwn;
    this.send = send;
  }

  @Override
  public boolean accepts(LogItem item) {
    return !isOwn.test(item.stream());
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
