package io.treecast.agent.runtime;

import io.grpc.Status;
import io.grpc.stub.StreamObserver;
import io.treecast.agent.core.AgentSnapshot;
import io.treecast.proto.v1.AdminServiceGrpc;
import io.treecast.proto.v1.GetStatusRequest;
import io.treecast.proto.v1.GetStatusResponse;
import io.treecast.proto.v1.ListLinksRequest;
import io.treecast.proto.v1.ListLinksResponse;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;
import java.util.function.Supplier;

/** Serves operators. */
final class AdminEndpoint extends AdminServiceGrpc.AdminServiceImplBase {
  private final Supplier<CompletableFuture<AgentSnapshot>> snapshots;

  AdminEndpoint(Supplier<CompletableFuture<AgentSnapshot>> snapshots) {
    this.snapshots = snapshots;
  }

  @Override
  public void getStatus(GetStatusRequest request, StreamObserver<GetStatusResponse> response) {
    answer(StatusFrames::status, response);
  }

  @Override
  public void listLinks(ListLinksRequest request, StreamObserver<ListLinksResponse> response) {
    answer(StatusFrames::links, response);
  }

  private <T> void answer(Function<AgentSnapshot, T> content, StreamObserver<T> response) {
    var unused =
        snapshots
            .get()
            .whenComplete(
                (snapshot, failure) -> {
                  if (failure != null) {
                    response.onError(
                        Status.UNAVAILABLE.withDescription(failure.getMessage()).asException());
                  } else {
                    response.onNext(content.apply(snapshot));
                    response.onCompleted();
                  }
                });
  }
}
