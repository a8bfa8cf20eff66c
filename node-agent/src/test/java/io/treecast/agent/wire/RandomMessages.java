package io.treecast.agent.wire;

import io.treecast.agent.core.message.AnnouncedMember;
import io.treecast.agent.core.message.DataMessage;
import io.treecast.agent.core.message.DataMessage.Edge;
import io.treecast.agent.core.message.Member;
import io.treecast.agent.core.message.Nearby;
import io.treecast.agent.core.message.PeerMessage;
import io.treecast.agent.core.message.PeerMessage.RefusalCause;
import io.treecast.collectives.broadcast.contract.BroadcastLimits;
import io.treecast.collectives.broadcast.message.Channel;
import io.treecast.collectives.broadcast.message.Chunk;
import io.treecast.collectives.broadcast.message.EdgeMessage;
import io.treecast.collectives.broadcast.message.Gap;
import io.treecast.collectives.broadcast.message.Headers;
import io.treecast.collectives.broadcast.message.MessageId;
import io.treecast.collectives.broadcast.message.OrderEntry;
import io.treecast.collectives.broadcast.message.OrderPosition;
import io.treecast.collectives.broadcast.message.Position;
import io.treecast.collectives.broadcast.message.Receipt;
import io.treecast.collectives.broadcast.message.Replica;
import io.treecast.collectives.broadcast.message.StreamId;
import io.treecast.collectives.broadcast.message.StreamPosition;
import io.treecast.collectives.broadcast.message.Topic;
import io.treecast.collectives.broadcast.message.WantedReplicas;
import io.treecast.collectives.broadcast.tree.TreeEpoch;
import io.treecast.collectives.clock.RootTime;
import io.treecast.ghs.NodeId;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Random;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** Valid messages of every kind with random values, often extreme ones. */
public final class RandomMessages {
  private static final String NAME_CHARACTERS =
      "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789._-";
  private static final long[] EXTREMES = {
    0, 1, 127, 128, Integer.MAX_VALUE, Integer.MAX_VALUE + 1L, Long.MAX_VALUE, -1, Long.MIN_VALUE
  };
  private static final List<RefusalCause> CAUSES = List.copyOf(EnumSet.allOf(RefusalCause.class));

  private final Random random;

  public RandomMessages(Random random) {
    this.random = random;
  }

  /** One of each kind. */
  private long nextMillis() {
    return random.nextInt((int) PeerMessage.MAX_NEXT_MILLIS + 1);
  }

  private long lateNanos() {
    return random.nextLong(PeerMessage.MAX_LATE_NANOS + 1);
  }

