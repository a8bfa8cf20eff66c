package io.treecast.agent.wire;

import io.treecast.agent.core.data.Participation;
import io.treecast.agent.wire.value.Bounds;
import io.treecast.agent.wire.value.WireViolation;
import io.treecast.collectives.operation.contract.ElementType;
import io.treecast.collectives.operation.contract.Operation;
import io.treecast.collectives.operation.contract.Outcome;
import io.treecast.collectives.operation.contract.Outcome.Completed;
import io.treecast.collectives.operation.contract.Outcome.Failed;
import io.treecast.collectives.operation.contract.Value;
import io.treecast.collectives.operation.contract.Value.Parts;
import io.treecast.collectives.operation.contract.Value.Vector;
import io.treecast.ghs.NodeId;
import io.treecast.proto.v1.CollectiveKind;
import io.treecast.proto.v1.CollectiveValue;
import io.treecast.proto.v1.TakePartRequest;
import io.treecast.proto.v1.TakePartResponse;
import java.util.concurrent.TimeUnit;

/** Codec of applications' calls of collective operations, and of their responses. */
public final class TakePartCodec {
  /** The longest wait: a day. */
  static final long MAX_WAIT_MILLIS = TimeUnit.DAYS.toMillis(1);

  private TakePartCodec() {}

  /**
   * Decodes the request of an application of this member.
   *
   * @throws WireViolation if a field is not allowed; the message names the field
   */
  public static Participation decode(NodeId self, TakePartRequest request) throws WireViolation {
    Operation operation =
        OperationCodec.decode(request.getOperation(), isHub(request) ? self : null);
    Value contribution = contribution(self, operation, request.getContribution());
    long waitMillis = request.getWaitMillis();
    boolean isLong = Long.compareUnsigned(waitMillis, MAX_WAIT_MILLIS) > 0;
    long waitNanos = TimeUnit.MILLISECONDS.toNanos(isLong ? MAX_WAIT_MILLIS : waitMillis);
    return Bounds.checked(
        "", () -> Participation.of(self, request.getToken(), operation, contribution, waitNanos));
  }

  private static Value contribution(NodeId self, Operation operation, CollectiveValue given)
      throws WireViolation {
    if (given.hasVector() && operation.reduction() != null) {
      return vector(self, operation, operation.reduction().type(), given);
    }
    // The part belongs to this member.
    return operation.kind() == Operation.Kind.GATHER && given.getParts().getPartsCount() == 1
        ? Parts.of(self, PayloadBytes.of(given.getParts().getParts(0).getPayload()))
        : OperationCodec.decode(given);
  }

  /** Adds this member's number to each element, if the result of the reduction contains members. */
  private static Value vector(
      NodeId self, Operation operation, ElementType type, CollectiveValue given)
      throws WireViolation {
    Value decoded = OperationCodec.decode(given);
    if (!type.hasMember() || operation.isOpening() || !(decoded instanceof Vector vector)) {
      return decoded;
    }
    int number = operation.participants().headSet(self).size();
    return Bounds.checked("contribution: ", () -> vector.ofMember(type, number));
  }

  /**
   * Returns whether this member is the hub if the request names none: it contributes the parts of a
   * scatter.
   */
  private static boolean isHub(TakePartRequest request) {
    return request.getOperation().getKind() == CollectiveKind.COLLECTIVE_KIND_SCATTER
        && request.getContribution().hasParts();
  }

  public static TakePartResponse encode(Outcome outcome) {
    TakePartResponse.Builder response = TakePartResponse.newBuilder();
    if (outcome instanceof Completed completed) {
      OperationCodec.encode(completed, response.getResultBuilder());
    } else if (outcome instanceof Failed failed) {
      OperationCodec.encode(failed, response.getFailureBuilder());
    }
    return response.build();
  }
}
