package io.treecast.agent.runtime.http;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.grpc.netty.shaded.io.netty.buffer.Unpooled;
import io.grpc.netty.shaded.io.netty.channel.Channel;
import io.grpc.netty.shaded.io.netty.handler.codec.http.DefaultHttpContent;
import io.grpc.netty.shaded.io.netty.handler.codec.http.DefaultHttpResponse;
import io.grpc.netty.shaded.io.netty.handler.codec.http.HttpContent;
import io.grpc.netty.shaded.io.netty.handler.codec.http.HttpRequest;
import io.grpc.netty.shaded.io.netty.handler.codec.http.HttpResponseStatus;
import io.grpc.netty.shaded.io.netty.handler.codec.http.HttpUtil;
import io.grpc.netty.shaded.io.netty.handler.codec.http.HttpVersion;
import io.grpc.netty.shaded.io.netty.handler.codec.http.LastHttpContent;
import io.grpc.netty.shaded.io.netty.handler.timeout.WriteTimeoutHandler;
import io.grpc.netty.shaded.io.netty.util.concurrent.Future;
import io.treecast.agent.transport.frame.SubscriberEvents;
import io.treecast.proto.v1.SubscribeRequest;
import io.treecast.proto.v1.SubscriptionStart;
import io.treecast.proto.v1.WhenSlow;
import java.util.List;
import java.util.concurrent.TimeUnit;
import javax.net.ssl.SSLSession;
import org.jspecify.annotations.Nullable;

/**
 * A subscription of an HTTP client as a stream of server-sent events: {@code GET /subscribe}.
 * Publishers never wait for it. A client that reads nothing for {@code limits.slowSubscriberMillis}
 * is disconnected.
 */
final class HttpSubscription extends HttpCall<SubscribeRequest, SubscriberEvents> {
  /** The interval of keepalives; many proxies close a connection that is silent for a minute. */
  private static final long KEEPALIVE_SECONDS = 15;

  private final MessageEvents events;
  private @Nullable Future<?> keepalive;
  private boolean hasBegun;

  HttpSubscription(
      Channel channel, HttpRequest request, @Nullable SSLSession tls, HttpClients clients) {
    super(channel, request, tls, clients, SubscriberEvents.SUBSCRIBE);
    this.events = new MessageEvents(clients.limits().payloadBytes(), clients.unfinished());
  }

  @Override
  String httpMethod() {
    return "GET";
  }

  @Override
  void begin(List<String> topics) {
    channel()
        .pipeline()
        .addFirst(
            new WriteTimeoutHandler(
                clients().limits().slowSubscriberMillis(), TimeUnit.MILLISECONDS));
    call(
        SubscribeRequest.newBuilder()
            .setStart(SubscriptionStart.SUBSCRIPTION_START_NOW)
            .setWhenSlow(WhenSlow.WHEN_SLOW_CATCH_UP)
            .addAllTopics(topics)
            .build());
  }

  @Override
  void bodyReceived(HttpContent part) {
    // The body of a GET request has no meaning.
  }

  @Override
  void answered(SubscriberEvents response) {
    if (!hasBegun) {
      hasBegun = true;
      DefaultHttpResponse head =
          new DefaultHttpResponse(HttpVersion.HTTP_1_1, HttpResponseStatus.OK);
      setHeaders(head.headers(), "text/event-stream; charset=utf-8");
      HttpUtil.setTransferEncodingChunked(head, request().protocolVersion().isKeepAliveDefault());
      var unused = channel().write(head);
      keepalive =
          channel()
              .eventLoop()
              .scheduleWithFixedDelay(
                  this::keepAlive, KEEPALIVE_SECONDS, KEEPALIVE_SECONDS, TimeUnit.SECONDS);
    }
    StringBuilder text = new StringBuilder();
    response.toProto().getEventsList().forEach(event -> events.append(event, text));
    if (!text.isEmpty()) {
      send(text.toString(), events.takeFinishedBytes());
    }
  }

  private void keepAlive() {
    if (channel().isWritable()) {
      send(": keepalive\n\n", 0);
    }
  }

  private void send(String text, int countedBytes) {
    var unusedAsChannelInactiveTells =
        channel()
            .writeAndFlush(new DefaultHttpContent(Unpooled.wrappedBuffer(text.getBytes(UTF_8))))
            .addListener(sent -> clients().unfinished().over(countedBytes));
  }

  @Override
  void failed(HttpRefusal why) {
    if (!hasBegun) {
      refuse(why);
      return;
    }
    send("event: end\ndata: " + why.json() + "\n\n", 0);
    var unusedAsItCloses =
        channel()
            .writeAndFlush(LastHttpContent.EMPTY_LAST_CONTENT)
            .addListener(written -> finish(written.isSuccess()));
    done();
  }

  @Override
  void release() {
    events.release();
    if (keepalive != null) {
      keepalive.cancel(false);
    }
  }

  @Override
  void shutDown() {
    failed(HttpRefusal.shuttingDown());
  }
}