  public List<PeerMessage> onePeerMessageOfEachKind() {
    List<PeerMessage> all = new ArrayList<>();
    all.add(new PeerMessage.Hello(node(), any(), text(1, 300)));
    all.add(new PeerMessage.Hello(node(), any(), text(1, 300), node().toString(), "", true, 0));
    int chunkBytes = 1 + random.nextInt(BroadcastLimits.MAX_CHUNK_BYTES);
    all.add(
        new PeerMessage.Hello(
            node(), any(), text(1, 300), null, node().toString(), false, chunkBytes));
    all.add(
        new PeerMessage.OtherHello(
            PeerMessage.PROTOCOL_VERSION + 1 + random.nextInt(9),
            node().toString(),
            node().toString()));
    all.add(new PeerMessage.OpenLink(positive()));
    all.add(
        new PeerMessage.RefuseLink(
            CAUSES.get(random.nextInt(CAUSES.size())), text(0, 1_000), random.nextLong()));
    all.add(new PeerMessage.Members(some(20, this::toldMember), some(5, this::goodbye), any()));
    all.add(new PeerMessage.LinkWanted(random.nextBoolean()));
    all.add(new PeerMessage.LinkedMembers(some(20, () -> new Nearby(node(), positive()))));
    all.add(new PeerMessage.Leave());
    all.add(new PeerMessage.Probe(any(), nextMillis(), 0, random.nextBoolean(), null));
    all.add(
        new PeerMessage.Probe(
            any(), nextMillis(), positive(), false, new PeerMessage.WeightUpdate(any(), 1)));
    all.add(
        new PeerMessage.Probe(
            any(),
            nextMillis(),
            0,
            false,
            null,
            new PeerMessage.DataAck(positive(), positive()),
            random.nextBoolean(),
            lateNanos()));
    all.add(new PeerMessage.ProbeReply(any(), any(), positive(), lateNanos(), null));
    all.add(
        new PeerMessage.ProbeReply(
            any(), any(), positive(), 0, new PeerMessage.DataAck(positive(), positive())));
    all.add(new PeerMessage.Heartbeat(nextMillis(), random.nextBoolean(), any(), null));
    all.add(
        new PeerMessage.Heartbeat(
            nextMillis(), false, any(), new PeerMessage.ClockEcho(any(), positive()), lateNanos()));
    all.add(new PeerMessage.HeartbeatReply(nextMillis(), any()));
    all.add(new PeerMessage.WeightUpdate(any(), positive()));
    all.add(new PeerMessage.SuspendLink());
    all.add(new PeerMessage.ThroughputUpdate(positive(), random.nextInt(64), positive()));
    all.add(
        new PeerMessage.RingOffer(
            positive(), random.nextInt(100), random.nextInt(100), random.nextInt(100), loan()));
    all.add(new PeerMessage.RingVerdict(positive(), random.nextBoolean(), loan()));
    all.add(new PeerMessage.PassToken(positive(), node()));
    all.add(new PeerMessage.ShortcutCopy(chunk()));
    all.add(new PeerMessage.ShortcutAck(positive()));
    all.add(new PeerMessage.Hello(node(), any(), "lan=10.0.0.7:7700,w-1=[::1]:1"));
    all.add(new PeerMessage.NamePaths(any(), random.nextBoolean() ? "" : "lan"));
    all.add(new PeerMessage.JoinPath(node(), any(), any(), "lan"));
    all.add(new PeerMessage.PathProbe(any(), any()));
    all.add(new PeerMessage.PathReply(any(), any()));
    all.add(new PeerMessage.UsePath(any(), any(), any(), random.nextBoolean()));
    all.add(new PeerMessage.PathAck(any()));
    return all;
  }

  private PeerMessage.@Nullable UploadLoan loan() {
    return random.nextBoolean() ? null : new PeerMessage.UploadLoan(node(), positive());
  }

  private DataMessage.AttachData attachData() {
    int paddingBytes = random.nextInt(DataMessage.AttachData.MAX_PADDING_BYTES + 1);
    return new DataMessage.AttachData(node(), any(), any(), any(), paddingBytes);
  }

