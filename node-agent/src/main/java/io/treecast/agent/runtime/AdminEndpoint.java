package io.treecast.agent.runtime;

import io.grpc.Status;
import io.grpc.stub.StreamObserver;
import io.treecast.agent.core.AgentSnapshot;
import io.treecast.ghs.NodeId;
import io.treecast.monitor.series.SeriesPoint;
import io.treecast.monitor.series.SeriesResource;
import io.treecast.proto.v1.AdminServiceGrpc;
import io.treecast.proto.v1.GetStatusRequest;
import io.treecast.proto.v1.GetStatusResponse;
import io.treecast.proto.v1.ListLinksRequest;
import io.treecast.proto.v1.ListLinksResponse;
import io.treecast.proto.v1.ReadSeriesRequest;
import io.treecast.proto.v1.ReadSeriesResponse;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** Serves operators. */
final class AdminEndpoint extends AdminServiceGrpc.AdminServiceImplBase {
  private final Supplier<CompletableFuture<AgentSnapshot>> snapshots;
  private final Supplier<@Nullable SeriesFiles> series;

  /**
   * For one agent.
   *
   * @param series gives null if it keeps none
   */
  AdminEndpoint(
      Supplier<CompletableFuture<AgentSnapshot>> snapshots,
      Supplier<@Nullable SeriesFiles> series) {
    this.snapshots = snapshots;
    this.series = series;
  }

  @Override
  public void getStatus(GetStatusRequest request, StreamObserver<GetStatusResponse> response) {
    answer(snapshots.get(), StatusFrames::status, response);
  }

  @Override
  public void listLinks(ListLinksRequest request, StreamObserver<ListLinksResponse> response) {
    answer(snapshots.get(), StatusFrames::links, response);
  }

  @Override
  public void readSeries(ReadSeriesRequest request, StreamObserver<ReadSeriesResponse> response) {
    SeriesFiles files = series.get();
    if (files == null) {
      refuse(
          Status.FAILED_PRECONDITION,
          "it keeps no series; start it with --series DIRECTORY (series: DIRECTORY in its file)",
          response);
      return;
    }
    NodeId peer;
    try {
      peer = NodeId.of(request.getPeer());
    } catch (IllegalArgumentException e) {
      refuse(Status.INVALID_ARGUMENT, "peer: " + e.getMessage(), response);
      return;
    }
    SeriesResource resource = SeriesResource.labelled(request.getResource()).orElse(null);
    if (resource == null) {
      refuse(
          Status.INVALID_ARGUMENT,
          "resource '"
              + request.getResource()
              + "' is not measured; allowed are "
              + List.of(SeriesResource.values()),
          response);
    } else {
      long since = Math.max(0, request.getSinceUnixMillis());
      answer(files.since(peer, resource, since), AdminEndpoint::frame, response);
    }
  }

  private static ReadSeriesResponse frame(List<SeriesPoint> points) {
    ReadSeriesResponse.Builder frame = ReadSeriesResponse.newBuilder();
    for (SeriesPoint point : points) {
      frame.addPointsBuilder().setUnixMillis(point.unixMillis()).setValue(point.value());
    }
    return frame.build();
  }

  private static void refuse(Status status, String why, StreamObserver<?> response) {
    response.onError(status.withDescription(why).asException());
  }

  private static <S, T> void answer(
      CompletableFuture<S> found, Function<S, T> frame, StreamObserver<T> response) {
    var unused =
        found.whenComplete(
            (content, failure) -> {
              if (failure != null) {
                refuse(Status.UNAVAILABLE, String.valueOf(failure.getMessage()), response);
              } else {
                response.onNext(frame.apply(content));
                response.onCompleted();
              }
            });
  }
}
