package io.treecast.client;

import io.grpc.stub.ServerCallStreamObserver;
import io.grpc.stub.StreamObserver;
import io.treecast.proto.v1.BroadcastResponse;
import io.treecast.proto.v1.DisseminationTree;
import io.treecast.proto.v1.TreeMetric;
import io.treecast.proto.v1.UploadRequest;
import io.treecast.proto.v1.UploadResponse;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

/** The agent's side of an upload: requests pieces as a test commands, and answers the end. */
final class ScriptedUpload implements StreamObserver<UploadRequest> {
  final ServerCallStreamObserver<UploadResponse> answer;
  final List<UploadRequest> requests = new CopyOnWriteArrayList<>();
  volatile boolean cancelled;

  ScriptedUpload(ServerCallStreamObserver<UploadResponse> answer) {
    this.answer = answer;
    answer.disableAutoRequest();
    answer.setOnCancelHandler(() -> cancelled = true);
    answer.request(1);
  }

  long pieceBytes() {
    return requests.stream().mapToLong(request -> request.getPiece().size()).sum();
  }

  @Override
  public void onNext(UploadRequest request) {
    requests.add(request);
    if (request.hasEnd()) {
      answer.onNext(
          UploadResponse.newBuilder()
              .setBroadcast(
                  BroadcastResponse.newBuilder()
                      .setMessageId(ScriptedAgent.messageId(ScriptedAgent.NODE_ID, 7))
                      .setTreeVersion(3))
              .setTree(
                  DisseminationTree.newBuilder()
                      .setMetric(TreeMetric.TREE_METRIC_BANDWIDTH)
                      .setVersion(9))
              .build());
      answer.onCompleted();
    }
  }

  @Override
  public void onError(Throwable error) {}

  @Override
  public void onCompleted() {}
}
