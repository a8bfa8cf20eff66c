package io.treecast.collectives.broadcast.contract;

import io.treecast.collectives.broadcast.AheadOfTree;
import io.treecast.collectives.broadcast.BroadcastRelay;
import io.treecast.collectives.broadcast.message.Chunk;
import io.treecast.collectives.broadcast.message.Confirmation;
import io.treecast.collectives.broadcast.message.EdgeMessage;
import io.treecast.collectives.broadcast.message.Gap;
import io.treecast.collectives.broadcast.message.LogItem;
import io.treecast.collectives.broadcast.message.MessageId;
import io.treecast.collectives.broadcast.message.MissedReason;
import io.treecast.collectives.broadcast.message.OrderPosition;
import io.treecast.collectives.broadcast.publish.Uploads;
import io.treecast.ghs.NodeId;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The commands of a {@link BroadcastRelay} to its driver. They are called on the relay's thread,
 * inside the event that causes them, and must not call the relay back: a driver that has an answer
 * at once enqueues it.
 */
public interface BroadcastEffects {
  /**
   * Sends on the open data stream to a neighbour, behind everything sent on it before. The
   * neighbour has room for items, and other messages are small, so the driver need not ask whether
   * the transport is ready.
   */
  void send(NodeId neighbour, EdgeMessage message);

  /**
   * Reports that this node has published a small message, which goes to neighbours in the tree
   * first. The driver may also send it to nodes that are far along the tree but near by a link
   * beside it: {@link BroadcastRelay#receivedAhead}. Nothing is lost if it sends none.
   *
   * @param message a whole message that is {@linkplain AheadOfTree#isSmall small}
   */
  void mayGoAhead(Chunk message);

  /**
   * Reports that a subscription begins: the agent has a tree, and every member of it has stated
   * where the streams end, or knows the topics. The subscriber gets everything published from now
   * on. Precedes all other calls for that subscriber, perhaps within {@link
   * BroadcastRelay#subscribe}.
   *
   * @param after the last message before the subscription of each stream that has one; empty if the
   *     subscription starts {@link SubscriptionStart.After} given messages
   */
  void began(long subscriber, List<MessageId> after);

  /**
   * Reports, once, that a local subscriber has received, or been notified that it misses,
   * everything that its agent had when its subscription began.
   */
  void live(long subscriber);

  /**
   * Delivers a chunk to a local subscriber, behind everything delivered to it before. The driver
   * holds at most {@code limits.subscriberWindowBytes} of chunks and gaps until it calls {@link
   * BroadcastRelay#consumed}.
   *
   * <p>Chunks of different streams interleave. Those of one stream arrive in order, once, and each
   * message from its first chunk to its last, unless {@link #missed} or {@link #abandoned} says
   * otherwise.
   */
  void deliver(long subscriber, Chunk chunk, @Nullable OrderPosition position);

  /**
   * Reports that a local subscriber will not get messages {@link Gap#firstMissed} to {@link
   * Gap#lastMissed} of the stream, nor the rest of the first if it has begun. Consumed like a
   * chunk.
   */
  void missed(long subscriber, Gap gap, MissedReason reason);

  /**
   * Ends the wait for the rest of a partly delivered message: its publisher abandoned it, or it was
   * given up because its origin is gone and no reachable member has more. If the rest arrives after
   * all, the message is delivered again from its first chunk. Takes nothing from the subscriber's
   * window.
   */
  void abandoned(long subscriber, MessageId message);

  /**
   * Reports that a local subscriber has consumed nothing of a full window for {@code
   * limits.slowSubscriberMillis}. Publishers no longer wait for it; from then on it receives gaps
   * as with {@link WhenSlow#CATCH_UP}.
   */
  void fellBehind(long subscriber);

  /**
   * Reports which members have delivered a message that was published here and requests receipts,
   * as far as it will be known.
   */
  void confirmed(Confirmation confirmation);

  /**
   * Reports how many members have a message that was published whole and wants replicas: as many as
   * wanted, or fewer when the publisher's time is over.
   *
   * @param replicas members that have all of it, this one aside
   */
  void replicated(MessageId message, int replicas);

  /**
   * Reports how many waiting pieces of an upload were logged: {@link Uploads#add} accepts as many
   * more.
   */
  void uploadTaken(long upload, int pieces);

  /**
   * Reports that an upload is logged to its end and on its way. If it wants replicas, the call is
   * made when their number is known.
   *
   * @param replicas members that have all of it, this one aside; 0 if none are wanted
   */
  void uploadEnded(long upload, int replicas);

  /**
   * Reports that a neighbour broke the protocol. The driver closes the link; the relay ignores
   * everything that still comes from it until {@link BroadcastRelay#streamOpened}.
   *
   * @param reason explanation for people
   */
  void violated(NodeId neighbour, String reason);

  /**
   * Reports that items are being dropped, because their streams exceed {@code limits.origins}.
   * Local subscribers and neighbours behind this member receive gaps for them. At most once a
   * minute.
   *
   * @param item the latest item dropped
   */
  void dropped(NodeId neighbour, LogItem item);
}
