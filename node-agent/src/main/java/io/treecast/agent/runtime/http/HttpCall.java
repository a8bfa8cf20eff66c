package io.treecast.agent.runtime.http;

import static io.grpc.netty.shaded.io.netty.handler.codec.http.HttpHeaderNames.AUTHORIZATION;
import static io.grpc.netty.shaded.io.netty.handler.codec.http.HttpHeaderNames.CACHE_CONTROL;
import static io.grpc.netty.shaded.io.netty.handler.codec.http.HttpHeaderNames.CONNECTION;
import static io.grpc.netty.shaded.io.netty.handler.codec.http.HttpHeaderNames.CONTENT_LENGTH;
import static io.grpc.netty.shaded.io.netty.handler.codec.http.HttpHeaderNames.CONTENT_TYPE;
import static io.grpc.netty.shaded.io.netty.handler.codec.http.HttpHeaderNames.ORIGIN;
import static java.nio.charset.StandardCharsets.UTF_8;

import io.grpc.Attributes;
import io.grpc.Grpc;
import io.grpc.Metadata;
import io.grpc.MethodDescriptor;
import io.grpc.ServerCall;
import io.grpc.ServerMethodDefinition;
import io.grpc.Status;
import io.grpc.netty.shaded.io.netty.buffer.ByteBuf;
import io.grpc.netty.shaded.io.netty.buffer.Unpooled;
import io.grpc.netty.shaded.io.netty.channel.Channel;
import io.grpc.netty.shaded.io.netty.channel.ChannelHandlerContext;
import io.grpc.netty.shaded.io.netty.channel.SimpleChannelInboundHandler;
import io.grpc.netty.shaded.io.netty.handler.codec.http.DefaultFullHttpResponse;
import io.grpc.netty.shaded.io.netty.handler.codec.http.HttpContent;
import io.grpc.netty.shaded.io.netty.handler.codec.http.HttpHeaders;
import io.grpc.netty.shaded.io.netty.handler.codec.http.HttpRequest;
import io.grpc.netty.shaded.io.netty.handler.codec.http.HttpResponseStatus;
import io.grpc.netty.shaded.io.netty.handler.codec.http.HttpVersion;
import io.grpc.netty.shaded.io.netty.handler.codec.http.LastHttpContent;
import io.grpc.netty.shaded.io.netty.handler.codec.http.QueryStringDecoder;
import io.grpc.netty.shaded.io.netty.util.concurrent.Future;
import io.treecast.proto.v1.RefusalReason;
import java.net.InetSocketAddress;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import javax.net.ssl.SSLSession;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A request of an HTTP client, which the agent serves like a gRPC call, and the rest of its
 * connection. For the thread of the admin port; the agent answers on threads of its own.
 *
 * @param <Q> the gRPC request
 * @param <R> the gRPC responses
 */
abstract class HttpCall<Q, R> extends SimpleChannelInboundHandler<HttpContent> {
  /** The limit of the time in which a client reads the answer. */
  private static final long ANSWER_SECONDS = 10;

  private static final Metadata.Key<String> TOKEN =
      Metadata.Key.of("authorization", Metadata.ASCII_STRING_MARSHALLER);

  private static final Logger log = LoggerFactory.getLogger(HttpCall.class);

  private final Channel channel;
  private final HttpRequest request;
  private final @Nullable SSLSession tls;
  private final HttpClients clients;
  private final MethodDescriptor<Q, R> method;

  /** Responses of the agent that the thread of the port has not written yet. */
  private final AtomicInteger unwritten = new AtomicInteger();

  private volatile boolean cancelled;
  private ServerCall.@Nullable Listener<Q> listener;
  private @Nullable Future<?> closing;

  /** Whether the whole request has arrived. */
  private boolean hasCome;

  /** Whether the client has the whole answer, or has disconnected. */
  private boolean over;

  HttpCall(
      Channel channel,
      HttpRequest request,
      @Nullable SSLSession tls,
      HttpClients clients,
      MethodDescriptor<Q, R> method) {
    this.channel = channel;
    this.request = request;
    this.tls = tls;
    this.clients = clients;
    this.method = method;
  }

