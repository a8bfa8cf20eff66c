package io.treecast.agent.config;

import io.treecast.ghs.NodeId;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * Parses single settings of any source. Each error names the setting, its value and the allowed
 * values.
 */
public final class SettingSyntax {
  /** Most seeds; a few that answer are enough, since members exchange the others. */
  public static final int MAX_SEEDS = 100;

  /** Most names under which an agent serves its admin pages. */
  public static final int MAX_HOSTS = 100;

  /** The allowed names of nodes, sites and clusters. */
  static final String NAMES = "1 to " + NodeId.MAX_LENGTH + " letters, digits, '.', '_' and '-'";

  private SettingSyntax() {}

  /** Reads a node id. */
  public static NodeId nodeId(String setting, String text) throws ConfigException {
    try {
      return NodeId.of(text);
    } catch (IllegalArgumentException e) {
      throw new ConfigException(setting, text, NAMES + " (" + e.getMessage() + ")");
    }
  }

  /** Reads the name of a site or a cluster. */
  public static String name(String setting, String text) throws ConfigException {
    try {
      return NodeId.of(text).toString();
    } catch (IllegalArgumentException e) {
      throw new ConfigException(setting, text, NAMES);
    }
  }

  /** Checks how many members a tree must have until its agents are ready. */
  public static int readyMembers(String setting, int count) throws ConfigException {
    if (count < 1 || count > AgentConfig.MAX_READY_MEMBERS) {
      throw new ConfigException(
          setting, count, "a whole number from 1 to " + AgentConfig.MAX_READY_MEMBERS);
    }
    return count;
  }

  /** Reads the name of a directory, which need not be there. */
  public static Path directory(String setting, String text) throws ConfigException {
    return path(setting, text, "a directory");
  }

  /** Reads the name of a file, which need not exist. */
  public static Path file(String setting, String text) throws ConfigException {
    return path(setting, text, "a file");
  }

  private static Path path(String setting, String text, String allowed) throws ConfigException {
    try {
      return Path.of(text);
    } catch (InvalidPathException e) {
      throw new ConfigException(setting, text, allowed + " (" + e.getReason() + ")");
    }
  }

  /**
   * Reads addresses of other agents, or {@linkplain ServiceName names of services}, each of which
   * may be several, separated by commas.
   */
  public static List<String> seeds(String setting, List<String> texts) throws ConfigException {
    List<String> seeds = new ArrayList<>();
    for (String text : texts) {
      for (String part : text.split(",", -1)) {
        String seed = part.strip();
        seeds.add(ServiceName.is(seed) ? seed : HostPort.parseRemote(setting, seed).toString());
      }
    }
    if (seeds.size() > MAX_SEEDS) {
      throw new ConfigException(setting, seeds.size() + " addresses", "up to " + MAX_SEEDS);
    }
    return List.copyOf(seeds);
  }

  /** Reads names of hosts, each of which may be several, separated by commas. */
  public static List<String> hosts(String setting, List<String> texts) throws ConfigException {
    List<String> hosts = new ArrayList<>();
    for (String text : texts) {
      for (String part : text.split(",", -1)) {
        String host = part.strip();
        if (!host.matches("[A-Za-z0-9._-]{1,253}")) {
          throw new ConfigException(
              setting, host, "the name of a host without a port, as in h1.example");
        }
        hosts.add(host);
      }
    }
    if (hosts.size() > MAX_HOSTS) {
      throw new ConfigException(setting, hosts.size() + " names", "up to " + MAX_HOSTS);
    }
    return List.copyOf(hosts);
  }
}
