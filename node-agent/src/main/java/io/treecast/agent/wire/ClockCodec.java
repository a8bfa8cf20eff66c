package io.treecast.agent.wire;

import io.treecast.agent.core.message.DataMessage.TimeOfRoot;
import io.treecast.agent.wire.value.Bounds;
import io.treecast.agent.wire.value.WireViolation;
import io.treecast.collectives.clock.RootTime;

/** Codec of the root's time. */
final class ClockCodec {
  private ClockCodec() {}

  static void encode(TimeOfRoot message, io.treecast.proto.v1.RootTime.Builder encoded) {
    RootTime time = message.time();
    encoded
        .setEpoch(CollectiveCodec.encode(time.epoch()))
        .setAtNanos(time.atNanos())
        .setRootNanos(time.rootNanos())
        .setErrorNanos(time.errorNanos());
  }

  static TimeOfRoot decode(io.treecast.proto.v1.RootTime time) throws WireViolation {
    return new TimeOfRoot(
        new RootTime(
            CollectiveCodec.decode(time.getEpoch()),
            clockNanos(time.getAtNanos()),
            clockNanos(time.getRootNanos()),
            Bounds.within(
                "the root's time has an error of %s ns",
                time.getErrorNanos(), 0, RootTime.MAX_ERROR_NANOS)));
  }

  private static long clockNanos(long nanos) throws WireViolation {
    if (Math.abs(nanos) > RootTime.MAX_CLOCK_NANOS || nanos == Long.MIN_VALUE) {
      throw new WireViolation(
          "a clock shows %1$s ns; allowed are -%2$s to %2$s"
              .formatted(nanos, RootTime.MAX_CLOCK_NANOS));
    }
    return nanos;
  }
}
