package io.treecast.agent.permission;

import io.grpc.Context;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The caller of an agent, and what it may do by the permissions that are in force when it is asked
 * about. Thread-safe.
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
   * @param gate of its agent; null if it has no permissions, so that everything is permitted
   * @param certified the identities of its certificate
   * @param token the SHA-256 of its token
   */
  Caller(@Nullable PermissionGate gate, List<String> certified, byte @Nullable [] token) {
    this.gate = gate;
    this.certified = List.copyOf(certified);
    this.token = token;
  }

  /** Returns the caller whose call the calling thread serves. */
  public static Caller current() {
    return KEY.get();
  }

  /** Returns why the caller may not do this; null if it may. */
  public @Nullable String refusal(Action action) {
    return refusal(action, List.of(""));
  }

  /** Returns why the caller may not do this on one of the topics or operations; null if it may. */
  public @Nullable String refusal(Action action, Collection<String> names) {
    if (gate == null) {
      return null;
    }
    Permissions permissions = gate.inForce();
    List<String> identities = identities(permissions);
    for (String name : names) {
      if (permissions.permitting(identities, action, name) == null) {
        gate.count(action).increment();
        return Permissions.refusal(identities, action, name);
      }
    }
    return null;
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
