package io.treecast.collectives.broadcast;

import static java.nio.charset.StandardCharsets.US_ASCII;

import io.treecast.collectives.broadcast.contract.BroadcastLimits;
import io.treecast.collectives.broadcast.contract.BroadcastRefusedException;
import io.treecast.collectives.broadcast.contract.SubscribeOptions;
import io.treecast.collectives.broadcast.message.Channel;
import io.treecast.collectives.broadcast.message.Chunk;
import io.treecast.collectives.broadcast.message.EdgeMessage;
import io.treecast.collectives.broadcast.message.Gap;
import io.treecast.collectives.broadcast.message.LogItem;
import io.treecast.collectives.broadcast.message.MessageId;
import io.treecast.collectives.broadcast.message.MissedReason;
import io.treecast.collectives.broadcast.message.Position;
import io.treecast.collectives.broadcast.message.StreamId;
import io.treecast.collectives.broadcast.message.StreamPosition;
import io.treecast.ghs.LinkWeight;
import io.treecast.ghs.NodeId;
import io.treecast.mst.CommittedTree;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.SortedSet;
import java.util.TreeSet;

/** The names, trees and chunks that the tests of a single relay share. */
public final class Examples {
  public static final NodeId SELF = NodeId.of("self");
  public static final NodeId A = NodeId.of("a");
  public static final NodeId B = NodeId.of("b");
  public static final NodeId C = NodeId.of("c");

  /** The incarnation of every origin unless a test says otherwise. */
  public static final long FIRST_START = 1;

  /** Windows of ten full chunks of four bytes. */
  public static final BroadcastLimits SMALL = limits(10, 10);

  /** Grants within reach of any test. */
  public static final long PLENTY = 1_000_000;

  /** The counters of missed messages when there are none. */
  public static final Map<MissedReason, Long> NONE_MISSED =
      Map.of(MissedReason.AGENT_AWAY, 0L, MissedReason.NOT_RETAINED, 0L, MissedReason.SKIPPED, 0L);

  private Examples() {}

  /**
   * Returns chunks of four bytes, payloads up to 40, windows and publish buffer of the given
   * numbers of full chunks.
   */
  public static BroadcastLimits limits(int edgeChunks, int subscriberChunks) {
    long chunkCost = Chunk.cost(4);
    return BroadcastLimits.builder()
        .chunkBytes(4)
        .payloadBytes(40)
        .publishBufferBytes(10 * chunkCost)
        .logBytes(1_000 * chunkCost)
        .edgeWindowBytes(edgeChunks * chunkCost)
        .subscriberWindowBytes(subscriberChunks * chunkCost)
        .subscribers(3)
        .topics(3)
        .origins(3)
        .build();
  }

  /** A tree of SELF in the middle and these neighbours. */
  public static CommittedTree star(NodeId... neighbours) {
    return new CommittedTree(
        1,
        SELF,
        Arrays.stream(neighbours)
            .map(neighbour -> LinkWeight.between(SELF, neighbour, 100))
            .toList());
  }

  /**
   * Returns a relay of SELF in that star, with every stream open, attached and plenty of credit.
   * The neighbours have reported that they want no topics, and that all streams of the default
   * topic are empty.
   */
  public static BroadcastRelay relay(
      BroadcastLimits limits, RecordingEffects effects, NodeId... neighbours) {
    BroadcastRelay relay = relayThatHeardNothing(limits, effects, neighbours);
    hearEnds(relay, effects, 1, neighbours);
    effects.take();
    return relay;
  }

  /** Reports for neighbours that they want no topics in the tree, and have no stream. */
  public static void hearEnds(
      BroadcastRelay relay, RecordingEffects effects, long treeVersion, NodeId... neighbours) {
    for (NodeId neighbour : neighbours) {
      relay.received(
          neighbour, new EdgeMessage.Interest(treeVersion, 1, List.of(), List.of(), false, true));
    }
    try {
      relay.subscribe(Long.MAX_VALUE, SubscribeOptions.defaults());
    } catch (BroadcastRefusedException e) {
      throw new AssertionError(e);
    }
    for (NodeId neighbour : neighbours) {
      relay.received(
          neighbour, new EdgeMessage.InterestKnown(effects.asked(neighbour), List.of(), true));
    }
    relay.unsubscribe(Long.MAX_VALUE);
    effects.begun().remove(Long.MAX_VALUE);
  }

