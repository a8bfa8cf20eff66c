package io.treecast.agent.transport;

import io.treecast.agent.core.message.DataMessage;
import io.treecast.agent.core.message.DataMessage.Edge;
import io.treecast.collectives.broadcast.message.Channel;
import io.treecast.collectives.broadcast.message.EdgeMessage;
import io.treecast.collectives.broadcast.message.EdgeMessage.Attach;
import io.treecast.collectives.broadcast.message.EdgeMessage.Credit;
import io.treecast.collectives.broadcast.message.EdgeMessage.Data;
import io.treecast.collectives.broadcast.message.EdgeMessage.Detach;
import io.treecast.collectives.broadcast.message.EdgeMessage.Digest;
import io.treecast.collectives.broadcast.message.EdgeMessage.UnusedCredit;

/**
 * Which messages of a data stream keep their order among each other, and to no others: what is said
 * of uploads, but credit, which concerns the opposite direction. Stateless.
 */
final class UploadMessages {
  private UploadMessages() {}

  static boolean contain(DataMessage message) {
    return message instanceof Edge edge && isOfUploads(edge.message());
  }

  private static boolean isOfUploads(EdgeMessage message) {
    if (message instanceof Data data) {
      return data.item().stream().channel() == Channel.UPLOADS;
    }
    if (message instanceof Attach attach) {
      return attach.channel() == Channel.UPLOADS;
    }
    if (message instanceof Digest digest) {
      return digest.channel() == Channel.UPLOADS;
    }
    if (message instanceof Detach detach) {
      return detach.channel() == Channel.UPLOADS;
    }
    return message instanceof UnusedCredit;
  }

  static boolean hasContent(DataMessage message) {
    return message instanceof Edge edge && edge.message() instanceof Data;
  }

  /** What a message counts where content and credit may travel together, and others do not. */
  static long bytes(DataMessage message) {
    if (message instanceof Edge edge) {
      if (edge.message() instanceof Data data) {
        return data.item().cost();
      }
      if (edge.message() instanceof Credit) {
        return BatchSize.CREDIT_BYTES;
      }
    }
    return BatchSize.MOST_BYTES;
  }
}
