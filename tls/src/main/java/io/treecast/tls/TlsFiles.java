package io.treecast.tls;

import io.grpc.ChannelCredentials;
import io.grpc.ClientInterceptor;
import io.grpc.ServerCredentials;
import io.grpc.ServerInterceptor;
import io.grpc.ServerTransportFilter;
import io.grpc.TlsChannelCredentials;
import io.grpc.TlsServerCredentials;
import io.grpc.util.AdvancedTlsX509KeyManager;
import io.grpc.util.AdvancedTlsX509TrustManager;
import io.grpc.util.AdvancedTlsX509TrustManager.SslSocketAndEnginePeerVerifier;
import io.grpc.util.AdvancedTlsX509TrustManager.Verification;
import java.io.IOException;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.security.GeneralSecurityException;
import java.security.cert.CertificateException;
import java.security.cert.CertificateRevokedException;
import java.security.cert.X509Certificate;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.SortedSet;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import javax.net.ssl.KeyManager;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.SSLPeerUnverifiedException;
import javax.net.ssl.SSLSession;
import javax.net.ssl.TrustManager;
import org.jspecify.annotations.Nullable;

/**
 * The certificate of an agent or application, and the authorities that it trusts: a directory with
 * {@value #CERTIFICATE}, {@value #KEY} and {@value #TRUSTED} in PEM, like a TLS secret of
 * Kubernetes, and with {@value #REVOKED} if certificates have been revoked. The files are checked
 * for changes every minute. New connections use the new files. Calls end when the certificate of
 * their other end is revoked.
 *
 * <p>Both ends of a connection present a certificate. A connecting end accepts only a server with
 * the certificate {@linkplain NodeCertificate of an agent}. The host name is irrelevant: agents are
 * identified by node ids, and their addresses are learnt from others.
 *
 * <p>Thread-safe; a thread of its own checks the files.
 */
public final class TlsFiles implements AutoCloseable {
  /** The certificate, followed by those that lead to a trusted one. */
  public static final String CERTIFICATE = "tls.crt";

  /** The private key, RSA or EC, in PKCS#8 and not encrypted. */
  public static final String KEY = "tls.key";

  /** The certificates of the trusted authorities. */
  public static final String TRUSTED = "ca.crt";

  /** Lists of certificates that the authorities have revoked; may be missing. */
  public static final String REVOKED = "crl.pem";

  private static final long LOOK_SECONDS = 60;

  /**
   * Receives events about the files: on the calling thread during the first read, then on the
   * thread of the files.
   */
  @FunctionalInterface
  public interface Changes {
    /**
     * Reports that new files are unusable and the previous ones stay in use, or that the files in
     * use have a problem.
     *
     * @param why the problem and its remedy, for people
     */
    void warned(String why);

    /** Reports that new connections use the files from now on. */
    default void used(Instant expires) {}
  }

  private final Path directory;
  private final @Nullable String nodeId;
  private final Changes changes;
  private final AdvancedTlsX509KeyManager keys = new AdvancedTlsX509KeyManager();
  private final AdvancedTlsX509TrustManager agents;
  private final AdvancedTlsX509TrustManager all;
  private final ScheduledExecutorService looking =
      Executors.newSingleThreadScheduledExecutor(
          task -> {
            Thread thread = new Thread(task, "treecast-tls");
            thread.setDaemon(true);
            return thread;
          });

  private final RevocableCalls calls = new RevocableCalls(() -> this.files);

  private volatile PemFiles files;

  // Accessed only by the checking thread.
  private List<FileTime> seen;
  private boolean expiryReported;
  private boolean listExpiryTold;

  private TlsFiles(Path directory, @Nullable String nodeId, Changes changes)
      throws TlsFilesException {
    this.directory = directory;
    this.nodeId = nodeId;
    this.changes = changes;
    this.seen = times();
    this.files = read();
    this.agents = trustManager(new OfAgents());
    this.all = trustManager(new OfAll());
    use(files);
    warnOfRisks();
    warnOfAge(Instant.now());
  }

  /**
   * Reads the files of an application, and watches them until this is closed.
   *
   * @param changes receives the consequences of changed files
   * @throws TlsFilesException if the files are unusable
   */
  public static TlsFiles ofApplication(Path directory, Changes changes) throws TlsFilesException {
    return looking(new TlsFiles(directory, null, changes));
  }

