package io.treecast.collectives.broadcast.contract;

import io.treecast.collectives.broadcast.BroadcastRelay;
import io.treecast.collectives.broadcast.message.Chunk;
import io.treecast.collectives.broadcast.message.Confirmation;
import io.treecast.collectives.broadcast.message.Gap;
import io.treecast.collectives.broadcast.message.MessageId;
import io.treecast.collectives.broadcast.message.MissedReason;
import io.treecast.collectives.broadcast.message.OrderPosition;
import io.treecast.collectives.broadcast.publish.Uploads;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The effects of broadcasts on the applications of this node: its subscribers and publishers. The
 * methods are called inside the event that causes them, and must not call the relay.
 */
public interface ApplicationEffects {
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
   * Reports, once, that a local subscriber has received all content that its agent had when the
   * subscription began, or a notice of each part that it misses.
   */
  void live(long subscriber);

  /**
   * Delivers a chunk to a local subscriber, behind everything delivered to it before. The driver
   * holds at most {@code limits.subscriberWindowBytes} of chunks and gaps until it calls {@link
   * BroadcastRelay#consumed}.
   *
   * <p>Chunks of different streams interleave. Those of one stream arrive in order, once, and each
   * message from its first chunk to its last, unless {@link #missed} or {@link #abandoned} reports
   * an exception.
   */
  void deliver(long subscriber, Chunk chunk, @Nullable OrderPosition position);

  /**
   * Reports that a local subscriber will not get messages {@link Gap#firstMissed} to {@link
   * Gap#lastMissed} of the stream, nor the rest of the first if it has begun. Consumed like a
   * chunk.
   */
  void missed(long subscriber, Gap gap, MissedReason reason);

  /**
   * Ends the wait for the rest of a partly delivered message: its publisher abandoned it, or its
   * origin has gone and no reachable member has more. If the rest arrives after all, the message is
   * delivered again from its first chunk. Takes nothing from the subscriber's window.
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
}
