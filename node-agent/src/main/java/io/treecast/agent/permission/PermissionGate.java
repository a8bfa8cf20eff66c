package io.treecast.agent.permission;

import io.treecast.tls.CertificateIdentities;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.Predicate;
import javax.net.ssl.SSLSession;
import org.jspecify.annotations.Nullable;

/**
 * Holds the permissions in force at an agent, which may be replaced, and counts refusals.
 * Thread-safe.
 */
public final class PermissionGate {
  /** The beginning of the header with a caller's token. */
  private static final String BEARER = "Bearer ";

  /** The longest header with a token, in characters. */
  private static final int MAX_HEADER_LENGTH = 2_000;

  private final Map<Action, LongAdder> refused = new EnumMap<>(Action.class);
  private volatile Permissions inForce;

  /** Creates a gate with its first permissions. */
  public PermissionGate(Permissions first) {
    this.inForce = first;
    for (Action action : Action.values()) {
      refused.put(action, new LongAdder());
    }
  }

  public void replace(Permissions permissions) {
    inForce = permissions;
  }

  Permissions inForce() {
    return inForce;
  }

  /** Returns the number of calls and requests that were refused for lack of a permission. */
  public long refused(Action action) {
    return count(action).sum();
  }

  LongAdder count(Action action) {
    return refused.computeIfAbsent(action, unused -> new LongAdder());
  }

  /**
   * Returns a caller with all of its identities.
   *
   * @param tls the session of its connection; null in plain text
   * @param authorization the header with its token; null if there is none
   */
  public Caller caller(@Nullable SSLSession tls, @Nullable String authorization) {
    List<String> identities =
        tls == null
            ? List.of()
            : CertificateIdentities.of(tls).stream()
                .filter(Predicate.not(PermissionGate::looksLikeToken))
                .toList();
    byte[] token =
        authorization != null
                && authorization.length() <= MAX_HEADER_LENGTH
                && authorization.regionMatches(true, 0, BEARER, 0, BEARER.length())
            ? Permissions.sha256(authorization.substring(BEARER.length()).strip())
            : null;
    return new Caller(this, identities, token);
  }

  /** Returns whether an identity of a certificate could be mistaken for that of a token. */
  private static boolean looksLikeToken(String identity) {
    return identity.regionMatches(true, 0, Permissions.TOKEN, 0, Permissions.TOKEN.length());
  }
}
