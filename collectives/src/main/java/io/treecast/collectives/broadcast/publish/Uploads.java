package io.treecast.collectives.broadcast.publish;

import io.treecast.collectives.broadcast.BroadcastRelay;
import io.treecast.collectives.broadcast.contract.ApplicationEffects;
import io.treecast.collectives.broadcast.contract.BroadcastLimits;
import io.treecast.collectives.broadcast.contract.BroadcastRefusedException;
import io.treecast.collectives.broadcast.contract.BroadcastRefusedException.Reason;
import io.treecast.collectives.broadcast.log.StreamLog;
import io.treecast.collectives.broadcast.message.Chunk;
import io.treecast.collectives.broadcast.message.Headers;
import io.treecast.collectives.broadcast.message.MessageId;
import io.treecast.collectives.broadcast.message.StreamId;
import io.treecast.collectives.broadcast.message.Topic;
import io.treecast.collectives.broadcast.message.WantedReplicas;
import io.treecast.collectives.broadcast.receipt.Receipts;
import io.treecast.collectives.broadcast.receipt.Replicas;
import io.treecast.collectives.broadcast.stability.Absences;
import io.treecast.collectives.broadcast.stream.Streams;
import io.treecast.collectives.broadcast.tree.TreePlace;
import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.function.BooleanSupplier;
import java.util.function.IntSupplier;
import org.jspecify.annotations.Nullable;

/**
 * The broadcasts of local publishers whose payloads arrive piece by piece, and may be larger than
 * every log and buffer.
 *
 * <p><b>Lanes.</b> Each upload has a lane of its topic, a stream of its own, until it has ended;
 * then the next upload on that topic may use it. So a message that is published whole, or another
 * upload, never waits for the rest of this one, however long its publisher takes. A topic never has
 * more than {@code limits.uploads} streams beside the one of messages. Lanes are not ordered
 * relative to each other.
 *
 * <p><b>Room.</b> Pieces wait until there is room, which holds the publisher back: in the inlet
 * that all uploads share, of {@code limits.edgeWindowBytes}, and in this member's {@linkplain
 * PublicationWindow share} of the log, of which they leave some to messages ({@link
 * BroadcastLimits#uploadShareBytes}); one member at a time has a {@linkplain #borrow loan} beyond
 * it. Uploads take turns, a chunk each. While a member is {@linkplain Absences#brief briefly}
 * absent, content that it may lack still takes from the share; so when that member returns, the
 * logs have the content.
 *
 * <p><b>End.</b> The last chunk of an upload is empty. It has the checksum, or states that the
 * publisher abandoned the broadcast, which ends it everywhere.
 */
public final class Uploads {
  /** A piece for which there is no room yet. */
  private record Piece(ByteBuffer bytes, boolean isLastOfAdded) {}

  private static final class Upload {
    final long name;
    final StreamLog lane;
    final MessageId id;
    final long treeVersion;
    final int receiptMillis;
    final WantedReplicas wanted;
    final ArrayDeque<Piece> waiting = new ArrayDeque<>();
    int nextIndex;
    long bytes;
    boolean ended;
    boolean abandoned;
    @Nullable Integer crc32c;

    Upload(long name, StreamLog lane, long treeVersion, int receiptMillis, WantedReplicas wanted) {
      this.name = name;
      this.lane = lane;
      this.id = new MessageId(lane.id(), lane.next().sequence());
      this.treeVersion = treeVersion;
      this.receiptMillis = receiptMillis;
      this.wanted = wanted;
    }

    boolean isReady() {
      return ended || !waiting.isEmpty();
    }

    long nextCost() {
      Piece piece = waiting.peek();
      return Chunk.cost(piece == null ? 0 : piece.bytes().remaining());
    }
  }

  private static final ByteBuffer NOTHING = ByteBuffer.allocate(0);

  private final BroadcastLimits limits;
  private final Streams streams;
  private final PublicationWindow window;
  private final Receipts receipts;
  private final Replicas replicas;
  private final LocalPublisher.ChunkSink log;
  private final ApplicationEffects effects;
  private final IntSupplier memberCount;
  private final BooleanSupplier anyBrieflyAbsent;
  private final PublishBuffer buffer;

