package io.treecast.agent.runtime.application;

import io.grpc.StatusException;
import io.grpc.stub.ServerCallStreamObserver;
import io.grpc.stub.StreamObserver;
import io.treecast.agent.core.AgentCore;
import io.treecast.agent.core.message.TreeMetric;
import io.treecast.agent.core.publish.ClientShares;
import io.treecast.agent.core.publish.PublishOutcome;
import io.treecast.agent.core.tree.DisseminationTree;
import io.treecast.agent.permission.Action;
import io.treecast.agent.permission.Caller;
import io.treecast.agent.runtime.loop.EventLoop;
import io.treecast.agent.runtime.server.ClientConnections;
import io.treecast.agent.wire.PayloadBytes;
import io.treecast.collectives.broadcast.contract.BroadcastLimits;
import io.treecast.collectives.broadcast.contract.BroadcastRefusedException;
import io.treecast.collectives.broadcast.message.MessageId;
import io.treecast.collectives.broadcast.message.Topic;
import io.treecast.collectives.broadcast.publish.Uploads;
import io.treecast.mst.CommittedTree;
import io.treecast.proto.v1.BroadcastRequest;
import io.treecast.proto.v1.UploadRequest;
import io.treecast.proto.v1.UploadResponse;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The applications that upload to this agent. A call takes at most {@link #PIECES} pieces from the
 * network beyond those that the core has logged; gRPC's flow control holds the publisher back. So
 * the loop's queue is bounded, except for requests that begin an upload, which the loop may refuse.
 * A call that ends before its payload abandons the broadcast.
 */
public final class UploadCalls {
  /** The limit of waiting pieces of one upload. */
  static final int PIECES = 4;

  /** The maximum size of a piece. */
  static final int MAX_PIECE_BYTES = BroadcastLimits.UPLOAD_WAITING_BYTES / PIECES;

  /** The maximum size of a request beside its piece. */
  private static final int MAX_OTHER_BYTES = 64;

  private final Supplier<AgentCore> core;
  private final EventLoop loop;
  private final LongAdder refusedBehind;
  private final Map<Long, Call> calls = new HashMap<>();
  private final ClientShares shares;
  private final AtomicLong lastNumber = new AtomicLong();
  private @Nullable StatusException ended;

  /**
   * Creates an instance without calls.
   *
   * @param maxUploads the limit of uploads under way
   * @param refusedBehind counts broadcasts that are refused because the loop is behind
   */
  UploadCalls(Supplier<AgentCore> core, EventLoop loop, int maxUploads, LongAdder refusedBehind) {
    this.shares = new ClientShares(maxUploads);
    this.core = core;
    this.loop = loop;
    this.refusedBehind = refusedBehind;
  }

  /** Handles a new call. Runs on gRPC's thread. */
  StreamObserver<UploadRequest> accepted(ServerCallStreamObserver<UploadResponse> out) {
    Call call = new Call(out);
    out.disableAutoRequest();
    out.setOnCancelHandler(() -> loop.execute(call::gone));
    out.request(1);
    return call;
  }

  /** Permits the application to send more pieces. */
  public void taken(long number, int pieces) {
    Call call = calls.get(number);
    if (call != null) {
      call.out.request(pieces);
    }
  }

  /**
   * Answers a call when the core has the whole upload, and so have the members whose replicas it
   * waits for.
   */
  public void ended(long number, int replicas) {
    Call call = calls.get(number);
    if (call != null) {
      call.forget();
      call.succeed(replicas);
    }
  }

  /**
   * Ends the calls whose payload is incomplete, because the agent is about to shut down:
   * subscribers must learn that no more will come.
   */
  public void endUnfinished() {
    StatusException reason = Refusals.shuttingDown();
    for (Call call : List.copyOf(calls.values())) {
      if (call.stage == Stage.UNDER_WAY) {
        call.fail(reason);
      }
    }
  }

  /** Ends the calls that are no longer permitted and whose payload is incomplete. */
  void permissionsChanged() {
    for (Call call : List.copyOf(calls.values())) {
      if (call.stage != Stage.ENDING) {
        try {
          Refusals.requirePermission(call.caller, Action.UPLOAD, List.of(call.topic));
        } catch (StatusException refusal) {
          call.fail(refusal);
        }
      }
    }
  }

  /** Ends all calls because the agent shuts down; later calls are refused. */
  void end() {
    StatusException reason = Refusals.shuttingDown();
    ended = reason;
    List.copyOf(calls.values()).forEach(call -> call.fail(reason));
  }

  /** The stage of a call: new, then under way from its acceptance until its end. */
  private enum Stage {
    NEW,
    WAITING_FOR_TREE,
    UNDER_WAY,
    ENDING,
    OVER
  }

  private final class Call implements StreamObserver<UploadRequest>, PublishOutcome {
    final ServerCallStreamObserver<UploadResponse> out;

    private final long number = lastNumber.incrementAndGet();
    private final String client = ClientConnections.current();
    private final Caller caller = Caller.current();

    /** Used by one of gRPC's threads at a time. */
    private boolean begun;

    // For the loop's thread.
    private Stage stage = Stage.NEW;
    private @Nullable MessageId messageId;
    private long treeVersion;
    private String topic = Topic.DEFAULT;
    private @Nullable DisseminationTree begunOn;

    Call(ServerCallStreamObserver<UploadResponse> out) {
      this.out = out;
    }

    @Override
    public void onNext(UploadRequest request) {
      int bytes = request.getSerializedSize();
      if (!begun) {
        begun = true;
        loop.offer(bytes, () -> received(request), () -> loop.execute(this::refuseBehind));
      } else if (bytes <= MAX_PIECE_BYTES + MAX_OTHER_BYTES) {
        // Such a request was permitted, and both uploads and their pieces are limited.
        loop.execute(() -> received(request));
      } else {
        // The violation keeps its place among the requests, and does not hold the bytes.
        loop.execute(
            () ->
                violated(
                    "a request of " + bytes + " bytes is larger than one of " + MAX_PIECE_BYTES));
      }
    }

    @Override
    public void onError(Throwable error) {
      loop.execute(this::gone);
    }

    @Override
    public void onCompleted() {
      loop.execute(
          () -> {
            if (stage != Stage.ENDING) {
              violated("the call ended before the payload did");
            }
          });
    }

    private void refuseBehind() {
      refusedBehind.increment();
      fail(Refusals.noRoom(ClientEndpoint.behind(loop)));
    }

    private void received(UploadRequest request) {
      switch (request.getStepCase()) {
        case BEGIN -> begin(request.getBegin());
        case PIECE -> add(request);
        case END -> end(request);
        case STEP_NOT_SET -> violated("the request is empty");
      }
    }

    private void begin(BroadcastRequest request) {
      if (ended != null) {
        fail(ended);
      } else if (stage != Stage.NEW
          || !request.getPayload().isEmpty()
          || request.hasCrc32C()
          || !request.getHeaders().isEmpty()
          || !request.getRetryToken().isEmpty()) {
        violated("it must begin once, without payload, checksum, headers and retry token");
      } else {
        try {
          ClientEndpoint.check(request);
          Uploads.checkTopic(request.getTopic());
          Refusals.requirePermission(caller, Action.UPLOAD, List.of(request.getTopic()));
        } catch (StatusException e) {
          fail(e);
          return;
        } catch (IllegalArgumentException e) {
          fail(Refusals.invalid(String.valueOf(e.getMessage())));
          return;
        }
        if (shares.exceedsFairShare(client)) {
          fail(
              Refusals.of(
                  BroadcastRefusedException.Reason.TOO_MANY_UPLOADS,
                  shares.refusalReason(client, "limits.uploads", "uploads")));
          return;
        }
        stage = Stage.WAITING_FOR_TREE;
        topic = request.getTopic();
        calls.put(number, this);
        shares.add(client, 1);
        long now = loop.nowNanos();
        core.get().beginUpload(number, ClientEndpoint.publication(client, request, now), this, now);
      }
    }

    @Override
    public boolean isWanted() {
      return stage != Stage.OVER;
    }

    @Override
    public void accepted(MessageId id, long version, int replicas) {
      stage = Stage.UNDER_WAY;
      messageId = id;
      treeVersion = version;
      begunOn = disseminationTree();
      out.request(PIECES);
    }

    /** Returns the tree by which the upload leaves the agent now. */
    private @Nullable DisseminationTree disseminationTree() {
      if (topic.equals(Topic.DEFAULT)) {
        return core.get().uploadTree();
      }
      CommittedTree first = core.get().treeStatus().tree();
      return first == null ? null : new DisseminationTree(TreeMetric.LATENCY, first.version());
    }

    @Override
    public void refused(BroadcastRefusedException.Reason reason, String text) {
      over(Refusals.of(reason, text));
    }

    private void add(UploadRequest request) {
      if (stage != Stage.UNDER_WAY) {
        violated("a piece arrived out of order");
      } else if (request.getPiece().size() > MAX_PIECE_BYTES) {
        violated(
            "a piece of " + request.getPiece().size() + " bytes is larger than " + MAX_PIECE_BYTES);
      } else {
        try {
          core.get().upload(number, PayloadBytes.of(request.getPiece()), loop.nowNanos());
        } catch (BroadcastRefusedException refused) {
          over(Refusals.of(refused));
        }
      }
    }

    private void end(UploadRequest request) {
      if (stage != Stage.UNDER_WAY) {
        violated("the end arrived out of order");
        return;
      }
      stage = Stage.ENDING;
      Integer crc32c = request.getEnd().hasCrc32C() ? request.getEnd().getCrc32C() : null;
      core.get().endUpload(number, crc32c, loop.nowNanos());
    }

    private void succeed(int replicas) {
      stage = Stage.OVER;
      if (messageId != null) {
        UploadResponse.Builder response =
            UploadResponse.newBuilder()
                .setBroadcast(ClientEndpoint.answer(messageId, treeVersion, replicas));
        DisseminationTree tree = begunOn;
        if (tree != null && tree.equals(disseminationTree())) {
          response
              .getTreeBuilder()
              .setMetric(
                  switch (tree.metric()) {
                    case LATENCY -> io.treecast.proto.v1.TreeMetric.TREE_METRIC_UNSPECIFIED;
                    case BANDWIDTH -> io.treecast.proto.v1.TreeMetric.TREE_METRIC_BANDWIDTH;
                  })
              .setVersion(tree.version());
        }
        out.onNext(response.build());
        out.onCompleted();
      }
    }

    private void violated(String problem) {
      fail(Refusals.invalid("upload: " + problem));
    }

    private void gone() {
      fail(null);
    }

    /** Fails an upload that cannot be completed. */
    private void fail(@Nullable StatusException why) {
      Stage before = stage;
      over(why);
      if (before == Stage.UNDER_WAY || before == Stage.ENDING) {
        core.get().abandonUpload(number, loop.nowNanos());
      } else if (before == Stage.WAITING_FOR_TREE) {
        core.get().dropCancelled(loop.nowNanos());
      }
    }

    private void forget() {
      if (calls.remove(number) != null) {
        shares.remove(client, 1);
      }
    }

    private void over(@Nullable StatusException why) {
      boolean wasOver = stage == Stage.OVER;
      stage = Stage.OVER;
      forget();
      if (why != null && !wasOver) {
        out.onError(why);
      }
    }
  }
}
