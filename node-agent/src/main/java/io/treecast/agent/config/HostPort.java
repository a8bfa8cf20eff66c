package io.treecast.agent.config;

import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.UnknownHostException;

/**
 * An address as people write it: {@code 10.0.0.4:7700}, {@code host.example:7700}, {@code
 * [::1]:7700}.
 *
 * @param host a name or a literal, IPv6 without brackets
 * @param port 0 to 65535; 0 stands for any free port where one listens
 */
public record HostPort(String host, int port) {
  private static final int MAX_PORT = 65_535;

  /**
   * Reads an address.
   *
   * @param setting what it is for, named in the error
   * @throws ConfigException if it is not of the form HOST:PORT
   */
  public static HostPort parse(String setting, String text) throws ConfigException {
    return parse(setting, text, 0);
  }

  /**
   * Reads an address to connect to, whose port is known.
   *
   * @param setting what it is for, named in the error
   * @throws ConfigException if it is not of the form HOST:PORT, or the port is 0
   */
  public static HostPort parseRemote(String setting, String text) throws ConfigException {
    return parse(setting, text, 1);
  }

  private static HostPort parse(String setting, String text, int leastPort) throws ConfigException {
    int colon = text.lastIndexOf(':');
    String host = colon < 0 ? "" : text.substring(0, colon);
    if (host.startsWith("[") && host.endsWith("]")) {
      host = host.substring(1, host.length() - 1);
    } else if (host.contains(":")) {
      throw new ConfigException(
          setting, text, "HOST:PORT; an IPv6 address goes in brackets, as in [::1]:7700");
    }
    String digits = text.substring(colon + 1);
    boolean number = digits.length() <= 5 && digits.chars().allMatch(c -> c >= '0' && c <= '9');
    int port = number && !digits.isEmpty() ? Integer.parseInt(digits) : -1;
    boolean plainHost = host.chars().allMatch(c -> c > ' ' && "/@[]?#\\,".indexOf(c) < 0);
    if (host.isEmpty() || !plainHost || port < leastPort || port > MAX_PORT) {
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

  /** Whether only this machine can reach it. */
  public boolean isLoopback() {
    try {
      return InetAddress.getByName(host).isLoopbackAddress();
    } catch (UnknownHostException e) {
      return false;
    }
  }

  /** Whether it stands for every interface, and so can not be dialed. */
  public boolean isWildcard() {
    try {
      return InetAddress.getByName(host).isAnyLocalAddress();
    } catch (UnknownHostException e) {
      return false;
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
