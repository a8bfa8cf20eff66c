package io.treecast.agent.runtime.application;

import io.grpc.StatusException;
import io.grpc.stub.ServerCallStreamObserver;
import io.grpc.stub.StreamObserver;
import io.treecast.agent.config.Labels;
import io.treecast.agent.permission.Action;
import io.treecast.agent.permission.Caller;
import io.treecast.agent.runtime.loop.EventLoop;
import io.treecast.agent.runtime.server.ClientConnections;
import io.treecast.agent.wire.ValuesCodec;
import io.treecast.agent.wire.value.WireViolation;
import io.treecast.collectives.values.MapName;
import io.treecast.proto.v1.ListValuesRequest;
import io.treecast.proto.v1.ListValuesResponse;
import io.treecast.proto.v1.ValuesServiceGrpc;
import io.treecast.proto.v1.WatchValuesRequest;
import io.treecast.proto.v1.WatchValuesResponse;
import io.treecast.proto.v1.WriteValueRequest;
import io.treecast.proto.v1.WriteValueResponse;
import java.nio.ByteBuffer;
import java.util.List;

/**
 * The gRPC service for shared values. gRPC's threads only hand requests over to the agent's loop.
 */
public final class ValuesEndpoint extends ValuesServiceGrpc.ValuesServiceImplBase {
  private final EventLoop loop;
  private final ValueCalls calls;

  /** Creates the endpoint of one agent. */
  public ValuesEndpoint(EventLoop loop, Applications applications) {
    this.loop = loop;
    this.calls = applications.values();
  }

  /** The start of a checked call, which may still be refused. */
  private interface Checked {
    void begin() throws StatusException, WireViolation;
  }

  private static void check(StreamObserver<?> out, Checked call) {
    try {
      call.begin();
    } catch (StatusException e) {
      out.onError(e);
    } catch (WireViolation e) {
      out.onError(Refusals.invalid(String.valueOf(e.getMessage())));
    }
  }

  private void offer(int bytes, StreamObserver<?> out, Runnable call) {
    loop.offer(
        bytes,
        call,
        () ->
            out.onError(
                loop.isRunning()
                    ? Refusals.noRoom(ClientEndpoint.behind(loop))
                    : Refusals.shuttingDown()));
  }

  private static MapName permitted(WriteValueRequest request)
      throws StatusException, WireViolation {
    MapName map = ValuesCodec.decode(request.getMap());
    Refusals.requirePermission(Caller.current(), Action.WRITE, List.of(map.name()));
    return map;
  }

  /**
   * Returns the key of a write. A label belongs to its member, and ends with the application; one
   * without the id of a member is of this agent.
   */
  private String key(MapName map, WriteValueRequest request, boolean isHeld)
      throws StatusException, WireViolation {
    String key = request.getKey();
    if (map.name().equals(Labels.MAP)) {
      String self = calls.self().toString();
      String own = Labels.key(self, "");
      key = key.startsWith("/") ? self + key : key;
      if (!isHeld
          || !key.startsWith(own)
          || !Labels.isName(key.substring(own.length()))
          || !Labels.isValue(request.getContent().toStringUtf8())) {
        throw Refusals.invalid(
            "map '"
                + Labels.MAP
                + "' has labels: an application may hold entries of its agent's labels, with keys "
                + own
                + "NAME");
      }
    }
    return ValuesCodec.key(map, key);
  }

  @Override
  public void writeValue(WriteValueRequest request, StreamObserver<WriteValueResponse> out) {
    check(
        out,
        () -> {
          MapName map = permitted(request);
          String key = key(map, request, false);
          double number = ValuesCodec.number(map, request.getNumber());
          ByteBuffer content = ValuesCodec.content(request.getContent());
          if (request.getDelete() && map.rule().isBest()) {
            throw Refusals.invalid("best value '" + map.name() + "' cannot be deleted");
          }
          offer(
              request.getSerializedSize(),
              out,
              () ->
                  calls.writeOnce(
                      map,
                      (values, now) ->
                          map.rule().isBest()
                              ? values.offer(map, number, content, now)
                              : request.getDelete()
                                  ? values.delete(map, key, now)
                                  : values.put(map, key, content, now),
                      out));
        });
  }

  @Override
  public void holdValue(WriteValueRequest request, StreamObserver<WriteValueResponse> response) {
    ServerCallStreamObserver<WriteValueResponse> out =
        (ServerCallStreamObserver<WriteValueResponse>) response;
    Caller caller = Caller.current();
    String client = ClientConnections.current();
    out.setOnCancelHandler(() -> loop.execute(() -> calls.release(out)));
    check(
        out,
        () -> {
          MapName map = permitted(request);
          String key = key(map, request, true);
          ByteBuffer content = ValuesCodec.content(request.getContent());
          if (map.rule().isBest()) {
            throw Refusals.invalid("best value '" + map.name() + "' cannot be ephemeral");
          }
          offer(
              request.getSerializedSize(),
              out,
              () -> {
                if (!out.isCancelled()) {
                  calls.hold(caller, client, map, key, content, out);
                }
              });
        });
  }

  @Override
  public void watchValues(
      WatchValuesRequest request, StreamObserver<WatchValuesResponse> response) {
    ServerCallStreamObserver<WatchValuesResponse> out =
        (ServerCallStreamObserver<WatchValuesResponse>) response;
    out.setOnCancelHandler(() -> loop.execute(() -> calls.unwatch(out)));
    out.setOnReadyHandler(() -> loop.execute(() -> calls.ready(out)));
    Caller caller = Caller.current();
    String client = ClientConnections.current();
    check(
        out,
        () -> {
          MapName map = ValuesCodec.decode(request.getMap());
          Refusals.requirePermission(caller, Action.READ, List.of(map.name()));
          String key = request.hasKey() ? ValuesCodec.key(map, request.getKey()) : null;
          offer(
              request.getSerializedSize(),
              out,
              () -> {
                if (!out.isCancelled()) {
                  calls.watch(caller, client, map, key, request.getOnce(), out);
                }
              });
        });
  }

  @Override
  public void listValues(ListValuesRequest request, StreamObserver<ListValuesResponse> out) {
    Caller caller = Caller.current();
    offer(request.getSerializedSize(), out, () -> calls.list(caller, out));
  }
}