  /** The uploads that have not ended, by name; looked up only. */
  private final Map<Long, Upload> open = new HashMap<>();

  /** The uploads that have something to log, in the order of their turns. */
  private final ArrayDeque<Upload> turns = new ArrayDeque<>();

  private final Set<StreamId> lanesInUse = new HashSet<>();

  private boolean borrows;

  /** Whether this member has the loan, or still uses more than its share. */
  private boolean usesLoan;

  private long treeVersion = TreePlace.NO_TREE;
  private long nowNanos;
  private long publishedMessages;
  private long publishedBytes;

  /**
   * Creates the uploads of one member.
   *
   * @param memberCount returns how many members share the log
   * @param anyBrieflyAbsent returns whether a member is absent for so short a time that uploads
   *     wait for it
   */
  public Uploads(
      BroadcastLimits limits,
      Streams streams,
      PublicationWindow window,
      Receipts receipts,
      Replicas replicas,
      LocalPublisher.ChunkSink log,
      ApplicationEffects effects,
      IntSupplier memberCount,
      BooleanSupplier anyBrieflyAbsent) {
    this.limits = limits;
    this.streams = streams;
    this.window = window;
    this.receipts = receipts;
    this.replicas = replicas;
    this.log = log;
    this.effects = effects;
    this.memberCount = memberCount;
    this.anyBrieflyAbsent = anyBrieflyAbsent;
    this.buffer = new PublishBuffer(limits.edgeWindowBytes());
  }

  /** Starts uploads under this tree from now on. */
  public void treeCommitted(long version) {
    treeVersion = version;
  }

  // Publishers.

  /**
   * Begins a broadcast under the committed tree. Every member's subscribers get the pieces that are
   * {@linkplain #add added} to it, as they arrive.
   *
   * @param upload the driver's name for it, not in use
   * @param receiptMillis as in {@link BroadcastRelay#publish}; the time begins with the upload's
   *     end
   * @param wanted the number of members that must have all of it before {@link
   *     ApplicationEffects#uploadEnded} reports its end
   * @return its name in the cluster
   * @throws BroadcastRefusedException NO_TREE, TOO_MANY_UPLOADS, TOO_MANY_CONFIRMATIONS or
   *     TOO_MANY_TOPICS
   * @throws IllegalArgumentException if there is an upload of that name, the topic's name is not
   *     {@linkplain Topic#checked allowed} or names selected members, or {@code receiptMillis} is
   *     {@linkplain Chunk#checkReceiptMillis not allowed} with it
   */
  public MessageId begin(long upload, String topic, int receiptMillis, WantedReplicas wanted)
      throws BroadcastRefusedException {
    if (open.containsKey(upload)) {
      throw new IllegalArgumentException("upload " + upload + " is under way already");
    }
    checkTopic(topic);
    receipts.check(topic, receiptMillis);
    replicas.check(wanted);
    if (treeVersion == TreePlace.NO_TREE) {
      throw new BroadcastRefusedException(Reason.NO_TREE, "no tree is committed yet");
    }
    if (lanesInUse.size() == limits.uploads()) {
      throw new BroadcastRefusedException(
          Reason.TOO_MANY_UPLOADS,
          "there are limits.uploads = " + limits.uploads() + " uploads under way already");
    }
    StreamLog lane = freeLane(topic);
    lanesInUse.add(lane.id());
    Upload begun = new Upload(upload, lane, treeVersion, receiptMillis, wanted);
    open.put(upload, begun);
    receipts.begins(begun.id, receiptMillis); // The first chunk may take long to arrive.
    replicas.begins(begun.id, wanted, reached -> effects.uploadEnded(upload, reached));
    return begun.id;
  }

  /**
   * Checks the topic of an upload.
   *
   * @throws IllegalArgumentException if it is a selection
   */
  public static void checkTopic(String topic) {
    if (Topic.isSelection(topic)) {
      throw new IllegalArgumentException(
          "an upload to selected members: upload on a topic to which they subscribe");
    }
  }