  /**
   * Reads the files of an agent, and watches them until this is closed.
   *
   * @throws TlsFilesException if the files are unusable, or the certificate does not identify that
   *     agent
   */
  public static TlsFiles ofAgent(Path directory, String nodeId, Changes changes)
      throws TlsFilesException {
    return looking(new TlsFiles(directory, nodeId, changes));
  }

  private static TlsFiles looking(TlsFiles files) {
    var unusedAsItEndsByClose =
        files.looking.scheduleWithFixedDelay(
            files::look, LOOK_SECONDS, LOOK_SECONDS, TimeUnit.SECONDS);
    return files;
  }

  private PemFiles read() throws TlsFilesException {
    PemFiles read = PemFiles.read(directory);
    SortedSet<String> named = NodeCertificate.nodeIds(read.chain().get(0));
    if (nodeId != null && !named.contains(nodeId)) {
      throw new TlsFilesException(
          directory.resolve(CERTIFICATE)
              + ": the certificate is of "
              + (named.isEmpty() ? "no agent" : String.join(", ", named))
              + ", not of "
              + nodeId
              + "; have one issued with the URI "
              + NodeCertificate.PREFIX
              + nodeId
              + " among the subject's alternative names");
    }
    return read;
  }

  /** Returns credentials for connections to agents; other servers are not accepted. */
  public ChannelCredentials toAgent() {
    return TlsChannelCredentials.newBuilder().keyManager(keys).trustManager(agents).build();
  }

  /**
   * Returns the credentials of an agent's server, which accepts agents and applications with a
   * trusted certificate.
   */
  public ServerCredentials asAgent() {
    return TlsServerCredentials.newBuilder()
        .keyManager(keys)
        .trustManager(all)
        .clientAuth(TlsServerCredentials.ClientAuth.REQUIRE)
        .build();
  }

  /**
   * Returns a context for the pages of an agent. It presents the agent's certificate, and checks
   * the certificates of clients that present one.
   *
   * @see #isTrusted
   */
  public SSLContext forPages() {
    try {
      SSLContext context = SSLContext.getInstance("TLS");
      context.init(new KeyManager[] {keys}, new TrustManager[] {all}, null);
      return context;
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException("every Java has TLS", e);
    }
  }

  /** Returns whether the other end has presented a certificate that is trusted now. */
  public boolean isTrusted(SSLSession session) {
    try {
      files.requireTrusted(RevocableCalls.chain(session));
      return true;
    } catch (CertificateException | SSLPeerUnverifiedException e) {
      return false;
    }
  }

  /**
   * Returns a filter for an agent's server that closes connections whose other end is not trusted
   * now. TLS alone accepts a resumed session for a day, without another check of its certificate.
   */
  public ServerTransportFilter admission() {
    return new Admission(() -> files);
  }

  /**
   * Returns an interceptor for servers that ends calls whose other end's certificate is revoked.
   */
  public ServerInterceptor revocation() {
    return calls;
  }

  /**
   * Returns an interceptor for channels to agents that ends calls whose other end's certificate is
   * revoked.
   */
  public ClientInterceptor revocationOfAgents() {
    return calls;
  }

  /** Returns the time at which the certificate in use expires. */
  public Instant expires() {
    return files.chain().get(0).getNotAfter().toInstant();
  }

  private void look() {
    try {
      look(Instant.now());
    } catch (RuntimeException | Error e) {
      // The executor would swallow the exception, and never check again.
      Thread thread = Thread.currentThread();
      thread.getUncaughtExceptionHandler().uncaughtException(thread, e);
    }
  }

  /**
   * Uses the present files if they have changed, and warns once when those in use have expired.
   * Runs on one thread at a time.
   */
  void look(Instant now) {
    List<FileTime> there = times();
    if (!there.equals(seen)) {
      try {
        PemFiles changed = read();
        use(changed);
        files = changed;
        seen = there;
        expiryReported = false;
        listExpiryTold = false;
        warnOfRisks();
        changes.used(expires());
      } catch (TlsFilesException e) {
        // Read again at the next check, because perhaps not all of them have been replaced yet.
        changes.warned(e.getMessage() + "; still using the previous files");
      }
    }
    warnOfAge(now);
    int ended = calls.endRevoked();
    if (ended > 0) {
      changes.warned(
          "%s: ended calls of other ends whose certificates are revoked, %s in all"
              .formatted(directory.resolve(REVOKED), ended));
    }
  }

