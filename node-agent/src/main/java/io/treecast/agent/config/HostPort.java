package io.treecast.agent.config;

import io.treecast.agent.core.message.HostAddress;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.UnknownHostException;

/**
 * A host and a port, written as {@code 10.0.0.4:7700}, {@code host.example:7700} or {@code
 * [::1]:7700}.
 *
 * @param host a name or an IP address, IPv6 without brackets
 * @param port 0 to 65535; to listen on, 0 stands for any free port
 */
public record HostPort(String host, int port) {
  /** The default port of agents. */
  public static final int AGENT_PORT = 7_700;

  private static final int MAX_PORT = 65_535;

  /**
   * Reads an address to listen on; the default port is {@value #AGENT_PORT}.
   *
   * @param setting the name of the setting, for errors
   * @throws ConfigException if it is not of the form HOST[:PORT]
   */
  public static HostPort parseListen(String setting, String text) throws ConfigException {
    return parse(setting, text, withPort(text, AGENT_PORT), 0);
  }

  /**
   * Reads an address that an agent announces. The default port is 0, which stands for the port that
   * the agent listens on.
   *
   * @param setting the name of the setting, for errors
   * @throws ConfigException if it is not of the form HOST[:PORT]
   */
  public static HostPort parseAdvertised(String setting, String text) throws ConfigException {
    return parse(setting, text, withPort(text, 0), 0);
  }

  /**
   * Reads an address.
   *
   * @param setting the name of the setting, for errors
   * @throws ConfigException if it is not of the form HOST:PORT
   */
  public static HostPort parse(String setting, String text) throws ConfigException {
    return parse(setting, text, text, 0);
  }

  /**
   * Reads the address of an agent to connect to; the default port is {@value #AGENT_PORT}.
   *
   * @param setting the name of the setting, for errors
   * @throws ConfigException if it is not of the form HOST[:PORT], or the port is 0
   */
  public static HostPort parseRemote(String setting, String text) throws ConfigException {
    return parse(setting, text, withPort(text, AGENT_PORT), 1);
  }

  private static String withPort(String text, int port) {
    boolean isHost = text.endsWith("]") || (!text.isEmpty() && text.indexOf(':') < 0);
    return isHost ? text + ":" + port : text;
  }

  /** Reads an address; {@code complete} is the text with the default port. */
  private static HostPort parse(String setting, String text, String complete, int leastPort)
      throws ConfigException {
    int colon = complete.lastIndexOf(':');
    String host = colon < 0 ? "" : complete.substring(0, colon);
    boolean isBracketed = host.startsWith("[") && host.endsWith("]");
    if (isBracketed) {
      host = host.substring(1, host.length() - 1);
    } else if (host.contains(":")) {
      throw new ConfigException(
          setting, text, "HOST:PORT; an IPv6 address goes in brackets, as in [::1]:7700");
    }
    String digits = complete.substring(colon + 1);
    boolean number = digits.length() <= 5 && digits.chars().allMatch(c -> c >= '0' && c <= '9');
    int port = number && !digits.isEmpty() ? Integer.parseInt(digits) : -1;
    boolean isHost = HostAddress.isHost(host) && isBracketed == host.contains(":");
    if (!isHost && (!host.isEmpty() || complete.isEmpty() || colon == 0)) {
      throw new ConfigException(
          setting,
          text,
          "HOST:PORT where the host is an IP address, or a name of letters, digits, hyphens and"
              + " dots, as in 127.0.0.1:7700");
    }
    if (!isHost || port < leastPort || port > MAX_PORT) {
      throw new ConfigException(
          setting,
          text,
          "HOST:PORT with a port of " + leastPort + " to " + MAX_PORT + ", as in 127.0.0.1:7700");
    }
    return new HostPort(host, port);
  }

  public HostPort withPort(int otherPort) {
    return new HostPort(host, otherPort);
  }

  /** Returns whether the host is a name, and not an IP address. */
  public boolean isName() {
    boolean endsWithDigit = Character.isDigit(host.charAt(host.lastIndexOf('.') + 1));
    return !host.contains(":") && (!endsWithDigit || !host.contains("."));
  }

  /** Returns whether only this machine can reach the address. */
  public boolean isLoopback() {
    try {
      return InetAddress.getByName(host).isLoopbackAddress();
    } catch (UnknownHostException e) {
      return false;
    }
  }

  /** Returns whether the address stands for all interfaces, and so cannot be dialed. */
  public boolean isWildcard() {
    try {
      return InetAddress.getByName(host).isAnyLocalAddress();
    } catch (UnknownHostException e) {
      return false;
    }
  }

  /** Returns whether an IP address can belong to a single machine. */
  boolean isOfOneMachine() {
    try {
      InetAddress ip = InetAddress.getByName(host);
      return !ip.isAnyLocalAddress()
          && !ip.isMulticastAddress()
          && !ip.getHostAddress().equals("255.255.255.255");
    } catch (UnknownHostException e) {
      return true; // An interface of the address that does not exist yet.
    }
  }

  public InetSocketAddress toSocketAddress() {
    return new InetSocketAddress(host, port);
  }

  @Override
  public String toString() {
    return host.contains(":") ? "[" + host + "]:" + port : host + ":" + port;
  }
}
