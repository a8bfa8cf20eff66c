package io.treecast.collectives;

import java.util.function.Consumer;

/** Where items leave a relay for a neighbour, which wants all that it lacks. Relay's thread. */
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
