package io.treecast.agent.runtime.application;

import io.grpc.stub.ServerCallStreamObserver;

/**
 * A call whose client ignores all responses, and has no room for them. Tests override the methods
 * that matter to them.
 *
 * @param <R> the responses
 */
class UnheededResponses<R> extends ServerCallStreamObserver<R> {
  @Override
  public void onNext(R response) {}

  @Override
  public void onError(Throwable error) {}

  @Override
  public void onCompleted() {}

  @Override
  public boolean isReady() {
    return false;
  }

  @Override
  public boolean isCancelled() {
    return false;
  }

  @Override
  public void setOnReadyHandler(Runnable handler) {}

  @Override
  public void setOnCancelHandler(Runnable handler) {}

  @Override
  public void setCompression(String compression) {}

  @Override
  public void setMessageCompression(boolean enable) {}

  @Override
  public void request(int count) {}

  @Override
  public void disableAutoInboundFlowControl() {}

  @Override
  public void disableAutoRequest() {}
}
