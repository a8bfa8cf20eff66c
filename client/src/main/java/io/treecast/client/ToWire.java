package io.treecast.client;

import com.google.protobuf.ByteString;
import io.treecast.proto.v1.CollectiveKind;
import io.treecast.proto.v1.CollectiveOperation;
import io.treecast.proto.v1.CollectivePart;
import io.treecast.proto.v1.CollectiveParts;
import io.treecast.proto.v1.CollectiveValue;
import io.treecast.proto.v1.Reduction;
import io.treecast.proto.v1.SubscribeRequest;
import java.util.Map;

/** Converts this package's public types into wire messages for the agent. */
final class ToWire {
  private ToWire() {}

  static SubscribeRequest subscribeRequest(SubscribeOptions options) {
    SubscribeRequest.Builder request =
        SubscribeRequest.newBuilder()
            .setWhenSlow(whenSlow(options.whenSlow()))
            .addAllTopics(options.topics())
            .setInTotalOrder(options.inTotalOrder());
    if (options.start() instanceof SubscriptionStart.After after) {
      request.setStart(io.treecast.proto.v1.SubscriptionStart.SUBSCRIPTION_START_AFTER);
      after.positions().messages().forEach(message -> request.addAfter(messageId(message)));
    } else if (options.start() instanceof SubscriptionStart.Retained) {
      request.setStart(io.treecast.proto.v1.SubscriptionStart.SUBSCRIPTION_START_RETAINED);
    } else {
      request.setStart(io.treecast.proto.v1.SubscriptionStart.SUBSCRIPTION_START_NOW);
    }
    return request.build();
  }

  static io.treecast.proto.v1.MessageId messageId(MessageId id) {
    return io.treecast.proto.v1.MessageId.newBuilder()
        .setOrigin(id.origin())
        .setIncarnation(id.incarnation())
        .setTopic(id.topic())
        .setLane(id.lane())
        .setSequence(id.sequence())
        .build();
  }

  private static io.treecast.proto.v1.WhenSlow whenSlow(WhenSlow whenSlow) {
    return switch (whenSlow) {
      case SLOW_PUBLISHER -> io.treecast.proto.v1.WhenSlow.WHEN_SLOW_SLOW_PUBLISHER;
      case CATCH_UP -> io.treecast.proto.v1.WhenSlow.WHEN_SLOW_CATCH_UP;
      case GAP -> io.treecast.proto.v1.WhenSlow.WHEN_SLOW_GAP;
    };
  }

  /** Returns an operation with the options' participants and minimum. */
  static CollectiveOperation.Builder operation(
      String name, CollectiveKind kind, CollectiveOptions options) {
    CollectiveOperation.Builder operation =
        CollectiveOperation.newBuilder()
            .setName(name)
            .setKind(kind)
            .addAllParticipants(options.participants());
    return options.minimum() == 1 ? operation : operation.setMinimum(options.minimum());
  }

  static Reduction reduction(LongReduction reduction) {
    return switch (reduction) {
      case SUM -> Reduction.REDUCTION_SUM_OF_LONGS;
      case MIN -> Reduction.REDUCTION_MIN_OF_LONGS;
      case MAX -> Reduction.REDUCTION_MAX_OF_LONGS;
    };
  }

  static Reduction reduction(DoubleReduction reduction) {
    return switch (reduction) {
      case SUM -> Reduction.REDUCTION_SUM_OF_DOUBLES;
      case MIN -> Reduction.REDUCTION_MIN_OF_DOUBLES;
      case MAX -> Reduction.REDUCTION_MAX_OF_DOUBLES;
    };
  }

  static CollectiveValue vector(long[] elements) {
    return vector(NumberVector.of(elements));
  }

  static CollectiveValue vector(double[] elements) {
    return vector(NumberVector.of(elements));
  }

  /** Returns a copy of a whole vector. */
  static CollectiveValue vector(NumberVector elements) {
    return CollectiveValue.newBuilder().setVector(elements.segment(0, elements.length())).build();
  }

  /**
   * Returns the reduction of vectors of a type.
   *
   * @throws IllegalArgumentException if it is not defined for the type
   */
  static Reduction reduction(VectorReduction reduction, NumberVector vector) {
    boolean isOfBits =
        reduction == VectorReduction.AND
            || reduction == VectorReduction.OR
            || reduction == VectorReduction.XOR;
    if (vector.isOfWholeNumbers() ? reduction == VectorReduction.MEAN : isOfBits) {
      throw new IllegalArgumentException(
          reduction + " is not defined for elements of type " + vector.typeName());
    }
    return reduction(
        (reduction == VectorReduction.MEAN ? VectorReduction.SUM : reduction).name(), vector);
  }

  /** Returns the reduction that finds the members with the lowest or highest elements. */
  static Reduction located(VectorReduction extreme, NumberVector vector) {
    if (extreme != VectorReduction.MIN && extreme != VectorReduction.MAX) {
      throw new IllegalArgumentException(extreme + " has no member; allowed are MIN and MAX");
    }
    return reduction("ARG" + extreme.name(), vector);
  }

  private static Reduction reduction(String operator, NumberVector vector) {
    return Reduction.valueOf("REDUCTION_" + operator + "_OF_" + vector.typeName() + "S");
  }

  /** Returns this member's contribution to a gather; its agent fills in the member's id. */
  static CollectiveValue ownPart(byte[] payload) {
    CollectivePart.Builder part =
        CollectivePart.newBuilder().setPayload(ByteString.copyFrom(payload));
    return CollectiveValue.newBuilder()
        .setParts(CollectiveParts.newBuilder().addParts(part))
        .build();
  }

  static CollectiveValue parts(Map<String, byte[]> byMember) {
    CollectiveParts.Builder parts = CollectiveParts.newBuilder();
    byMember.forEach(
        (member, payload) ->
            parts.addParts(
                CollectivePart.newBuilder()
                    .setMember(member)
                    .setPayload(ByteString.copyFrom(payload))));
    return CollectiveValue.newBuilder().setParts(parts).build();
  }
}
