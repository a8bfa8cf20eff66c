package io.treecast.agent.runtime.http;

import io.grpc.ServerInterceptors;
import io.grpc.ServerServiceDefinition;
import io.grpc.netty.shaded.io.netty.channel.Channel;
import io.grpc.netty.shaded.io.netty.channel.ChannelHandler;
import io.grpc.netty.shaded.io.netty.handler.codec.http.HttpRequest;
import io.treecast.agent.config.AgentConfig;
import io.treecast.agent.permission.PermittedCalls;
import io.treecast.agent.runtime.server.CallPermissions;
import io.treecast.agent.runtime.server.UnreadAnswers;
import io.treecast.collectives.broadcast.contract.BroadcastLimits;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import javax.net.ssl.SSLSession;
import org.jspecify.annotations.Nullable;

/**
 * The clients that publish and subscribe over HTTP: {@code POST /publish} and {@code GET
 * /subscribe}. A request takes at most the memory of its body. The bodies of all requests share one
 * limit, and the unfinished messages of all streams share another. For the thread of the admin
 * port.
 */
public final class HttpClients {
  private static final String PUBLISH = "/publish";
  private static final String SUBSCRIBE = "/subscribe";

  /** The limit of requests and streams together; streams also count as subscriptions. */
  private static final int MOST = 256;

  private final ServerServiceDefinition service;
  private final BroadcastLimits limits;
  private final UnreadAnswers bodies;
  private final UnreadAnswers unfinished;
  private final Set<HttpCall<?, ?>> open = new LinkedHashSet<>();
  private boolean ended;

  private HttpClients(ServerServiceDefinition service, BroadcastLimits limits) {
    this.service = service;
    this.limits = limits;
    this.bodies = new UnreadAnswers(limits.publishBufferBytes());
    this.unfinished = new UnreadAnswers(limits.publishBufferBytes());
  }

  /**
   * Creates the HTTP service of an agent; null if its settings do not allow HTTP clients.
   *
   * @param service the service for applications
   * @param permissions the permissions of callers; null if everybody may do everything
   */
  public static @Nullable HttpClients of(
      AgentConfig config, ServerServiceDefinition service, @Nullable CallPermissions permissions) {
    return config.http()
        ? new HttpClients(
            permissions == null
                ? service
                : ServerInterceptors.intercept(service, new PermittedCalls(permissions.gate())),
            config.broadcast())
        : null;
  }

  /** Returns whether a request is for this service. */
  public static boolean handles(HttpRequest request) {
    String path = request.uri().split("\\?", 2)[0];
    return path.equals(PUBLISH) || path.equals(SUBSCRIBE);
  }

  /**
   * Serves a request and the rest of its connection.
   *
   * @param before the handler that has served the connection so far
   * @param tls the session of a client with a trusted certificate; null for others
   */
  public void take(
      Channel channel, ChannelHandler before, HttpRequest request, @Nullable SSLSession tls) {
    HttpCall<?, ?> call =
        request.uri().startsWith(PUBLISH)
            ? new HttpPublishing(channel, request, tls, this)
            : new HttpSubscription(channel, request, tls, this);
    channel.pipeline().replace(before, null, call);
    call.begin();
  }

  /** Returns whether {@link #take} may be called. */
  public boolean haveRoom() {
    return open.size() < MOST;
  }

  /**
   * Registers a call that begins.
   *
   * @throws HttpRefusal if the agent shuts down
   */
  void add(HttpCall<?, ?> call) throws HttpRefusal {
    open.add(call);
    if (ended) {
      throw HttpRefusal.shuttingDown();
    }
  }

  void remove(HttpCall<?, ?> call) {
    open.remove(call);
  }

  ServerServiceDefinition service() {
    return service;
  }

  BroadcastLimits limits() {
    return limits;
  }

  /** Returns the bytes of request bodies that have not been passed to the agent. */
  UnreadAnswers bodies() {
    return bodies;
  }

  /** Returns the bytes of messages of several chunks that have not been sent to subscribers. */
  UnreadAnswers unfinished() {
    return unfinished;
  }

  /** Ends all calls because the agent shuts down; later calls are refused. */
  public void end() {
    ended = true;
    List.copyOf(open).forEach(HttpCall::end);
  }

  /** Closes all connections. */
  public void close() {
    List.copyOf(open).forEach(HttpCall::close);
  }
}
