package io.treecast.agent.wire;

import io.treecast.agent.core.message.DataMessage.ClaimParcel;
import io.treecast.agent.wire.value.Bounds;
import io.treecast.agent.wire.value.ValueCodec;
import io.treecast.agent.wire.value.WireViolation;
import io.treecast.collectives.claim.ClaimKey;
import io.treecast.collectives.claim.ClaimLimits;
import io.treecast.collectives.claim.ClaimMessage;
import io.treecast.collectives.claim.ClaimMessage.Accepted;
import io.treecast.collectives.claim.ClaimMessage.Available;
import io.treecast.collectives.claim.ClaimMessage.Inquire;
import io.treecast.collectives.claim.ClaimMessage.Propose;
import io.treecast.collectives.claim.ClaimMessage.Refused;
import io.treecast.collectives.claim.ClaimMessage.Release;
import io.treecast.collectives.claim.ClaimMessage.Voted;
import io.treecast.collectives.claim.Owner;
import io.treecast.collectives.claim.RefusalCause;
import io.treecast.ghs.NodeId;
import io.treecast.proto.v1.Claim;
import io.treecast.proto.v1.ClaimOwner;
import io.treecast.proto.v1.ClaimPropose;
import io.treecast.proto.v1.ClaimRefusalCause;
import io.treecast.proto.v1.ClaimRefused;
import io.treecast.proto.v1.ClaimVoted;
import java.util.List;

/** Codec of messages about claims. */
public final class ClaimCodec {
  private static final String CAUSE_PREFIX = "CLAIM_REFUSAL_CAUSE_";

  private ClaimCodec() {}

  static void encode(ClaimParcel parcel, io.treecast.proto.v1.ClaimParcel.Builder encoded) {
    ClaimMessage message = parcel.message();
    encoded
        .setFrom(parcel.from().toString())
        .setTo(parcel.to().toString())
        .setHops(parcel.hops())
        .setClaim(encode(message.key()));
    if (message instanceof Propose propose) {
      encoded
          .getProposeBuilder()
          .setOwner(encode(propose.owner()))
          .setRound(propose.round())
          .setCount(propose.count())
          .setFence(propose.fence())
          .setLeaseNanos(propose.leaseNanos())
          .setTicket(propose.ticket())
          .setHolds(propose.holds());
    } else if (message instanceof Release release) {
      encoded
          .getReleaseBuilder()
          .setOwner(encode(release.owner()))
          .setRound(release.round())
          .setTicket(release.ticket());
    } else if (message instanceof Inquire inquire) {
      encoded.getInquireBuilder().setNumber(inquire.number());
    } else if (message instanceof Accepted accepted) {
      encoded.getAcceptedBuilder().setOwner(encode(accepted.owner())).setRound(accepted.round());
    } else if (message instanceof Refused refused) {
      encoded
          .getRefusedBuilder()
          .setOwner(encode(refused.owner()))
          .setRound(refused.round())
          .setCause(ClaimRefusalCause.valueOf(CAUSE_PREFIX + refused.reason().name()))
          .setCount(refused.count())
          .setRemainingNanos(refused.remainingNanos())
          .setTicket(refused.ticket());
    } else if (message instanceof Available available) {
      encoded.getAvailableBuilder().setOwner(encode(available.owner()));
    } else if (message instanceof Voted voted) {
      ClaimVoted.Builder of =
          encoded
              .getVotedBuilder()
              .setNumber(voted.number())
              .setFence(voted.fence())
              .setRemainingNanos(voted.remainingNanos())
              .setWaiting(voted.waiting());
      if (voted.owner() != null) {
        of.setOwner(encode(voted.owner()));
      }
    }
  }

  private static Claim encode(ClaimKey key) {
    return Claim.newBuilder()
        .setName(key.name())
        .addAllMembers(OperationCodec.names(key.members()))
        .setAdvisory(key.advisory())
        .build();
  }

  private static ClaimOwner encode(Owner owner) {
    return ClaimOwner.newBuilder()
        .setMember(owner.member().toString())
        .setIncarnation(owner.incarnation())
        .setCall(owner.call())
        .build();
  }

