package io.treecast.client;

import io.grpc.Attributes;
import io.grpc.CallOptions;
import io.grpc.ClientCall;
import io.grpc.ClientStreamTracer;
import io.grpc.ConnectivityState;
import io.grpc.ManagedChannel;
import io.grpc.Metadata;
import io.grpc.MethodDescriptor;
import io.grpc.ServerCall;
import io.grpc.ServerMethodDefinition;
import io.grpc.ServerServiceDefinition;
import io.grpc.Status;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * A connection between a client and an agent's services in which a test controls every step: a
 * write of the client's transport, an arrival at the agent or at the client, a callback of gRPC.
 * Behaves like gRPC in the cases that could deceive a client:
 *
 * <ul>
 *   <li>a message handed over stays in the transport until it is written; if its call is cancelled
 *       or its connection is lost before, it is not sent;
 *   <li>a message written before a connection was lost may still arrive at the agent;
 *   <li>a call that was never written, or that the agent has refused unread with a GOAWAY, waits
 *       for the next connection and begins again there ("transparent retry");
 *   <li>callbacks of a call without an executor of its own run later.
 * </ul>
 *
 * <p>For one thread.
 */
public final class SimulatedChannel extends ManagedChannel {
  /** The unwritten messages of a call beyond which it is not ready. */
  private static final int MOST_UNWRITTEN = 4;

  private final Runnable onTouch;
  private final List<Call<?, ?>> waiting = new ArrayList<>();
  private final ArrayDeque<Runnable> callbacks = new ArrayDeque<>();
  private final List<Runnable> stateWatchers = new ArrayList<>();
  private final List<Connection> connections = new ArrayList<>();
  private ConnectivityState state = ConnectivityState.IDLE;
  private @Nullable Connection current;

  /**
   * Creates a channel without a connection.
   *
   * @param onTouch called whenever the client accesses the channel
   */
  public SimulatedChannel(Runnable onTouch) {
    this.onTouch = onTouch;
  }

  /** Messages in flight, and their calls. */
  private static final class Connection {
    final ServerServiceDefinition service;
    final ArrayDeque<Op> unwritten = new ArrayDeque<>();
    final ArrayDeque<Op> toAgent = new ArrayDeque<>();
    final ArrayDeque<Runnable> toClient = new ArrayDeque<>();
    final List<Call<?, ?>> calls = new ArrayList<>();
    final Set<Call<?, ?>> seen = new LinkedHashSet<>();
    final Map<Call<?, ?>, AgentSide<?, ?>> served = new LinkedHashMap<>();

    Connection(ServerServiceDefinition service) {
      this.service = service;
    }
  }

  private enum Kind {
    OPEN,
    MESSAGE,
    HALF_CLOSE,
    RESET,
    CONNECTION_LOST
  }

  private record Op(Kind kind, @Nullable Call<?, ?> call, @Nullable Object message) {}

  // Steps.

  /** Writes the client's next message. Returns false if there is none. */
  public boolean write() {
    Connection connection = current;
    Op op = connection == null ? null : connection.unwritten.poll();
    if (connection == null || op == null) {
      return false;
    }
    connection.toAgent.add(op);
    Objects.requireNonNull(op.call).written(op.kind);
    return true;
  }

  /**
   * Delivers the next message to the agent, over the oldest connection that has one. Returns false
   * if there is none.
   */
  public boolean arrive() {
    for (Connection connection : List.copyOf(connections)) {
      Op op = connection.toAgent.poll();
      if (op != null) {
        arrive(connection, op);
        return true;
      }
    }
    return false;
  }

  private void arrive(Connection connection, Op op) {
    if (op.kind == Kind.CONNECTION_LOST) {
      connections.remove(connection);
      List.copyOf(connection.served.values()).forEach(AgentSide::cancelled);
      return;
    }
    Call<?, ?> call = Objects.requireNonNull(op.call);
    if (op.kind == Kind.OPEN) {
      call.serve(connection);
      return;
    }
    AgentSide<?, ?> side = connection.served.get(call);
    if (side == null) {
      return; // The call has ended.
    }
    switch (op.kind) {
      case MESSAGE -> side.received(Objects.requireNonNull(op.message));
      case HALF_CLOSE -> side.halfClosed();
      default -> side.cancelled();
    }
  }

  /** Delivers the agent's next message to the client. Returns false if there is none. */
  public boolean comeBack() {
    Runnable next = current == null ? null : current.toClient.poll();
    if (next != null) {
      next.run();
    }
    return next != null;
  }

  /** Runs the next callback of gRPC's own threads. Returns false if there is none. */
  public boolean callBack() {
    Runnable next = callbacks.poll();
    if (next != null) {
      next.run();
    }
    return next != null;
  }

  /** Opens a connection to an agent with these services. */
  public void connect(ServerServiceDefinition service) {
    if (state != ConnectivityState.SHUTDOWN && current == null) {
      Connection made = new Connection(service);
      current = made;
      connections.add(made);
      change(ConnectivityState.READY);
      List<Call<?, ?>> begin = List.copyOf(waiting);
      waiting.clear();
      begin.forEach(call -> call.attach(made));
    }
  }