  /** One of each kind. */
  public List<DataMessage> oneDataMessageOfEachKind() {
    long windowBytes = random.nextInt(100);
    boolean asks = random.nextBoolean();
    String orderedTopic = random.nextBoolean() ? Topic.DEFAULT : topic();
    List<DataMessage> all = new ArrayList<>();
    all.addAll(new RandomClaims(random, this::node).oneOfEachKind());
    all.addAll(new RandomValues(random, this::node).oneOfEachKind());
    new RandomGroups(random, this::node)
        .oneOfEachKind()
        .forEach(message -> all.add(new DataMessage.GroupParcel(message)));
    new RandomCollectives(random, this::node, this::topic, this::positive)
        .oneOfEachKind()
        .forEach(message -> all.add(new DataMessage.Collective(message)));
    all.addAll(
        List.of(
            attachData(),
            new DataMessage.TimeOfRoot(
                new RootTime(
                    new TreeEpoch(positive(), node(), any()),
                    random.nextInt() * 1_000_000L,
                    any() >> 2,
                    random.nextInt(100))),
            new DataMessage.JoinData(attachData()),
            new DataMessage.Numbered(positive()),
            new DataMessage.WantConnections(random.nextInt(Integer.MAX_VALUE)),
            new Edge(new EdgeMessage.Data(chunk())),
            new Edge(new EdgeMessage.Data(gap())),
            new Edge(new EdgeMessage.Credit(channel(), 1 + windowBytes, windowBytes)),
            new Edge(new EdgeMessage.UnusedCredit(positive())),
            new Edge(new EdgeMessage.Attach(channel())),
            new Edge(
                new EdgeMessage.Digest(
                    channel(),
                    some(50, () -> new StreamPosition(stream(), position())),
                    random.nextBoolean())),
            new Edge(
                new EdgeMessage.Have(
                    positive(),
                    some(50, () -> new StreamPosition(stream(), position())),
                    random.nextBoolean(),
                    random.nextInt(1 << 24))),
            new Edge(
                new EdgeMessage.Stable(
                    positive(),
                    some(50, () -> new StreamPosition(stream(), position())),
                    random.nextBoolean(),
                    random.nextInt(1 << 24))),
            new Edge(
                new EdgeMessage.Delivered(messageId(), receiptMillis(), some(50, this::receipt))),
            new Edge(
                new EdgeMessage.Replicated(
                    messageId(),
                    new WantedReplicas(
                        1 + random.nextInt(WantedReplicas.MAX_COUNT),
                        random.nextInt(WantedReplicas.MAX_MILLIS + 1)),
                    some(50, () -> new Replica(node(), any())))),
            new Edge(
                new EdgeMessage.Interest(
                    positive(),
                    positive(),
                    some(50, this::interest),
                    some(50, this::interest),
                    asks,
                    asks && random.nextBoolean(),
                    random.nextBoolean())),
            new Edge(
                new EdgeMessage.InterestKnown(
                    positive(),
                    some(50, () -> new StreamPosition(stream(), position())),
                    some(50, this::gap),
                    random.nextBoolean())),
            new Edge(
                new EdgeMessage.OrderTail(
                    positive(),
                    orderedTopic,
                    some(20, () -> new TreeEpoch(positive(), node(), random.nextLong())),
                    some(50, () -> orderEntry(orderedTopic)),
                    random.nextBoolean())),
            new Edge(
                new EdgeMessage.OrderNext(
                    positive(), orderedTopic, some(50, () -> orderEntry(orderedTopic)))),
            new Edge(new EdgeMessage.Detach(channel())),
            new DataMessage.AttachBulk(node(), any(), any()),
            new DataMessage.BulkReady(),
            new DataMessage.BulkPiece(random.nextInt(64), chunk().payload()),
            new DataMessage.BulkTiming(positive(), positive()),
            new DataMessage.Leave()));
    return all;
  }

  Chunk chunk() {
    byte[] payload = new byte[random.nextInt(4) == 0 ? 0 : random.nextInt(3_000)];
    random.nextBytes(payload);
    MessageId message = messageId();
    boolean last = random.nextBoolean();
    return new Chunk(
        message,
        random.nextBoolean() ? random.nextInt(10) : Integer.MAX_VALUE,
        last,
        positive(),
        positive() - 1,
        ByteBuffer.wrap(payload),
        message.topic().equals(Topic.DEFAULT) ? receiptMillis() : 0,
        last && random.nextBoolean() ? (Integer) random.nextInt() : null,
        last && random.nextBoolean(),
        random.nextBoolean()
            ? WantedReplicas.NONE
            : new WantedReplicas(
                1 + random.nextInt(WantedReplicas.MAX_COUNT),
                random.nextInt(WantedReplicas.MAX_MILLIS + 1)),
        any(),
        last && random.nextBoolean() ? headers() : Headers.NONE);
  }

  private Headers headers() {
    byte[] bytes = new byte[random.nextInt(Headers.MAX_BYTES + 1)];
    random.nextBytes(bytes);
    return new Headers(ByteBuffer.wrap(bytes));
  }

