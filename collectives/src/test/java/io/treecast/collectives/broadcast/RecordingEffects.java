package io.treecast.collectives.broadcast;

import io.treecast.collectives.broadcast.contract.ApplicationEffects;
import io.treecast.collectives.broadcast.contract.BroadcastEffects;
import io.treecast.collectives.broadcast.message.Channel;
import io.treecast.collectives.broadcast.message.Chunk;
import io.treecast.collectives.broadcast.message.Confirmation;
import io.treecast.collectives.broadcast.message.EdgeMessage;
import io.treecast.collectives.broadcast.message.EdgeMessage.Attach;
import io.treecast.collectives.broadcast.message.EdgeMessage.Credit;
import io.treecast.collectives.broadcast.message.EdgeMessage.Data;
import io.treecast.collectives.broadcast.message.EdgeMessage.Delivered;
import io.treecast.collectives.broadcast.message.EdgeMessage.Detach;
import io.treecast.collectives.broadcast.message.EdgeMessage.Digest;
import io.treecast.collectives.broadcast.message.EdgeMessage.Have;
import io.treecast.collectives.broadcast.message.EdgeMessage.Interest;
import io.treecast.collectives.broadcast.message.EdgeMessage.InterestKnown;
import io.treecast.collectives.broadcast.message.EdgeMessage.OrderNext;
import io.treecast.collectives.broadcast.message.EdgeMessage.OrderTail;
import io.treecast.collectives.broadcast.message.EdgeMessage.Replicated;
import io.treecast.collectives.broadcast.message.EdgeMessage.Stable;
import io.treecast.collectives.broadcast.message.EdgeMessage.UnusedCredit;
import io.treecast.collectives.broadcast.message.Gap;
import io.treecast.collectives.broadcast.message.LogItem;
import io.treecast.collectives.broadcast.message.MessageId;
import io.treecast.collectives.broadcast.message.MissedReason;
import io.treecast.collectives.broadcast.message.OrderEntry;
import io.treecast.collectives.broadcast.message.OrderPosition;
import io.treecast.collectives.broadcast.message.Position;
import io.treecast.collectives.broadcast.message.Receipt;
import io.treecast.collectives.broadcast.message.StreamPosition;
import io.treecast.ghs.NodeId;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Records the effects of a relay, as lines in their order. */
public final class RecordingEffects implements BroadcastEffects, ApplicationEffects {
  private final List<String> lines = new ArrayList<>();
  private final List<Long> begun = new ArrayList<>();
  private final List<Chunk> sent = new ArrayList<>();
  private final List<Credit> credits = new ArrayList<>();
  private final Map<NodeId, Long> asked = new TreeMap<>();
  private boolean startsToo;
  private boolean aheadToo;

  /** Returns all credit that was granted. */
  public List<Credit> credits() {
    return credits;
  }

  /** Returns the number of the last question to a neighbour that awaits an answer. */
  long asked(NodeId neighbour) {
    return asked.getOrDefault(neighbour, 0L);
  }

  /** Also records the beginnings of subscriptions and when they are live, which few tests need. */
  public RecordingEffects withStarts() {
    startsToo = true;
    return this;
  }

  /** Also records messages that may go ahead of the tree, which few tests need. */
  RecordingEffects withAhead() {
    aheadToo = true;
    return this;
  }

  @Override
  public void maySendByShortcut(Chunk message) {
    if (aheadToo) {
      lines.add("ahead: " + Examples.name(message));
    }
  }

