package io.treecast.agent.core.message;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.stream.Collectors;

/**
 * The addresses of an agent in several networks, as the text of a member's address: {@code
 * public=203.0.113.7:7700,fast=10.0.0.7:7700}. The first is the primary one, which clients use. An
 * agent in one network has the plain text {@code HOST:PORT}. Stateless.
 */
public final class NetworkAddresses {
  /** The most networks of an agent. */
  public static final int MAX_NETWORKS = 4;

  /** The most characters of the name of a network. */
  public static final int MAX_NAME_LENGTH = 16;

  /** The allowed names of networks. */
  public static final String NAMES =
      "1 to " + MAX_NAME_LENGTH + " letters, digits and hyphens, as in fast";

  private NetworkAddresses() {}

  /** Returns the text of addresses by the name of their network, the primary one first. */
  public static String text(Map<String, String> byNetwork) {
    return byNetwork.entrySet().stream()
        .map(one -> one.getKey() + "=" + one.getValue())
        .collect(Collectors.joining(","));
  }

  /**
   * Returns the addresses in this text by the name of their network, the primary one first; a plain
   * address has the empty name.
   */
  public static Map<String, String> byNetwork(String text) {
    if (text.indexOf('=') < 0) {
      return Map.of("", text);
    }
    Map<String, String> addresses = new LinkedHashMap<>();
    for (String part : text.split(",", -1)) {
      int equals = part.indexOf('=');
      addresses.put(part.substring(0, Math.max(0, equals)), part.substring(equals + 1));
    }
    return Collections.unmodifiableMap(addresses);
  }

  /** Returns the address that clients use. */
  public static String primary(String text) {
    return byNetwork(text).values().iterator().next();
  }

  /** Returns whether an agent with this text is reached at this address. */
  public static boolean contain(String text, String address) {
    return text.equals(address) || byNetwork(text).containsValue(address);
  }

  /** Returns whether the text names an address in more than one network. */
  public static boolean areSeveral(String text) {
    return text.indexOf(',') >= 0;
  }

  /** Returns whether this is the name of a network. */
  public static boolean isName(String name) {
    return !name.isEmpty()
        && name.length() <= MAX_NAME_LENGTH
        && name.chars().allMatch(NetworkAddresses::isOfName);
  }

  private static boolean isOfName(int c) {
    return c == '-' || (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
  }

  /** Returns whether every agent can dial each of these addresses, and no two are the same. */
  public static boolean areDialable(String text) {
    Map<String, String> addresses = byNetwork(text);
    int parts = text.split(",", -1).length;
    boolean isPlain = text.indexOf('=') < 0;
    return addresses.size() == parts
        && parts <= MAX_NETWORKS
        && (isPlain ? parts == 1 : addresses.keySet().stream().allMatch(NetworkAddresses::isName))
        && new LinkedHashSet<>(addresses.values()).size() == parts
        && addresses.values().stream().allMatch(HostAddress::isDialable);
  }

  /**
   * Returns the addresses of another agent by network in the order in which to dial them: those of
   * networks that this agent has, too, come first, since the others need not be routed.
   */
  public static Map<String, String> toDial(String own, String other) {
    Map<String, String> addresses = byNetwork(other);
    Map<String, String> ordered = new LinkedHashMap<>(addresses);
    ordered.keySet().retainAll(byNetwork(own).keySet());
    addresses.forEach(ordered::putIfAbsent);
    return ordered;
  }
}
