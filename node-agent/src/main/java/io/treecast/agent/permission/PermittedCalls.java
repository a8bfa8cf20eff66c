package io.treecast.agent.permission;

import io.grpc.Context;
import io.grpc.Contexts;
import io.grpc.Grpc;
import io.grpc.Metadata;
import io.grpc.MethodDescriptor;
import io.grpc.ServerCall;
import io.grpc.ServerCallHandler;
import io.grpc.ServerInterceptor;
import io.grpc.Status;
import io.grpc.health.v1.HealthGrpc;
import io.grpc.reflection.v1.ServerReflectionGrpc;
import io.treecast.proto.v1.AdminServiceGrpc;
import io.treecast.proto.v1.ClaimServiceGrpc;
import io.treecast.proto.v1.ClockServiceGrpc;
import io.treecast.proto.v1.FaultServiceGrpc;
import io.treecast.proto.v1.GroupServiceGrpc;
import io.treecast.proto.v1.PeerServiceGrpc;
import io.treecast.proto.v1.TreecastServiceGrpc;
import io.treecast.proto.v1.ValuesServiceGrpc;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Identifies the caller of each call, and refuses calls that are not permitted. Endpoints check
 * requests with names, such as topics: see {@link Caller#refusal}. A call that is missing in the
 * tables below is refused. Runs on gRPC's threads.
 */
public final class PermittedCalls implements ServerInterceptor {
  private static final Metadata.Key<String> AUTHORIZATION =
      Metadata.Key.of("authorization", Metadata.ASCII_STRING_MARSHALLER);

  /**
   * Calls without rules: those of agents, which are governed by certificates, health checks of
   * orchestrators, and the description of the services.
   */
  private static final Set<String> FREE =
      names(
          PeerServiceGrpc.getControlMethod(),
          PeerServiceGrpc.getDataMethod(),
          PeerServiceGrpc.getUploadsMethod(),
          HealthGrpc.getCheckMethod(),
          HealthGrpc.getWatchMethod(),
          ServerReflectionGrpc.getServerReflectionInfoMethod());

  /** Calls of applications, whose endpoint checks each request. */
  private static final Set<String> BY_REQUEST =
      names(
          TreecastServiceGrpc.getBroadcastMethod(),
          TreecastServiceGrpc.getPublishMethod(),
          TreecastServiceGrpc.getAwaitConfirmationMethod(),
          TreecastServiceGrpc.getUploadMethod(),
          TreecastServiceGrpc.getSubscribeMethod(),
          TreecastServiceGrpc.getTakePartMethod(),
          TreecastServiceGrpc.getFindUnwantedMethod(),
          ClaimServiceGrpc.getHoldMethod(),
          ClaimServiceGrpc.getInquireClaimMethod(),
          ClockServiceGrpc.getReadClockMethod(),
          GroupServiceGrpc.getFollowGroupMethod(),
          GroupServiceGrpc.getListGroupsMethod(),
          ValuesServiceGrpc.getWriteValueMethod(),
          ValuesServiceGrpc.getHoldValueMethod(),
          ValuesServiceGrpc.getWatchValuesMethod(),
          ValuesServiceGrpc.getListValuesMethod(),
          // Clients begin this call without a request, to learn why they have no connection.
          TreecastServiceGrpc.getWatchTreeMethod());

  /** Calls that are checked when they begin, with the required action. */
  private static final Map<String, Action> AT_ONCE = new HashMap<>();

  static {
    for (String name :
        names(
            AdminServiceGrpc.getGetStatusMethod(),
            AdminServiceGrpc.getListLinksMethod(),
            AdminServiceGrpc.getReadSeriesMethod(),
            AdminServiceGrpc.getExplainLinkMethod(),
            AdminServiceGrpc.getListTreesMethod(),
            AdminServiceGrpc.getGetTreeMethod(),
            AdminServiceGrpc.getListTopicsMethod())) {
      AT_ONCE.put(name, Action.ADMINISTRATE);
    }
    for (String name :
        names(FaultServiceGrpc.getInjectFaultMethod(), FaultServiceGrpc.getListFaultsMethod())) {
      AT_ONCE.put(name, Action.OPERATE);
    }
  }

  private final PermissionGate gate;

  /** Creates the check of one agent. */
  public PermittedCalls(PermissionGate gate) {
    this.gate = gate;
  }

  private static Set<String> names(MethodDescriptor<?, ?>... methods) {
    return Arrays.stream(methods)
        .map(MethodDescriptor::getFullMethodName)
        .collect(Collectors.toUnmodifiableSet());
  }

  /** Returns whether one of the tables contains the call. */
  public static boolean isKnown(String method) {
    return FREE.contains(method) || BY_REQUEST.contains(method) || AT_ONCE.containsKey(method);
  }

  @Override
  public <Q, R> ServerCall.Listener<Q> interceptCall(
      ServerCall<Q, R> call, Metadata headers, ServerCallHandler<Q, R> next) {
    String method = call.getMethodDescriptor().getFullMethodName();
    Caller caller =
        gate.caller(
            call.getAttributes().get(Grpc.TRANSPORT_ATTR_SSL_SESSION), headers.get(AUTHORIZATION));
    String refusal = refusal(method, caller);
    if (refusal != null) {
      call.close(Status.PERMISSION_DENIED.withDescription(refusal), new Metadata());
      return new ServerCall.Listener<>() {};
    }
    return Contexts.interceptCall(
        Context.current().withValue(Caller.KEY, caller), call, headers, next);
  }

  private static @Nullable String refusal(String method, Caller caller) {
    if (FREE.contains(method) || BY_REQUEST.contains(method)) {
      return null;
    }
    Action action = AT_ONCE.get(method);
    return action == null
        ? "an agent with permissions does not serve " + method + ", which no rule can permit"
        : caller.refusal(action);
  }
}
