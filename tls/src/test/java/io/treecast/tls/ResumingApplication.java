package io.treecast.tls;

import static java.nio.charset.StandardCharsets.US_ASCII;

import java.io.DataInputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.OutputStream;
import java.net.Socket;
import java.net.SocketException;
import java.nio.file.Path;
import java.security.KeyStore;
import java.security.cert.X509Certificate;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.SSLException;
import javax.net.ssl.SSLParameters;
import javax.net.ssl.SSLSocket;
import javax.net.ssl.TrustManager;
import javax.net.ssl.X509ExtendedTrustManager;

/** An application with its own TLS client that resumes the previous TLS session if it can. */
final class ResumingApplication {
  private static final byte[] PREFACE = "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n".getBytes(US_ASCII);
  private static final int SETTINGS = 4;
  private static final int PING = 6;
  private static final int GOAWAY = 7;

  private final SSLContext context;
  private final String protocol;
  private long createdMillis;
  private boolean hasResumed;

  ResumingApplication(Path directory, String protocol) throws Exception {
    this.protocol = protocol;
    PemFiles files = PemFiles.read(directory);
    KeyStore keys = KeyStore.getInstance("PKCS12");
    keys.load(null, null);
    X509Certificate[] chain = files.chain().toArray(new X509Certificate[0]);
    keys.setKeyEntry("key", files.key(), new char[0], chain);
    KeyManagerFactory managers = KeyManagerFactory.getInstance("PKIX");
    managers.init(keys, new char[0]);
    context = SSLContext.getInstance("TLS");
    context.init(managers.getKeyManagers(), new TrustManager[] {new Anybody()}, null);
  }

  /**
   * Returns whether the server at this port accepts the application: it answers a ping, and does
   * not close the connection.
   */
  boolean isLetIn(int port) throws IOException {
    try (SSLSocket socket =
        (SSLSocket) context.getSocketFactory().createSocket("127.0.0.1", port)) {
      SSLParameters parameters = socket.getSSLParameters();
      parameters.setProtocols(new String[] {protocol});
      parameters.setApplicationProtocols(new String[] {"h2"});
      socket.setSSLParameters(parameters);
      OutputStream out = socket.getOutputStream();
      out.write(PREFACE);
      out.write(frame(SETTINGS, 0));
      out.write(frame(PING, 8));
      out.flush();
      int answer = firstOf(PING, GOAWAY, new DataInputStream(socket.getInputStream()));
      long created = socket.getSession().getCreationTime();
      hasResumed = created == createdMillis;
      createdMillis = created;
      return answer == PING;
    } catch (EOFException | SocketException | SSLException ended) {
      return false;
    }
  }

  /** Returns whether the last connection resumed the session of the previous one. */
  boolean hasResumed() {
    return hasResumed;
  }

  private static byte[] frame(int type, int bytes) {
    byte[] frame = new byte[9 + bytes]; // The header has the size, the type, flags, and a stream.
    frame[2] = (byte) bytes;
    frame[3] = (byte) type;
    return frame;
  }

  private static int firstOf(int one, int other, DataInputStream in) throws IOException {
    while (true) {
      byte[] header = new byte[9];
      in.readFully(header);
      in.readFully(new byte[(header[1] & 0xff) << 8 | (header[2] & 0xff)]);
      if (header[3] == one || header[3] == other) {
        return header[3];
      }
    }
  }

  /** Trusts all servers: the server's check is under test. */
  private static final class Anybody extends X509ExtendedTrustManager {
    @Override
    public void checkClientTrusted(X509Certificate[] chain, String type) {}

    @Override
    public void checkClientTrusted(X509Certificate[] chain, String type, Socket socket) {}

    @Override
    public void checkClientTrusted(X509Certificate[] chain, String type, SSLEngine engine) {}

    @Override
    public void checkServerTrusted(X509Certificate[] chain, String type) {}

    @Override
    public void checkServerTrusted(X509Certificate[] chain, String type, Socket socket) {}

    @Override
    public void checkServerTrusted(X509Certificate[] chain, String type, SSLEngine engine) {}

    @Override
    public X509Certificate[] getAcceptedIssuers() {
      return new X509Certificate[0];
    }
  }
}
