package io.treecast.agent.transport.connection;

import io.grpc.ChannelCredentials;
import io.grpc.ServerCredentials;
import io.grpc.netty.shaded.io.grpc.netty.GrpcHttp2ConnectionHandler;
import io.grpc.netty.shaded.io.grpc.netty.InternalNettyChannelCredentials;
import io.grpc.netty.shaded.io.grpc.netty.InternalNettyServerCredentials;
import io.grpc.netty.shaded.io.grpc.netty.InternalProtocolNegotiator.ClientFactory;
import io.grpc.netty.shaded.io.grpc.netty.InternalProtocolNegotiator.ProtocolNegotiator;
import io.grpc.netty.shaded.io.grpc.netty.InternalProtocolNegotiator.ServerFactory;
import io.grpc.netty.shaded.io.netty.channel.ChannelHandler;
import io.grpc.netty.shaded.io.netty.channel.ChannelHandlerContext;
import io.grpc.netty.shaded.io.netty.handler.codec.ByteToMessageDecoder;
import io.grpc.netty.shaded.io.netty.handler.codec.http2.Http2Exception;
import io.grpc.netty.shaded.io.netty.handler.codec.http2.Http2FrameListenerDecorator;
import io.grpc.netty.shaded.io.netty.handler.codec.http2.Http2Settings;
import io.grpc.netty.shaded.io.netty.util.AsciiString;

/**
 * The HTTP/2 frames of connections between agents, for which gRPC has no options. An agent accepts
 * frames of the size of a chunk instead of 16 KiB, since each frame has a fixed cost at both ends.
 * If a frame arrives in several reads, its parts are joined without a copy. Stateless.
 */
public final class HttpFrames {
  /** The size of a chunk; a larger frame would hold back its beginning on a slow link. */
  private static final int MAX_FRAME_BYTES = 64 << 10;

  private HttpFrames() {}

  /** Returns credentials of the same security for connections to other agents. */
  static ChannelCredentials dialed(ChannelCredentials credentials) {
    ClientFactory negotiators = InternalNettyChannelCredentials.toNegotiator(credentials);
    return InternalNettyChannelCredentials.create(
        new ClientFactory() {
          @Override
          public ProtocolNegotiator newNegotiator() {
            return new Negotiator(negotiators.newNegotiator());
          }

          @Override
          public int getDefaultPort() {
            return negotiators.getDefaultPort();
          }
        });
  }

  /** Returns credentials of the same security for accepted connections. */
  public static ServerCredentials accepted(ServerCredentials credentials) {
    ServerFactory negotiators = InternalNettyServerCredentials.toNegotiator(credentials);
    return InternalNettyServerCredentials.create(
        executors -> new Negotiator(negotiators.newNegotiator(executors)));
  }

  private record Negotiator(ProtocolNegotiator secure) implements ProtocolNegotiator {
    @Override
    public AsciiString scheme() {
      return secure.scheme();
    }

    @Override
    public ChannelHandler newHandler(GrpcHttp2ConnectionHandler connection) {
      connection.setCumulator(ByteToMessageDecoder.COMPOSITE_CUMULATOR);
      connection.decoder().frameListener(new SizeAnnouncement(connection));
      return secure.newHandler(connection);
    }

    @Override
    public void close() {
      secure.close();
    }
  }

  /** Announces the size of frames that this end accepts, behind gRPC's own settings. */
  private static final class SizeAnnouncement extends Http2FrameListenerDecorator {
    private final GrpcHttp2ConnectionHandler connection;
    private boolean announced;

    SizeAnnouncement(GrpcHttp2ConnectionHandler connection) {
      super(connection.decoder().frameListener());
      this.connection = connection;
    }

    @Override
    public void onSettingsRead(ChannelHandlerContext context, Http2Settings settings)
        throws Http2Exception {
      super.onSettingsRead(context, settings);
      if (!announced) {
        announced = true;
        var unused =
            connection
                .encoder()
                .writeSettings(
                    context,
                    new Http2Settings().maxFrameSize(MAX_FRAME_BYTES),
                    context.newPromise());
      }
    }
  }
}
