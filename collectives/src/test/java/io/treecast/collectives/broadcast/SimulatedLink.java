package io.treecast.collectives.broadcast;

import io.treecast.collectives.broadcast.message.EdgeMessage;
import io.treecast.ghs.NodeId;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.jspecify.annotations.Nullable;

/**
 * One session of the link between two nodes, and the data streams that one end of it dials, as the
 * agents drive them: without loss while they live, but not ordered among each other. In each
 * direction of a stream the messages of uploads are ordered, and the others are.
 */
final class SimulatedLink {
  /** A frame under way: a message, or one of the two events at the end of the acceptor. */
  private record Frame(Kind kind, @Nullable EdgeMessage message) {}

  private enum Kind {
    OPEN,
    MESSAGE,
    CLOSE,
    LOST
  }

  /** The frames under way in one direction. */
  private static final class Direction {
    final ArrayDeque<Frame> uploads = new ArrayDeque<>();
    final ArrayDeque<Frame> others = new ArrayDeque<>();

    void add(Frame frame) {
      EdgeMessage message = frame.message();
      (message != null && message.isOfUploads() ? uploads : others).add(frame);
    }

    /** Removes and returns the next frame to arrive; null if none is under way. */
    @Nullable Frame poll(Random random) {
      Frame other = others.peek();
      boolean areBoth = other != null && !uploads.isEmpty();
      boolean isUploads =
          !areBoth
              ? other == null
              : other.kind() == Kind.CLOSE
                  || (other.kind() == Kind.MESSAGE && random.nextBoolean());
      return (isUploads ? uploads : others).poll();
    }

    boolean isEmpty() {
      return uploads.isEmpty() && others.isEmpty();
    }

    void clear() {
      uploads.clear();
      others.clear();
    }

    /** Loses some frames of each order; a stream is not closed before all of both has arrived. */
    void cut(Random random) {
      cut(others, random);
      int sent = uploads.size();
      cut(uploads, random);
      if (uploads.size() < sent) {
        others.removeIf(frame -> frame.kind() == Kind.CLOSE);
      }
    }

    private static void cut(ArrayDeque<Frame> queue, Random random) {
      int kept = queue.isEmpty() ? 0 : random.nextInt(queue.size() + 1);
      while (queue.size() > kept) {
        queue.removeLast();
      }
    }
  }

  /** One data stream. */
  private static final class DataStream {
    final Direction toAcceptor = new Direction();
    final Direction toDialer = new Direction();
  }

  private final SimulatedNode dialer;
  private final SimulatedNode acceptor;

  /** In the order in which they were dialed; earlier ones may still be closing. */
  private final List<DataStream> streams = new ArrayList<>();

  private @Nullable DataStream ofDialer;
  private @Nullable DataStream ofAcceptor;

  /** Messages sent from now on vanish. */
  private boolean broken;

  private boolean lostByDialer;
  private boolean lostByAcceptor;

  SimulatedLink(SimulatedNode dialer, SimulatedNode acceptor) {
    this.dialer = dialer;
    this.acceptor = acceptor;
    dialer.links.put(acceptor.id, this);
    acceptor.links.put(dialer.id, this);
  }

  NodeId peerOf(NodeId end) {
    return end.equals(dialer.id) ? acceptor.id : dialer.id;
  }

  /** Returns whether both ends know that it is over. */
  boolean isOver() {
    return lostByDialer && lostByAcceptor;
  }

  void dialIfNeeded(SimulatedNode end) {
    if (end == dialer && ofDialer == null) {
      DataStream stream = new DataStream();
      streams.add(stream);
      ofDialer = stream;
      put(stream.toAcceptor, new Frame(Kind.OPEN, null));
      dialer.opened(acceptor);
    }
  }

  void closeIfDetached(SimulatedNode end) {
    if (end == dialer
        && ofDialer != null
        && !dialer.uploadEdges.expects(acceptor.id)
        && dialer.relay.isDetached(acceptor.id)) {
      put(ofDialer.toAcceptor, new Frame(Kind.CLOSE, null));
      ofDialer.toDialer.clear();
      ofDialer = null;
      dialer.closed(acceptor.id);
    }
  }

