package io.treecast.agent.runtime.admin;

import com.google.protobuf.MessageLite;
import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import io.grpc.stub.StreamObserver;
import io.treecast.agent.core.AgentSnapshot;
import io.treecast.agent.core.LinkExplanation;
import io.treecast.agent.core.message.TreeMetric;
import io.treecast.agent.runtime.series.SeriesFiles;
import io.treecast.agent.runtime.server.UnreadAnswers;
import io.treecast.agent.runtime.status.StatusFrames;
import io.treecast.agent.wire.value.ValueCodec;
import io.treecast.ghs.NodeId;
import io.treecast.monitor.series.SeriesPoint;
import io.treecast.monitor.series.SeriesResource;
import io.treecast.mst.CommittedTree;
import io.treecast.proto.v1.AdminServiceGrpc;
import io.treecast.proto.v1.ExplainLinkRequest;
import io.treecast.proto.v1.ExplainLinkResponse;
import io.treecast.proto.v1.GetStatusRequest;
import io.treecast.proto.v1.GetStatusResponse;
import io.treecast.proto.v1.GetTreeRequest;
import io.treecast.proto.v1.GetTreeResponse;
import io.treecast.proto.v1.ListLinksRequest;
import io.treecast.proto.v1.ListLinksResponse;
import io.treecast.proto.v1.ListTopicsRequest;
import io.treecast.proto.v1.ListTopicsResponse;
import io.treecast.proto.v1.ListTreesRequest;
import io.treecast.proto.v1.ListTreesResponse;
import io.treecast.proto.v1.ReadSeriesRequest;
import io.treecast.proto.v1.ReadSeriesResponse;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;

/** The gRPC service for operators. */
public final class AdminEndpoint extends AdminServiceGrpc.AdminServiceImplBase {
  /** Explains why links are in trees, or are not. */
  public interface Explanations {
    /** Returns the explanation of the link to a peer, if there is one. */
    CompletableFuture<Optional<LinkExplanation>> of(NodeId peer, TreeMetric metric);
  }

  /**
   * The limit of unread bytes of all operators together: nine full series, or some hundred trees.
   */
  private static final long MAX_UNREAD_BYTES = 16 << 20;

  private final UnreadAnswers unread;
  private final AdminSources sources;

  /** Creates the service of one agent. */
  public AdminEndpoint(AdminSources sources) {
    this(sources, MAX_UNREAD_BYTES);
  }

  AdminEndpoint(AdminSources sources, long maxUnreadBytes) {
    this.unread = new UnreadAnswers(maxUnreadBytes);
    this.sources = sources;
  }

  @Override
  public void getStatus(GetStatusRequest request, StreamObserver<GetStatusResponse> response) {
    answer(
        sources.snapshots().get(),
        snapshot ->
            StatusFrames.status(snapshot, sources.startedNanos(), sources.nowNanos().getAsLong()),
        response);
  }

  @Override
  public void listLinks(ListLinksRequest request, StreamObserver<ListLinksResponse> response) {
    answer(sources.snapshots().get(), StatusFrames::links, response);
  }

  @Override
  public void listTopics(ListTopicsRequest request, StreamObserver<ListTopicsResponse> response) {
    answer(sources.topics().get(), StatusFrames::topics, response);
  }

  @Override
  public void listTrees(ListTreesRequest request, StreamObserver<ListTreesResponse> response) {
    answer(
        CompletableFuture.completedFuture(sources.history().frames()),
        trees -> ListTreesResponse.newBuilder().addAllTrees(trees).build(),
        response);
  }

  @Override
  public void getTree(GetTreeRequest request, StreamObserver<GetTreeResponse> response) {
    CommittedTree tree = sources.history().tree(request.getVersion());
    if (tree == null) {
      response.onError(
          refusal(
              Status.NOT_FOUND,
              "this agent keeps no tree of version "
                  + Long.toUnsignedString(request.getVersion())
                  + "; 'treecast tree history' lists the versions"));
      return;
    }
    answer(
        CompletableFuture.completedFuture(tree),
        found -> GetTreeResponse.newBuilder().setTree(ValueCodec.encode(found)).build(),
        response);
  }

