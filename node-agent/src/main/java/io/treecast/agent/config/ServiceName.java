package io.treecast.agent.config;

import io.treecast.agent.core.message.HostAddress;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A name of DNS whose SRV records say where agents are, hosts and ports: {@code
 * _treecast._tcp.example.org}. Stateless.
 */
public final class ServiceName {
  private static final Pattern FORM =
      Pattern.compile("_[A-Za-z0-9](?:[A-Za-z0-9-]{0,14})\\._tcp\\.(?<domain>[^_].*)");

  private ServiceName() {}

  /** Whether it is such a name, and no address. */
  public static boolean is(String text) {
    Matcher form = FORM.matcher(text);
    return form.matches() && HostAddress.isHost(form.group("domain"));
  }

  /** Returns the part behind service and protocol. */
  public static String domain(String name) {
    Matcher form = FORM.matcher(name);
    if (!form.matches()) {
      throw new IllegalArgumentException(name + " is not the name of a service");
    }
    return form.group("domain");
  }
}
