package io.treecast.agent.config;

import io.treecast.agent.core.message.NetworkAddresses;
import java.util.Collection;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.Map;

/**
 * The addresses that an agent announces: a single one, or one in each of several named networks.
 *
 * @param byNetwork the addresses by network, primary first; the name of a single one may be empty
 */
public record Advertised(Map<String, HostPort> byNetwork) {
  private static final String SEVERAL =
      "up to "
          + NetworkAddresses.MAX_NETWORKS
          + " addresses, as in public=203.0.113.7,fast=10.0.0.7";

  public Advertised {
    byNetwork = Collections.unmodifiableMap(new LinkedHashMap<>(byNetwork));
  }

  /** Returns a single address. */
  public static Advertised of(HostPort address) {
    return new Advertised(Map.of("", address));
  }

  /**
   * Reads {@code HOST[:PORT]}, or {@code NAME=HOST[:PORT]} for each network, separated by commas.
   *
   * @param setting the name of the setting, for errors
   * @throws ConfigException if the text has another form, or if {@link #parse(String, Map)} refuses
   *     it
   */
  public static Advertised parse(String setting, String text) throws ConfigException {
    if (text.indexOf('=') < 0) {
      return of(HostPort.parseAdvertised(setting, text));
    }
    Map<String, String> texts = new LinkedHashMap<>();
    for (String part : text.split(",", -1)) {
      int equals = part.indexOf('=');
      String name = equals < 0 ? "" : part.substring(0, equals).strip();
      if (equals < 0) {
        throw new ConfigException(setting, part, "NAME=HOST[:PORT], as in fast=10.0.0.7:7700");
      }
      if (texts.put(name, part.substring(equals + 1).strip()) != null) {
        throw new ConfigException(setting, text, "each network once; " + name + " is given twice");
      }
    }
    return parse(setting, texts);
  }

  /**
   * Reads addresses by network.
   *
   * @throws ConfigException if there are no addresses or too many, if a name or an address is
   *     invalid, or if two networks have the same address
   */
  public static Advertised parse(String setting, Map<String, String> texts) throws ConfigException {
    if (texts.isEmpty() || texts.size() > NetworkAddresses.MAX_NETWORKS) {
      throw new ConfigException(setting, texts.size() + " networks", SEVERAL);
    }
    Map<String, HostPort> addresses = new LinkedHashMap<>();
    for (Map.Entry<String, String> one : texts.entrySet()) {
      String name = one.getKey();
      if (!NetworkAddresses.isName(name)) {
        throw new ConfigException(setting, name, "names of " + NetworkAddresses.NAMES);
      }
      HostPort address = HostPort.parseAdvertised(setting + "." + name, one.getValue());
      if (addresses.containsValue(address)) {
        throw new ConfigException(
            setting + "." + name, address, "an address that no other network has");
      }
      addresses.put(name, address);
    }
    return new Advertised(addresses);
  }

  /** Returns the primary address, which clients use. */
  public HostPort primary() {
    return byNetwork.values().iterator().next();
  }

  /** Returns the hosts of all addresses. */
  public Collection<String> hosts() {
    Collection<String> hosts = new LinkedHashSet<>();
    byNetwork.values().forEach(address -> hosts.add(address.host()));
    return hosts;
  }

  /** Returns these addresses, with this port for those that have none. */
  public Advertised withPort(int port) {
    Map<String, HostPort> complete = new LinkedHashMap<>();
    byNetwork.forEach(
        (network, address) ->
            complete.put(network, address.port() == 0 ? address.withPort(port) : address));
    return new Advertised(complete);
  }

  /** Returns the text that the agent announces. */
  public String text() {
    if (byNetwork.containsKey("")) {
      return primary().toString();
    }
    Map<String, String> texts = new LinkedHashMap<>();
    byNetwork.forEach((network, address) -> texts.put(network, address.toString()));
    return NetworkAddresses.text(texts);
  }

  @Override
  public String toString() {
    return text();
  }
}
