package io.treecast.agent.runtime.application;

import io.grpc.StatusException;
import io.grpc.stub.StreamObserver;
import io.treecast.agent.core.AgentCore;
import io.treecast.agent.core.publish.ClientShares;
import io.treecast.agent.permission.Action;
import io.treecast.agent.permission.Caller;
import io.treecast.agent.runtime.loop.EventLoop;
import io.treecast.collectives.claim.ClaimEnd;
import io.treecast.collectives.claim.ClaimKey;
import io.treecast.collectives.claim.ClaimState;
import io.treecast.collectives.claim.RefusalCause;
import io.treecast.proto.v1.AcquireClaim;
import io.treecast.proto.v1.HoldResponse;
import io.treecast.proto.v1.InquireClaimResponse;
import io.treecast.proto.v1.RefusalReason;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The applications that wait for claims, hold them, or ask for their holders. On the agent's loop.
 */
public final class ClaimCalls {
  /** The limit of pending inquiries. */
  private static final int MAX_INQUIRIES = 1_000;

  /** The maximum wait: a year. */
  private static final long MAX_WAIT_MILLIS = TimeUnit.DAYS.toMillis(365);

  private final Supplier<AgentCore> core;
  private final EventLoop loop;
  private final Map<Long, Call> calls = new HashMap<>();
  private final Map<Long, StreamObserver<InquireClaimResponse>> inquiries = new HashMap<>();
  private long lastNumber;
  private @Nullable StatusException ended;

  private final LongAdder granted = new LongAdder();
  private final LongAdder lost = new LongAdder();

  /** The calls that hold their claims; may be read by any thread. */
  private final Set<Long> holding = ConcurrentHashMap.newKeySet();

  private final ClientShares shares;

  private record Call(
      Caller caller, String client, ClaimKey key, StreamObserver<HoldResponse> out) {}

  ClaimCalls(Supplier<AgentCore> core, EventLoop loop, int maxCalls) {
    this.core = core;
    this.loop = loop;
    this.shares = new ClientShares(maxCalls);
  }

  /** Begins a call that acquires a claim. Returns its number; 0 if it was refused. */
  long acquire(
      Caller caller,
      String client,
      ClaimKey key,
      AcquireClaim request,
      StreamObserver<HoldResponse> out) {
    if (ended != null) {
      out.onError(ended);
      return 0;
    }
    if (shares.exceedsFairShare(client)) {
      out.onError(
          Refusals.noRoom(shares.refusalReason(client, "limits.claims", "calls for claims")));
      return 0;
    }
    long number = ++lastNumber;
    calls.put(number, new Call(caller, client, key, out));
    shares.add(client, 1);
    long waitMillis = Math.min(request.getWaitMillis(), MAX_WAIT_MILLIS);
    long now = loop.nowNanos();
    core.get()
        .claim(
            claims ->
                claims.acquire(
                    number,
                    key,
                    TimeUnit.MILLISECONDS.toNanos(request.getLeaseMillis()),
                    request.getWaitForHolder(),
                    TimeUnit.MILLISECONDS.toNanos(waitMillis),
                    now),
            now);
    return number;
  }

  /** Returns the number of calls that hold their claims. For any thread. */
  public int held() {
    return holding.size();
  }

  /** Returns how often a call acquired its claim. For any thread. */
  public long granted() {
    return granted.sum();
  }

  /** Returns how often a lease ended before its release. For any thread. */
  public long lost() {
    return lost.sum();
  }

  private @Nullable Call remove(long number) {
    holding.remove(number);
    Call removed = calls.remove(number);
    if (removed != null) {
      shares.remove(removed.client, 1);
    }
    return removed;
  }

  /** Passes on a caller's renewal of its lease. */
  void renew(long call, long question) {
    long now = loop.nowNanos();
    core.get().claim(claims -> claims.renew(call, question, now), now);
  }

  /** Ends a call whose caller has released its claim. */
  void release(long call) {
    Call released = remove(call);
    if (released != null) {
      long now = loop.nowNanos();
      core.get().claim(claims -> claims.release(call, now), now);
      released.out().onCompleted();
    }
  }

  /** Ends a call with an invalid request; no effect if it has ended. */
  void refuse(long call, StatusException why) {
    Call refused = calls.get(call);
    if (refused != null) {
      abandon(call);
      refused.out().onError(why);
    }
  }

  /** Ends a call whose caller has gone. */
  void abandon(long call) {
    if (remove(call) != null) {
      long now = loop.nowNanos();
      core.get().claim(claims -> claims.abandon(call, now), now);
    }
  }

  /** Ends a call whose caller stops renewing, and may rely on the claim until its lease ends. */
  void leave(long call) {
    Call left = calls.get(call);
    if (left != null) {
      abandon(call);
      left.out().onCompleted();
    }
  }

