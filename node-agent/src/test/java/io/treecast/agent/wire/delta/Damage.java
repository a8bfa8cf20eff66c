package io.treecast.agent.wire.delta;

import java.util.Arrays;
import java.util.Random;

/** The damage of a fault to a frame. */
public final class Damage {
  private Damage() {}

  /** Returns a copy with a few bits flipped, bytes inserted, or the end cut off. */
  public static byte[] damaged(byte[] bytes, Random random) {
    byte[] damaged = bytes.clone();
    for (int i = 1 + random.nextInt(4); i > 0 && damaged.length > 0; i--) {
      int at = random.nextInt(damaged.length);
      switch (random.nextInt(4)) {
        case 0 -> damaged[at] ^= (byte) (1 << random.nextInt(8));
        case 1 -> damaged[at] = (byte) random.nextInt(256);
        case 2 -> damaged = Arrays.copyOf(damaged, at);
        default -> {
          byte[] longer = new byte[damaged.length + 1];
          System.arraycopy(damaged, 0, longer, 0, at);
          longer[at] = (byte) random.nextInt(256);
          System.arraycopy(damaged, at, longer, at + 1, damaged.length - at);
          damaged = longer;
        }
      }
    }
    return damaged;
  }
}
