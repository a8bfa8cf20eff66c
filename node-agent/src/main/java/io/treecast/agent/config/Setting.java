package io.treecast.agent.config;

import io.treecast.agent.core.message.Membership;
import io.treecast.agent.core.settings.LinkLimits;
import io.treecast.agent.core.settings.OverlayLimits;
import io.treecast.collectives.broadcast.contract.BroadcastLimits;
import io.treecast.collectives.claim.ClaimLimits;
import io.treecast.collectives.operation.contract.CombiningLimits;
import io.treecast.collectives.values.ValuesLimits;
import io.treecast.ghs.NodeId;
import io.treecast.monitor.probe.ProbePolicy;
import io.treecast.monitor.probe.SilencePolicy;
import io.treecast.monitor.throughput.ThroughputPolicy;
import io.treecast.monitor.weight.SignificancePolicy;
import java.nio.file.Path;
import java.util.Collections;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.SortedMap;
import org.jspecify.annotations.Nullable;

/**
 * One setting of an agent: its key in a configuration file, its reader, and its default. Compared
 * by identity. Immutable.
 *
 * @param <T> the type of its value
 */
public final class Setting<T> {
  /** Reads a setting; returns null if it is absent. */
  private interface Reader<T> {
    @Nullable T read(ConfigSection root, String key) throws ConfigException;
  }

  /** Parses a value; the path names the setting in errors. */
  private interface Syntax<S, T> {
    T parse(String path, S value) throws ConfigException;
  }

  /** Reads a section. */
  private interface Section<T> {
    @Nullable T read(ConfigSection root) throws ConfigException;
  }

  /** The node id, unique in the cluster. */
  public static final Setting<NodeId> ID =
      text(
          "id",
          SettingSyntax.NAMES + "; a name of digits goes in quotes, as in \"3\"",
          SettingSyntax::nodeId,
          null);

  /** The address for other agents and applications. */
  public static final Setting<HostPort> LISTEN =
      text("listen", "HOST:PORT, as in 127.0.0.1:7700", HostPort::parseListen, null);

  /** The addresses at which others reach the agent, if they differ from {@link #LISTEN}. */
  public static final Setting<Advertised> ADVERTISE =
      new Setting<>("advertise", Setting::advertised, null);

  /** The members that the agent links with. In a file they are given as seeds. */
  public static final Setting<Membership> MEMBERSHIP =
      texts(
          "seeds",
          "a list of HOST:PORT, or one text of them separated by commas",
          "HOST:PORT",
          (path, texts) -> Membership.discovered(SettingSyntax.seeds(path, texts)),
          Membership.discovered(List.of()));

  /** The address of the admin pages, with metrics and health over HTTP; absent by default. */
  public static final Setting<HostPort> ADMIN =
      text("admin", "HOST:PORT, as in 127.0.0.1:9400", HostPort::parse, null);

  /** The additional host names under which the admin pages are served. */
  public static final Setting<List<String>> ADMIN_HOSTS =
      texts(
          "adminHosts",
          "a list of host names, or one text of them separated by commas",
          "the name of a host",
          SettingSyntax::hosts,
          List.of());

  /** The directory of the measured series; absent by default. */
  public static final Setting<Path> SERIES =
      text("series", "a directory, as in /var/lib/treecast", SettingSyntax::directory, null);

  /** The name of the agent's site; absent by default, so that link weights determine sites. */
  public static final Setting<String> SITE =
      text("site", SettingSyntax.NAMES, SettingSyntax::name, null);

  /** The labels of the agent by name, which other members and applications can read. */
  public static final Setting<SortedMap<String, String>> LABELS =
      new Setting<>(
          "labels",
          (root, key) ->
              parsed(
                  root,
                  key,
                  root.textsByKey(key, "names and texts, as in {gpu: \"8\", fw: \"2.1\"}"),
                  SettingSyntax::labels),
          Collections.emptySortedMap());

  /** The name of the agent's cluster, the same at all members. */
  public static final Setting<String> CLUSTER =
      text("cluster", SettingSyntax.NAMES, SettingSyntax::name, "");

  /** The number of members in the tree from which the agent is ready. */
  public static final Setting<Integer> READY_MEMBERS =
      new Setting<>(
          "readyMembers",
          (root, key) -> {
            Long members = root.integer(key, 1, AgentConfig.MAX_READY_MEMBERS);
            return members == null ? null : (Integer) members.intValue();
          },
          1);

  /** The directory with the agent's certificate, its key and the trusted authorities. */
  public static final Setting<Path> TLS =
      text("tls", "a directory, as in /etc/treecast/tls", SettingSyntax::directory, null);

  /**
   * The file with the permissions of applications and operators. Without it, everything is
   * permitted.
   */
  public static final Setting<Path> PERMISSIONS =
      text(
          "permissions", "a file, as in /etc/treecast/permissions.yaml", SettingSyntax::file, null);

  /** Whether the agent may communicate with other machines in plain text. */
  public static final Setting<Boolean> INSECURE =
      new Setting<>("insecure", ConfigSection::bool, false);

