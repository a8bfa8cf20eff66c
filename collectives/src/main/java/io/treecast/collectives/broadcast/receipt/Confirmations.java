package io.treecast.collectives.broadcast.receipt;

import io.treecast.collectives.broadcast.message.Chunk;
import io.treecast.collectives.broadcast.message.Confirmation;
import io.treecast.collectives.broadcast.message.Confirmation.Hop;
import io.treecast.collectives.broadcast.message.MessageId;
import io.treecast.collectives.broadcast.message.Receipt;
import io.treecast.collectives.broadcast.message.Topic;
import io.treecast.ghs.NodeId;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The delivery of the messages that were published here and request receipts.
 *
 * <p>A message's confirmation is <em>settled</em> when each member of the tree under which it was
 * published has reported that it has delivered it or never will, has restarted, or is not in the
 * present committed tree. At the latest it is settled when the requested time has passed. That time
 * begins when the last chunk is published: an upload takes as long as its publisher does. The
 * confirmation is then <em>due</em> to its first query, and kept for that; afterwards it is
 * remembered as long as there is room.
 */
public final class Confirmations {
  /** The largest number of messages that are not settled, or not queried since. */
  public static final int MAX_AWAITED = 4_096;

  /** The largest number of members that those messages may name in total, each with its receipt. */
  static final int MAX_AWAITED_MEMBERS = 262_144;

  /** The largest number of confirmations in all. */
  public static final int MAX_REMEMBERED = 5_120;

  /** The largest number of members that confirmations which are no longer due may name in total. */
  public static final int MAX_REMEMBERED_MEMBERS = 262_144;

  /** The time for which a settled confirmation is due: a query may be under way. */
  private static final long DUE_NANOS = 30_000_000_000L;

  private static final long NANOS_PER_MILLI = 1_000_000L;

  /** A message that is not settled, without its payload. */
  private static final class Awaited {
    final MessageId message;
    final long treeVersion;
    final int receiptMillis;
    final long number;
    final SortedSet<NodeId> members;
    final TreeMap<NodeId, Receipt> receipts = new TreeMap<>();
    boolean isPublished;
    boolean isAskedFor;
    long publishedNanos;

    Awaited(
        MessageId message,
        long treeVersion,
        int receiptMillis,
        long number,
        SortedSet<NodeId> members) {
      this.message = message;
      this.treeVersion = treeVersion;
      this.receiptMillis = receiptMillis;
      this.number = number;
      this.members = members;
    }

    void add(Receipt receipt) {
      NodeId member = findMember(receipt.member());
      if (member != null && receipt.addsTo(receipts.get(member))) {
        receipts.put(member, receipt.ofNames(member, findMember(receipt.from())));
      }
    }

    /** The shared name of a member: each receipt arrives with names of its own. */
    private @Nullable NodeId findMember(@Nullable NodeId named) {
      return named != null && members.contains(named) ? members.tailSet(named).first() : null;
    }

    long deadlineNanos() {
      return publishedNanos + receiptMillis * NANOS_PER_MILLI;
    }
  }

  /** A settled confirmation without a query. */
  private record Due(Confirmation confirmation, long settledNanos) {}

  private final Consumer<Confirmation> confirmed;

  /** The messages that are not settled, oldest first. */
  private final LinkedHashMap<MessageId, Awaited> awaited = new LinkedHashMap<>();

  /** The messages that are published to their end. */
  private final TreeSet<Awaited> byDeadline =
      new TreeSet<>(
          Comparator.comparingLong(Awaited::deadlineNanos).thenComparingLong(a -> a.number));

  /** The settled confirmations that were not queried, oldest first. */
  private final LinkedHashMap<MessageId, Due> due = new LinkedHashMap<>();

  /** The settled confirmations that are no longer due, oldest first. */
  private final LinkedHashMap<MessageId, Confirmation> remembered = new LinkedHashMap<>();

  /** The number of members that the remembered confirmations name. */
  private long rememberedMembers;

  /** The number of members that awaited and due confirmations name. */
  private long awaitedMembers;

  /** The members of the present committed tree. */
  private SortedSet<NodeId> members = new TreeSet<>();

  private long treeVersion;
  private long lastNumber;
  private long nowNanos;

  /**
   * Creates an empty set.
   *
   * @param confirmed called with each confirmation that is settled
   */
  public Confirmations(Consumer<Confirmation> confirmed) {
    this.confirmed = confirmed;
  }

  /** Returns whether a message that requests receipts may be published now. */
  boolean hasRoom() {
    while (!due.isEmpty() && oldestDue().settledNanos() + DUE_NANOS <= nowNanos) {
      wasDue(oldestDue().confirmation());
    }
    return awaited.size() + due.size() < MAX_AWAITED
        && awaitedMembers + members.size() <= MAX_AWAITED_MEMBERS;
  }

  /** Returns a description of the messages that leave no room. */
  String describeAwaited() {
    return (awaited.size() + due.size())
        + " broadcasts await the confirmation of "
        + awaitedMembers
        + " members together, or their publisher's query,";
  }

  private Due oldestDue() {
    return due.values().iterator().next();
  }

  private void wasDue(Confirmation confirmation) {
    due.remove(confirmation.message());
    awaitedMembers -= members(confirmation);
    remember(confirmation);
  }

