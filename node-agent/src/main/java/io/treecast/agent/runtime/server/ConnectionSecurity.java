package io.treecast.agent.runtime.server;

import io.grpc.ChannelCredentials;
import io.grpc.ClientInterceptor;
import io.grpc.InsecureChannelCredentials;
import io.grpc.InsecureServerCredentials;
import io.grpc.ServerCredentials;
import io.treecast.agent.config.AgentConfig;
import io.treecast.agent.config.ConfigException;
import io.treecast.ghs.NodeId;
import io.treecast.tls.TlsFiles;
import io.treecast.tls.TlsFilesException;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The security of an agent's connections: TLS or plain text. For any thread. */
public final class ConnectionSecurity implements AutoCloseable {
  private static final Logger log = LoggerFactory.getLogger(ConnectionSecurity.class);

  private final @Nullable TlsFiles files;

  private ConnectionSecurity(@Nullable TlsFiles files) {
    this.files = files;
  }

  /**
   * Returns the configured security.
   *
   * @throws ConfigException if the certificate cannot be used now
   */
  public static ConnectionSecurity of(AgentConfig config) throws ConfigException {
    Path tls = config.tls();
    try {
      return new ConnectionSecurity(
          tls == null
              ? null
              : TlsFiles.ofAgent(tls, config.id().toString(), new Logged(config.id())));
    } catch (TlsFilesException e) {
      String text = "tls: " + e.getMessage();
      throw e.mayPass() ? ConfigException.now(text) : new ConfigException(text);
    }
  }

  /** Logs changes of the TLS files. */
  private record Logged(NodeId id) implements TlsFiles.Changes {
    @Override
    public void warned(String why) {
      log.warn("tls of agent {}: {}", id, why);
    }

    @Override
    public void used(Instant expires) {
      log.info("tls of agent {}: uses the new files; the certificate expires on {}", id, expires);
    }
  }

  /** Returns the credentials of connections to other agents. */
  public ChannelCredentials toAgents() {
    return files == null ? InsecureChannelCredentials.create() : files.toAgent();
  }

  /** Returns the interceptors of channels to other agents. */
  public List<ClientInterceptor> onCallsToAgents() {
    return files == null ? List.of() : List.of(files.revocationOfAgents());
  }

  /** Returns the credentials of connections from agents and applications. */
  ServerCredentials asAgent() {
    return files == null ? InsecureServerCredentials.create() : files.asAgent();
  }

  /** Returns null in plain text. */
  @Nullable
  public TlsFiles files() {
    return files;
  }

  @Override
  public void close() {
    if (files != null) {
      files.close();
    }
  }
}
