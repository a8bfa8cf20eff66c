package io.treecast.agent.wire;

import io.treecast.agent.wire.value.Bounds;
import io.treecast.agent.wire.value.ValueCodec;
import io.treecast.agent.wire.value.WireViolation;
import io.treecast.collectives.broadcast.tree.TreeEpoch;
import io.treecast.collectives.operation.contract.CombiningLimits;
import io.treecast.collectives.operation.contract.CombiningMessage;
import io.treecast.collectives.operation.contract.CombiningMessage.Answer;
import io.treecast.collectives.operation.contract.CombiningMessage.ChainLeft;
import io.treecast.collectives.operation.contract.CombiningMessage.Contribution;
import io.treecast.collectives.operation.contract.CombiningMessage.Credit;
import io.treecast.collectives.operation.contract.CombiningMessage.Missing;
import io.treecast.collectives.operation.contract.CombiningMessage.Question;
import io.treecast.collectives.operation.contract.Outcome;
import io.treecast.collectives.operation.contract.Outcome.Choice;
import io.treecast.collectives.operation.contract.Outcome.Completed;
import io.treecast.collectives.operation.contract.Outcome.Failed;
import io.treecast.collectives.operation.contract.Value;
import io.treecast.proto.v1.CollectiveAnswer;
import io.treecast.proto.v1.CollectiveChainLeft;
import io.treecast.proto.v1.CollectiveChoice;
import io.treecast.proto.v1.CollectiveContribution;
import io.treecast.proto.v1.CollectiveCredit;
import io.treecast.proto.v1.CollectiveFailure;
import io.treecast.proto.v1.CollectiveMissing;
import io.treecast.proto.v1.CollectiveOutcome;
import io.treecast.proto.v1.CollectiveQuestion;
import io.treecast.proto.v1.CollectiveResult;
import io.treecast.proto.v1.CollectiveValue;
import io.treecast.proto.v1.DataFrame;
import org.jspecify.annotations.Nullable;

/** Codec of messages about collective operations. */
final class CollectiveCodec {
  /** The maximum credit on one stream; sums of it do not overflow. */
  private static final long MAX_CREDIT_BYTES = 1L << 62;

  private CollectiveCodec() {}

  static void encode(CombiningMessage message, DataFrame.Builder frame) {
    if (message instanceof Contribution contribution) {
      encode(contribution, frame.getCollectiveContributionBuilder());
    } else if (message instanceof Answer answer) {
      CollectiveAnswer.Builder encoded = frame.getCollectiveAnswerBuilder();
      encoded
          .setName(answer.name())
          .setNumber(answer.number())
          .addAllMembers(OperationCodec.names(answer.members()));
      encode(answer.outcome(), encoded.getOutcomeBuilder());
    } else if (message instanceof Question question) {
      CollectiveQuestion.Builder encoded = frame.getCollectiveQuestionBuilder();
      OperationCodec.encode(question.operation(), encoded.getOperationBuilder());
      encoded.setEpoch(encode(question.epoch())).setPatienceMillis(question.patienceMillis());
      encoded.setLastReceived(question.lastReceived());
    } else if (message instanceof Missing missing) {
      frame
          .getCollectiveMissingBuilder()
          .setName(missing.name())
          .setEpoch(encode(missing.epoch()))
          .addAllMembers(OperationCodec.names(missing.members()));
    } else if (message instanceof ChainLeft left) {
      frame.getCollectiveChainLeftBuilder().setEpoch(encode(left.epoch()));
    } else if (message instanceof Credit credit) {
      frame.getCollectiveCreditBuilder().setBytes(credit.bytes());
    } else {
      throw new IllegalArgumentException("no frame is defined for " + message);
    }
  }

  private static void encode(Contribution contribution, CollectiveContribution.Builder encoded) {
    OperationCodec.encode(contribution.operation(), encoded.getOperationBuilder());
    encoded
        .setEpoch(encode(contribution.epoch()))
        .setComplete(contribution.complete())
        .addAllWaiting(OperationCodec.names(contribution.waiting()))
        .addAllDone(OperationCodec.names(contribution.done()))
        .setSurveyed(contribution.surveyed())
        .setOverdue(contribution.overdue())
        .setPatienceMillis(contribution.patienceMillis())
        .setNumber(contribution.number());
    if (!contribution.value().equals(Value.NOTHING)) {
      OperationCodec.encode(contribution.value(), encoded.getValueBuilder());
    }
    Outcome outcome = contribution.outcome();
    if (outcome != null) {
      encode(outcome, encoded.getOutcomeBuilder());
    }
  }

  static io.treecast.proto.v1.TreeEpoch encode(TreeEpoch epoch) {
    return io.treecast.proto.v1.TreeEpoch.newBuilder()
        .setTreeVersion(epoch.treeVersion())
        .setRoot(epoch.root().toString())
        .setRootIncarnation(epoch.rootIncarnation())
        .setAfterChain(epoch.isAfterChain())
        .build();
  }

  private static void encode(Outcome outcome, CollectiveOutcome.Builder encoded) {
    if (outcome instanceof Completed completed) {
      OperationCodec.encode(completed, encoded.getResultBuilder());
      Choice choice = completed.choice();
      if (choice != null) {
        encoded
            .getChoiceBuilder()
            .setTreeVersion(choice.treeVersion())
            .addAllMembers(OperationCodec.names(choice.members()));
      }
    } else if (outcome instanceof Failed failed) {
      OperationCodec.encode(failed, encoded.getFailureBuilder());
    }
  }

