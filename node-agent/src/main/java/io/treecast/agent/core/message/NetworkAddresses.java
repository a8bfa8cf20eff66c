package io.treecast.agent.core.message;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.stream.Collectors;

/**
 * Reads and writes the addresses of an agent in several networks, which form the text of a member's
 * address: {@code public=203.0.113.7:7700,fast=10.0.0.7:7700}. The first one is the primary
 * address, which clients use. The address of an agent in one network is plain {@code HOST:PORT}.
 * Stateless.
 */
public final class NetworkAddresses {
  /** The maximum number of networks of an agent. */
  public static final int MAX_NETWORKS = 4;

  /** The maximum length of a network's name, in characters. */
  public static final int MAX_NAME_LENGTH = 16;

  /** The description, for people, of the allowed names of networks. */
  public static final String NAMES =
      "1 to " + MAX_NAME_LENGTH + " letters, digits and hyphens, as in fast";

  private NetworkAddresses() {}

  /** Returns the text of these addresses, keyed by the name of their network, primary first. */
  public static String text(Map<String, String> byNetwork) {
    return byNetwork.entrySet().stream()
        .map(one -> one.getKey() + "=" + one.getValue())
        .collect(Collectors.joining(","));
  }

  /**
   * Returns the addresses in this text, keyed by the name of their network, primary first. The key
   * of a plain address is empty.
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

  /** Returns the primary address. */
  public static String primary(String text) {
    return byNetwork(text).values().iterator().next();
  }

  /** Returns whether the address is one of those in the text. */
  public static boolean contain(String text, String address) {
    return text.equals(address) || byNetwork(text).containsValue(address);
  }

  /** Returns whether the text has addresses in more than one network. */
  public static boolean areSeveral(String text) {
    return text.indexOf(',') >= 0;
  }

  /** Returns whether this name of a network is allowed. */
  public static boolean isName(String name) {
    return !name.isEmpty()
        && name.length() <= MAX_NAME_LENGTH
        && name.chars().allMatch(NetworkAddresses::isOfName);
  }

  private static boolean isOfName(int c) {
    return c == '-' || (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
  }

  /** Returns whether these addresses are dialable by every agent, and distinct. */
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
   * Returns another agent's addresses by network, in the order in which to dial them. Networks that
   * both agents have come first, since there may be no route to the others.
   */
  public static Map<String, String> toDial(String own, String other) {
    Map<String, String> addresses = byNetwork(other);
    Map<String, String> ordered = new LinkedHashMap<>(addresses);
    ordered.keySet().retainAll(byNetwork(own).keySet());
    addresses.forEach(ordered::putIfAbsent);
    return ordered;
  }
}
