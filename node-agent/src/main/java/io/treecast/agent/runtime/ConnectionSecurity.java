package io.treecast.agent.runtime;

import io.grpc.ChannelCredentials;
import io.grpc.InsecureChannelCredentials;
import io.grpc.InsecureServerCredentials;
import io.grpc.ServerCredentials;
import io.treecast.agent.config.AgentConfig;
import io.treecast.agent.config.ConfigException;
import io.treecast.tls.TlsFiles;
import io.treecast.tls.TlsFilesException;
import java.nio.file.Path;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** How an agent's connections are secured: by TLS, or not at all. Any thread. */
final class ConnectionSecurity implements AutoCloseable {
  private final @Nullable TlsFiles files;

  private ConnectionSecurity(@Nullable TlsFiles files) {
    this.files = files;
  }

  /**
   * As the agent is configured.
   *
   * @param problems told why a certificate that has been replaced can not be used; on any thread
   * @throws ConfigException if the certificate can not be used now
   */
  static ConnectionSecurity of(AgentConfig config, Consumer<String> problems)
      throws ConfigException {
    Path tls = config.tls();
    try {
      return new ConnectionSecurity(
          tls == null ? null : TlsFiles.ofAgent(tls, config.id().toString(), problems));
    } catch (TlsFilesException e) {
      throw new ConfigException("tls: " + e.getMessage());
    }
  }

  /** For connections to other agents. */
  ChannelCredentials toAgents() {
    return files == null ? InsecureChannelCredentials.create() : files.toAgent();
  }

  /** For those of agents and applications. */
  ServerCredentials asAgent() {
    return files == null ? InsecureServerCredentials.create() : files.asAgent();
  }

  /** Null where there is none. */
  @Nullable TlsFiles files() {
    return files;
  }

  @Override
  public void close() {
    if (files != null) {
      files.close();
    }
  }
}
