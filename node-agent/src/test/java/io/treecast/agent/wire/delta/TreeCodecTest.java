package io.treecast.agent.wire.delta;

import static org.assertj.core.api.Assertions.assertThat;

import io.treecast.ghs.TreeMessage;
import io.treecast.proto.v1.ControlFrame;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * Two ends of a stream say random things to each other, and their messages cross: each comes out as
 * it went in.
 */
@Tag("seeded")
class TreeCodecTest {
  private static final long DEFAULT_SEEDS = 100;
  private static final int MESSAGES = 120;

  private final Map<ControlFrame.BodyCase, Integer> withBase =
      new EnumMap<>(ControlFrame.BodyCase.class);
  private final Map<ControlFrame.BodyCase, Integer> withoutBase =
      new EnumMap<>(ControlFrame.BodyCase.class);
  private int namedOwn;
  private int namedOfOtherEnd;
  private int notKept;
  private int echoesWithSomebodyTwice;

  /** Both ends, and what is under way between them. */
  private final class Stream {
    private final TreeCodec[] ends = {
      new TreeCodec(TreeSharing.NONE), new TreeCodec(TreeSharing.NONE)
    };
    private final Deque<byte[]>[] underWay = queues();
    private final Deque<TreeMessage>[] sent = queues();
    private int bytesHash;

    @SuppressWarnings({"unchecked", "rawtypes"})
    private static <T> Deque<T>[] queues() {
      return new Deque[] {new ArrayDeque<T>(), new ArrayDeque<T>()};
    }

    void send(int end, TreeMessage message) {
      ControlFrame frame = ends[end].encode(message);
      count(frame);
      byte[] bytes = frame.toByteArray();
      for (byte octet : bytes) {
        bytesHash = bytesHash * 31 + octet;
      }
      underWay[end].add(bytes);
      sent[end].add(message);
    }

    void deliverOneFrom(int end, long seed) throws Exception {
      byte[] bytes = underWay[end].poll();
      if (bytes != null) {
        assertThat(ends[1 - end].decode(ControlFrame.parseFrom(bytes)))
            .as("seed %d", seed)
            .isEqualTo(sent[end].remove());
      }
    }

    boolean isQuiet() {
      return underWay[0].isEmpty() && underWay[1].isEmpty();
    }
  }

  private void count(ControlFrame frame) {
    Map<ControlFrame.BodyCase, Integer> counted = frame.getBaseTree() == 0 ? withoutBase : withBase;
    counted.merge(frame.getBodyCase(), 1, Integer::sum);
    if (frame.getBaseTree() > 0) {
      if (frame.getBaseTree() % 2 == 0) {
        namedOwn++;
      } else {
        namedOfOtherEnd++;
      }
    }
    notKept += frame.getCommit().getIsNotKept() ? 1 : 0;
    echoesWithSomebodyTwice += frame.getReport().getEcho().getAnswersCount() > 0 ? 1 : 0;
  }

  private int run(long seed) throws Exception {
    Random random = new Random(seed);
    RandomTrees messages = new RandomTrees(random);
    Stream stream = new Stream();
    boolean isOneSided = random.nextInt(4) == 0;
    for (int i = 0; i < MESSAGES; i++) {
      stream.send(isOneSided && random.nextInt(20) > 0 ? 0 : random.nextInt(2), messages.next());
      for (int deliveries = random.nextInt(4); deliveries > 0; deliveries--) {
        stream.deliverOneFrom(random.nextInt(2), seed);
      }
    }
    while (!stream.isQuiet()) {
      stream.deliverOneFrom(random.nextInt(2), seed);
    }
    return stream.bytesHash;
  }

  private static long[] seeds() {
    Long only = Long.getLong("treecast.seed");
    return only == null
        ? LongStream.range(
                0,
                Long.getLong(
                    "treecast.seeds", DEFAULT_SEEDS * Long.getLong("treecast.seeds.times", 1)))
            .toArray()
        : new long[] {only};
  }

  @Test
  void every_message_comes_out_as_it_went_in_whatever_crosses_it() throws Exception {
    for (long seed : seeds()) {
      run(seed);
    }
    if (Long.getLong("treecast.seed") == null) {
      Set<ControlFrame.BodyCase> kinds =
          EnumSet.range(ControlFrame.BodyCase.FRAGMENT_HELLO, ControlFrame.BodyCase.REFUSE);
      assertThat(withBase.keySet()).containsExactlyInAnyOrderElementsOf(kinds);
      assertThat(withoutBase.keySet()).containsExactlyInAnyOrderElementsOf(kinds);
      assertThat(kinds).hasSize(14);
      assertThat(List.of(namedOwn, namedOfOtherEnd, notKept, echoesWithSomebodyTwice))
          .as("each is reached often")
          .allMatch(times -> times > 20);
    }
  }

  @Test
  void the_same_messages_in_the_same_order_are_the_same_bytes() throws Exception {
    for (long seed = 0; seed < 20; seed++) {
      assertThat(run(seed)).as("seed %d", seed).isEqualTo(run(seed));
    }
  }
}