  /** Returns the reason why there is no link, if it is known. */
  private static String why(NodeId peer, AgentSnapshot snapshot) {
    return snapshot.links().stream()
        .filter(link -> link.peer().id().equals(peer) && !link.downReason().isEmpty())
        .map(link -> ": " + link.downReason())
        .findFirst()
        .orElse("");
  }

  @Override
  public void explainLink(
      ExplainLinkRequest request, StreamObserver<ExplainLinkResponse> response) {
    try {
      NodeId peer = peer(request.getPeer());
      answer(
          sources
              .explanations()
              .of(peer, metric(request.getMetric()))
              .thenCombine(
                  sources.snapshots().get(),
                  (found, snapshot) ->
                      found.orElseThrow(
                          () ->
                              refusal(
                                  Status.NOT_FOUND,
                                  "this agent has no link to " + peer + why(peer, snapshot)))),
          StatusFrames::explanation,
          response);
    } catch (StatusRuntimeException refusal) {
      response.onError(refusal);
    }
  }

  @Override
  public void readSeries(ReadSeriesRequest request, StreamObserver<ReadSeriesResponse> response) {
    try {
      SeriesFiles files = sources.series();
      if (files == null) {
        throw refusal(
            Status.FAILED_PRECONDITION,
            "it keeps no series; start it with --series DIRECTORY (series: DIRECTORY in its file)");
      }
      long since = Math.max(0, request.getSinceUnixMillis());
      answer(
          files.since(peer(request.getPeer()), resource(request.getResource()), since),
          AdminEndpoint::frame,
          response);
    } catch (StatusRuntimeException refusal) {
      response.onError(refusal);
    }
  }

  private static NodeId peer(String text) {
    try {
      return NodeId.of(text);
    } catch (IllegalArgumentException e) {
      throw refusal(Status.INVALID_ARGUMENT, "peer: " + e.getMessage());
    }
  }

  private static TreeMetric metric(io.treecast.proto.v1.TreeMetric metric) {
    return switch (metric) {
      case TREE_METRIC_UNSPECIFIED -> TreeMetric.LATENCY;
      case TREE_METRIC_BANDWIDTH -> TreeMetric.BANDWIDTH;
      case UNRECOGNIZED ->
          throw refusal(Status.INVALID_ARGUMENT, "metric: this agent has no tree of that number");
    };
  }

  private static SeriesResource resource(String text) {
    return SeriesResource.labelled(text)
        .orElseThrow(
            () ->
                refusal(
                    Status.INVALID_ARGUMENT,
                    "resource '%s' is not measured; allowed are %s"
                        .formatted(text, List.of(SeriesResource.values()))));
  }

  private static ReadSeriesResponse frame(List<SeriesPoint> points) {
    ReadSeriesResponse.Builder frame = ReadSeriesResponse.newBuilder();
    for (SeriesPoint point : points) {
      frame.addPointsBuilder().setUnixMillis(point.unixMillis()).setValue(point.value());
    }
    return frame.build();
  }

  private static StatusRuntimeException refusal(Status status, String why) {
    return status.withDescription(why).asRuntimeException();
  }

  private <S, T extends MessageLite> void answer(
      CompletableFuture<S> source, Function<S, T> content, StreamObserver<T> response) {
    AdminAnswer<T> answer = new AdminAnswer<>(response, unread);
    var unused =
        source.whenComplete(
            (value, failure) -> {
              if (failure != null) {
                answer.fail(error(failure));
              } else {
                answer.give(content.apply(value));
              }
            });
  }

  /** Returns the error for a refusal, or for an agent that does not answer. */
  private static Throwable error(Throwable failure) {
    return failure.getCause() instanceof StatusRuntimeException refusal
        ? refusal
        : Status.UNAVAILABLE.withDescription(failure.getMessage()).asException();
  }
}
