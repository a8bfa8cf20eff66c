package io.treecast.agent.permission;

import io.grpc.Context;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The caller of an agent, with its identities. Checks actions against the permissions in force.
 * Thread-safe.
 */
public final class Caller {
  /** The caller of an agent without permissions. */
  private static final Caller UNRESTRICTED = new Caller(null, List.of(), null);

  static final Context.Key<Caller> KEY = Context.keyWithDefault("treecast-caller", UNRESTRICTED);

  private final @Nullable PermissionGate gate;
  private final List<String> certified;
  private final byte @Nullable [] token;

  /**
   * Creates a caller.
   *
   * @param gate the agent's gate; null if the agent has no permissions, so that everything is
   *     allowed
   * @param certified the identities of its certificate
   * @param token the SHA-256 of its token; null if it has none
   */
  Caller(@Nullable PermissionGate gate, List<String> certified, byte @Nullable [] token) {
    this.gate = gate;
    this.certified = List.copyOf(certified);
    this.token = token;
  }

  /** Returns the caller of the call that the current thread serves. */
  public static Caller current() {
    return KEY.get();
  }

  /** Returns the text of the refusal; null if the action is permitted. */
  public @Nullable String refusal(Action action) {
    return refusal(action, List.of(""));
  }

  /**
   * Returns the text of the refusal for the first name that is not permitted; null if all are
   * permitted.
   */
  public @Nullable String refusal(Action action, Collection<String> names) {
    if (gate == null) {
      return null;
    }
    Permissions permissions = gate.inForce();
    List<String> identities = identities(permissions);
    for (String name : names) {
      if (permissions.permitting(identities, action, name) == null) {
        gate.count(action).increment();
        return Permissions.refusal(identities, action, name) + noteOnToken(permissions);
      }
    }
    return null;
  }

  /**
   * Returns a note on an unknown token, which the caller would not notice beside its certificate.
   */
  private String noteOnToken(Permissions permissions) {
    return token != null && !certified.isEmpty() && permissions.bearer(token) == null
        ? "; the token beside the certificate is not one of the permissions: check its text"
        : "";
  }

  private List<String> identities(Permissions permissions) {
    String bearer = token == null ? null : permissions.bearer(token);
    if (bearer == null) {
      return certified;
    }
    List<String> all = new ArrayList<>(certified);
    all.add(bearer);
    return all;
  }
}