  static Contribution decode(CollectiveContribution contribution) throws WireViolation {
    if (contribution.hasValue() && contribution.hasOutcome()) {
      throw new WireViolation("contribution with a value and an outcome");
    }
    if (contribution.hasValue() && !contribution.getComplete()) {
      throw new WireViolation("contribution with a value that is not complete");
    }
    return new Contribution(
        OperationCodec.decode(contribution.getOperation(), null),
        decode(contribution.getEpoch()),
        contribution.getComplete(),
        OperationCodec.members("members that wait", contribution.getWaitingList()),
        OperationCodec.members("members that are done", contribution.getDoneList()),
        bounded(contribution.getValue()),
        contribution.hasOutcome() ? decode(contribution.getOutcome()) : null,
        contribution.getSurveyed(),
        contribution.getOverdue(),
        patienceMillis(contribution.getPatienceMillis()),
        contribution.getNumber());
  }

  static Answer decode(CollectiveAnswer answer) throws WireViolation {
    return new Answer(
        OperationCodec.name(answer.getName()),
        answer.getNumber(),
        decode(answer.getOutcome()),
        OperationCodec.members("members of an answer", answer.getMembersList()));
  }

  static Question decode(CollectiveQuestion question) throws WireViolation {
    return new Question(
        OperationCodec.decode(question.getOperation(), null),
        decode(question.getEpoch()),
        patienceMillis(question.getPatienceMillis()),
        question.getLastReceived());
  }

  static Missing decode(CollectiveMissing missing) throws WireViolation {
    return new Missing(
        OperationCodec.name(missing.getName()),
        decode(missing.getEpoch()),
        OperationCodec.members("members that are missing", missing.getMembersList()));
  }

  static ChainLeft decode(CollectiveChainLeft left) throws WireViolation {
    TreeEpoch epoch = decode(left.getEpoch());
    if (!epoch.isAfterChain()) {
      throw new WireViolation("a chain is left for the epoch of the chain");
    }
    return new ChainLeft(epoch);
  }

  static Credit decode(CollectiveCredit credit) throws WireViolation {
    return new Credit(Bounds.within("credit of %s bytes", credit.getBytes(), 0, MAX_CREDIT_BYTES));
  }

  static TreeEpoch decode(io.treecast.proto.v1.TreeEpoch epoch) throws WireViolation {
    return new TreeEpoch(
        DataCodec.treeVersion(epoch.getTreeVersion()),
        ValueCodec.nodeId(epoch.getRoot()),
        epoch.getRootIncarnation(),
        epoch.getAfterChain());
  }

  private static long patienceMillis(long millis) throws WireViolation {
    return Bounds.within("patience of %s ms", millis, 0, TakePartCodec.MAX_WAIT_MILLIS);
  }

  /** Decodes a value within the limits. */
  private static Value bounded(CollectiveValue encoded) throws WireViolation {
    Value value = OperationCodec.decode(encoded);
    if (value.cost() > CombiningLimits.MAX_VALUE_BYTES) {
      throw new WireViolation(
          "value of " + value.cost() + " bytes; allowed are " + CombiningLimits.MAX_VALUE_BYTES);
    }
    return value;
  }

  private static Outcome decode(CollectiveOutcome outcome) throws WireViolation {
    return switch (outcome.getOutcomeCase()) {
      case RESULT ->
          decode(outcome.getResult(), outcome.hasChoice() ? decode(outcome.getChoice()) : null);
      case FAILURE -> decode(outcome.getFailure());
      case OUTCOME_NOT_SET -> throw new WireViolation("outcome without result or failure");
    };
  }

  private static Completed decode(CollectiveResult result, @Nullable Choice choice)
      throws WireViolation {
    return new Completed(
        DataCodec.treeVersion(result.getTreeVersion()),
        OperationCodec.members("contributors", result.getContributorsList()),
        bounded(result.getValue()),
        choice);
  }

  private static Choice decode(CollectiveChoice choice) throws WireViolation {
    return new Choice(
        DataCodec.treeVersion(choice.getTreeVersion()),
        OperationCodec.members("members of a choice", choice.getMembersList()));
  }

  private static Failed decode(CollectiveFailure failure) throws WireViolation {
    return new Failed(reason(failure), failure.getText().replaceAll("\\p{Cntrl}", "?"));
  }

  private static Outcome.Reason reason(CollectiveFailure failure) throws WireViolation {
    return switch (failure.getReason()) {
      case COLLECTIVE_FAILURE_REASON_MEMBERS_MISSING -> Outcome.Reason.MEMBERS_MISSING;
      case COLLECTIVE_FAILURE_REASON_DISAGREEMENT -> Outcome.Reason.DISAGREEMENT;
      case COLLECTIVE_FAILURE_REASON_OVERFLOW -> Outcome.Reason.OVERFLOW;
      case COLLECTIVE_FAILURE_REASON_TOO_LARGE -> Outcome.Reason.TOO_LARGE;
      case COLLECTIVE_FAILURE_REASON_NO_ROOM -> Outcome.Reason.NO_ROOM;
      case COLLECTIVE_FAILURE_REASON_NAME_USED -> Outcome.Reason.NAME_USED;
      case COLLECTIVE_FAILURE_REASON_NOT_A_PARTICIPANT -> Outcome.Reason.NOT_A_PARTICIPANT;
      case COLLECTIVE_FAILURE_REASON_RESULT_LOST -> Outcome.Reason.RESULT_LOST;
      case COLLECTIVE_FAILURE_REASON_LEFT_OUT -> Outcome.Reason.LEFT_OUT;
      case COLLECTIVE_FAILURE_REASON_VIEW_CHANGED -> Outcome.Reason.VIEW_CHANGED;
      case COLLECTIVE_FAILURE_REASON_UNSPECIFIED, UNRECOGNIZED ->
          throw new WireViolation("failure for the unknown reason " + failure.getReasonValue());
    };
  }
}
