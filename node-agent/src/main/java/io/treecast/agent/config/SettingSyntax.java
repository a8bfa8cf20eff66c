package io.treecast.agent.config;

import io.treecast.ghs.NodeId;
import java.nio.charset.StandardCharsets;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * Parses single settings from any source. An error names the setting, its value and the allowed
 * values.
 */
public final class SettingSyntax {
  /** The maximum number of seeds. A few suffice, since members exchange addresses. */
  public static final int MAX_SEEDS = 100;

  /** The maximum number of host names of the admin pages. */
  public static final int MAX_HOSTS = 100;

  /** The maximum size of all labels of an agent, names and values together, in bytes. */
  public static final int MAX_LABELS_BYTES = 1024;

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

  /** Checks the number of members in a tree from which its agents are ready. */
  public static int readyMembers(String setting, int count) throws ConfigException {
    if (count < 1 || count > AgentConfig.MAX_READY_MEMBERS) {
      throw new ConfigException(
          setting, count, "a whole number from 1 to " + AgentConfig.MAX_READY_MEMBERS);
    }
    return count;
  }

  /** Reads the name of a directory, which need not exist. */
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
   * Reads addresses of other agents, or {@linkplain ServiceName names of services}. Each text may
   * have several, separated by commas.
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

  /** Reads names of hosts. Each text may have several, separated by commas. */
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

  /**
   * Reads labels of the form NAME=VALUE. Each text may have several, separated by commas.
   *
   * @throws ConfigException if a label has another form, or if {@link #labels(String, Map)} refuses
   *     it
   */
  public static SortedMap<String, String> labels(String setting, List<String> texts)
      throws ConfigException {
    SortedMap<String, String> labels = new TreeMap<>();
    for (String text : texts) {
      for (String part : text.split(",", -1)) {
        int equals = part.indexOf('=');
        if (equals < 0) {
          throw new ConfigException(setting, part, "NAME=VALUE, as in gpu=8");
        }
        labels.put(part.substring(0, equals).strip(), part.substring(equals + 1).strip());
      }
    }
    return labels(setting, labels);
  }

  /** Checks the names, the values and the total size of labels. */
  static SortedMap<String, String> labels(String setting, Map<String, String> labels)
      throws ConfigException {
    int bytes = 0;
    for (Map.Entry<String, String> label : labels.entrySet()) {
      String name = label.getKey();
      if (!Labels.isName(name)) {
        throw new ConfigException(setting, name, "names of " + Labels.NAMES);
      }
      if (!Labels.isValue(label.getValue())) {
        throw new ConfigException(
            setting + "." + name, label.getValue(), "a text of " + Labels.VALUES);
      }
      bytes += name.length() + label.getValue().getBytes(StandardCharsets.UTF_8).length;
    }
    if (bytes > MAX_LABELS_BYTES) {
      throw new ConfigException(
          setting, bytes + " bytes of labels", "up to " + MAX_LABELS_BYTES + " bytes in all");
    }
    return Collections.unmodifiableSortedMap(new TreeMap<>(labels));
  }
}
