package io.treecast.collectives.broadcast.log;

import io.treecast.collectives.broadcast.message.StreamId;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The streams that were forgotten last, with the position that each had reached, so that a
 * neighbour that knows one does not bring it back. Streams that were here, or for which there was
 * no room, have a capacity of their own. Streams that only other members reported as forgotten have
 * another one, so that they do not displace the former.
 */
final class ForgottenStreams {
  private final int most;

  /** The streams that were here, or had no room, oldest first. */
  private final LinkedHashMap<StreamId, StreamLog> knownHere = new LinkedHashMap<>();

  private final LinkedHashMap<StreamId, StreamLog> ofOthers = new LinkedHashMap<>();

  /**
   * Creates an empty set.
   *
   * @param most capacity for each of the two kinds
   */
  ForgottenStreams(int most) {
    this.most = most;
  }

  @Nullable StreamLog get(StreamId id) {
    StreamLog left = knownHere.get(id);
    return left == null ? ofOthers.get(id) : left;
  }

  /** Removes a stream that begins again, or is forgotten again; null if it is not in the set. */
  @Nullable StreamLog remove(StreamId id) {
    StreamLog left = knownHere.remove(id);
    return left == null ? ofOthers.remove(id) : left;
  }

  /**
   * Adds a stream that is not in the set.
   *
   * @return whether the position of an older stream was dropped for it
   */
  boolean add(StreamLog left) {
    LinkedHashMap<StreamId, StreamLog> alike = left.hadContent() ? knownHere : ofOthers;
    alike.put(left.id(), left);
    boolean isTooMany = alike.size() > most;
    if (isTooMany) {
      alike.remove(alike.keySet().iterator().next());
    }
    return isTooMany;
  }

  /** Returns all streams in the set. */
  List<StreamLog> all() {
    List<StreamLog> all = new ArrayList<>(knownHere.values());
    all.addAll(ofOthers.values());
    return all;
  }
}
