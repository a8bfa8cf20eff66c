package io.treecast.agent.wire.delta;

import io.treecast.agent.wire.value.WireViolation;
import io.treecast.ghs.TreeMessage;
import io.treecast.mst.CommittedView;
import io.treecast.mst.MstMessage.Commit;
import io.treecast.mst.TreeMessageVisitor;
import io.treecast.proto.v1.ControlFrame;
import org.jspecify.annotations.Nullable;

/**
 * Codec of tree messages at one end of a control stream. Encodes the messages that this end sends,
 * and decodes those that arrive, both in order. Lists and trees are sent as differences against a
 * committed tree that crossed the stream before, or in full if that is shorter.
 *
 * <p>Used by one thread at a time.
 */
public final class TreeCodec {
  private final TreeSharing sharing;
  private final TreeBook book = new TreeBook();

  /** Creates the codec of one end of a new stream. */
  public TreeCodec(TreeSharing sharing) {
    this.sharing = sharing;
  }

  public ControlFrame encode(TreeMessage message) {
    Mentions mentions = Mentions.of(message);
    TreeBook.@Nullable Base base = null;
    long bytesBeside = mentions.bytesBeside(null, Long.MAX_VALUE);
    for (TreeBook.Base candidate : book.bases()) {
      long bytes = mentions.bytesBeside(candidate.tree(), bytesBeside);
      if (bytes < bytesBeside) {
        base = candidate;
        bytesBeside = bytes;
      }
      if (bytes == 0) {
        break;
      }
    }
    ControlFrame.Builder frame = encode(message, mentions, base);
    if (base != null && bytesBeside > 0) {
      int bytes = frame.buildPartial().getSerializedSize();
      if (mentions.nameBytes() < bytes) {
        ControlFrame.Builder full = encode(message, mentions, null);
        if (full.buildPartial().getSerializedSize() < bytes) {
          frame = full;
        }
      }
    }
    frame.setTreesReceived(book.reportReceived());
    if (message instanceof Commit commit && book.hasRoom()) {
      book.sent(commit.view());
    }
    return frame.build();
  }

  private ControlFrame.Builder encode(
      TreeMessage message, Mentions mentions, TreeBook.@Nullable Base base) {
    NodeTable table = NodeTable.of(base == null ? null : base.tree(), mentions.nodes());
    ControlFrame.Builder frame =
        ControlFrame.newBuilder()
            .setBaseTree(base == null ? TreeBook.NO_BASE : base.name())
            .setNames(table.names());
    TreeMessageVisitor.visit(message, new TreeEncoder(frame, table, book.hasRoom()));
    return frame;
  }

  /**
   * Decodes a frame.
   *
   * @throws WireViolation if no agent of this version sends such a frame at this place of the
   *     stream
   */
  public TreeMessage decode(ControlFrame frame) throws WireViolation {
    if (frame.getTreesReceived() != 0) {
      book.acknowledged(frame.getTreesReceived());
    }
    CommittedView base =
        frame.getBaseTree() == TreeBook.NO_BASE ? null : book.named(frame.getBaseTree());
    NodeTable table = NodeTable.parse(base, frame.getNames());
    TreeMessage message;
    try {
      message = new TreeDecoder(table, sharing).decode(frame);
    } catch (IllegalArgumentException outOfRange) {
      throw new WireViolation(frame.getBodyCase() + ": " + outOfRange.getMessage());
    }
    if (message instanceof Commit commit && !frame.getCommit().getIsNotKept()) {
      book.received(commit.view());
    }
    return message;
  }
}
