package io.treecast.client;

import io.grpc.ChannelCredentials;
import io.grpc.ClientInterceptor;
import io.grpc.InsecureChannelCredentials;
import io.treecast.tls.BearerToken;
import io.treecast.tls.TlsFiles;
import io.treecast.tls.TlsFilesException;
import java.lang.System.Logger.Level;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The security of the connection to the agent: TLS or plain text, and a token. For any thread. */
final class ConnectionSecurity implements AutoCloseable {
  /** Plain text. */
  static final ConnectionSecurity NONE = new ConnectionSecurity(null, null);

  private final @Nullable TlsFiles files;
  private final @Nullable BearerToken token;

  private ConnectionSecurity(@Nullable TlsFiles files, @Nullable BearerToken token) {
    this.files = files;
    this.token = token;
  }

  /**
   * Returns TLS with the certificate in a directory, which is watched until this is closed.
   *
   * @param directory null for plain text
   * @param token identifies the application; null for none
   * @throws IllegalArgumentException if the certificate cannot be used
   */
  static ConnectionSecurity of(@Nullable Path directory, @Nullable BearerToken token) {
    try {
      return new ConnectionSecurity(
          directory == null ? null : TlsFiles.ofApplication(directory, ConnectionSecurity::warn),
          token);
    } catch (TlsFilesException e) {
      throw new IllegalArgumentException("tls: " + e.getMessage(), e);
    }
  }

  /** Logs a problem of the TLS files, or of new ones. */
  static void warn(String problem) {
    ReconnectingStream.LOG.log(Level.WARNING, "tls: " + problem);
  }

  ChannelCredentials credentials() {
    return files == null ? InsecureChannelCredentials.create() : files.toAgent();
  }

  /** Returns the interceptors for the channel to the agent. */
  List<ClientInterceptor> interceptors() {
    List<ClientInterceptor> interceptors = new ArrayList<>();
    if (files != null) {
      interceptors.add(files.revocationOfAgents());
    }
    if (token != null) {
      interceptors.add(token);
    }
    return interceptors;
  }

  @Override
  public void close() {
    if (files != null) {
      files.close();
    }
  }
}
