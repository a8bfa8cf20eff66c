package io.treecast.cli.agent;

import io.treecast.agent.config.Advertised;
import io.treecast.agent.config.AgentConfig;
import io.treecast.agent.config.AgentConfigFile;
import io.treecast.agent.config.AgentSettings;
import io.treecast.agent.config.ConfigException;
import io.treecast.agent.config.HostPort;
import io.treecast.agent.config.Setting;
import io.treecast.agent.config.SettingSyntax;
import io.treecast.agent.core.message.Membership;
import io.treecast.cli.console.CommandFailure;
import java.nio.file.Path;
import java.util.List;
import java.util.SortedMap;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** The settings of {@code treecast agent}: those of a file, overridden by flags. */
final class AgentFlags {
  static final String SITE_VARIABLE = "TREECAST_SITE";
  static final String LABELS_VARIABLE = "TREECAST_LABELS";

  @Option(
      names = "--config",
      paramLabel = "FILE",
      description = "A YAML file with the same settings and more; flags override it.")
  private @Nullable Path config;

  @Option(
      names = "--id",
      paramLabel = "NAME",
      description = "This agent's node id, unique in the cluster.")
  private @Nullable String id;

  @Option(
      names = "--listen",
      paramLabel = "HOST[:PORT]",
      description = "The address for other agents and applications; default port: 7700.")
  private @Nullable String listen;

  @Option(
      names = "--advertise",
      paramLabel = "[NAME=]HOST[:PORT][,...]",
      description =
          "The address at which others reach this agent, if it differs from --listen; "
              + "default port: that of --listen. With a name for each network, up to four addresses.")
  private @Nullable String advertise;

  @Option(
      names = "--seeds",
      paramLabel = "HOST[:PORT][,...]",
      description =
          "Agents that name the other members at the start; default port: 7700. Some may be "
              + "down, and this agent may be among them.")
  private @Nullable List<String> seeds;

  @Option(
      names = "--admin",
      paramLabel = "HOST:PORT",
      description =
          "The HTTP address of the live page (/), /metrics, /healthz, /readyz, "
              + "/tree.json, /links.json and /history.json; default: no HTTP server.")
  private @Nullable String admin;

  @Option(
      names = "--admin-hosts",
      paramLabel = "NAME[,...]",
      description =
          "Further host names of the admin pages, such as that of a service or a "
              + "proxy. IP addresses, localhost and the hosts of --admin, --listen and "
              + "--advertise are always accepted.")
  private @Nullable List<String> adminHosts;

  @Option(
      names = "--http",
      arity = "0",
      description =
          "Lets HTTP clients such as curl publish and subscribe on the port of --admin: POST "
              + "/publish?topic=T and GET /subscribe?topic=T.")
  private @Nullable Boolean http;

  @Option(
      names = "--series",
      paramLabel = "DIRECTORY",
      description =
          "The directory for measurements of links, for 'treecast series'; default: "
              + "none are stored.")
  private @Nullable Path series;

  @Option(
      names = "--site",
      paramLabel = "NAME",
      description = {
        "The name of this agent's site. Agents of a site measure throughput one at a "
            + "time; default: the environment variable "
            + SITE_VARIABLE
            + ", the file, or derived from link weights."
      })
  private @Nullable String site;

  @Option(
      names = "--label",
      paramLabel = "NAME=VALUE[,...]",
      description = {
        "Labels of this agent, by which others select members; default: the environment variable "
            + LABELS_VARIABLE
            + ", or the file."
      })
  private @Nullable List<String> labels;

  @Option(
      names = "--cluster",
      paramLabel = "NAME",
      description = "The name of this agent's cluster. Agents of different clusters do not link.")
  private @Nullable String cluster;

  @Option(
      names = "--ready-members",
      paramLabel = "COUNT",
      description =
          "Members that this agent's tree must have, including itself, before the "
              + "agent is ready and broadcasts; 1 to "
              + AgentConfig.MAX_READY_MEMBERS
              + ", default: 1.")
  private @Nullable Integer readyMembers;