  /** Warns once about expired files in use. */
  private void warnOfAge(Instant now) {
    if (!expiryReported && now.isAfter(expires())) {
      expiryReported = true;
      changes.warned(
          directory.resolve(CERTIFICATE)
              + ": the certificate has expired, on "
              + expires()
              + "; others refuse connections until there is a new one");
    }
    Instant listExpires = files.revoked().expires();
    if (!listExpiryTold && listExpires != null && now.isAfter(listExpires)) {
      listExpiryTold = true;
      changes.warned(
          directory.resolve(REVOKED)
              + ": the list of revoked certificates has expired, on "
              + listExpires
              + "; it still applies, but lacks later revocations: install a new one");
    }
  }

  /** Warns about problems of usable files. */
  private void warnOfRisks() {
    String readers = KeyReaders.otherReaders(directory.resolve(KEY));
    if (readers != null) {
      changes.warned(
          directory.resolve(KEY)
              + ": the private key can be read by "
              + readers
              + ", who can then impersonate this end; make it readable for its user alone: chmod 600"
              + " (defaultMode: 0400 for a secret of Kubernetes)");
    }
    try {
      files.revoked().requireNotRevoked(files.chain().toArray(new X509Certificate[0]));
    } catch (CertificateRevokedException e) {
      changes.warned(
          directory.resolve(CERTIFICATE)
              + ": the certificate has been revoked, as "
              + REVOKED
              + " says; others refuse connections until there is a new one");
    }
  }

  private List<FileTime> times() {
    List<FileTime> times = new ArrayList<>();
    for (String name : List.of(CERTIFICATE, KEY, TRUSTED, REVOKED)) {
      try {
        times.add(Files.getLastModifiedTime(directory.resolve(name)));
      } catch (IOException e) {
        times.add(
            FileTime.fromMillis(0)); // Reading it reports the reason, unless it may be missing.
      }
    }
    return times;
  }

  private void use(PemFiles now) throws TlsFilesException {
    X509Certificate[] trusted = now.trusted().toArray(new X509Certificate[0]);
    try {
      keys.updateIdentityCredentials(now.chain().toArray(new X509Certificate[0]), now.key());
      agents.updateTrustCredentials(trusted);
      all.updateTrustCredentials(trusted);
    } catch (IOException | GeneralSecurityException e) {
      throw new TlsFilesException(directory + ": cannot be used: " + e.getMessage());
    }
  }

  private static AdvancedTlsX509TrustManager trustManager(SslSocketAndEnginePeerVerifier verifier)
      throws TlsFilesException {
    AdvancedTlsX509TrustManager.Builder builder =
        AdvancedTlsX509TrustManager.newBuilder()
            .setVerification(Verification.CERTIFICATE_ONLY_VERIFICATION)
            .setSslSocketAndEnginePeerVerifier(verifier);
    try {
      return builder.build();
    } catch (CertificateException e) {
      throw new TlsFilesException("this Java has no TLS: " + e.getMessage());
    }
  }

  @Override
  public void close() {
    looking.shutdownNow();
  }

  /** Rejects peers with a revoked certificate; the trust manager has verified the rest. */
  private class OfAll implements SslSocketAndEnginePeerVerifier {
    @Override
    public final void verifyPeerCertificate(X509Certificate[] chain, String authType, Socket socket)
        throws CertificateException {
      check(chain);
    }

    @Override
    public final void verifyPeerCertificate(
        X509Certificate[] chain, String authType, SSLEngine engine) throws CertificateException {
      check(chain);
    }

    void check(X509Certificate[] chain) throws CertificateException {
      files.revoked().requireNotRevoked(chain);
    }
  }

  /** Accepts agents only. */
  private final class OfAgents extends OfAll {
    @Override
    void check(X509Certificate[] chain) throws CertificateException {
      super.check(chain);
      files.requirePathLength(chain);
      if (NodeCertificate.nodeIds(chain[0]).isEmpty()) {
        throw new CertificateException(
            "the other end's certificate does not identify an agent: it names no URI "
                + NodeCertificate.PREFIX
                + "ID");
      }
    }
  }
}
