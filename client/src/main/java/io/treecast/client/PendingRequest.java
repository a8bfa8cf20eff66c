package io.treecast.client;

import io.treecast.client.Reply.Outcome;
import java.util.Collection;
import java.util.Collections;
import java.util.Map;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;

/** A request that waits for replies. Safe for use by several threads. */
final class PendingRequest {
  private final CompletableFuture<Map<String, Reply>> replies = new CompletableFuture<>();

  private final Consumer<Outcome> ended;

  // Guarded by this.
  private final SortedMap<String, Reply> known = new TreeMap<>();
  private final SortedSet<String> awaited;

  /**
   * Creates a request. Receivers that are not members count as absent.
   *
   * @param ended receives the outcome at each receiver
   */
  PendingRequest(Collection<String> receivers, SortedSet<String> members, Consumer<Outcome> ended) {
    this.ended = ended;
    awaited = new TreeSet<>(receivers);
    for (String receiver : receivers) {
      if (!members.contains(receiver)) {
        end(receiver, Outcome.ABSENT);
      }
    }
  }

  /** Returns a future that completes when no more replies are awaited. */
  CompletableFuture<Map<String, Reply>> replies() {
    return replies;
  }

  /** Returns the members without a reply. */
  synchronized SortedSet<String> awaited() {
    return Collections.unmodifiableSortedSet(new TreeSet<>(awaited));
  }

  private void end(String member, Outcome outcome) {
    replied(Reply.without(member, outcome));
  }

  /** Notes a reply, unless the member has an outcome already or is not a receiver. */
  void replied(Reply reply) {
    Map<String, Reply> all;
    synchronized (this) {
      if (!awaited.remove(reply.member())) {
        return;
      }
      known.put(reply.member(), reply);
      ended.accept(reply.outcome());
      all = Collections.unmodifiableMap(new TreeMap<>(known));
      if (!awaited.isEmpty()) {
        return;
      }
    }
    replies.complete(all);
  }

  /** Ends the wait for members that have left the tree. */
  void treeChanged(SortedSet<String> members) {
    awaited().stream()
        .filter(member -> !members.contains(member))
        .forEach(m -> end(m, Outcome.LEFT));
  }

  /** Ends the wait for a member without a server. */
  void withoutServer(String member) {
    end(member, Outcome.NO_SERVER);
  }

  /** Ends the wait for all other members. */
  void expire() {
    awaited().forEach(member -> end(member, Outcome.NO_ANSWER));
  }
}