  @Override
  public void send(NodeId neighbour, EdgeMessage message) {
    if (message instanceof Data data) {
      if (data.item() instanceof Chunk chunk) {
        sent.add(chunk);
      }
      lines.add("send to " + neighbour + ": " + name(data.item()));
    } else if (message instanceof Credit credit) {
      credits.add(credit);
      lines.add("grant " + neighbour + of(credit.channel()) + " " + credit.bytes());
    } else if (message instanceof UnusedCredit credit) {
      lines.add("give back to " + neighbour + " " + credit.bytes());
    } else if (message instanceof Digest digest) {
      lines.add(
          "digest to "
              + neighbour
              + of(digest.channel())
              + ":"
              + digest.positions().stream()
                  .map(RecordingEffects::name)
                  .collect(Collectors.joining())
              + (digest.last() ? "" : " ..."));
    } else if (message instanceof Have have) {
      lines.add(
          "have to "
              + neighbour
              + tell(have.treeVersion(), have.positions())
              + (have.awaitsAbsent() ? " awaiting" : "")
              + brief(have.brieflyAbsent()));
    } else if (message instanceof Stable stable) {
      lines.add(
          "stable to "
              + neighbour
              + tell(stable.treeVersion(), stable.positions())
              + (stable.isRetained() ? " retained" : "")
              + brief(stable.brieflyAbsent()));
    } else if (message instanceof Delivered delivered) {
      lines.add(
          "delivered to "
              + neighbour
              + ": "
              + name(delivered.message())
              + " by"
              + delivered.receipts().stream()
                  .map(RecordingEffects::name)
                  .collect(Collectors.joining()));
    } else if (message instanceof Replicated replicated) {
      lines.add(
          "replicated to "
              + neighbour
              + ": "
              + name(replicated.message())
              + " at"
              + replicated.replicas().stream()
                  .map(replica -> " " + replica.member())
                  .collect(Collectors.joining()));
    } else if (message instanceof Interest interest) {
      if (interest.asks()) {
        asked.put(neighbour, interest.number());
      }
      lines.add(
          "interest to "
              + neighbour
              + " of v"
              + interest.treeVersion()
              + ":"
              + topics(interest)
              + (interest.asksOfDefaultTopic() ? " default topic" : "")
              + (interest.asks() ? " asks " + interest.number() : ""));
    } else if (message instanceof InterestKnown known) {
      lines.add(
          "known to "
              + neighbour
              + ": "
              + known.number()
              + known.positions().stream().map(RecordingEffects::name).collect(Collectors.joining())
              + known.forgotten().stream()
                  .map(gap -> " gone " + gap.stream().origin() + name(gap.to()))
                  .collect(Collectors.joining()));
    } else if (message instanceof OrderTail tail) {
      lines.add(
          "order tail to "
              + neighbour
              + " of v"
              + tail.treeVersion()
              + ": "
              + tail.epochs()
              + names(tail.entries())
              + (tail.last() ? " end" : ""));
    } else if (message instanceof OrderNext next) {
      lines.add(
          "order to " + neighbour + " of v" + next.treeVersion() + ":" + names(next.entries()));
    } else if (message instanceof Attach attach) {
      lines.add("attach to " + neighbour + of(attach.channel()));
    } else if (message instanceof Detach detach) {
      lines.add("detach to " + neighbour + of(detach.channel()));
    } else {
      lines.add(message.getClass().getSimpleName().toLowerCase(Locale.ROOT) + " to " + neighbour);
    }
  }

  private static String of(Channel channel) {
    return channel == Channel.UPLOADS ? " of uploads" : "";
  }

  private static String names(List<OrderEntry> entries) {
    return entries.stream()
        .map(entry -> " " + entry.position() + " is " + entry.stream().origin() + entry.sequence())
        .collect(Collectors.joining(","));
  }

  private static String topics(Interest interest) {
    return interest.added().stream().map(topic -> " +" + topic).collect(Collectors.joining())
        + interest.removed().stream().map(topic -> " -" + topic).collect(Collectors.joining());
  }

  private static String brief(int members) {
    return members == 0 ? "" : ", " + members + " briefly absent";
  }

  private static String tell(long treeVersion, List<StreamPosition> positions) {
    return " of v"
        + treeVersion
        + ":"
        + positions.stream().map(RecordingEffects::name).collect(Collectors.joining());
  }

