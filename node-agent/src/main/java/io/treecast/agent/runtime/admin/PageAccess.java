package io.treecast.agent.runtime.admin;

import io.grpc.netty.shaded.io.netty.channel.ChannelPipeline;
import io.grpc.netty.shaded.io.netty.handler.ssl.SslHandler;
import io.treecast.agent.config.AgentConfig;
import io.treecast.agent.permission.Action;
import io.treecast.agent.permission.PermissionGate;
import io.treecast.agent.runtime.server.CallPermissions;
import io.treecast.agent.runtime.server.ConnectionSecurity;
import io.treecast.tls.TlsFiles;
import java.util.Set;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.SSLSession;
import org.jspecify.annotations.Nullable;

/**
 * Access to the admin pages of an agent: over TLS and with the permission to administrate, or in
 * plain text without permissions. For the thread of the port.
 */
final class PageAccess {
  /** The pages for orchestrators, which present neither certificates nor tokens. */
  private static final Set<String> FREE = Set.of("/healthz", "/readyz");

  private record Guard(TlsFiles files, SSLContext tls, PermissionGate gate) {}

  /** Null in plain text. */
  private final @Nullable Guard guard;

  private PageAccess(@Nullable Guard guard) {
    this.guard = guard;
  }

  static PageAccess of(
      AgentConfig config, ConnectionSecurity security, @Nullable CallPermissions permissions) {
    TlsFiles files = security.files();
    return new PageAccess(
        config.servesPagesByTls() && files != null && permissions != null
            ? new Guard(files, files.forPages(), permissions.gate())
            : null);
  }

  /** Puts TLS first in the pipeline of a new connection. */
  void secure(ChannelPipeline pipeline) {
    if (guard != null) {
      SSLEngine engine = guard.tls().createSSLEngine();
      engine.setUseClientMode(false);
      // A client may send a token instead.
      engine.setWantClientAuth(true);
      pipeline.addLast(new SslHandler(engine));
    }
  }

  /**
   * Returns the text of the refusal of a page; null if the client may read it.
   *
   * @param path the path of the page
   * @param authorization the header with the client's token; null if there is none
   */
  @Nullable String refusal(ChannelPipeline pipeline, String path, @Nullable String authorization) {
    return guard == null || FREE.contains(path)
        ? null
        : guard.gate().caller(trusted(pipeline), authorization).refusal(Action.ADMINISTRATE);
  }

  /** Returns the TLS session of a client with a trusted certificate; null if it has none. */
  @Nullable SSLSession trusted(ChannelPipeline pipeline) {
    SslHandler handler = pipeline.get(SslHandler.class);
    if (guard == null || handler == null) {
      return null;
    }
    // A resumed session was checked when it began.
    SSLSession session = handler.engine().getSession();
    return guard.files().isTrusted(session) ? session : null;
  }
}
