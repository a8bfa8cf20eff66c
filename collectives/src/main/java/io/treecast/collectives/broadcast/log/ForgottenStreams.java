package io.treecast.collectives.broadcast.log;

import io.treecast.collectives.broadcast.message.StreamId;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What is left of the streams that were forgotten last, so that neighbours who know one do not
 * bring it back: how far it had come. Those that were here, or had no room, and as many of which
 * only others said that they have forgotten them: these are not to take the place of those. Relay's
 * thread.
 */
final class ForgottenStreams {
  private final int most;

  /** The oldest first. */
  private final LinkedHashMap<StreamId, StreamLog> wereHere = new LinkedHashMap<>();

  private final LinkedHashMap<StreamId, StreamLog> ofOthers = new LinkedHashMap<>();

  /**
   * None.
   *
   * @param most of each kind
   */
  ForgottenStreams(int most) {
    this.most = most;
  }

  @Nullable StreamLog get(StreamId id) {
    StreamLog left = wereHere.get(id);
    return left == null ? ofOthers.get(id) : left;
  }

  /** The stream is known again, or forgotten anew. */
  @Nullable StreamLog remove(StreamId id) {
    StreamLog left = wereHere.remove(id);
    return left == null ? ofOthers.remove(id) : left;
  }

  /**
   * One that is not among them.
   *
   * @return whether it is not known any more how far some other one had come
   */
  boolean add(StreamLog left) {
    LinkedHashMap<StreamId, StreamLog> alike = left.wasHere() ? wereHere : ofOthers;
    alike.put(left.id(), left);
    boolean isTooMany = alike.size() > most;
    if (isTooMany) {
      alike.remove(alike.keySet().iterator().next());
    }
    return isTooMany;
  }

  /** All of them. */
  List<StreamLog> all() {
    List<StreamLog> all = new ArrayList<>(wereHere.values());
    all.addAll(ofOthers.values());
    return all;
  }
}