  /** Ends the calls that are no longer permitted; a holder loses its claim. */
  void permissionsChanged() {
    Map.copyOf(calls)
        .forEach(
            (number, call) -> {
              try {
                Refusals.requirePermission(call.caller, Action.CLAIM, List.of(call.key.name()));
              } catch (StatusException refusal) {
                refuse(number, refusal);
              }
            });
  }

  /** Asks the members for the holder of a claim. */
  void inquire(ClaimKey key, StreamObserver<InquireClaimResponse> out) {
    if (ended != null || inquiries.size() == MAX_INQUIRIES) {
      out.onError(
          ended != null ? ended : Refusals.noRoom(MAX_INQUIRIES + " inquiries wait already"));
      return;
    }
    long number = ++lastNumber;
    inquiries.put(number, out);
    long now = loop.nowNanos();
    core.get().claim(claims -> claims.inquire(number, key, now), now);
  }

  /** Reports that a call holds its claim. */
  public void held(long call, long question, long fence, long remainingNanos) {
    Call of = calls.get(call);
    if (of != null) {
      if (holding.add(call)) {
        granted.increment();
      }
      of.out()
          .onNext(
              HoldResponse.newBuilder()
                  .setNumber(question)
                  .setFence(fence)
                  .setRemainingNanos(Math.max(0, remainingNanos))
                  .build());
    }
  }

  /** Reports that a call does not hold its claim and will not acquire it. */
  public void ended(long call, ClaimEnd end) {
    Call of = remove(call);
    if (end.reason() == ClaimEnd.Reason.LOST) {
      lost.increment();
    }
    if (of != null) {
      of.out().onError(failure(of.key(), end));
    }
  }

  private static StatusException failure(ClaimKey key, ClaimEnd end) {
    String claim = "claim '" + key.name() + "' among " + key.members();
    return switch (end.reason()) {
      case HELD ->
          Refusals.of(
              RefusalReason.REFUSAL_REASON_CLAIM_HELD,
              claim + " is held by another caller: wait for it, or ask for its holder");
      case NO_MAJORITY ->
          Refusals.of(
              RefusalReason.REFUSAL_REASON_NO_MAJORITY,
              claim
                  + " needs the votes of "
                  + end.needed()
                  + " of them ("
                  + votes(end)
                  + "): bring members up, or wait until those that have started vote");
      case LOST ->
          Refusals.of(
              RefusalReason.REFUSAL_REASON_CLAIM_LOST,
              "the lease of " + claim + " ended before it was renewed: acquire it again");
      case NO_ROOM ->
          Refusals.noRoom("the limit of calls for claims, or of claims at members, is reached");
      case LONG_LEASE ->
          Refusals.invalid(
              "the lease of " + claim + " is longer than limits.leaseMillis of its members");
    };
  }

  private static String votes(ClaimEnd end) {
    List<String> votes = new ArrayList<>();
    end.granted().forEach(member -> votes.add(member + " granted it"));
    end.refused().forEach((member, cause) -> votes.add(member + " " + refusal(cause)));
    end.silent().forEach(member -> votes.add(member + " did not answer"));
    return votes.isEmpty() ? "the present tree has no member of it" : String.join(", ", votes);
  }

  private static String refusal(RefusalCause cause) {
    return switch (cause) {
      case HELD -> "has granted it to another caller";
      case NOT_FIRST -> "has callers that have waited longer";
      case LOW_COUNT -> "has seen a later request of another caller";
      case ABSTAINS -> "does not vote yet after its start";
      case NO_ROOM -> "has no room for another claim";
      case LONG_LEASE -> "permits no such lease";
    };
  }

  /** Answers an inquiry. */
  public void answered(long inquiry, ClaimState state) {
    StreamObserver<InquireClaimResponse> out = inquiries.remove(inquiry);
    if (out != null) {
      out.onNext(
          InquireClaimResponse.newBuilder()
              .setAnswers(state.answers())
              .setNeeded(state.needed())
              .setHolder(state.holder() == null ? "" : state.holder().member().toString())
              .setFence(state.fence())
              .setRemainingNanos(state.remainingNanos())
              .setWaiting(state.waiting())
              .build());
      out.onCompleted();
    }
  }

  /** Ends all calls because the agent shuts down; later calls are refused. */
  void end() {
    StatusException why = Refusals.shuttingDown();
    ended = why;
    Map<Long, Call> left = Map.copyOf(calls);
    left.keySet().forEach(this::remove);
    left.values().forEach(call -> call.out().onError(why));
    inquiries.values().forEach(out -> out.onError(why));
    inquiries.clear();
  }
}
