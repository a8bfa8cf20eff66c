package io.treecast.it.cluster;

import io.treecast.client.Message;
import io.treecast.client.MessageHandler;
import io.treecast.client.MessageId;
import io.treecast.client.MissedMessages;
import io.treecast.client.PayloadSink;
import io.treecast.client.TreecastException;
import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * An application that stays subscribed through all faults of its agent, and checks large payloads.
 * Written by the subscription's thread, read by any.
 */
final class UploadAudience implements MessageHandler {
  private final Set<MessageId> complete = new HashSet<>();

  /** Messages that were reported as abandoned; they may arrive later. */
  private final Set<MessageId> givenUp = new HashSet<>();

  private final List<MissedMessages> missed = new ArrayList<>();
  private final List<String> problems = new ArrayList<>();

  @Override
  public void onMessage(Message message) {} // Small messages are checked elsewhere.

  @Override
  public PayloadSink onLargeMessage(MessageId messageId) {
    ByteArrayOutputStream received = new ByteArrayOutputStream();
    return new PayloadSink() {
      @Override
      public void chunk(ByteBuffer bytes) {
        byte[] copy = new byte[bytes.remaining()];
        bytes.get(copy);
        received.writeBytes(copy);
      }

      @Override
      public void complete() {
        completed(messageId, received.toByteArray());
      }

      @Override
      public void failed(TreecastException why) {
        if (why.reason() != TreecastException.Reason.INCOMPLETE
            && why.reason() != TreecastException.Reason.CLOSED) {
          problem(messageId + " failed: " + why);
        }
      }
    };
  }

  private synchronized void completed(MessageId id, byte[] payload) {
    if (!ContinuousUploads.isWhole(payload)) {
      problem(id + " is not what was uploaded");
    }
    if (!complete.add(id)) {
      problem(id + " came twice");
    }
  }

  private synchronized void problem(String what) {
    problems.add(what);
  }

  @Override
  public synchronized void onFailed(MessageId messageId, TreecastException why) {
    givenUp.add(messageId);
  }

  @Override
  public synchronized void onMissed(MissedMessages gone) {
    missed.add(gone);
  }

  synchronized boolean has(MessageId id) {
    return complete.contains(id);
  }

  /** Returns whether the message was reported as missed or abandoned. */
  synchronized boolean isToldOfLoss(MessageId id) {
    return givenUp.contains(id)
        || missed.stream()
            .anyMatch(
                gone ->
                    gone.origin().equals(id.origin())
                        && gone.incarnation() == id.incarnation()
                        && gone.topic().equals(id.topic())
                        && gone.lane() == id.lane()
                        && gone.firstSequence() <= id.sequence()
                        && id.sequence() <= gone.lastSequence());
  }

  synchronized int received() {
    return complete.size();
  }

  synchronized List<String> problems() {
    return List.copyOf(problems);
  }
}
