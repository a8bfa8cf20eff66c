package io.treecast.agent.runtime.http;

import com.google.protobuf.UnsafeByteOperations;
import io.grpc.netty.shaded.io.netty.buffer.Unpooled;
import io.grpc.netty.shaded.io.netty.channel.Channel;
import io.grpc.netty.shaded.io.netty.handler.codec.http.DefaultFullHttpResponse;
import io.grpc.netty.shaded.io.netty.handler.codec.http.HttpContent;
import io.grpc.netty.shaded.io.netty.handler.codec.http.HttpRequest;
import io.grpc.netty.shaded.io.netty.handler.codec.http.HttpResponseStatus;
import io.grpc.netty.shaded.io.netty.handler.codec.http.HttpUtil;
import io.grpc.netty.shaded.io.netty.handler.codec.http.HttpVersion;
import io.grpc.netty.shaded.io.netty.handler.codec.http.LastHttpContent;
import io.treecast.proto.v1.BroadcastRequest;
import io.treecast.proto.v1.BroadcastResponse;
import io.treecast.proto.v1.RefusalReason;
import io.treecast.proto.v1.TreecastServiceGrpc;
import java.util.List;
import java.util.concurrent.TimeUnit;
import javax.net.ssl.SSLSession;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.json.JsonMapper;

/** A broadcast of an HTTP client: {@code POST /publish}. */
final class HttpPublishing extends HttpCall<BroadcastRequest, BroadcastResponse> {
  /** The timeout for the body. */
  private static final long BODY_SECONDS = 30;

  /** The timeout for the acceptance of the message by the agent. */
  private static final long WAIT_SECONDS = 10;

  /** The margin for the agent's response after that timeout. */
  private static final long LATE_SECONDS = 10;

  private String topic = "";
  private byte[] body = new byte[0];
  private int bodyBytes;
  private boolean isCalled;

  HttpPublishing(
      Channel channel, HttpRequest request, @Nullable SSLSession tls, HttpClients clients) {
    super(channel, request, tls, clients, TreecastServiceGrpc.getBroadcastMethod());
  }

  @Override
  String httpMethod() {
    return "POST";
  }

  @Override
  void begin(List<String> topics) throws HttpRefusal {
    if (topics.size() > 1) {
      throw HttpRefusal.invalid(400, "a message has one topic, not " + topics.size());
    }
    topic = topics.get(0);
    long length = HttpUtil.getContentLength(request(), -1L);
    if (length < 0) {
      throw HttpRefusal.invalid(
          411, "state the length of the message, as curl does with --data-binary");
    }
    int most = clients().limits().payloadBytes();
    if (length > most) {
      throw new HttpRefusal(
          413,
          RefusalReason.REFUSAL_REASON_PAYLOAD_TOO_LARGE,
          ("the message has %s bytes; limits.payloadBytes of this agent is %s: upload it "
                  + "with another client, or send less")
              .formatted(length, most));
    }
    if (!clients().bodies().add((int) length)) {
      throw HttpRefusal.noRoom(
          "the messages of other HTTP clients leave no room for this one in"
              + " limits.publishBufferBytes, which is "
              + clients().bodies().maxBytes()
              + ": try again later");
    }
    body = new byte[(int) length];
    closeIn(BODY_SECONDS);
    if (HttpUtil.is100ContinueExpected(request())) {
      var unused =
          channel()
              .writeAndFlush(
                  new DefaultFullHttpResponse(
                      HttpVersion.HTTP_1_1, HttpResponseStatus.CONTINUE, Unpooled.EMPTY_BUFFER));
    }
  }

  @Override
  void bodyReceived(HttpContent part) {
    int bytes = Math.min(part.content().readableBytes(), body.length - bodyBytes);
    part.content().readBytes(body, bodyBytes, bytes);
    bodyBytes += bytes;
    if (part instanceof LastHttpContent && !isCalled) {
      isCalled = true;
      closeIn(WAIT_SECONDS + LATE_SECONDS);
      call(
          BroadcastRequest.newBuilder()
              .setTopic(topic)
              .setWaitMillis(TimeUnit.SECONDS.toMillis(WAIT_SECONDS))
              .setPayload(UnsafeByteOperations.unsafeWrap(body))
              .build());
    }
  }

  @Override
  void answered(BroadcastResponse accepted) {
    answer(
        200,
        JsonMapper.shared()
            .writeValueAsString(
                JsonMapper.shared()
                    .createObjectNode()
                    .put("messageId", MessageEvents.id(accepted.getMessageId()))
                    .put("treeVersion", accepted.getTreeVersion())));
  }

  @Override
  void failed(HttpRefusal why) {
    refuse(why);
  }

  @Override
  void release() {
    clients().bodies().over(body.length);
    body = new byte[0];
  }

  @Override
  void shutDown() {
    if (isCalled) {
      close(); // The outcome is unknown: the agent may still accept it.
    } else {
      refuse(HttpRefusal.shuttingDown());
    }
  }
}