  public boolean isConnected() {
    return current != null;
  }

  /**
   * Loses the connection.
   *
   * @param arrives the number of written messages that still arrive at the agent
   * @param refusesUnread whether the agent sends a GOAWAY in time to refuse the calls that it has
   *     not read
   */
  public void lose(int arrives, boolean refusesUnread) {
    Connection lost = current;
    if (lost == null) {
      return;
    }
    current = null;
    lost.unwritten.clear();
    lost.toClient.clear();
    Predicate<Call<?, ?>> isUnread = call -> refusesUnread && !lost.seen.contains(call);
    lost.toAgent.removeIf(op -> op.call != null && isUnread.test(op.call));
    while (lost.toAgent.size() > arrives) {
      lost.toAgent.removeLast();
    }
    lost.toAgent.add(new Op(Kind.CONNECTION_LOST, null, null));
    change(ConnectivityState.TRANSIENT_FAILURE);
    for (Call<?, ?> call : List.copyOf(lost.calls)) {
      call.connectionLost(isUnread.test(call));
    }
  }

  /** Kills the agent's process: nothing arrives there any more. */
  public void killAgent() {
    connections.forEach(connection -> connection.toAgent.clear());
    lose(0, false);
    connections.clear();
  }

  private void change(ConnectivityState next) {
    state = next;
    List<Runnable> told = List.copyOf(stateWatchers);
    stateWatchers.clear();
    told.forEach(Runnable::run);
  }

  // The client's view.

  @Override
  public ConnectivityState getState(boolean requestConnection) {
    onTouch.run();
    return state;
  }

  @Override
  public void notifyWhenStateChanged(ConnectivityState source, Runnable callback) {
    if (state != source) {
      callback.run();
    } else {
      stateWatchers.add(callback);
    }
  }

  @Override
  public <Q, R> ClientCall<Q, R> newCall(MethodDescriptor<Q, R> method, CallOptions options) {
    return new Call<>(method, options);
  }

  @Override
  public String authority() {
    return "simulated";
  }

  @Override
  public ManagedChannel shutdown() {
    return shutdownNow();
  }

  @Override
  public ManagedChannel shutdownNow() {
    lose(Integer.MAX_VALUE, false);
    state = ConnectivityState.SHUTDOWN;
    for (Call<?, ?> call : List.copyOf(waiting)) {
      call.end(Status.UNAVAILABLE.withDescription("the channel was shut down"));
    }
    return this;
  }

  @Override
  public boolean isShutdown() {
    return state == ConnectivityState.SHUTDOWN;
  }

  @Override
  public boolean isTerminated() {
    return isShutdown();
  }

  @Override
  public boolean awaitTermination(long timeout, TimeUnit unit) {
    return isShutdown();
  }

  /** The client's end of a call. */
  private final class Call<Q, R> extends ClientCall<Q, R> {
    private final MethodDescriptor<Q, R> method;
    private final CallOptions options;
    private final List<Op> given = new ArrayList<>();
    private ClientCall.@Nullable Listener<R> listener;
    private Metadata headers = new Metadata();
    private List<ClientStreamTracer> tracers = List.of();
    private @Nullable Connection connection;
    private boolean opened;
    private boolean answered;
    private boolean over;

    Call(MethodDescriptor<Q, R> method, CallOptions options) {
      this.method = method;
      this.options = options;
    }

    private void callBack(Runnable callback) {
      Executor own = options.getExecutor();
      if (own == null) {
        callbacks.add(callback);
      } else {
        own.execute(callback);
      }
    }

    private ClientCall.Listener<R> listener() {
      return Objects.requireNonNull(listener);
    }

    @Override
    public void start(ClientCall.Listener<R> responses, Metadata requestHeaders) {
      listener = responses;
      headers = requestHeaders;
      trace(false);
      beginOrWait();
    }

    private void beginOrWait() {
      Connection there = current;
      if (there != null) {
        attach(there);
      } else if (options.isWaitForReady() && state != ConnectivityState.SHUTDOWN) {
        waiting.add(this);
      } else {
        end(Status.UNAVAILABLE.withDescription("Connection refused"));
      }
    }

    private void trace(boolean isRetry) {
      ClientStreamTracer.StreamInfo info =
          ClientStreamTracer.StreamInfo.newBuilder()
              .setCallOptions(options)
              .setIsTransparentRetry(isRetry)
              .build();
      tracers =
          options.getStreamTracerFactories().stream()
              .map(factory -> factory.newClientStreamTracer(info, headers))
              .toList();
    }

    void attach(Connection to) {
      connection = to;
      tracers.forEach(tracer -> tracer.streamCreated(Attributes.EMPTY, headers));
      to.calls.add(this);
      to.unwritten.add(new Op(Kind.OPEN, this, null));
      to.unwritten.addAll(given);
    }