  /** Whether clients may inject faults into the agent's links, for tests. */
  public static final Setting<Boolean> ALLOW_FAULTS =
      new Setting<>("allowFaults", ConfigSection::bool, false);

  /** Whether HTTP clients may publish and subscribe on the port of the admin pages. */
  public static final Setting<Boolean> HTTP = new Setting<>("http", ConfigSection::bool, false);

  /** The limits of broadcasts. */
  public static final Setting<BroadcastLimits> LIMITS =
      section("limits", AgentConfigSections::limits, BroadcastLimits.defaults());

  /** The limits of collective operations, in the same section. */
  public static final Setting<CombiningLimits> COLLECTIVES =
      section("limits", AgentConfigSections::collectives, CombiningLimits.defaults());

  /** The limits of claims, in the same section. */
  public static final Setting<ClaimLimits> CLAIMS =
      section("limits", AgentConfigSections::claims, ClaimLimits.defaults());

  /** The limits of shared values, in the same section. */
  public static final Setting<ValuesLimits> VALUES =
      section("limits", AgentConfigSections::values, ValuesLimits.defaults());

  /** The times of probes. */
  public static final Setting<ProbePolicy> PROBES =
      section("probes", AgentConfigSections::probes, ProbePolicy.DEFAULT);

  /** The times after which a link counts as silent. */
  public static final Setting<SilencePolicy> SILENCE =
      section("silence", AgentConfigSections::silence, SilencePolicy.DEFAULT);

  /** The changes of a measured round trip that change the link's weight. */
  public static final Setting<SignificancePolicy> SIGNIFICANCE =
      section("significance", AgentConfigSections::significance, SignificancePolicy.DEFAULT);

  /** The measurement of throughput. */
  public static final Setting<ThroughputPolicy> THROUGHPUT =
      section("throughput", AgentConfigSections::throughput, ThroughputPolicy.DEFAULT);

  /** The choice of links in a cluster whose members are discovered. */
  public static final Setting<OverlayLimits> OVERLAY =
      section("overlay", AgentConfigSections::overlay, OverlayLimits.DEFAULT);

  /** The times and limits of links. */
  public static final Setting<LinkLimits> LINKS =
      section("links", AgentConfigSections::links, LinkLimits.DEFAULT);

  /** All settings of a file. */
  static final List<Setting<?>> ALL =
      List.of(
          ID,
          LISTEN,
          ADVERTISE,
          MEMBERSHIP,
          ADMIN,
          ADMIN_HOSTS,
          HTTP,
          SERIES,
          SITE,
          LABELS,
          CLUSTER,
          READY_MEMBERS,
          TLS,
          INSECURE,
          PERMISSIONS,
          ALLOW_FAULTS,
          LIMITS,
          COLLECTIVES,
          PROBES,
          SILENCE,
          SIGNIFICANCE,
          THROUGHPUT,
          OVERLAY,
          LINKS);

  private final String key;
  private final Reader<T> reader;
  private final @Nullable T byDefault;

  private Setting(String key, Reader<T> reader, @Nullable T byDefault) {
    this.key = key;
    this.reader = reader;
    this.byDefault = byDefault;
  }

  private static <T> Setting<T> text(
      String key, String allowed, Syntax<String, T> syntax, @Nullable T byDefault) {
    return new Setting<>(
        key, (root, name) -> parsed(root, name, root.text(name, allowed), syntax), byDefault);
  }

  private static <T> Setting<T> texts(
      String key,
      String allowed,
      String allowedElement,
      Syntax<List<String>, T> syntax,
      T byDefault) {
    return new Setting<>(
        key,
        (root, name) -> parsed(root, name, root.texts(name, allowed, allowedElement), syntax),
        byDefault);
  }

  private static @Nullable Advertised advertised(ConfigSection root, String key)
      throws ConfigException {
    String allowed =
        "HOST:PORT, as in agent1.example:7700, or names of networks and HOST:PORT, as in {public:"
            + " 203.0.113.7:7700, fast: 10.0.0.7:7700}";
    return root.hasKeysBelow(key)
        ? parsed(root, key, root.textsByKey(key, allowed), Advertised::parse)
        : parsed(root, key, root.text(key, allowed), Advertised::parse);
  }

  private static <S, T> @Nullable T parsed(
      ConfigSection root, String key, @Nullable S value, Syntax<S, T> syntax)
      throws ConfigException {
    return value == null ? null : syntax.parse(root.path(key), value);
  }

  private static <T> Setting<T> section(String key, Section<T> section, T byDefault) {
    return new Setting<>(key, (root, name) -> section.read(root), byDefault);
  }

  /** Returns the keys of a file's top level. */
  static Set<String> keys() {
    Set<String> keys = new LinkedHashSet<>();
    ALL.forEach(setting -> keys.add(setting.key));
    return keys;
  }

  @Nullable T read(ConfigSection root) throws ConfigException {
    return reader.read(root, key);
  }

  @Nullable T byDefault() {
    return byDefault;
  }

  @Override
  public String toString() {
    return key;
  }
}
