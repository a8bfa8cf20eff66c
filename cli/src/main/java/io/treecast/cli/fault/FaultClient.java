package io.treecast.cli.fault;

import io.grpc.ManagedChannel;
import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import io.treecast.agent.core.message.Member;
import io.treecast.cli.query.AgentInquiry;
import io.treecast.cli.query.AgentInquiry.FailedException;
import io.treecast.proto.v1.FaultServiceGrpc;
import io.treecast.proto.v1.FaultServiceGrpc.FaultServiceBlockingStub;
import io.treecast.proto.v1.InjectFaultRequest;
import io.treecast.proto.v1.ListFaultsRequest;
import io.treecast.proto.v1.ListFaultsResponse;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;

/** Calls of an agent's fault service, each over its own connection. */
final class FaultClient {
  /** The agent does not allow faults. */
  static final class RefusedException extends Exception {
    private static final long serialVersionUID = 1L;

    RefusedException(String reason) {
      super(reason);
    }
  }

  private FaultClient() {}

  static void inject(AgentInquiry agents, Member agent, InjectFaultRequest fault)
      throws FailedException, RefusedException {
    InjectFaultRequest addressed = fault.toBuilder().setNodeId(agent.id().toString()).build();
    var unused = call(agents, agent, stub -> stub.injectFault(addressed));
  }

  static ListFaultsResponse list(AgentInquiry agents, Member agent)
      throws FailedException, RefusedException {
    return call(agents, agent, stub -> stub.listFaults(ListFaultsRequest.getDefaultInstance()));
  }

  private static <T> T call(
      AgentInquiry agents, Member agent, Function<FaultServiceBlockingStub, T> method)
      throws FailedException, RefusedException {
    ManagedChannel channel = agents.channel(agent);
    try {
      return method.apply(
          FaultServiceGrpc.newBlockingStub(channel)
              .withDeadlineAfter(AgentInquiry.ANSWER_SECONDS, TimeUnit.SECONDS));
    } catch (StatusRuntimeException e) {
      FailedException failed = agents.failed(agent, e.getStatus());
      if (e.getStatus().getCode() == Status.Code.PERMISSION_DENIED) {
        throw new RefusedException(failed.reason());
      }
      throw failed;
    } finally {
      channel.shutdownNow();
    }
  }
}
