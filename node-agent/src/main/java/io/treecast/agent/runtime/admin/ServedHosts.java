package io.treecast.agent.runtime.admin;

import io.treecast.agent.config.Advertised;
import io.treecast.agent.config.AgentConfig;
import io.treecast.agent.config.HostPort;
import java.util.HashSet;
import java.util.Locale;
import java.util.Objects;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * The hosts under which an agent serves its admin pages: every IP address, {@code localhost}, and
 * the configured names. A browser sends the host of the page's address, so a page of another site
 * whose name was made to resolve to this agent's address (DNS rebinding) is refused. Immutable.
 */
final class ServedHosts {
  private static final Pattern PORT = Pattern.compile(":[0-9]*$");

  /** An IP address; the last label of a host name never consists of digits. */
  private static final Pattern ADDRESS =
      Pattern.compile("[0-9]+\\.[0-9]+\\.[0-9]+\\.[0-9]+|\\[[0-9a-f:.%]+]");

  private final Set<String> names = new HashSet<>();

  private ServedHosts(Stream<String> names) {
    names.map(ServedHosts::normal).forEach(this.names::add);
  }

  static ServedHosts of(AgentConfig config) {
    Stream<HostPort> addresses =
        Stream.of(config.admin(), config.listen()).filter(Objects::nonNull);
    Advertised advertised = config.advertise();
    Stream<String> announced = advertised == null ? Stream.of() : advertised.hosts().stream();
    return new ServedHosts(
        Stream.of(
                Stream.of("localhost"),
                addresses.map(HostPort::host),
                announced,
                config.adminHosts().stream())
            .flatMap(each -> each));
  }

  /**
   * Returns whether pages are served under this host.
   *
   * @param hostField the field {@code Host} of a request, with or without a port
   */
  boolean contain(String hostField) {
    String host = normal(PORT.matcher(hostField.strip()).replaceFirst(""));
    return ADDRESS.matcher(host).matches() || names.contains(host);
  }

  /** Names are compared without case, and without the dot of the root at their end. */
  private static String normal(String host) {
    String lower = host.toLowerCase(Locale.ROOT);
    return lower.endsWith(".") ? lower.substring(0, lower.length() - 1) : lower;
  }
}
