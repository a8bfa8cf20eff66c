package io.treecast.client;

import io.grpc.ChannelCredentials;
import io.grpc.ClientInterceptor;
import io.grpc.InsecureChannelCredentials;
import io.treecast.tls.TlsFiles;
import io.treecast.tls.TlsFilesException;
import java.lang.System.Logger.Level;
import java.nio.file.Path;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The security of the connection to the agent: TLS or plain text. For any thread. */
final class ConnectionSecurity implements AutoCloseable {
  /** Plain text. */
  static final ConnectionSecurity NONE = new ConnectionSecurity(null);

  private final @Nullable TlsFiles files;

  private ConnectionSecurity(@Nullable TlsFiles files) {
    this.files = files;
  }

  /**
   * Returns TLS with the certificate in a directory, which is watched until this is closed.
   *
   * @throws IllegalArgumentException if it cannot be used
   */
  static ConnectionSecurity of(Path directory) {
    try {
      return new ConnectionSecurity(TlsFiles.ofApplication(directory, ConnectionSecurity::warn));
    } catch (TlsFilesException e) {
      throw new IllegalArgumentException("tls: " + e.getMessage(), e);
    }
  }

  /** Warns of a problem with the files of TLS, or with new ones. */
  static void warn(String problem) {
    ReconnectingStream.LOG.log(Level.WARNING, "tls: " + problem);
  }

  ChannelCredentials credentials() {
    return files == null ? InsecureChannelCredentials.create() : files.toAgent();
  }

  /** Returns the interceptors for the channel to the agent. */
  List<ClientInterceptor> interceptors() {
    return files == null ? List.of() : List.of(files.revocationOfAgents());
  }

  @Override
  public void close() {
    if (files != null) {
      files.close();
    }
  }
}
