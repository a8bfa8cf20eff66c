package io.treecast.agent.runtime.admin;

import static io.grpc.netty.shaded.io.netty.handler.codec.http.HttpHeaderNames.AUTHORIZATION;
import static io.grpc.netty.shaded.io.netty.handler.codec.http.HttpHeaderNames.CACHE_CONTROL;
import static io.grpc.netty.shaded.io.netty.handler.codec.http.HttpHeaderNames.CONNECTION;
import static io.grpc.netty.shaded.io.netty.handler.codec.http.HttpHeaderNames.CONTENT_LENGTH;
import static io.grpc.netty.shaded.io.netty.handler.codec.http.HttpHeaderNames.CONTENT_SECURITY_POLICY;
import static io.grpc.netty.shaded.io.netty.handler.codec.http.HttpHeaderNames.CONTENT_TYPE;
import static io.grpc.netty.shaded.io.netty.handler.codec.http.HttpHeaderNames.ETAG;
import static io.grpc.netty.shaded.io.netty.handler.codec.http.HttpHeaderNames.HOST;
import static io.grpc.netty.shaded.io.netty.handler.codec.http.HttpHeaderNames.IF_NONE_MATCH;
import static java.nio.charset.StandardCharsets.UTF_8;

import io.grpc.netty.shaded.io.netty.buffer.ByteBuf;
import io.grpc.netty.shaded.io.netty.buffer.Unpooled;
import io.grpc.netty.shaded.io.netty.channel.ChannelFutureListener;
import io.grpc.netty.shaded.io.netty.channel.ChannelHandlerContext;
import io.grpc.netty.shaded.io.netty.channel.SimpleChannelInboundHandler;
import io.grpc.netty.shaded.io.netty.handler.codec.http.DefaultFullHttpResponse;
import io.grpc.netty.shaded.io.netty.handler.codec.http.FullHttpResponse;
import io.grpc.netty.shaded.io.netty.handler.codec.http.HttpHeaders;
import io.grpc.netty.shaded.io.netty.handler.codec.http.HttpMethod;
import io.grpc.netty.shaded.io.netty.handler.codec.http.HttpObject;
import io.grpc.netty.shaded.io.netty.handler.codec.http.HttpRequest;
import io.grpc.netty.shaded.io.netty.handler.codec.http.HttpResponseStatus;
import io.grpc.netty.shaded.io.netty.handler.codec.http.HttpVersion;
import io.grpc.netty.shaded.io.netty.util.concurrent.Future;
import io.treecast.agent.runtime.http.HttpClients;
import java.net.URI;
import java.net.URISyntaxException;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A connection to an agent's admin port: one request and its answer. Further input is ignored. For
 * the port's thread.
 */
public final class AdminConnection extends SimpleChannelInboundHandler<HttpObject> {
  /**
   * The timeout for the TLS handshake and the head of the request: a few round trips around the
   * world, one of which may be lost.
   */
  private static final long REQUEST_SECONDS = 5;

  /** The timeout for the answer; scrapers time out earlier. */
  private static final long ANSWER_SECONDS = 10;

  private static final Logger log = LoggerFactory.getLogger(AdminConnection.class);

  /** The Content-Security-Policy of the pages: content and scripts of this agent only. */
  public static final String ALLOWED_CONTENT =
      "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self';"
          + " base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

  private static final String OTHER_HOST =
      "the admin pages are not served under this host name; use an IP address, or name the host in"
          + " the agent's setting adminHosts (--admin-hosts)\n";

  private static final String NO_CLIENTS =
      "this agent does not let HTTP clients publish and subscribe; start it with http: true"
          + " (--http)\n";

  private static final String TOO_MANY_CLIENTS =
      "too many HTTP clients publish and subscribe here: try again later\n";

  private final ServedHosts hosts;
  private final PageAccess access;
  private final AdminPages pages;
  private final AdminConnections connections;
  private final @Nullable HttpClients clients;
  private boolean hasAsked;
  private @Nullable Future<?> end;

  AdminConnection(
      ServedHosts hosts,
      PageAccess access,
      AdminPages pages,
      AdminConnections connections,
      @Nullable HttpClients clients) {
    this.hosts = hosts;
    this.access = access;
    this.pages = pages;
    this.connections = connections;
    this.clients = clients;
  }

