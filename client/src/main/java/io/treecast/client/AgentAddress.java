package io.treecast.client;

import java.net.URI;
import java.net.URISyntaxException;
import java.util.Objects;

/**
 * The address at which an agent listens.
 *
 * @param host a name, an IPv4 address, or an IPv6 address without brackets
 * @param port 1 to 65535; 0 for an agent in this process, whose service name is the host
 */
record AgentAddress(String host, int port) {
  private static final int DEFAULT_PORT = 7_700;
  private static final int MAX_PORT = 65535;

  /**
   * Parses {@code HOST:PORT}, with an IPv6 address in brackets: {@code [::1]:7700}. The default
   * port is {@value #DEFAULT_PORT}.
   *
   * @throws IllegalArgumentException if the text is not an address; the message states the position
   */
  static AgentAddress parse(String text) {
    Objects.requireNonNull(text, "agent");
    if (text.startsWith("[")) {
      int bracket = text.indexOf(']');
      if (bracket < 0) {
        throw malformed(text, "']' is missing");
      }
      String host = text.substring(1, bracket);
      if (host.indexOf(':') < 0) {
        throw malformed(text, "brackets are for an IPv6 address, and '" + host + "' is not one");
      }
      if (bracket + 1 == text.length()) {
        return new AgentAddress(checkedHost(text, host), DEFAULT_PORT);
      }
      if (text.charAt(bracket + 1) != ':') {
        throw malformed(text, "':PORT' is missing after ']'");
      }
      return new AgentAddress(checkedHost(text, host), port(text, text.substring(bracket + 2)));
    }
    if (text.contains("://")) {
      throw malformed(text, "a URL is not an agent address");
    }
    int colon = text.lastIndexOf(':');
    if (colon < 0) {
      return new AgentAddress(checkedHost(text, text), DEFAULT_PORT);
    }
    if (text.indexOf(':') != colon) {
      throw malformed(text, "an IPv6 address needs brackets, as in [::1]:7700");
    }
    return new AgentAddress(
        checkedHost(text, text.substring(0, colon)), port(text, text.substring(colon + 1)));
  }

  /** Returns the address of an agent in this process. */
  static AgentAddress inProcess(String name) {
    return new AgentAddress(name, 0);
  }

  boolean isInProcess() {
    return port == 0;
  }

  /**
   * Returns whether the address is in this process or a loopback address; does not resolve names.
   */
  boolean isLoopback() {
    return isInProcess()
        || host.equals("localhost")
        || host.equals("::1")
        || host.matches("127\\.[0-9]+\\.[0-9]+\\.[0-9]+");
  }

  private static String checkedHost(String text, String host) {
    if (host.isEmpty()) {
      throw malformed(text, "the host is missing");
    }
    for (int i = 0; i < host.length(); i++) {
      char c = host.charAt(i);
      if (c <= ' ' || "/@[]?#\\".indexOf(c) >= 0) {
        throw malformed(
            text, "the host has '" + c + "' at position " + (text.indexOf(host) + i + 1));
      }
    }
    if (host.chars().allMatch(c -> c >= '0' && c <= '9')) {
      throw malformed(text, "'" + host + "' is not a host; the port comes behind it");
    }
    try {
      // The transport parses the host in the same way.
      var unused =
          new URI(null, null, host.indexOf(':') < 0 ? host : "[" + host + "]", 1, null, null, null);
    } catch (URISyntaxException e) {
      throw malformed(
          text,
          "'"
              + host
              + "' is not a host: an IP address, or a name of letters, digits, hyphens and dots");
    }
    return host;
  }

  private static int port(String text, String digits) {
    boolean number =
        !digits.isEmpty()
            && digits.length() <= 5
            && digits.chars().allMatch(c -> c >= '0' && c <= '9');
    int port = number ? Integer.parseInt(digits) : 0;
    if (port < 1 || port > MAX_PORT) {
      throw malformed(text, "port '" + digits + "' is not a number from 1 to " + MAX_PORT);
    }
    return port;
  }

  private static IllegalArgumentException malformed(String text, String what) {
    return new IllegalArgumentException(
        "agent address '" + text + "': " + what + "; expected HOST:PORT");
  }

  /** Returns {@code HOST:PORT} in the form that {@link #parse} accepts. */
  @Override
  public String toString() {
    return isInProcess() ? host : (host.indexOf(':') < 0 ? host : "[" + host + "]") + ":" + port;
  }
}