  private void remember(Confirmation confirmation) {
    remembered.put(confirmation.message(), confirmation);
    rememberedMembers += members(confirmation);
    while (rememberedMembers > MAX_REMEMBERED_MEMBERS && remembered.size() > 1) {
      forgetOldest();
    }
  }

  private void forgetOldest() {
    Iterator<Confirmation> oldest = remembered.values().iterator();
    rememberedMembers -= members(oldest.next());
    oldest.remove();
  }

  private static int members(Confirmation of) {
    return of.delivered().size() + of.failed().size() + of.unknown().size();
  }

  /**
   * Notes that a message that requests receipts begins, under the present tree: its members are to
   * confirm, or those that a selection names.
   */
  void begins(MessageId message, int receiptMillis) {
    SortedSet<NodeId> receivers =
        Topic.isSelection(message.topic()) ? Topic.receivers(message.topic()) : members;
    awaited.put(message, new Awaited(message, treeVersion, receiptMillis, ++lastNumber, receivers));
    awaitedMembers += receivers.size();
    if (awaited.size() + due.size() + remembered.size() > MAX_REMEMBERED && !remembered.isEmpty()) {
      forgetOldest();
    }
  }

  /** Notes that the publisher abandoned the message. */
  void abandons(MessageId message) {
    Awaited gone = awaited.remove(message);
    awaitedMembers -= gone == null ? 0 : gone.members.size();
  }

  /**
   * Notes that a chunk of such a message is being published; its first chunk begins the message.
   */
  public void publishes(Chunk chunk) {
    if (chunk.index() == 0 && !awaited.containsKey(chunk.messageId())) {
      begins(chunk.messageId(), chunk.receiptMillis());
    }
    Awaited message = awaited.get(chunk.messageId());
    if (message != null && chunk.abandoned()) {
      abandons(chunk.messageId());
    } else if (message != null && chunk.last()) {
      message.isPublished = true;
      message.publishedNanos = nowNanos;
      byDeadline.add(message);
      settleIfKnown(message); // Perhaps no member that has its beginning will deliver it.
    }
  }

  /** Adds receipts for a message that was published here. */
  void add(MessageId id, Collection<Receipt> receipts) {
    Awaited message = awaited.get(id);
    if (message != null) {
      receipts.forEach(message::add);
      settleIfKnown(message);
    }
  }

  /**
   * Notes that a member has restarted, and may be in the present tree. The receipts of its earlier
   * incarnation are no longer awaited; a receipt of the new one counts until the message is
   * settled.
   */
  void restarted(NodeId member) {
    for (Awaited message : List.copyOf(awaited.values())) {
      if (message.treeVersion < treeVersion && message.members.contains(member)) {
        message.add(Receipt.never(member));
        settleIfKnown(message);
      }
    }
  }

  /** Notes that a tree of these members was committed. */
  public void treeCommitted(long version, SortedSet<NodeId> treeMembers) {
    treeVersion = version;
    members = treeMembers;
    List.copyOf(awaited.values()).forEach(this::settleIfKnown);
  }

  private void settleIfKnown(Awaited message) {
    if (!message.isPublished) {
      return;
    }
    for (NodeId member : message.members) {
      if (!message.receipts.containsKey(member) && members.contains(member)) {
        return;
      }
    }
    settle(message);
  }

  private void settle(Awaited message) {
    awaited.remove(message.message);
    byDeadline.remove(message);
    Confirmation confirmation = confirmation(message, true);
    if (message.isAskedFor) {
      awaitedMembers -= members(confirmation);
      remember(confirmation);
    } else {
      due.put(confirmation.message(), new Due(confirmation, nowNanos));
    }
    confirmed.accept(confirmation);
  }

  private Confirmation confirmation(Awaited message, boolean isSettled) {
    List<Hop> delivered = new ArrayList<>();
    List<NodeId> failed = new ArrayList<>();
    List<NodeId> unknown = new ArrayList<>();
    for (NodeId member : message.members) {
      Receipt receipt = message.receipts.get(member);
      if (receipt != null && receipt.isDelivered()) {
        // An estimate before the publication is further from the truth than the publication.
        long afterNanos = Math.max(0, receipt.deliveredNanos() - message.publishedNanos);
        boolean isHandedOver = receipt.outcome() == Receipt.Outcome.HANDED_OVER;
        delivered.add(
            new Hop(member, receipt.from(), afterNanos, receipt.errorNanos(), isHandedOver));
      } else {
        (members.contains(member) ? unknown : failed).add(member);
      }
    }
    return new Confirmation(
        message.message, message.treeVersion, delivered, failed, unknown, isSettled);
  }

  /**
   * Returns the present confirmation of a message for a query; null if it requests none, or was
   * forgotten.
   */
  @Nullable
  public Confirmation find(MessageId id) {
    Awaited message = awaited.get(id);
    if (message != null) {
      message.isAskedFor = true;
      return confirmation(message, false);
    }
    Due isDue = due.get(id);
    if (isDue != null) {
      wasDue(isDue.confirmation());
    }
    return remembered.get(id);
  }

  // Time.

  /** Returns when {@link #tick} is due; MAX_VALUE for never. */
  long nextDeadlineNanos() {
    return byDeadline.isEmpty() ? Long.MAX_VALUE : byDeadline.first().deadlineNanos();
  }

  void tick(long now) {
    nowNanos = now;
    while (nextDeadlineNanos() <= now) {
      settle(byDeadline.first());
    }
  }
}
