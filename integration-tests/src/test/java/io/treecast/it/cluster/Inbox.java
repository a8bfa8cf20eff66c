package io.treecast.it.cluster;

import io.treecast.client.Message;
import io.treecast.client.Treecast;
import java.util.ArrayList;
import java.util.List;

/** Keeps what one subscriber receives. Written by the subscription's thread, read by the test's. */
final class Inbox {
  private final List<Message> messages = new ArrayList<>();

  /** Subscribed when it returns: what is broadcast from then on comes in. */
  static Inbox of(Treecast treecast) {
    Inbox inbox = new Inbox();
    treecast.subscribe(inbox::add).ready().join();
    return inbox;
  }

  private synchronized void add(Message message) {
    messages.add(message);
  }

  synchronized int size() {
    return messages.size();
  }

  /** In the order of arrival. */
  synchronized List<Message> from(String origin) {
    return messages.stream().filter(message -> message.origin().equals(origin)).toList();
  }
}