  /** Returns the relay before neighbours have reported interests or ends of streams. */
  static BroadcastRelay relayThatHeardNothing(
      BroadcastLimits limits, RecordingEffects effects, NodeId... neighbours) {
    BroadcastRelay relay = new BroadcastRelay(SELF, FIRST_START, limits, effects);
    relay.treeCommitted(star(neighbours));
    relay.activeEdges(nodes(neighbours));
    for (NodeId neighbour : neighbours) {
      open(relay, neighbour);
    }
    effects.take();
    return relay;
  }

  /** Returns the relay with uploads on the same edges. */
  public static BroadcastRelay relayOfUploads(
      BroadcastLimits limits, RecordingEffects effects, NodeId... neighbours) {
    BroadcastRelay relay = relay(limits, effects, neighbours);
    relay.uploadEdges(nodes(neighbours), nodes(neighbours));
    for (NodeId neighbour : neighbours) {
      grant(relay, neighbour, Channel.UPLOADS, PLENTY);
      attach(relay, neighbour, Channel.UPLOADS);
    }
    effects.take();
    return relay;
  }

  public static SortedSet<NodeId> nodes(NodeId... nodes) {
    return new TreeSet<>(Arrays.asList(nodes));
  }

  /** A data stream opens, and the neighbour, which has nothing, attaches and grants plenty. */
  public static void open(BroadcastRelay relay, NodeId neighbour) {
    relay.streamOpened(neighbour, 0);
    grant(relay, neighbour, PLENTY);
    attach(relay, neighbour);
  }

  /** Attaches the neighbour with its positions. */
  public static void attach(BroadcastRelay relay, NodeId neighbour, StreamPosition... has) {
    attach(relay, neighbour, Channel.MESSAGES, has);
  }

  public static void attach(
      BroadcastRelay relay, NodeId neighbour, Channel channel, StreamPosition... has) {
    relay.received(neighbour, new EdgeMessage.Attach(channel));
    relay.received(neighbour, new EdgeMessage.Digest(channel, List.of(has), true));
  }

  public static void digest(BroadcastRelay relay, NodeId neighbour, StreamPosition... has) {
    relay.received(neighbour, new EdgeMessage.Digest(Channel.MESSAGES, List.of(has), true));
  }

  public static void detach(BroadcastRelay relay, NodeId neighbour) {
    relay.received(neighbour, new EdgeMessage.Detach(Channel.MESSAGES));
  }

  public static void receive(BroadcastRelay relay, NodeId neighbour, LogItem item) {
    relay.received(neighbour, new EdgeMessage.Data(item));
  }

  public static void grant(BroadcastRelay relay, NodeId neighbour, long bytes) {
    grant(relay, neighbour, Channel.MESSAGES, bytes);
  }

  public static void grant(BroadcastRelay relay, NodeId neighbour, Channel channel, long bytes) {
    relay.received(neighbour, new EdgeMessage.Credit(channel, bytes, 0));
  }

  /** Returns a position in the stream of the origin's first incarnation. */
  public static StreamPosition position(NodeId origin, long sequence, long index) {
    return new StreamPosition(stream(origin), new Position(sequence, index));
  }

  public static StreamId stream(NodeId origin) {
    return new StreamId(origin, FIRST_START);
  }

  public static Gap gap(NodeId origin, Position from, Position to) {
    return new Gap(stream(origin), from, to, 1);
  }

  public static ByteBuffer bytes(String text) {
    return ByteBuffer.wrap(text.getBytes(US_ASCII));
  }

  static String text(ByteBuffer buffer) {
    return US_ASCII.decode(buffer.duplicate()).toString();
  }

  /** A message of one chunk. */
  public static Chunk message(NodeId origin, long sequence, String text) {
    return lastChunk(origin, sequence, 0, text);
  }

  public static Chunk chunk(NodeId origin, long sequence, int index, String text) {
    return new Chunk(new MessageId(origin, FIRST_START, sequence), index, false, 1, bytes(text));
  }

  public static Chunk lastChunk(NodeId origin, long sequence, int index, String text) {
    return new Chunk(new MessageId(origin, FIRST_START, sequence), index, true, 1, bytes(text));
  }

  /** Returns the first message of a later incarnation of its origin. */
  public static Chunk afterRestart(NodeId origin, long incarnation, String text) {
    return new Chunk(new MessageId(origin, incarnation, 1), 0, true, 1, bytes(text));
  }

  /** Returns for example {@code a1.0 'text' last}. */
  static String name(Chunk chunk) {
    return chunk.messageId().origin()
        + ""
        + chunk.messageId().sequence()
        + "."
        + chunk.index()
        + " '"
        + text(chunk.payload())
        + "'"
        + (chunk.abandoned() ? " abandoned" : chunk.last() ? " last" : "");
  }
}
