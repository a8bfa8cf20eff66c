package io.treecast.agent.transport.upload;

import io.treecast.agent.core.message.DataMessage;
import io.treecast.agent.core.message.DataMessage.Edge;
import io.treecast.agent.transport.frame.BatchSize;
import io.treecast.collectives.broadcast.message.EdgeMessage.Credit;
import io.treecast.collectives.broadcast.message.EdgeMessage.Data;

/**
 * Selects the messages of a data stream that use further connections, with the bytes that each
 * counts. Stateless.
 */
public final class UploadMessages {
  private UploadMessages() {}

  public static boolean contain(DataMessage message) {
    return message instanceof Edge edge && edge.message().isOfUploads();
  }

  static boolean hasContent(DataMessage message) {
    return message instanceof Edge edge && edge.message() instanceof Data;
  }

  /** Returns the bytes that a message counts in a batch of content and credit. */
  public static long bytes(DataMessage message) {
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