  /** Begins a broadcast without waiting for replicas. */
  public MessageId begin(long upload, String topic, int receiptMillis)
      throws BroadcastRefusedException {
    return begin(upload, topic, receiptMillis, WantedReplicas.NONE);
  }

  /** The lowest lane that is not in use. */
  private StreamLog freeLane(String topic) throws BroadcastRefusedException {
    int lane = StreamId.WHOLE + 1;
    while (lanesInUse.contains(streams.own(topic, lane).id())) {
      lane++;
    }
    return streams.own(topic, lane);
  }

  /**
   * Adds a piece of the payload. It waits here until there is room, which {@link
   * ApplicationEffects#uploadTaken} reports. The driver bounds the waiting pieces.
   *
   * @param piece not copied: the caller must not write to its memory again
   * @throws BroadcastRefusedException PAYLOAD_TOO_LARGE: the upload is abandoned
   * @throws IllegalArgumentException if there is no open upload of that name
   */
  public void add(long upload, ByteBuffer piece) throws BroadcastRefusedException {
    Upload to = openUpload(upload);
    to.bytes += piece.remaining();
    if (to.bytes > limits.uploadBytes() || hasTooManyPieces(to, piece)) {
      abandon(upload);
      throw new BroadcastRefusedException(
          Reason.PAYLOAD_TOO_LARGE,
          "the payload has more than limits.uploadBytes = %s bytes, or more than %s pieces"
              .formatted(limits.uploadBytes(), Integer.MAX_VALUE));
    }
    boolean wasReady = to.isReady();
    int offset = 0;
    do {
      int length = Math.min(limits.chunkBytes(), piece.remaining() - offset);
      ByteBuffer bytes = piece.slice(piece.position() + offset, length);
      offset += length;
      to.waiting.add(new Piece(bytes, offset == piece.remaining()));
    } while (offset < piece.remaining());
    takesTurns(to, wasReady);
  }

  /**
   * Ends the broadcast. {@link ApplicationEffects#uploadEnded} reports when it is logged to its
   * end.
   *
   * @param crc32c checksum of the whole payload, or null if it is not known
   * @throws IllegalArgumentException if there is no open upload of that name
   */
  public void end(long upload, @Nullable Integer crc32c) {
    Upload ending = openUpload(upload);
    boolean wasReady = ending.isReady();
    ending.ended = true;
    ending.crc32c = crc32c;
    takesTurns(ending, wasReady);
  }

  /**
   * Abandons the broadcast, because its publisher has gone or has abandoned it: waiting pieces are
   * dropped, and all members are notified of the end. No effect if there is no upload of that name.
   */
  public void abandon(long upload) {
    Upload gone = open.remove(upload);
    if (gone == null) {
      return;
    }
    boolean wasReady = gone.isReady();
    gone.waiting.clear();
    gone.ended = true;
    gone.abandoned = true;
    gone.crc32c = null;
    if (gone.nextIndex == 0) {
      turns.remove(gone);
      free(gone);
      receipts.abandons(gone.id);
      replicas.abandons(gone.id);
      proceed();
    } else {
      takesTurns(gone, wasReady);
    }
  }

  private static boolean hasTooManyPieces(Upload upload, ByteBuffer piece) {
    return (long) upload.nextIndex + upload.waiting.size() + piece.remaining() >= Integer.MAX_VALUE;
  }

  private Upload openUpload(long upload) {
    Upload found = open.get(upload);
    if (found == null || found.ended) {
      throw new IllegalArgumentException("there is no open upload " + upload);
    }
    return found;
  }

  private void takesTurns(Upload upload, boolean hasOne) {
    if (!hasOne) {
      turns.add(upload);
    }
    proceed();
  }

  private void free(Upload upload) {
    lanesInUse.remove(upload.lane.id());
  }

  // Room.

  private boolean hasRoom(long cost) {
    int members = memberCount.getAsInt();
    long loanBytes = borrows ? limits.uploadLoanBytes(members) : 0;
    long usedBytes = usedBytes();
    return buffer.hasRoomFor(cost)
        && (usedBytes == 0 || cost <= limits.uploadShareBytes(members) + loanBytes - usedBytes);
  }