  /**
   * Returns for example {@code " b<a"}: b has it from a; {@code " never b"}, {@code " for nobody
   * b<a"}.
   */
  private static String name(Receipt receipt) {
    return switch (receipt.outcome()) {
          case HANDED_OVER -> " ";
          case WITHOUT_SUBSCRIBER -> " for nobody ";
          case NEVER -> " never ";
        }
        + receipt.member()
        + (receipt.from() == null ? "" : "<" + receipt.from());
  }

  private static String name(MessageId message) {
    return message.origin() + "" + message.sequence();
  }

  private static String name(LogItem item) {
    return item instanceof Chunk chunk ? Examples.name(chunk) : name(item.from(), item.to());
  }

  private static String name(Position from, Position to) {
    return "gap " + name(from) + " to " + name(to);
  }

  private static String name(StreamPosition position) {
    return " " + position.stream().origin() + name(position.next());
  }

  private static String name(Position position) {
    return position.sequence() + "." + position.index();
  }

  @Override
  public void deliver(long subscriber, Chunk chunk, @Nullable OrderPosition position) {
    String place = position == null ? "" : " at " + position;
    lines.add("deliver to s" + subscriber + ": " + Examples.name(chunk) + place);
  }

  @Override
  public void began(long subscriber, List<MessageId> after) {
    begun.add(subscriber);
    start(
        "s"
            + subscriber
            + " begins after"
            + after.stream()
                .map(message -> " " + message.origin() + message.sequence())
                .collect(Collectors.joining()));
  }

  @Override
  public void live(long subscriber) {
    start("s" + subscriber + " live");
  }

  private void start(String line) {
    if (startsToo) {
      lines.add(line);
    }
  }

  @Override
  public void missed(long subscriber, Gap gap, MissedReason reason) {
    lines.add(
        "s"
            + subscriber
            + " missed "
            + gap.stream().origin()
            + gap.firstMissed()
            + " to "
            + gap.lastMissed());
  }

  @Override
  public void fellBehind(long subscriber) {
    lines.add("s" + subscriber + " fell behind");
  }

  @Override
  public void abandoned(long subscriber, MessageId message) {
    lines.add("s" + subscriber + " abandoned " + message.origin() + message.sequence());
  }

  @Override
  public void confirmed(Confirmation confirmation) {
    lines.add(
        "confirmed "
            + name(confirmation.message())
            + ": delivered "
            + confirmation.delivered().stream().map(Confirmation.Hop::member).toList()
            + " failed "
            + confirmation.failed()
            + " unknown "
            + confirmation.unknown());
  }

  @Override
  public void uploadTaken(long upload, int pieces) {
    lines.add("took " + pieces + " of u" + upload);
  }

  @Override
  public void replicated(MessageId message, int replicas) {
    lines.add("replicated: " + name(message) + " " + replicas);
  }

  @Override
  public void uploadEnded(long upload, int replicas) {
    lines.add("u" + upload + " ended" + (replicas == 0 ? "" : " with " + replicas + " replicas"));
  }

  @Override
  public void violated(NodeId neighbour, String reason) {
    lines.add("violated by " + neighbour + ": " + reason);
  }

  @Override
  public void dropped(NodeId neighbour, LogItem item) {
    lines.add("dropped from " + neighbour + ": " + name(item));
  }

  /** Returns the subscribers whose subscription has begun, in that order. */
  List<Long> begun() {
    return begun;
  }

  /** Returns the lines since the last call. */
  public List<String> take() {
    List<String> taken = List.copyOf(lines);
    lines.clear();
    return taken;
  }

  /** Returns the lines since the last call, without those about attachment and topics. */
  public List<String> takeFlow() {
    return take().stream().filter(line -> !line.matches("(attach|digest|interest) .*")).toList();
  }

  /** Returns all chunks sent to any neighbour so far. */
  List<Chunk> sent() {
    return sent;
  }
}
