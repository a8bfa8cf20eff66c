package io.treecast.client;

import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

/** Records a subscription's events, in order, as short texts. */
final class RecordingHandler implements MessageHandler, TreeHandler {
  final List<String> heard = new CopyOnWriteArrayList<>();
  final List<String> reasons = new CopyOnWriteArrayList<>();

  /** The reasons of absences, in a separate list because they depend on time. */
  final List<TreecastException> absences = new CopyOnWriteArrayList<>();

  @Override
  public void onMessage(Message message) {
    heard.add(message.origin() + "#" + message.sequence() + " " + message.text());
  }

  @Override
  public void onMissed(MissedMessages missed) {
    heard.add("missed " + missed.origin() + "#" + missed.firstSequence() + " " + missed.reason());
  }

  @Override
  public void onTree(TreeView tree) {
    heard.add("tree " + tree.version());
  }

  @Override
  public void onInterrupted(String reason) {
    reasons.add(reason);
    heard.add("interrupted");
  }

  @Override
  public void onRefused(String reason) {
    reasons.add(reason);
    heard.add("refused");
  }

  @Override
  public void onUnavailable(TreecastException why) {
    absences.add(why);
  }

  @Override
  public void onResumed() {
    heard.add("resumed");
  }
}