  void send(SimulatedNode end, EdgeMessage message) {
    DataStream stream = end == dialer ? ofDialer : ofAcceptor;
    if (stream == null) {
      throw new AssertionError(end.id + " sends without a stream: " + message);
    }
    put(end == dialer ? stream.toAcceptor : stream.toDialer, new Frame(Kind.MESSAGE, message));
  }

  private void put(Direction queue, Frame frame) {
    if (!broken) {
      queue.add(frame);
    }
  }

  /**
   * Breaks the connection: some of the frames under way arrive.
   *
   * @param crashed an end that has crashed, or null
   */
  void lose(@Nullable SimulatedNode crashed, Random random) {
    lostByDialer |= crashed == dialer;
    lostByAcceptor |= crashed == acceptor;
    for (DataStream stream : streams) {
      stream.toAcceptor.cut(random);
      stream.toDialer.cut(random);
    }
    if (lostByDialer) {
      streams.forEach(stream -> stream.toDialer.clear());
    }
    if (lostByAcceptor) {
      streams.forEach(stream -> stream.toAcceptor.clear());
    }
    broken = true;
    DataStream last = new DataStream();
    if (!lostByAcceptor) {
      last.toAcceptor.add(new Frame(Kind.LOST, null));
    }
    if (!lostByDialer) {
      last.toDialer.add(new Frame(Kind.LOST, null));
    }
    streams.add(last);
  }

  /** Hands one frame to one of the ends and returns that end; null if there was none. */
  @Nullable SimulatedNode step(Random random) {
    streams.removeIf(
        stream -> stream.toAcceptor.isEmpty() && stream.toDialer.isEmpty() && !used(stream));
    if (streams.isEmpty()) {
      return null;
    }
    int first = random.nextInt(streams.size());
    boolean acceptorFirst = random.nextBoolean();
    for (int i = 0; i < streams.size(); i++) {
      DataStream stream = streams.get((first + i) % streams.size());
      if (acceptorFirst && receiveAtAcceptor(stream, random)) {
        return acceptor;
      }
      if (receiveAtDialer(stream, random)) {
        return dialer;
      }
      if (receiveAtAcceptor(stream, random)) {
        return acceptor;
      }
    }
    return null;
  }

  private boolean used(DataStream stream) {
    return stream == ofDialer || stream == ofAcceptor;
  }

  private boolean receiveAtAcceptor(DataStream stream, Random random) {
    Frame frame = stream.toAcceptor.poll(random);
    if (frame == null) {
      return false;
    }
    NodeId peer = dialer.id;
    switch (frame.kind()) {
      case OPEN -> accept(stream);
      case LOST -> {
        lostByAcceptor = true;
        ofAcceptor = null;
        streams.forEach(other -> other.toAcceptor.clear());
        acceptor.lost(this);
      }
      case CLOSE -> {
        if (stream == ofAcceptor) {
          if (acceptor.relay.isPeerAttached(peer)) {
            throw new AssertionError(peer + " closed its stream while it was attached");
          }
          ofAcceptor = null;
          acceptor.closed(peer);
        }
      }
      case MESSAGE -> {
        EdgeMessage message = frame.message();
        if (stream == ofAcceptor && message != null) {
          acceptor.received(peer, message);
        }
      }
    }
    return true;
  }

  private void accept(DataStream stream) {
    if (ofAcceptor != null && streams.indexOf(ofAcceptor) > streams.indexOf(stream)) {
      return; // A later one has replaced it already.
    }
    if (ofAcceptor != null) {
      ofAcceptor.toAcceptor.clear();
      acceptor.closed(dialer.id);
    }
    ofAcceptor = stream;
    acceptor.opened(dialer);
  }

  private boolean receiveAtDialer(DataStream stream, Random random) {
    Frame frame = stream.toDialer.poll(random);
    if (frame == null) {
      return false;
    }
    EdgeMessage message = frame.message();
    if (frame.kind() == Kind.LOST) {
      lostByDialer = true;
      ofDialer = null;
      streams.forEach(other -> other.toDialer.clear());
      dialer.lost(this);
    } else if (stream == ofDialer && message != null) {
      dialer.received(acceptor.id, message);
      closeIfDetached(dialer);
    }
    return true;
  }
}
