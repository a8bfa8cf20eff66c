package io.treecast.cli.query;

import io.grpc.ChannelCredentials;
import io.grpc.ManagedChannelBuilder;
import io.grpc.ManagedChannelProvider;
import io.grpc.netty.shaded.io.grpc.netty.NettyChannelBuilder;
import io.grpc.netty.shaded.io.netty.channel.EventLoopGroup;
import io.grpc.netty.shaded.io.netty.channel.MultiThreadIoEventLoopGroup;
import io.grpc.netty.shaded.io.netty.channel.nio.NioIoHandler;
import io.grpc.netty.shaded.io.netty.channel.socket.nio.NioSocketChannel;
import io.grpc.netty.shaded.io.netty.util.concurrent.DefaultThreadFactory;
import io.grpc.netty.shaded.io.netty.util.internal.logging.InternalLoggerFactory;
import io.grpc.netty.shaded.io.netty.util.internal.logging.JdkLoggerFactory;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.util.Collection;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Creates the channels of a process that runs one command, for a short start and end. Owns their
 * one network thread; any thread.
 *
 * <p>gRPC's own network threads outlive their channels. Java waits 300 ms at its end for threads
 * that wait in the system, as these do. Sockets of Java need no library in native code, and the
 * loggers of Java load no other logger before there is something to log.
 */
public final class CommandChannels extends ManagedChannelProvider {
  private static final String NO_NATIVE = "io.grpc.netty.shaded.io.netty.transport.noNative";
  private static final int PRIORITY = 10; // The one of gRPC's own providers is at most 5.
  private static final long END_MILLIS = 1_000;

  private static boolean chosen;
  private static @Nullable EventLoopGroup threads;

  /** For gRPC, which finds this class by its name in META-INF. */
  public CommandChannels() {}

  /** Has gRPC create all channels of this process here, which runs no agent and has no channel. */
  public static void choose() {
    System.setProperty(NO_NATIVE, "true");
    InternalLoggerFactory.setDefaultFactory(JdkLoggerFactory.INSTANCE);
    chooseBesideAgents();
  }

  /** As {@link #choose}, where agents run in the same process. */
  public static synchronized void chooseBesideAgents() {
    chosen = true;
  }

  /** Ends the network thread, and with it the channels that are still open. */
  public static synchronized void close() {
    if (threads != null) {
      threads
          .shutdownGracefully(0, END_MILLIS, TimeUnit.MILLISECONDS)
          .awaitUninterruptibly(END_MILLIS);
      threads = null;
    }
  }

  private static synchronized EventLoopGroup threads() {
    if (threads == null) {
      InternalLoggerFactory.setDefaultFactory(JdkLoggerFactory.INSTANCE);
      threads =
          new MultiThreadIoEventLoopGroup(
              1, new DefaultThreadFactory("network", true), NioIoHandler.newFactory());
    }
    return threads;
  }

  @Override
  protected boolean isAvailable() {
    synchronized (CommandChannels.class) {
      return chosen;
    }
  }

  @Override
  protected int priority() {
    return PRIORITY;
  }

  @Override
  protected ManagedChannelBuilder<?> builderForAddress(String name, int port) {
    return here(NettyChannelBuilder.forAddress(name, port));
  }

  @Override
  protected ManagedChannelBuilder<?> builderForTarget(String target) {
    return here(NettyChannelBuilder.forTarget(target));
  }

  @Override
  protected NewChannelBuilderResult newChannelBuilder(
      String target, ChannelCredentials credentials) {
    return NewChannelBuilderResult.channelBuilder(
        here(NettyChannelBuilder.forTarget(target, credentials)));
  }

  private static NettyChannelBuilder here(NettyChannelBuilder builder) {
    return builder.eventLoopGroup(threads()).channelType(NioSocketChannel.class);
  }

  @Override
  protected Collection<Class<? extends SocketAddress>> getSupportedSocketAddressTypes() {
    return List.of(InetSocketAddress.class);
  }
}