  /**
   * Checks the head of the request, and starts to serve it.
   *
   * @param topics the topics that the request names
   * @throws HttpRefusal if it cannot be served
   */
  abstract void begin(List<String> topics) throws HttpRefusal;

  /** Returns the required HTTP method. */
  abstract String httpMethod();

  /** Handles a part of the body. */
  abstract void bodyReceived(HttpContent part);

  /** Handles a response of the agent. */
  abstract void answered(R answer);

  /** Informs the client that the agent has ended the call. */
  abstract void failed(HttpRefusal why);

  /** Releases resources: the client has the whole answer, or has disconnected. */
  abstract void release();

  /** Ends the call because the agent shuts down. */
  abstract void shutDown();

  final void begin() {
    try {
      clients.add(this);
      begin(topics());
    } catch (HttpRefusal refusal) {
      refuse(refusal);
    }
  }

  private List<String> topics() throws HttpRefusal {
    if (request.headers().contains(ORIGIN) || request.headers().contains("Sec-Fetch-Site")) {
      throw new HttpRefusal(
          403,
          RefusalReason.REFUSAL_REASON_PERMISSION_DENIED,
          "pages in browsers may not publish or subscribe: send no Origin and no Sec-Fetch-Site");
    }
    if (!request.method().name().equals(httpMethod())) {
      throw HttpRefusal.invalid(405, "only " + httpMethod());
    }
    Map<String, List<String>> parameters;
    try {
      parameters = new QueryStringDecoder(request.uri(), UTF_8).parameters();
    } catch (IllegalArgumentException e) {
      throw HttpRefusal.invalid(400, "the address cannot be decoded: " + e.getMessage());
    }
    if (!request.uri().chars().allMatch(each -> each > ' ' && each < 0x7f)) {
      throw HttpRefusal.invalid(
          400, "encode the topic, as curl does with -G --data-urlencode topic=T");
    }
    for (String name : parameters.keySet()) {
      if (!name.equals("topic")) {
        throw HttpRefusal.invalid(400, "unknown parameter '" + name + "'; allowed is topic");
      }
    }
    return parameters.getOrDefault("topic", List.of(""));
  }

  /** Passes the request to the agent. */
  final void call(Q message) {
    @SuppressWarnings("unchecked") // The method of this name has these types.
    ServerMethodDefinition<Q, R> definition =
        (ServerMethodDefinition<Q, R>)
            Objects.requireNonNull(clients.service().getMethod(method.getFullMethodName()));
    Metadata headers = new Metadata();
    String token = request.headers().get(AUTHORIZATION);
    if (token != null) {
      headers.put(TOKEN, token);
    }
    ServerCall.Listener<Q> begun =
        definition.getServerCallHandler().startCall(new Call(attributes()), headers);
    listener = begun;
    begun.onMessage(message);
    begun.onHalfClose();
  }

  /** Clients without a certificate that share a host count as one client. */
  private Attributes attributes() {
    InetSocketAddress remote = (InetSocketAddress) channel.remoteAddress();
    Attributes.Builder attributes =
        Attributes.newBuilder()
            .set(Grpc.TRANSPORT_ATTR_REMOTE_ADDR, new InetSocketAddress(remote.getAddress(), 0));
    return tls == null
        ? attributes.build()
        : attributes.set(Grpc.TRANSPORT_ATTR_SSL_SESSION, tls).build();
  }

  final HttpClients clients() {
    return clients;
  }

  final HttpRequest request() {
    return request;
  }

  final Channel channel() {
    return channel;
  }

  /** Closes the connection after this time; replaces an earlier timeout. */
  final void closeIn(long seconds) {
    cancelClosing();
    closing = channel.eventLoop().schedule(this::close, seconds, TimeUnit.SECONDS);
  }

  private void cancelClosing() {
    if (closing != null) {
      closing.cancel(false);
    }
  }

  final void close() {
    var unusedAsChannelInactiveTells = channel.close();
  }

  final void refuse(HttpRefusal why) {
    answer(why.status(), why.json());
  }

