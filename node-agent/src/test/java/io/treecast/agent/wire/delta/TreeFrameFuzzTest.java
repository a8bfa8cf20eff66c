package io.treecast.agent.wire.delta;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.protobuf.InvalidProtocolBufferException;
import io.treecast.agent.wire.value.WireViolation;
import io.treecast.ghs.TreeMessage;
import io.treecast.proto.v1.ControlFrame;
import java.util.HexFormat;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * Frames with damage arrive on a stream that trees have crossed: each is a valid message, or
 * refused as no protobuf or as a violation; nothing else is ever thrown, and what is valid can be
 * sent on.
 *
 * <p>{@code -Dtreecast.seed=17} runs that one only, {@code -Dtreecast.seeds=1000000} that many.
 */
@Tag("seeded")
class TreeFrameFuzzTest {
  private static final long DEFAULT_SEEDS = 500;
  private static final int MESSAGES_BEFORE = 8;
  private static final int DAMAGED_COPIES = 5;

  private int valid;
  private int violations;
  private int noProtobuf;

  @Test
  void damaged_frames_are_valid_or_refused() throws Exception {
    Long only = Long.getLong("treecast.seed");
    long first = only == null ? 0 : only;
    long end =
        only == null
            ? Long.getLong(
                "treecast.seeds", DEFAULT_SEEDS * Long.getLong("treecast.seeds.times", 1))
            : only + 1;
    for (long seed = first; seed < end; seed++) {
      damage(seed);
    }
    if (only == null) {
      assertThat(List.of(valid, violations, noProtobuf))
          .as("each outcome is reached often")
          .allMatch(count -> count > (end - first) / 10);
    }
  }

  private void damage(long seed) throws Exception {
    Random random = new Random(seed);
    RandomTrees messages = new RandomTrees(random);
    TreeCodec near = new TreeCodec(TreeSharing.NONE);
    TreeCodec far = new TreeCodec(TreeSharing.NONE);
    for (int i = 0; i < MESSAGES_BEFORE; i++) {
      far.decode(near.encode(messages.next()));
      near.decode(far.encode(messages.next()));
    }
    byte[] bytes = near.encode(messages.next()).toByteArray();
    for (int i = 0; i < DAMAGED_COPIES; i++) {
      arrive(Damage.damaged(bytes, random), far, seed);
    }
  }

  private void arrive(byte[] bytes, TreeCodec far, long seed) {
    try {
      ControlFrame frame = ControlFrame.parseFrom(bytes);
      int kind = frame.getBodyCase().getNumber();
      if (kind < ControlFrame.FRAGMENT_HELLO_FIELD_NUMBER
          || kind > ControlFrame.REFUSE_FIELD_NUMBER) {
        return; // Something else by now, or nothing.
      }
      TreeMessage message = far.decode(frame);
      assertThat(
              new TreeCodec(TreeSharing.NONE)
                  .decode(new TreeCodec(TreeSharing.NONE).encode(message)))
          .isEqualTo(message);
      valid++;
    } catch (WireViolation violation) {
      violations++;
    } catch (InvalidProtocolBufferException e) {
      noProtobuf++;
    } catch (RuntimeException | AssertionError e) {
      throw new AssertionError("seed " + seed + ", bytes " + HexFormat.of().formatHex(bytes), e);
    }
  }
}
