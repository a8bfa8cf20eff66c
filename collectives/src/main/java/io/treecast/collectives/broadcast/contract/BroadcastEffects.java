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
 * What a {@link BroadcastRelay} asks of its driver. Called on the relay's thread, inside the event
 * that causes it; must not call the relay back (a driver that has an answer at once enqueues it).
 */
public interface BroadcastEffects {
  /**
   * Send on the open data stream to a neighbour, behind what was sent on it before. The neighbour
   * has room for items; the rest is small: no need to ask the transport whether it is ready.
   */
  void send(NodeId neighbour, EdgeMessage message);

  /**
   * This node has published a small message, which neighbours in the tree are sent first. Who is
   * far along the tree, and near by a link beside it, may be sent it, too: {@link
   * BroadcastRelay#receivedAhead}. Nothing is lost if nobody is.
   *
   * @param message whole, and {@linkplain AheadOfTree#isSmall small}
   */
  void mayGoAhead(Chunk message);

  /**
   * A subscription begins: the agent has a tree, and every member of it has said where the streams
   * end, or knows of the topics. What is published from now on is for it. Comes before all else for
   * that subscriber, perhaps within {@link BroadcastRelay#subscribe}.
   *
   * @param after of each stream of which something comes before the subscription, the last such
   *     message; none if it is {@link SubscriptionStart.After} others
   */
  void began(long subscriber, List<MessageId> after);

  /**
   * A local subscriber was handed, or told that it misses, everything that its agent had when its
   * subscription began. Comes once.
   */
  void live(long subscriber);

  /**
   * Hand a chunk to a local subscriber, behind what was delivered to it before. At most {@code
   * limits.subscriberWindowBytes} of chunks and gaps are with the driver until it says {@link
   * BroadcastRelay#consumed}.
   *
   * <p>Chunks of different streams interleave; those of one stream come in order, once, and each
   * message from its first chunk to its last, unless {@link #missed} or {@link #abandoned} says
   * otherwise.
   */
  void deliver(long subscriber, Chunk chunk, @Nullable OrderPosition position);

  /**
   * A local subscriber will not get messages {@link Gap#firstMissed} to {@link Gap#lastMissed} of
   * the stream, nor the rest of the first if it has begun. Is consumed like a chunk.
   */
  void missed(long subscriber, Gap gap, MissedReason reason);

  /**
   * Do not wait for the rest of a message that was delivered in part: its publisher abandoned it,
   * or it was given up, since its origin is gone and nobody within reach has more. Should the rest
   * turn up, the message is delivered anew, from its first chunk. Takes nothing from the
   * subscriber's window.
   */
  void abandoned(long subscriber, MessageId message);

  /**
   * A local subscriber has taken nothing of a full window for {@code limits.slowSubscriberMillis}:
   * nobody waits for it any more. It is told what it misses by that as with {@link
   * WhenSlow#CATCH_UP}.
   */
  void fellBehind(long subscriber);

  /**
   * It is known, as far as it will be, which members have delivered a message that was published
   * here and asks for receipts.
   */
  void confirmed(Confirmation confirmation);

  /**
   * It is known how many members have a message that was published whole, and that wants replicas:
   * as many as were wanted, or fewer when the time is over that its publisher waits.
   *
   * @param replicas members that have all of it, this one aside
   */
  void replicated(MessageId message, int replicas);

  /**
   * So many pieces of an upload that waited are logged: {@link Uploads#add} as many more when there
   * are any.
   */
  void uploadTaken(long upload, int pieces);

  /**
   * An upload is logged to its end: it is on its way. If it wants replicas, that comes when it is
   * known how many there are.
   *
   * @param replicas members that have all of it, this one aside; 0 if none are wanted
   */
  void uploadEnded(long upload, int replicas);

  /**
   * A neighbour broke the protocol. The driver closes the link; the relay ignores what still comes
   * from it until {@link BroadcastRelay#streamOpened}.
   *
   * @param reason for a person
   */
  void violated(NodeId neighbour, String reason);

  /**
   * Items are being dropped, since their streams are more than {@code limits.origins}: local
   * subscribers and neighbours behind this one are told that they miss them. Comes once a minute at
   * most.
   *
   * @param item the latest
   */
  void dropped(NodeId neighbour, LogItem item);
}