  private long usedBytes() {
    return anyBrieflyAbsent.getAsBoolean() ? window.usedBytesWhileAway() : window.usedBytes();
  }

  /** Returns whether uploads use more than their share of the logs, or wait for more. */
  public boolean needLoan() {
    int members = memberCount.getAsInt();
    Upload next = turns.peek();
    long neededBytes = usedBytes() + (next == null ? 0 : next.nextCost());
    return limits.uploadLoanBytes(members) > 0
        && (next != null || window.isUsedByUploads())
        && neededBytes > limits.uploadShareBytes(members);
  }

  /**
   * Sets whether this member has the loan: whether its uploads may have {@link
   * BroadcastLimits#uploadLoanBytes} more in the logs than their share. At most one member of a
   * tree has it at a time.
   */
  public void borrow(boolean isBorrower) {
    boolean hasChanged = borrows != isBorrower;
    borrows = isBorrower;
    if (hasChanged) {
      proceed();
    }
  }

  private boolean canProceed() {
    Upload next = turns.peek();
    return next != null && hasRoom(next.nextCost());
  }

  /** Logs as many pieces as there is room for. */
  private void proceed() {
    while (canProceed()) {
      Upload next = turns.remove();
      Piece piece = next.waiting.poll();
      if (piece == null) {
        end(next);
      } else {
        append(next, false, piece.bytes());
        if (piece.isLastOfAdded()) {
          effects.uploadTaken(next.name, 1);
        }
        if (next.isReady()) {
          turns.add(next);
        }
      }
    }
    int members = memberCount.getAsInt();
    usesLoan = borrows || (usesLoan && usedBytes() > limits.uploadShareBytes(members));
    window.loan(usesLoan ? limits.uploadLoanBytes(members) : 0);
    Upload blocked = turns.peek();
    window.uploadsWait(
        blocked != null
            && buffer.hasRoomFor(blocked.nextCost())
            && !anyBrieflyAbsent.getAsBoolean());
  }

  private void end(Upload upload) {
    append(upload, true, NOTHING);
    free(upload);
    if (!upload.abandoned) {
      publishedMessages++;
      open.remove(upload.name);
      if (!upload.wanted.any()) {
        effects.uploadEnded(upload.name, 0);
      }
    }
  }

  private void append(Upload upload, boolean last, ByteBuffer bytes) {
    Chunk chunk =
        new Chunk(
            upload.id,
            upload.nextIndex++,
            last,
            upload.treeVersion,
            window.publishUpload(upload.lane, Chunk.cost(bytes.remaining())),
            bytes,
            upload.receiptMillis,
            last ? upload.crc32c : null,
            last && upload.abandoned,
            upload.wanted,
            last ? nowNanos : 0,
            Headers.NONE);
    publishedBytes += chunk.bytes();
    buffer.take(chunk.cost());
    log.append(upload.lane, chunk, buffer);
  }

  /** Returns when {@link #tick} is due unless an event comes before; MAX_VALUE for never. */
  public long nextDeadlineNanos() {
    return canProceed() ? nowNanos : Long.MAX_VALUE;
  }

  public void tick(long now) {
    nowNanos = now;
    proceed();
  }

  // Views.

  /** Returns whether an open upload uses this lane. */
  public boolean isOn(StreamId lane) {
    return lanesInUse.contains(lane);
  }

  /** Returns whether a piece of an upload, or its end, waits to be logged. */
  public boolean isLogging() {
    return !turns.isEmpty();
  }

  /** Returns the cost of the items that were uploaded here and are still held. */
  public long waitingBytes() {
    return buffer.waitingBytes();
  }

  /** Returns the number of payload bytes of all uploads, also of those that were abandoned. */
  public long publishedBytes() {
    return publishedBytes;
  }

  /** Returns the number of uploads that were published to their end. */
  public long publishedMessages() {
    return publishedMessages;
  }
}
