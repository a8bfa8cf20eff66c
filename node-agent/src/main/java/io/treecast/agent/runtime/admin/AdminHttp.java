package io.treecast.agent.runtime.admin;

import io.grpc.netty.shaded.io.netty.bootstrap.ServerBootstrap;
import io.grpc.netty.shaded.io.netty.channel.Channel;
import io.grpc.netty.shaded.io.netty.channel.ChannelFuture;
import io.grpc.netty.shaded.io.netty.channel.ChannelInitializer;
import io.grpc.netty.shaded.io.netty.channel.MultiThreadIoEventLoopGroup;
import io.grpc.netty.shaded.io.netty.channel.nio.NioIoHandler;
import io.grpc.netty.shaded.io.netty.channel.socket.nio.NioServerSocketChannel;
import io.grpc.netty.shaded.io.netty.handler.codec.http.HttpRequestDecoder;
import io.grpc.netty.shaded.io.netty.handler.codec.http.HttpResponseEncoder;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import io.treecast.agent.config.AgentConfig;
import io.treecast.agent.config.ConfigException;
import io.treecast.agent.config.HostPort;
import io.treecast.agent.runtime.http.HttpClients;
import io.treecast.agent.runtime.server.CallPermissions;
import io.treecast.agent.runtime.server.ConnectionSecurity;
import java.net.InetSocketAddress;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Serves an agent's {@linkplain AdminPages pages for operators} over HTTP, on one thread that never
 * blocks. A connection serves one request. It costs a few kilobytes until the request has arrived,
 * and at most a page until the answer is read. It is closed when either takes too long, or when too
 * many newer connections exist: the latest request is answered, whatever other clients do. {@link
 * HttpClients} serves requests to publish and to subscribe, with limits of its own.
 */
public final class AdminHttp implements AutoCloseable {
  private static final long CLOSING_SECONDS = 1;

  private final MultiThreadIoEventLoopGroup thread;
  private final Channel listening;
  private final HostPort address;
  private final @Nullable HttpClients clients;

  private AdminHttp(
      MultiThreadIoEventLoopGroup thread,
      Channel listening,
      HostPort address,
      @Nullable HttpClients clients) {
    this.thread = thread;
    this.clients = clients;
    this.listening = listening;
    this.address = address.withPort(((InetSocketAddress) listening.localAddress()).getPort());
  }

  /**
   * Opens the pages of an agent; null if its settings have no admin address.
   *
   * @param sources the agent's state
   * @param security TLS, for pages beyond this machine
   * @param permissions the permissions of readers; null if everybody may read the pages
   * @param clients serves clients that publish and subscribe; null if they are not allowed
   * @throws ConfigException if the agent cannot listen on the address
   */
  public static @Nullable AdminHttp open(
      AgentConfig config,
      AdminSources sources,
      PrometheusMeterRegistry registry,
      ConnectionSecurity security,
      @Nullable CallPermissions permissions,
      @Nullable HttpClients clients)
      throws ConfigException {
    HostPort address = config.admin();
    if (address == null) {
      return null;
    }
    MultiThreadIoEventLoopGroup thread =
        new MultiThreadIoEventLoopGroup(
            1,
            task -> {
              Thread created = new Thread(task, "treecast-admin-" + config.id());
              created.setDaemon(true);
              return created;
            },
            NioIoHandler.newFactory());
    AdminPages pages = new AdminPages(sources, thread, registry, config.throughput().siteMicros());
    ServedHosts hosts = ServedHosts.of(config);
    AdminConnections connections = new AdminConnections();
    PageAccess access = PageAccess.of(config, security, permissions);
    ChannelFuture bound =
        new ServerBootstrap()
            .group(thread)
            .channel(NioServerSocketChannel.class)
            .childHandler(
                new ChannelInitializer<>() {
                  @Override
                  protected void initChannel(Channel channel) {
                    access.secure(channel.pipeline());
                    channel
                        .pipeline()
                        .addLast(new HttpRequestDecoder(), new HttpResponseEncoder())
                        .addLast(new AdminConnection(hosts, access, pages, connections, clients));
                  }
                })
            .bind(address.toSocketAddress())
            .awaitUninterruptibly();
    if (!bound.isSuccess()) {
      end(thread);
      throw ConfigException.now(
          ("admin: cannot listen on %s (%s); choose a free --admin address of this machine, or "
                  + "stop the process that uses it")
              .formatted(address, bound.cause().getMessage()));
    }
    return new AdminHttp(thread, bound.channel(), address, clients);
  }

  public HostPort address() {
    return address;
  }

  /** Ends the calls of clients that publish and subscribe, with the shutdown as the reason. */
  public void endClients() {
    if (clients != null) {
      onThread(clients::end);
    }
  }

  private void onThread(Runnable task) {
    if (!thread.isShuttingDown()) {
      thread.submit(task).awaitUninterruptibly(CLOSING_SECONDS, TimeUnit.SECONDS);
    }
  }

  @Override
  public void close() {
    listening.close().awaitUninterruptibly(CLOSING_SECONDS, TimeUnit.SECONDS);
    if (clients != null) {
      onThread(clients::close);
    }
    end(thread);
  }

  private static void end(MultiThreadIoEventLoopGroup thread) {
    thread
        .shutdownGracefully(0, CLOSING_SECONDS, TimeUnit.SECONDS)
        .awaitUninterruptibly(CLOSING_SECONDS, TimeUnit.SECONDS);
  }
}
