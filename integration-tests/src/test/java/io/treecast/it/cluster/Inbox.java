package io.treecast.it.cluster;

import io.treecast.client.Message;
import io.treecast.client.Treecast;
import java.util.ArrayList;
import java.util.List;

/** The messages of one subscriber. Written by the subscription's thread, read by the test's. */
final class Inbox {
  private final List<Message> messages = new ArrayList<>();

  /** Subscribes, and returns once the subscription is in place. */
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

  /** Returns the messages of an origin in the order of arrival. */
  synchronized List<Message> from(String origin) {
    return messages.stream().filter(message -> message.origin().equals(origin)).toList();
  }
}
