package io.treecast.mst;

import java.util.Map;
import java.util.TreeMap;

/** A network in virtual time whose events are measured, each from one state of rest to the next. */
final class EventCosts {
  private final Coverage coverage = new Coverage();
  private final TimedMedium medium;
  private final Network network;
  private final Timeline timeline;

  /**
   * The cost of an event.
   *
   * @param messages the number of messages by type, without handshakes
   * @param bytes the length of all messages, by {@link MessageBytes}
   * @param millis the time from the event until the last node committed; 0 if none did
   */
  record Cost(Map<String, Integer> messages, int handshakes, long bytes, long millis) {
    int total() {
      return messages.values().stream().mapToInt(Integer::intValue).sum();
    }
  }

  EventCosts(int size, TimedMedium medium) {
    this.medium = medium;
    this.network = new Network(size, medium, coverage);
    this.timeline = new Timeline(network, medium);
  }

  Network network() {
    return network;
  }

  Timeline timeline() {
    return timeline;
  }

  /**
   * Lets an event happen, waits until the network rests, and checks that it rests in the right
   * state.
   */
  Cost of(Runnable event) {
    coverage.resetMessages();
    long start = medium.now();
    event.run();
    timeline.run();
    new RestingState(network).verify();
    Map<String, Integer> messages = new TreeMap<>(coverage.messages());
    Integer hellos = messages.remove("Hello");
    return new Cost(
        messages,
        hellos == null ? 0 : hellos,
        coverage.bytes(),
        Math.max(0, network.lastCommitAt() - start) / 1_000);
  }
}
