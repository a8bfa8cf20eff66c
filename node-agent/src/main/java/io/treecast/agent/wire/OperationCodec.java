package io.treecast.agent.wire;

import com.google.protobuf.UnsafeByteOperations;
import io.treecast.agent.wire.value.Bounds;
import io.treecast.agent.wire.value.ValueCodec;
import io.treecast.agent.wire.value.WireViolation;
import io.treecast.collectives.group.GroupView;
import io.treecast.collectives.operation.contract.CombiningMessage;
import io.treecast.collectives.operation.contract.ElementType;
import io.treecast.collectives.operation.contract.Operation;
import io.treecast.collectives.operation.contract.Operation.Kind;
import io.treecast.collectives.operation.contract.Operation.Step;
import io.treecast.collectives.operation.contract.Outcome;
import io.treecast.collectives.operation.contract.Outcome.Completed;
import io.treecast.collectives.operation.contract.Outcome.Failed;
import io.treecast.collectives.operation.contract.Reduction;
import io.treecast.collectives.operation.contract.Value;
import io.treecast.collectives.operation.contract.Value.Parts;
import io.treecast.collectives.operation.contract.Value.Vector;
import io.treecast.ghs.NodeId;
import io.treecast.proto.v1.CollectiveFailure;
import io.treecast.proto.v1.CollectiveFailureReason;
import io.treecast.proto.v1.CollectiveKind;
import io.treecast.proto.v1.CollectiveOperation;
import io.treecast.proto.v1.CollectivePart;
import io.treecast.proto.v1.CollectiveResult;
import io.treecast.proto.v1.CollectiveStep;
import io.treecast.proto.v1.CollectiveValue;
import java.nio.ByteBuffer;
import java.util.Collection;
import java.util.List;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * Codec of collective operations, contributions and results, for agents and applications. Payloads
 * are wrapped. A payload that arrived together with others is copied, so that a member retains its
 * own part of a scatter, which counts against the limits, and not the parts of others.
 */
final class OperationCodec {
  /** The prefixes of the names of reductions and types of elements on the wire. */
  private static final String REDUCTION_PREFIX = "REDUCTION_";

  private static final String ELEMENT_TYPE_PREFIX = "ELEMENT_TYPE_";

  private OperationCodec() {}

  static void encode(Operation operation, CollectiveOperation.Builder encoded) {
    encoded.setName(operation.name()).setKind(encode(operation.kind()));
    Reduction reduction = operation.reduction();
    if (reduction != null) {
      encoded.setReduction(encode(reduction));
    }
    NodeId hub = operation.hub();
    if (hub != null) {
      encoded.setHub(hub.toString());
    }
    encoded.addAllParticipants(names(operation.participants())).setMinimum(operation.minimum());
    Step step = operation.step();
    if (step != null) {
      encoded.setStep(encode(step));
    }
    GroupView.Id view = operation.view();
    if (view != null) {
      encoded.setView(GroupCodec.encode(view));
    }
  }

  private static CollectiveKind encode(Kind kind) {
    return switch (kind) {
      case BARRIER -> CollectiveKind.COLLECTIVE_KIND_BARRIER;
      case REDUCE -> CollectiveKind.COLLECTIVE_KIND_REDUCE;
      case GATHER -> CollectiveKind.COLLECTIVE_KIND_GATHER;
      case SCATTER -> CollectiveKind.COLLECTIVE_KIND_SCATTER;
    };
  }

  private static io.treecast.proto.v1.Reduction encode(Reduction reduction) {
    return io.treecast.proto.v1.Reduction.valueOf(REDUCTION_PREFIX + reduction.name());
  }

  private static CollectiveStep encode(Step step) {
    return CollectiveStep.newBuilder()
        .setElements(step.elements())
        .setNumber(step.number())
        .setSegments(step.segments())
        .setWindow(step.window())
        .setMayLoseMembers(step.mayLoseMembers())
        .setChainVersion(step.chainVersion())
        .build();
  }

  /** Returns the ids of members, in order. */
  static List<String> names(Collection<NodeId> members) {
    return members.stream().map(NodeId::toString).toList();
  }

  /** Encodes a value. {@link Value#NOTHING} is an absent field instead. */
  static void encode(Value value, CollectiveValue.Builder encoded) {
    if (value instanceof Vector vector) {
      encoded
          .getVectorBuilder()
          .setType(
              io.treecast.proto.v1.ElementType.valueOf(ELEMENT_TYPE_PREFIX + vector.type().name()))
          .setElements(UnsafeByteOperations.unsafeWrap(vector.packed()));
    } else if (value instanceof Parts parts) {
      var all = encoded.getPartsBuilder();
      parts
          .byMember()
          .forEach(
              (member, payload) ->
                  all.addPartsBuilder()
                      .setMember(member.toString())
                      .setPayload(PayloadBytes.of(payload)));
    }
  }

  static void encode(Completed completed, CollectiveResult.Builder encoded) {
    encoded
        .setTreeVersion(completed.treeVersion())
        .addAllContributors(names(completed.contributors()));
    if (!completed.value().equals(Value.NOTHING)) {
      encode(completed.value(), encoded.getValueBuilder());
    }
  }

  static void encode(Failed failed, CollectiveFailure.Builder encoded) {
    encoded.setReason(encode(failed.reason())).setText(failed.text());
  }