  /** Writes the whole answer. */
  final void answer(int status, String json) {
    ByteBuf body = Unpooled.wrappedBuffer((json + "\n").getBytes(UTF_8));
    DefaultFullHttpResponse response =
        new DefaultFullHttpResponse(HttpVersion.HTTP_1_1, HttpResponseStatus.valueOf(status), body);
    setHeaders(response.headers(), "application/json");
    response.headers().set(CONTENT_LENGTH, body.readableBytes());
    var unusedAsItCloses =
        channel.writeAndFlush(response).addListener(written -> finish(written.isSuccess()));
    done();
  }

  static void setHeaders(HttpHeaders headers, String contentType) {
    headers.set(CONTENT_TYPE, contentType);
    headers.set(CACHE_CONTROL, "no-store");
    headers.set("X-Content-Type-Options", "nosniff");
    headers.set(CONNECTION, "close");
  }

  /**
   * Closes the connection when its client has the answer. An operating system that closes a
   * connection with unread input discards what it has sent, so the rest of the request is read
   * first.
   */
  final void finish(boolean isWritten) {
    if (hasCome || !isWritten) {
      close();
    }
  }

  /** Notes that the client has the whole answer, or has disconnected. */
  final void done() {
    if (!over) {
      over = true;
      closeIn(ANSWER_SECONDS);
      release();
    }
  }

  /** Ends the call because the agent shuts down. */
  final void end() {
    if (!over) {
      shutDown();
      cancel();
    }
  }

  @Override
  protected final void channelRead0(ChannelHandlerContext context, HttpContent part) {
    if (part instanceof LastHttpContent) {
      hasCome = true;
    }
    if (over) {
      finish(true);
    } else if (part.decoderResult().isFailure()) {
      refuse(HttpRefusal.invalid(400, "the body is not valid HTTP"));
    } else {
      bodyReceived(part);
    }
  }

  @Override
  public final void channelInactive(ChannelHandlerContext context) {
    done();
    cancelClosing();
    cancel();
    clients.remove(this);
  }

  /** Cancels the call, unless it has ended. */
  private void cancel() {
    cancelled = true;
    ServerCall.Listener<Q> begun = listener;
    listener = null;
    if (begun != null) {
      begun.onCancel();
    }
  }

  private void complete() {
    ServerCall.Listener<Q> begun = listener;
    listener = null;
    if (begun != null) {
      begun.onComplete();
    }
  }

  @Override
  public final void channelWritabilityChanged(ChannelHandlerContext context) {
    sayIfReady();
  }

  private boolean isReady() {
    return unwritten.get() == 0 && channel.isWritable();
  }

  private void sayIfReady() {
    ServerCall.Listener<Q> begun = listener;
    if (begun != null && isReady()) {
      begun.onReady();
    }
  }

  @Override
  public final void exceptionCaught(ChannelHandlerContext context, Throwable failure) {
    log.debug("the connection of an HTTP client failed", failure);
    close();
  }

  /** The gRPC call that the agent serves. */
  private final class Call extends ServerCall<Q, R> {
    private final Attributes attributes;

    Call(Attributes attributes) {
      this.attributes = attributes;
    }

    private void onThread(Runnable task) {
      try {
        channel.eventLoop().execute(task);
      } catch (RejectedExecutionException e) {
        log.debug("an HTTP client gets no answer, because the port is closed", e);
      }
    }

    @Override
    public void request(int messages) {
      // The single request is delivered without being requested.
    }

    @Override
    public void sendHeaders(Metadata headers) {
      // The head of the answer depends on the first message or on the refusal.
    }

    @Override
    public void sendMessage(R message) {
      unwritten.incrementAndGet();
      onThread(
          () -> {
            if (!over) {
              answered(message);
            }
            unwritten.decrementAndGet();
            sayIfReady();
          });
    }

    @Override
    public boolean isReady() {
      return HttpCall.this.isReady();
    }

    @Override
    public void close(Status status, Metadata trailers) {
      onThread(
          () -> {
            if (!over) {
              failed(HttpRefusal.of(status, trailers));
            }
            complete();
          });
    }

    @Override
    public boolean isCancelled() {
      return cancelled;
    }

    @Override
    public MethodDescriptor<Q, R> getMethodDescriptor() {
      return method;
    }

    @Override
    public Attributes getAttributes() {
      return attributes;
    }
  }
}
