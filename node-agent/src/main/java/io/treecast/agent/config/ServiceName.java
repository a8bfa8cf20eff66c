package io.treecast.agent.config;

import io.treecast.agent.core.message.HostAddress;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The form of a DNS name whose SRV records have the hosts and ports of agents: {@code
 * _treecast._tcp.example.org}. Stateless.
 */
public final class ServiceName {
  private static final Pattern FORM =
      Pattern.compile("_[A-Za-z0-9](?:[A-Za-z0-9-]{0,14})\\._tcp\\.(?<domain>[^_].*)");

  private ServiceName() {}

  /** Returns whether the text is such a name, and not an address. */
  public static boolean is(String text) {
    Matcher form = FORM.matcher(text);
    return form.matches() && HostAddress.isHost(form.group("domain"));
  }

  /** Returns the part after service and protocol. */
  public static String domain(String name) {
    Matcher form = FORM.matcher(name);
    if (!form.matches()) {
      throw new IllegalArgumentException(name + " is not the name of a service");
    }
    return form.group("domain");
  }
}
