package io.treecast.agent.transport.upload;

import io.treecast.agent.core.message.DataMessage;
import io.treecast.agent.transport.connection.PacedConnection;
import io.treecast.agent.transport.connection.StreamEvents;
import java.util.List;
import java.util.function.BiFunction;
import java.util.function.Supplier;

/**
 * Dials the further connections of a data stream over the paths to the other end in turn, so that
 * uploads use all of them. On the agent's loop.
 */
public final class NextPath implements UploadConnections.Dialing {
  private final String address;
  private final Supplier<List<String>> paths;
  private final BiFunction<
          String, StreamEvents<List<DataMessage>>, PacedConnection<List<DataMessage>>>
      dialing;
  private int turn;

  /**
   * Creates an instance that starts with the first path.
   *
   * @param address of the data stream itself
   * @param paths supplies the addresses of all present paths; empty if only the stream's is known
   */
  public NextPath(
      String address,
      Supplier<List<String>> paths,
      BiFunction<String, StreamEvents<List<DataMessage>>, PacedConnection<List<DataMessage>>>
          dialing) {
    this.address = address;
    this.paths = paths;
    this.dialing = dialing;
  }

  @Override
  public PacedConnection<List<DataMessage>> dial(StreamEvents<List<DataMessage>> events) {
    List<String> all = paths.get();
    String next = all.isEmpty() ? address : all.get(turn++ % all.size());
    return dialing.apply(next, events);
  }
}