  @Option(
      names = "--tls",
      paramLabel = "DIRECTORY",
      description =
          "The directory of this agent's certificate: tls.crt, tls.key and ca.crt; "
              + "default: plain text.")
  private @Nullable Path tls;

  @Option(
      names = "--permissions",
      paramLabel = "FILE",
      description =
          "A YAML file of rules that say what each application and operator may do; "
              + "default: everything.")
  private @Nullable Path permissions;

  @Option(
      names = "--insecure",
      arity = "0",
      description = "Permits plain text beyond this machine, on trusted networks.")
  private @Nullable Boolean insecure;

  @Option(
      names = "--allow-faults",
      arity = "0",
      description =
          "Permits anybody who reaches this agent to break its links with 'treecast " + "fault'.")
  private @Nullable Boolean allowFaults;

  /**
   * Returns the checked configuration.
   *
   * @throws CommandFailure if a flag or the file is invalid, or cannot be used at present
   */
  AgentConfig config() {
    try {
      AgentSettings file = config == null ? AgentSettings.NONE : AgentConfigFile.read(config);
      return flags().orElse(file).toConfig();
    } catch (ConfigException e) {
      throw refused(e);
    }
  }

  /**
   * Returns the failure that ends the command. A supervisor restarts the process only for a failure
   * that may pass.
   */
  static CommandFailure refused(ConfigException why) {
    String text = String.valueOf(why.getMessage());
    return why.mayPass() ? CommandFailure.failed(text) : CommandFailure.usage(text);
  }

  private @Nullable Integer checkedReadyMembers() throws ConfigException {
    Integer count = readyMembers;
    return count == null ? null : (Integer) SettingSyntax.readyMembers("--ready-members", count);
  }

  /**
   * Returns the site that overrides that of the file; null if none is given.
   *
   * @param flag the value of the flag
   * @param variable the value of the environment variable
   */
  static @Nullable String site(@Nullable String flag, @Nullable String variable)
      throws ConfigException {
    if (flag != null) {
      return SettingSyntax.name("--site", flag);
    }
    return variable == null || variable.isBlank()
        ? null
        : SettingSyntax.name(SITE_VARIABLE, variable.strip());
  }

  /**
   * Returns the labels that override those of the file; null if none are given.
   *
   * @param flags the values of the flags
   * @param variable the value of the environment variable
   */
  static @Nullable SortedMap<String, String> labels(
      @Nullable List<String> flags, @Nullable String variable) throws ConfigException {
    if (flags != null) {
      return SettingSyntax.labels("--label", flags);
    }
    return variable == null || variable.isBlank()
        ? null
        : SettingSyntax.labels(LABELS_VARIABLE, List.of(variable));
  }

  private AgentSettings flags() throws ConfigException {
    return AgentSettings.NONE
        .with(Setting.ID, id == null ? null : SettingSyntax.nodeId("--id", id))
        .with(Setting.LISTEN, listen == null ? null : HostPort.parseListen("--listen", listen))
        .with(
            Setting.ADVERTISE,
            advertise == null ? null : Advertised.parse("--advertise", advertise))
        .with(
            Setting.MEMBERSHIP,
            seeds == null ? null : Membership.discovered(SettingSyntax.seeds("--seeds", seeds)))
        .with(Setting.ADMIN, admin == null ? null : HostPort.parse("--admin", admin))
        .with(
            Setting.ADMIN_HOSTS,
            adminHosts == null ? null : SettingSyntax.hosts("--admin-hosts", adminHosts))
        .with(Setting.HTTP, http)
        .with(Setting.TLS, tls)
        .with(Setting.PERMISSIONS, permissions)
        .with(Setting.INSECURE, insecure)
        .with(Setting.ALLOW_FAULTS, allowFaults)
        .with(Setting.SERIES, series)
        .with(Setting.SITE, site(site, System.getenv(SITE_VARIABLE)))
        .with(Setting.LABELS, labels(labels, System.getenv(LABELS_VARIABLE)))
        .with(Setting.CLUSTER, cluster == null ? null : SettingSyntax.name("--cluster", cluster))
        .with(Setting.READY_MEMBERS, checkedReadyMembers());
  }
}