  static ClaimParcel decode(io.treecast.proto.v1.ClaimParcel parcel) throws WireViolation {
    ClaimKey key = decode(parcel.getClaim());
    ClaimMessage message =
        switch (parcel.getBodyCase()) {
          case PROPOSE -> decode(key, parcel.getPropose());
          case RELEASE ->
              new Release(
                  key,
                  decode(parcel.getRelease().getOwner()),
                  number("round", parcel.getRelease().getRound()),
                  number("ticket", parcel.getRelease().getTicket()));
          case INQUIRE -> new Inquire(key, number("number", parcel.getInquire().getNumber()));
          case ACCEPTED ->
              new Accepted(
                  key,
                  decode(parcel.getAccepted().getOwner()),
                  number("round", parcel.getAccepted().getRound()));
          case REFUSED -> decode(key, parcel.getRefused());
          case AVAILABLE -> new Available(key, decode(parcel.getAvailable().getOwner()));
          case VOTED -> decode(key, parcel.getVoted());
          case BODY_NOT_SET -> throw new WireViolation("a message about a claim is empty");
        };
    return new ClaimParcel(
        ValueCodec.nodeId(parcel.getFrom()),
        ValueCodec.nodeId(parcel.getTo()),
        (int) within("hops", parcel.getHops(), ClaimParcel.MAX_HOPS),
        message);
  }

  private static Propose decode(ClaimKey key, ClaimPropose propose) throws WireViolation {
    return new Propose(
        key,
        decode(propose.getOwner()),
        number("round", propose.getRound()),
        number("count", propose.getCount()),
        number("fence", propose.getFence()),
        within("lease", propose.getLeaseNanos(), ClaimLimits.MAX_LEASE_NANOS),
        number("ticket", propose.getTicket()),
        propose.getHolds());
  }

  private static Refused decode(ClaimKey key, ClaimRefused refused) throws WireViolation {
    RefusalCause cause =
        switch (refused.getCause()) {
          case CLAIM_REFUSAL_CAUSE_HELD -> RefusalCause.HELD;
          case CLAIM_REFUSAL_CAUSE_NOT_FIRST -> RefusalCause.NOT_FIRST;
          case CLAIM_REFUSAL_CAUSE_LOW_COUNT -> RefusalCause.LOW_COUNT;
          case CLAIM_REFUSAL_CAUSE_ABSTAINS -> RefusalCause.ABSTAINS;
          case CLAIM_REFUSAL_CAUSE_NO_ROOM -> RefusalCause.NO_ROOM;
          case CLAIM_REFUSAL_CAUSE_LONG_LEASE -> RefusalCause.LONG_LEASE;
          case CLAIM_REFUSAL_CAUSE_UNSPECIFIED, UNRECOGNIZED ->
              throw new WireViolation("a vote is refused for an unknown cause");
        };
    return new Refused(
        key,
        decode(refused.getOwner()),
        number("round", refused.getRound()),
        cause,
        number("count", refused.getCount()),
        within("remaining time", refused.getRemainingNanos(), ClaimLimits.MAX_LEASE_NANOS),
        number("ticket", refused.getTicket()));
  }

  private static Voted decode(ClaimKey key, ClaimVoted voted) throws WireViolation {
    return new Voted(
        key,
        number("number", voted.getNumber()),
        voted.hasOwner() ? decode(voted.getOwner()) : null,
        number("fence", voted.getFence()),
        within("remaining time", voted.getRemainingNanos(), ClaimLimits.MAX_LEASE_NANOS),
        (int) within("number of waiting calls", voted.getWaiting(), ClaimLimits.MAX_WAITING));
  }

  private static Owner decode(ClaimOwner owner) throws WireViolation {
    return new Owner(ValueCodec.nodeId(owner.getMember()), owner.getIncarnation(), owner.getCall());
  }

  /**
   * Returns the identity of a claim.
   *
   * @throws WireViolation if the name or the members are not allowed
   */
  public static ClaimKey decode(Claim claim) throws WireViolation {
    List<NodeId> members =
        Bounds.all(
            "members of a claim", claim.getMembersList(), ClaimKey.MAX_MEMBERS, ValueCodec::nodeId);
    if (claim.getName().isEmpty()) {
      throw new WireViolation("the claim has no name");
    }
    return Bounds.checked(
        "", () -> ClaimKey.of(ValueCodec.topic(claim.getName()), members, claim.getAdvisory()));
  }

  private static long number(String what, long value) throws WireViolation {
    return within(what, value, ClaimMessage.MAX_COUNT);
  }

  private static long within(String what, long value, long most) throws WireViolation {
    return Bounds.within("a message about a claim has the " + what + " %s", value, 0, most);
  }
}
