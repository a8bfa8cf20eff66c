package io.treecast.agent.permission;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * The rules of a permissions file: the permitted actions of each identity. All other actions are
 * refused. Immutable.
 *
 * <p>An identity is a URI or the subject of a certificate, as in {@code CN=shop,O=Example}, or
 * {@code token:NAME} for the bearer of a token.
 */
public final class Permissions {
  /** The maximum number of rules, and of tokens. */
  public static final int MAX_RULES = 1_000;

  /** The beginning of the identity of a token's bearer. */
  public static final String TOKEN = "token:";

  private final List<Rule> rules;
  private final SortedMap<String, byte[]> tokens = new TreeMap<>();

  /**
   * Creates permissions.
   *
   * @param rules the rules, of which one suffices to permit an action
   * @param tokens the SHA-256 of each token in hexadecimal digits, by the token's name
   */
  public Permissions(List<Rule> rules, Map<String, String> tokens) {
    this.rules = List.copyOf(rules);
    tokens.forEach((name, sha256) -> this.tokens.put(name, HexFormat.of().parseHex(sha256)));
  }

  /**
   * Returns the first rule that permits an action; null if no rule does.
   *
   * @param identities the caller's identities; may be empty
   * @param name the name of the action's object; ignored for actions without names
   */
  public @Nullable Rule permitting(List<String> identities, Action action, String name) {
    for (Rule rule : rules) {
      if (rule.permits(identities, action, name)) {
        return rule;
      }
    }
    return null;
  }

  public List<Rule> rules() {
    return rules;
  }

  /**
   * Returns the identity of a token's bearer; null if there is no such token. Takes the same time
   * for each token.
   *
   * @param sha256 the SHA-256 of the token
   */
  @Nullable String bearer(byte[] sha256) {
    String found = null;
    for (Map.Entry<String, byte[]> token : tokens.entrySet()) {
      if (MessageDigest.isEqual(token.getValue(), sha256)) {
        found = TOKEN + token.getKey();
      }
    }
    return found;
  }

  /** Returns the SHA-256 of a token. */
  static byte[] sha256(String token) {
    try {
      return MessageDigest.getInstance("SHA-256").digest(token.getBytes(StandardCharsets.UTF_8));
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every Java has SHA-256", e);
    }
  }

  /** Returns the text of a refusal, with the missing rule. */
  public static String refusal(List<String> identities, Action action, String name) {
    String missing =
        "no rule of the permissions allows it; missing is "
            + new Rule(
                identities.isEmpty() ? "*" : identities.get(0),
                Set.of(action),
                action.isNamed() ? List.of(name) : List.of());
    return identities.isEmpty()
        ? ("a caller without a certificate or a known token may not %s: %s; or show a "
                + "certificate or token that a rule names")
            .formatted(action.on(name), missing)
        : String.join(" alias ", identities) + " may not " + action.on(name) + ": " + missing;
  }
}