  private static CollectiveFailureReason encode(Outcome.Reason reason) {
    return switch (reason) {
      case MEMBERS_MISSING -> CollectiveFailureReason.COLLECTIVE_FAILURE_REASON_MEMBERS_MISSING;
      case DISAGREEMENT -> CollectiveFailureReason.COLLECTIVE_FAILURE_REASON_DISAGREEMENT;
      case OVERFLOW -> CollectiveFailureReason.COLLECTIVE_FAILURE_REASON_OVERFLOW;
      case TOO_LARGE -> CollectiveFailureReason.COLLECTIVE_FAILURE_REASON_TOO_LARGE;
      case NO_ROOM -> CollectiveFailureReason.COLLECTIVE_FAILURE_REASON_NO_ROOM;
      case NAME_USED -> CollectiveFailureReason.COLLECTIVE_FAILURE_REASON_NAME_USED;
      case NOT_A_PARTICIPANT -> CollectiveFailureReason.COLLECTIVE_FAILURE_REASON_NOT_A_PARTICIPANT;
      case RESULT_LOST -> CollectiveFailureReason.COLLECTIVE_FAILURE_REASON_RESULT_LOST;
      case VIEW_CHANGED -> CollectiveFailureReason.COLLECTIVE_FAILURE_REASON_VIEW_CHANGED;
      case LEFT_OUT -> CollectiveFailureReason.COLLECTIVE_FAILURE_REASON_LEFT_OUT;
    };
  }

  /**
   * Decodes an operation.
   *
   * @param hub the hub if the field is empty; null if there is none
   */
  static Operation decode(CollectiveOperation operation, @Nullable NodeId hub)
      throws WireViolation {
    SortedSet<NodeId> participants = members("participants", operation.getParticipantsList());
    Kind kind = kind(operation);
    Reduction reduction = reduction(operation);
    NodeId namedHub = operation.getHub().isEmpty() ? hub : member("hub", operation.getHub());
    try {
      int minimum = operation.getMinimum() == 0 ? 1 : operation.getMinimum();
      Step step = operation.hasStep() ? step(operation.getStep()) : null;
      Operation decoded =
          new Operation(
              operation.getName(), kind, reduction, namedHub, participants, minimum, step);
      return operation.hasView()
          ? decoded.withView(GroupCodec.decode(operation.getView()))
          : decoded;
    } catch (IllegalArgumentException e) {
      throw new WireViolation("operation: " + e.getMessage());
    }
  }

  private static Step step(CollectiveStep step) {
    return new Step(
        step.getElements(),
        step.getNumber(),
        step.getSegments(),
        step.getWindow(),
        step.getMayLoseMembers(),
        step.getChainVersion());
  }

  static String name(String name) throws WireViolation {
    if (name.isEmpty()) {
      throw new WireViolation("the operation has no name");
    }
    return ValueCodec.topic(name);
  }

  private static Kind kind(CollectiveOperation operation) throws WireViolation {
    return switch (operation.getKind()) {
      case COLLECTIVE_KIND_BARRIER -> Kind.BARRIER;
      case COLLECTIVE_KIND_REDUCE -> Kind.REDUCE;
      case COLLECTIVE_KIND_GATHER -> Kind.GATHER;
      case COLLECTIVE_KIND_SCATTER -> Kind.SCATTER;
      case COLLECTIVE_KIND_UNSPECIFIED, UNRECOGNIZED ->
          throw new WireViolation("operation: kind " + operation.getKindValue() + " is not known");
    };
  }

  private static @Nullable Reduction reduction(CollectiveOperation operation) throws WireViolation {
    return switch (operation.getReduction()) {
      case REDUCTION_UNSPECIFIED -> null;
      case UNRECOGNIZED ->
          throw new WireViolation(
              "operation: reduction " + operation.getReductionValue() + " is not known");
      default ->
          Reduction.valueOf(operation.getReduction().name().substring(REDUCTION_PREFIX.length()));
    };
  }

  /**
   * Decodes members, in order.
   *
   * @param what their role, for errors
   */
  static SortedSet<NodeId> members(String what, List<String> names) throws WireViolation {
    return new TreeSet<>(
        Bounds.all(what, names, CombiningMessage.MAX_MEMBERS, name -> member(what, name)));
  }

  private static NodeId member(String what, String name) throws WireViolation {
    try {
      return NodeId.of(name);
    } catch (IllegalArgumentException e) {
      throw new WireViolation(what + ": " + e.getMessage());
    }
  }

  /** Decodes a value without a check of its size. */
  static Value decode(CollectiveValue value) throws WireViolation {
    return switch (value.getValueCase()) {
      case VECTOR -> vector(value.getVector());
      case PARTS -> parts(value.getParts().getPartsList());
      case VALUE_NOT_SET -> Value.NOTHING;
    };
  }

  private static Vector vector(io.treecast.proto.v1.Vector vector) throws WireViolation {
    ElementType type =
        switch (vector.getType()) {
          case ELEMENT_TYPE_UNSPECIFIED, UNRECOGNIZED ->
              throw new WireViolation(
                  "vector: element type " + vector.getTypeValue() + " is not known");
          default ->
              ElementType.valueOf(vector.getType().name().substring(ELEMENT_TYPE_PREFIX.length()));
        };
    return Bounds.checked("vector: ", () -> Vector.of(type, vector.getElements().toByteArray()));
  }

  private static Parts parts(List<CollectivePart> encoded) throws WireViolation {
    if (encoded.size() > CombiningMessage.MAX_MEMBERS) {
      throw new WireViolation(
          encoded.size() + " parts; allowed are " + CombiningMessage.MAX_MEMBERS);
    }
    TreeMap<NodeId, ByteBuffer> parts = new TreeMap<>();
    for (CollectivePart part : encoded) {
      NodeId member = member("parts", part.getMember());
      if (parts.put(member, PayloadBytes.alone(part.getPayload())) != null) {
        throw new WireViolation("two parts of " + member);
      }
    }
    return new Parts(parts);
  }
}