    private void give(Op op) {
      given.add(op);
      Connection to = connection;
      if (to != null && !over) {
        to.unwritten.add(op);
      }
      onTouch.run();
    }

    @Override
    public void sendMessage(Q message) {
      give(new Op(Kind.MESSAGE, this, message));
    }

    @Override
    public void halfClose() {
      give(new Op(Kind.HALF_CLOSE, this, null));
    }

    @Override
    public void request(int count) {}

    @Override
    public boolean isReady() {
      Connection to = connection;
      return to != null
          && opened
          && !over
          && to.unwritten.stream().filter(op -> op.call == this).count() < MOST_UNWRITTEN;
    }

    void written(Kind kind) {
      if (kind == Kind.OPEN) {
        opened = true;
        tracers.forEach(ClientStreamTracer::outboundHeaders);
      }
      if (!over) {
        callBack(() -> listener().onReady());
      }
    }

    @Override
    public void cancel(@Nullable String message, @Nullable Throwable cause) {
      onTouch.run();
      Connection to = connection;
      if (!over && to != null && to == current) {
        to.unwritten.removeIf(op -> op.call == this);
        if (opened) {
          to.unwritten.add(new Op(Kind.RESET, this, null));
        }
      }
      end(Status.CANCELLED.withDescription(message).withCause(cause));
    }

    void connectionLost(boolean refused) {
      if (over) {
        return;
      }
      if (!opened || (refused && !answered)) {
        connection = null;
        opened = false;
        trace(true);
        beginOrWait();
      } else {
        end(Status.UNAVAILABLE.withDescription("connection lost"));
      }
    }

    /** Ends the call with a status of this end. */
    void end(Status status) {
      if (!over && listener != null) {
        over = true;
        waiting.remove(this);
        callBack(() -> listener().onClose(status, new Metadata()));
      }
    }

    void serve(Connection by) {
      ServerMethodDefinition<?, ?> found = by.service.getMethod(method.getFullMethodName());
      @SuppressWarnings("unchecked") // The same method.
      ServerMethodDefinition<Q, R> served =
          (ServerMethodDefinition<Q, R>) Objects.requireNonNull(found);
      AgentSide<Q, R> side = new AgentSide<>(this, by);
      by.seen.add(this);
      by.served.put(this, side);
      side.begin(served.getServerCallHandler().startCall(side, headers));
    }

    void headersCame() {
      if (!over) {
        answered = true;
        tracers.forEach(ClientStreamTracer::inboundHeaders);
      }
    }

    void messageCame(R message) {
      if (!over) {
        callBack(() -> listener().onMessage(message));
      }
    }

    void agentEnded(Status status, Metadata trailers) {
      if (!over) {
        over = true;
        tracers.forEach(tracer -> tracer.inboundTrailers(trailers));
        callBack(() -> listener().onClose(status, trailers));
      }
    }
  }

  /** The agent's end of a call. */
  private static final class AgentSide<Q, R> extends ServerCall<Q, R> {
    private final Call<Q, R> call;
    private final Connection connection;
    private final ArrayDeque<Q> unread = new ArrayDeque<>();
    private ServerCall.@Nullable Listener<Q> listener;
    private int requested;
    private boolean halfClosed;
    private boolean reading;
    private boolean cancelled;
    private boolean over;

    AgentSide(Call<Q, R> call, Connection connection) {
      this.call = call;
      this.connection = connection;
    }

    void begin(ServerCall.Listener<Q> requests) {
      listener = requests;
      requests.onReady();
      read();
    }

    @SuppressWarnings("unchecked") // The same call.
    void received(Object message) {
      unread.add((Q) message);
      read();
    }

    void halfClosed() {
      halfClosed = true;
      read();
    }

    void cancelled() {
      cancelled = true;
      end();
      if (listener != null) {
        listener.onCancel();
      }
    }

    private void end() {
      over = true;
      connection.served.remove(call);
    }

    private void read() {
      ServerCall.Listener<Q> to = listener;
      if (reading || to == null) {
        return;
      }
      reading = true;
      while (!over && requested > 0 && !unread.isEmpty()) {
        requested--;
        to.onMessage(unread.remove());
      }
      if (!over && halfClosed && unread.isEmpty()) {
        halfClosed = false;
        to.onHalfClose();
      }
      reading = false;
    }

    @Override
    public void request(int count) {
      requested += count;
      read();
    }

    @Override
    public void sendHeaders(Metadata headers) {
      connection.toClient.add(call::headersCame);
    }

    @Override
    public void sendMessage(R message) {
      connection.toClient.add(() -> call.messageCame(message));
    }

    @Override
    public void close(Status status, Metadata trailers) {
      end();
      connection.toClient.add(() -> call.agentEnded(status, trailers));
    }

    @Override
    public boolean isCancelled() {
      return cancelled;
    }

    @Override
    public MethodDescriptor<Q, R> getMethodDescriptor() {
      return call.method;
    }
  }
}
