package io.treecast.agent.wire;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import com.google.protobuf.InvalidProtocolBufferException;
import io.treecast.agent.core.message.DataMessage;
import io.treecast.agent.core.message.PeerMessage;
import io.treecast.agent.wire.delta.Damage;
import io.treecast.agent.wire.value.RecentStreams;
import io.treecast.agent.wire.value.WireViolation;
import io.treecast.proto.v1.ControlFrame;
import io.treecast.proto.v1.DataFrame;
import java.util.HexFormat;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * Whatever comes in is a valid message, or refused as no protobuf or as a violation; nothing else
 * is ever thrown, and what is valid can be sent on.
 *
 * <p>{@code -Dtreecast.seed=17} runs that one only, {@code -Dtreecast.seeds=1000000} that many.
 */
@Tag("seeded")
class FrameFuzzTest {
  private static final long DEFAULT_SEEDS = 500;

  private int valid;
  private int violations;
  private int noProtobuf;

  @Test
  void random_bytes_and_mutated_frames_are_valid_or_refused() {
    Long only = Long.getLong("treecast.seed");
    long first = only == null ? 0 : only;
    long end =
        only == null
            ? Long.getLong(
                "treecast.seeds", DEFAULT_SEEDS * Long.getLong("treecast.seeds.times", 1))
            : only + 1;
    for (long seed = first; seed < end; seed++) {
      Random random = new Random(seed);
      if (random.nextInt(10) == 0) {
        byte[] bytes = new byte[random.nextInt(100)];
        random.nextBytes(bytes);
        control(bytes, seed);
        data(bytes, seed);
      } else {
        RandomMessages messages = new RandomMessages(random);
        List<PeerMessage> peer = messages.onePeerMessageOfEachKind();
        control(
            Damage.damaged(
                new PeerCodec().encode(peer.get(random.nextInt(peer.size()))).toByteArray(),
                random),
            seed);
        List<DataMessage> data = messages.oneDataMessageOfEachKind();
        data(
            Damage.damaged(
                DataCodec.encode(data.get(random.nextInt(data.size()))).toByteArray(), random),
            seed);
      }
    }
    if (only == null) {
      assertThat(List.of(valid, violations, noProtobuf))
          .as("each outcome is reached often")
          .allMatch(count -> count > (end - first) / 100);
    }
  }

  private void control(byte[] bytes, long seed) {
    try {
      PeerMessage message = new PeerCodec().decode(ControlFrame.parseFrom(bytes));
      assertThat(new PeerCodec().decode(new PeerCodec().encode(message))).isEqualTo(message);
      valid++;
    } catch (WireViolation violation) {
      violations++;
    } catch (InvalidProtocolBufferException e) {
      noProtobuf++;
    } catch (RuntimeException | AssertionError e) {
      throw failure(bytes, seed, e);
    }
  }

  private void data(byte[] bytes, long seed) {
    try {
      DataMessage message = DataCodec.decode(DataFrame.parseFrom(bytes));
      assertThat(DataCodec.decode(DataCodec.encode(message))).isEqualTo(message);
      assertThat(DataCodec.decode(bytes.clone(), new RecentStreams())).isEqualTo(message);
      valid++;
    } catch (WireViolation violation) {
      assertRefused(bytes);
      violations++;
    } catch (InvalidProtocolBufferException e) {
      assertRefused(bytes);
      noProtobuf++;
    } catch (RuntimeException | AssertionError e) {
      throw failure(bytes, seed, e);
    }
  }

  /** Data streams read chunks without protobuf, and have to refuse the same. */
  private static void assertRefused(byte[] bytes) {
    assertThatExceptionOfType(WireViolation.class)
        .isThrownBy(() -> DataCodec.decode(bytes.clone(), new RecentStreams()));
  }

  private static AssertionError failure(byte[] bytes, long seed, Throwable cause) {
    return new AssertionError("seed " + seed + ", bytes " + HexFormat.of().formatHex(bytes), cause);
  }
}
