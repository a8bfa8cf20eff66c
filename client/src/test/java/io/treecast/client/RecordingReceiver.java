package io.treecast.client;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;

/** Records an assembler's reports on messages that it does not deliver whole. */
final class RecordingReceiver implements MessageAssembler.Receiver {
  final List<String> lines = new ArrayList<>();

  @Override
  public PayloadSink large(MessageId id, MissedReason why) {
    lines.add((why == MissedReason.TOO_LARGE ? "large " : "no room for ") + id.sequence());
    return new PayloadSink() {
      @Override
      public void chunk(ByteBuffer bytes) {
        lines.add("chunk " + UTF_8.decode(bytes));
      }

      @Override
      public void complete() {
        lines.add("complete");
      }

      @Override
      public void failed(TreecastException why) {
        lines.add("sink failed " + why.reason());
      }
    };
  }

  @Override
  public void failed(MessageId id, TreecastException why) {
    lines.add("failed " + id.sequence() + " " + why.reason());
  }
}