  @Override
  public void channelActive(ChannelHandlerContext context) {
    connections.opened(context.channel());
    closeIn(REQUEST_SECONDS, context);
  }

  @Override
  public void channelInactive(ChannelHandlerContext context) {
    leave(context);
  }

  private void leave(ChannelHandlerContext context) {
    connections.closed(context.channel());
    if (end != null) {
      end.cancel(false);
    }
  }

  private void closeIn(long seconds, ChannelHandlerContext context) {
    if (end != null) {
      end.cancel(false);
    }
    end = context.executor().schedule(() -> hangUp(context), seconds, TimeUnit.SECONDS);
  }

  private static void hangUp(ChannelHandlerContext context) {
    var unusedAsChannelInactiveTells = context.close();
  }

  @Override
  protected void channelRead0(ChannelHandlerContext context, HttpObject part) {
    if (hasAsked || !(part instanceof HttpRequest request)) {
      return;
    }
    hasAsked = true;
    closeIn(ANSWER_SECONDS, context);
    if (request.decoderResult().isFailure()) {
      send(AdminPage.text(400, "this is not an HTTP request\n"), request, context);
      return;
    }
    if (!request.headers().getAll(HOST).stream().allMatch(hosts::contain)) {
      send(AdminPage.text(421, OTHER_HOST), request, context);
      return;
    }
    boolean isOfClient = HttpClients.handles(request);
    if (isOfClient && clients != null) {
      serve(clients, request, context);
      return;
    }
    URI uri = uri(request);
    String refusal =
        access.refusal(
            context.pipeline(),
            uri == null ? "" : String.valueOf(uri.getPath()),
            request.headers().get(AUTHORIZATION));
    if (refusal != null) {
      send(AdminPage.text(403, refusal + "\n"), request, context);
      return;
    }
    if (isOfClient) {
      send(AdminPage.text(403, NO_CLIENTS), request, context);
      return;
    }
    var unused =
        pages
            .answer(request.method().name(), uri)
            .thenAcceptAsync(page -> send(page, request, context), context.executor());
  }

  private void serve(HttpClients those, HttpRequest request, ChannelHandlerContext context) {
    if (!those.haveRoom()) {
      send(AdminPage.text(503, TOO_MANY_CLIENTS), request, context);
      return;
    }
    leave(context);
    those.take(context.channel(), this, request, access.trusted(context.pipeline()));
  }

  /** Returns the URI of a request; null if it is not valid. */
  private static @Nullable URI uri(HttpRequest request) {
    try {
      return new URI(request.uri());
    } catch (URISyntaxException e) {
      return null;
    }
  }

  private void send(AdminPage page, HttpRequest request, ChannelHandlerContext context) {
    if (!context.channel().isActive()) {
      return; // The connection has closed meanwhile.
    }
    connections.answered(context.channel());
    boolean isKnown = page.isAmong(request.headers().getAll(IF_NONE_MATCH));
    ByteBuf body = Unpooled.wrappedBuffer(page.body().getBytes(UTF_8));
    FullHttpResponse response =
        new DefaultFullHttpResponse(
            HttpVersion.HTTP_1_1,
            HttpResponseStatus.valueOf(isKnown ? 304 : page.status()),
            isKnown || request.method().equals(HttpMethod.HEAD) ? Unpooled.EMPTY_BUFFER : body);
    HttpHeaders headers = response.headers();
    headers.set(CONNECTION, "close");
    headers.set(CONTENT_SECURITY_POLICY, ALLOWED_CONTENT);
    headers.set("X-Content-Type-Options", "nosniff");
    if (!page.tag().isEmpty()) {
      headers.set(ETAG, page.tag());
      // Browsers cache the page, and revalidate it each time.
      headers.set(CACHE_CONTROL, "no-cache");
    }
    if (!isKnown) {
      headers.set(CONTENT_TYPE, page.contentType());
      headers.set(CONTENT_LENGTH, body.readableBytes());
    }
    var unusedAsItCloses = context.writeAndFlush(response).addListener(ChannelFutureListener.CLOSE);
  }

  @Override
  public void exceptionCaught(ChannelHandlerContext context, Throwable failure) {
    log.debug("a connection to the admin port failed", failure);
    hangUp(context);
  }
}
