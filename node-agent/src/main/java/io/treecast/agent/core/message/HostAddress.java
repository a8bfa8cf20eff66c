package io.treecast.agent.core.message;

/**
 * Checks that every agent and client can dial an address: {@code HOST:PORT}, where the host is an
 * IPv4 address, an IPv6 address in brackets, or a name according to RFC 1123: letters, digits and
 * hyphens, in labels between dots. Other names, such as those with an underscore, resolve on some
 * systems only. Stateless.
 */
public final class HostAddress {
  private static final int MAX_PORT = 65_535;
  private static final int MAX_NAME_LENGTH = 253;
  private static final int MAX_LABEL_LENGTH = 63;

  private HostAddress() {}

  /** Returns whether every agent can dial this address. */
  public static boolean isDialable(String address) {
    int colon = address.lastIndexOf(':');
    if (colon < 1 || !isPort(address.substring(colon + 1))) {
      return false;
    }
    String host = address.substring(0, colon);
    boolean isBracketed = host.startsWith("[") && host.endsWith("]");
    return isBracketed ? isIpv6(host.substring(1, host.length() - 1)) : isName(host);
  }

  private static boolean isPort(String digits) {
    boolean isNumber =
        !digits.isEmpty()
            && digits.length() <= 5
            && digits.chars().allMatch(c -> c >= '0' && c <= '9');
    return isNumber && Integer.parseInt(digits) > 0 && Integer.parseInt(digits) <= MAX_PORT;
  }

  /**
   * Returns whether this is the host part of a dialable address.
   *
   * @param host a name, an IPv4 address, or an IPv6 address without brackets
   */
  public static boolean isHost(String host) {
    return host.indexOf(':') < 0 ? isName(host) : isIpv6(host);
  }

  private static boolean isName(String host) {
    String name = host.endsWith(".") ? host.substring(0, host.length() - 1) : host;
    if (name.isEmpty() || name.length() > MAX_NAME_LENGTH) {
      return false;
    }
    String[] labels = name.split("\\.", -1);
    for (String label : labels) {
      if (!isLabel(label)) {
        return false;
      }
    }
    char last = labels[labels.length - 1].charAt(0);
    return last < '0' || last > '9' || isIpv4(labels);
  }

  private static boolean isLabel(String label) {
    return !label.isEmpty()
        && label.length() <= MAX_LABEL_LENGTH
        && !label.startsWith("-")
        && !label.endsWith("-")
        && label.chars().allMatch(c -> c == '-' || isAlphanumeric(c));
  }

  private static boolean isAlphanumeric(int c) {
    return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
  }

  private static boolean isIpv4(String[] parts) {
    if (parts.length != 4) {
      return false;
    }
    for (String part : parts) {
      boolean isNumber = part.length() <= 3 && part.chars().allMatch(c -> c >= '0' && c <= '9');
      if (!isNumber || Integer.parseInt(part) > 255) {
        return false;
      }
    }
    return true;
  }

  /**
   * Returns whether this is an IPv6 address: groups, of which one run of zeros may be omitted, and
   * an optional zone.
   */
  private static boolean isIpv6(String text) {
    int percent = text.indexOf('%');
    String zone = percent < 0 ? "x" : text.substring(percent + 1);
    boolean isZone =
        !zone.isEmpty() && zone.chars().allMatch(c -> isAlphanumeric(c) || "._-".indexOf(c) >= 0);
    String address = percent < 0 ? text : text.substring(0, percent);
    int gap = address.indexOf("::");
    if (!isZone || (gap >= 0 && address.indexOf("::", gap + 1) >= 0)) {
      return false;
    }
    if (gap < 0) {
      return groups(address, true) == 8;
    }
    int before = gap == 0 ? 0 : groups(address.substring(0, gap), false);
    String rest = address.substring(gap + 2);
    int after = rest.isEmpty() ? 0 : groups(rest, true);
    return before >= 0 && after >= 0 && before + after < 8;
  }

  /** Returns the number of 16-bit groups in this text; -1 if a part is not a group. */
  private static int groups(String text, boolean mayEndWithIpv4) {
    String[] parts = text.split(":", -1);
    int groups = 0;
    for (int i = 0; i < parts.length; i++) {
      boolean isLast = i == parts.length - 1;
      if (isLast && mayEndWithIpv4 && isIpv4(parts[i].split("\\.", -1))) {
        groups += 2;
      } else if (!parts[i].isEmpty()
          && parts[i].length() <= 4
          && parts[i].chars().allMatch(c -> "0123456789abcdefABCDEF".indexOf(c) >= 0)) {
        groups++;
      } else {
        return -1;
      }
    }
    return groups;
  }
}
