package io.treecast.agent.runtime.fault;

import io.grpc.Status;
import io.grpc.StatusException;
import io.grpc.stub.ServerCallStreamObserver;
import io.grpc.stub.StreamObserver;
import io.treecast.agent.transport.emulation.LinkEmulation;
import io.treecast.ghs.NodeId;
import io.treecast.proto.v1.CutLink;
import io.treecast.proto.v1.FaultServiceGrpc;
import io.treecast.proto.v1.FaultyLink;
import io.treecast.proto.v1.InjectFaultRequest;
import io.treecast.proto.v1.InjectFaultResponse;
import io.treecast.proto.v1.LinkFault;
import io.treecast.proto.v1.ListFaultsRequest;
import io.treecast.proto.v1.ListFaultsResponse;
import io.treecast.proto.v1.Member;
import io.treecast.proto.v1.SetRoundTrip;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * The gRPC service that injects faults; refuses all calls if faults are not allowed. Runs on gRPC's
 * threads, never the agent's, so that a paused agent can be healed.
 */
public final class FaultEndpoint extends FaultServiceGrpc.FaultServiceImplBase {
  /** The maximum pause. */
  static final long MAX_PAUSE_MILLIS = TimeUnit.MINUTES.toMillis(10);

  /** The agent itself as the target of faults. Thread-safe. */
  interface Body {
    /** Starts to end the agent without goodbyes. */
    void crash();

    /** Pauses the agent; returns false if it is paused already. */
    boolean pause();

    void resume();

    boolean isPaused();
  }

  private final NodeId self;
  private final @Nullable LinkEmulation emulation;
  private final Body body;

  /**
   * Creates an endpoint.
   *
   * @param self the agent
   * @param emulation the emulation of its links; null if faults are not allowed
   * @param body the agent itself
   */
  public FaultEndpoint(NodeId self, @Nullable LinkEmulation emulation, Body body) {
    this.self = self;
    this.emulation = emulation;
    this.body = body;
  }

  @Override
  public void injectFault(
      InjectFaultRequest request, StreamObserver<InjectFaultResponse> response) {
    try {
      LinkEmulation links = allowed();
      if (!request.getNodeId().equals(self.toString())) {
        throw Status.FAILED_PRECONDITION
            .withDescription("this is agent " + self + ", not " + request.getNodeId())
            .asException();
      }
      inject(request, links, (ServerCallStreamObserver<InjectFaultResponse>) response);
      response.onNext(InjectFaultResponse.getDefaultInstance());
      response.onCompleted();
    } catch (IllegalArgumentException e) {
      response.onError(Status.INVALID_ARGUMENT.withDescription(e.getMessage()).asException());
    } catch (StatusException e) {
      response.onError(e);
    }
  }

  private void inject(
      InjectFaultRequest request,
      LinkEmulation links,
      ServerCallStreamObserver<InjectFaultResponse> response) {
    switch (request.getFaultCase()) {
      case CUT_LINK -> {
        CutLink cut = request.getCutLink();
        Ends ends = ends(cut.getLink(), links);
        if (cut.getOneWay()) {
          links.cutOneWay(ends.from, ends.to);
        } else {
          links.cut(ends.from, ends.to);
        }
      }
      case HEAL_LINK -> {
        Ends ends = ends(request.getHealLink().getLink(), links);
        links.heal(ends.from, ends.to);
      }
      case SET_ROUND_TRIP -> {
        SetRoundTrip roundTrip = request.getSetRoundTrip();
        Ends ends = ends(roundTrip.getLink(), links);
        links.setRoundTrip(
            ends.from, ends.to, roundTrip.hasRttMicros() ? roundTrip.getRttMicros() : null);
      }
      case SET_LOSS -> {
        Ends ends = ends(request.getSetLoss().getLink(), links);
        links.setLoss(ends.from, ends.to, request.getSetLoss().getLoss());
      }
      case CRASH_AGENT -> {
        // The client must receive the confirmation before the crash.
        response.setOnCloseHandler(body::crash);
        response.setOnCancelHandler(body::crash);
      }
      case PAUSE_AGENT -> pause(request.getPauseAgent().getMillis(), links);
      case FAULT_NOT_SET -> throw new IllegalArgumentException("unknown kind of fault");
    }
  }

  private void pause(long millis, LinkEmulation links) {
    if (millis < 1 || millis > MAX_PAUSE_MILLIS) {
      throw new IllegalArgumentException(
          "pause of " + millis + " ms; allowed are 1 to " + MAX_PAUSE_MILLIS);
    }
    if (!body.pause()) {
      throw new IllegalArgumentException(
          "agent " + self + " is already paused; wait until it resumes");
    }
    links.later(TimeUnit.MILLISECONDS.toNanos(millis), body::resume);
  }

  private record Ends(NodeId from, NodeId to) {}

  private Ends ends(FaultyLink link, LinkEmulation links) {
    Ends ends = new Ends(located(link.getFrom(), links), located(link.getTo(), links));
    if (ends.from.equals(ends.to) || !(ends.from.equals(self) || ends.to.equals(self))) {
      throw new IllegalArgumentException(
          ends.from + "-" + ends.to + " is not a link of agent " + self);
    }
    return ends;
  }

  private static NodeId located(Member member, LinkEmulation links) {
    NodeId id = NodeId.of(member.getNodeId());
    if (!member.getAddress().isEmpty()) {
      links.located(id, member.getAddress());
    }
    return id;
  }

  @Override
  public void listFaults(ListFaultsRequest request, StreamObserver<ListFaultsResponse> response) {
    try {
      ListFaultsResponse.Builder list = ListFaultsResponse.newBuilder().setPaused(body.isPaused());
      allowed().faultsOf(self).forEach(fault -> list.addFaults(frame(fault)));
      response.onNext(list.build());
      response.onCompleted();
    } catch (StatusException e) {
      response.onError(e);
    }
  }

  private static LinkFault frame(io.treecast.agent.transport.emulation.LinkFault fault) {
    LinkFault.Builder frame =
        LinkFault.newBuilder()
            .setFrom(fault.from().toString())
            .setTo(fault.to().toString())
            .setHeld(fault.held())
            .setLoss(fault.loss())
            .setHeldMessages(fault.heldMessages());
    if (fault.delayNanos() != null) {
      frame.setDelayMicros(TimeUnit.NANOSECONDS.toMicros(fault.delayNanos()));
    }
    return frame.build();
  }

  private LinkEmulation allowed() throws StatusException {
    if (emulation == null) {
      throw Status.PERMISSION_DENIED
          .withDescription(
              "agent "
                  + self
                  + " does not allow faults; start it with --allow-faults"
                  + " (allowFaults: true in its file)")
          .asException();
    }
    return emulation;
  }
}