  private Receipt receipt() {
    NodeId from = random.nextBoolean() ? node() : null;
    return random.nextInt(4) == 0
        ? Receipt.never(node())
        : new Receipt(
            node(),
            from,
            any(),
            Math.max(0, any()),
            random.nextBoolean()
                ? Receipt.Outcome.HANDED_OVER
                : Receipt.Outcome.WITHOUT_SUBSCRIBER);
  }

  private int receiptMillis() {
    return random.nextBoolean() ? 0 : random.nextInt(Chunk.MAX_RECEIPT_MILLIS + 1);
  }

  private Gap gap() {
    Position one = position();
    Position other = position();
    return one.equals(other)
        ? gap()
        : new Gap(
            stream(),
            one.isBefore(other) ? one : other,
            one.isBefore(other) ? other : one,
            positive());
  }

  private StreamId stream() {
    int lane = random.nextBoolean() ? 0 : random.nextInt(StreamId.MAX_LANE + 1);
    return random.nextBoolean()
        ? new StreamId(node(), any(), Topic.DEFAULT, lane)
        : new StreamId(node(), any(), topic(), lane + laterLanes());
  }

  /** Returns by how much the lanes of a topic that was forgotten before are others. */
  private int laterLanes() {
    return random.nextBoolean() ? 0 : (StreamId.MAX_LANE + 1) * random.nextInt(1 << 23);
  }

  private Position position() {
    long sequence = positive();
    return new Position(sequence, sequence > MessageId.MAX_SEQUENCE ? 0 : Math.max(0, any()));
  }

  private PeerMessage.Goodbye goodbye() {
    return new PeerMessage.Goodbye(node(), any(), positive());
  }

  private AnnouncedMember toldMember() {
    String site = random.nextBoolean() ? node().toString() : null;
    return new AnnouncedMember(new Member(node(), text(1, 300)), any(), positive(), site);
  }

  private NodeId node() {
    StringBuilder name = new StringBuilder();
    for (int i = 1 + random.nextInt(NodeId.MAX_LENGTH); i > 0; i--) {
      name.append(NAME_CHARACTERS.charAt(random.nextInt(NAME_CHARACTERS.length())));
    }
    return NodeId.of(name.toString());
  }

  /** Not only ASCII, and printable. */
  private String text(int least, int most) {
    StringBuilder text = new StringBuilder();
    int length = random.nextInt(5) == 0 ? most : least + random.nextInt(most - least);
    while (text.length() < length) {
      text.append((char) (random.nextInt(10) == 0 ? 0x20 + random.nextInt(0x7000) : 'x'));
    }
    return text.toString().replaceAll("[\\p{Cc}\\p{Cf}\\p{Zl}\\p{Zp}=]", "x");
  }

  private String topic() {
    return text(1, 60);
  }

  private String interest() {
    return random.nextBoolean()
        ? topic()
        : Topic.orderOf(random.nextBoolean() ? Topic.DEFAULT : topic());
  }

  private OrderEntry orderEntry(String topic) {
    return new OrderEntry(
        new OrderPosition(positive(), positive()),
        new StreamId(node(), any(), topic, topic.equals(Topic.DEFAULT) ? 0 : laterLanes()),
        Math.min(positive(), MessageId.MAX_SEQUENCE));
  }

  private long any() {
    return random.nextBoolean() ? random.nextLong() : EXTREMES[random.nextInt(EXTREMES.length)];
  }

  private MessageId messageId() {
    return new MessageId(stream(), Math.min(positive(), MessageId.MAX_SEQUENCE));
  }

  private long positive() {
    long value = any();
    return value < 1 ? 1 + random.nextInt(1_000) : value;
  }

  private <T> List<T> some(int most, Supplier<T> supplier) {
    List<T> list = new ArrayList<>();
    for (int i = random.nextInt(most); i > 0; i--) {
      list.add(supplier.get());
    }
    return list;
  }

  private Channel channel() {
    return random.nextBoolean() ? Channel.MESSAGES : Channel.UPLOADS;
  }
}
