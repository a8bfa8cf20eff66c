package io.treecast.agent.config;

import io.treecast.agent.core.message.Member;
import io.treecast.agent.core.message.Membership;
import io.treecast.agent.core.settings.CoreConfig;
import io.treecast.agent.core.settings.LinkLimits;
import io.treecast.agent.core.settings.OverlayLimits;
import io.treecast.collectives.broadcast.contract.BroadcastLimits;
import io.treecast.collectives.operation.CombiningLimits;
import io.treecast.ghs.NodeId;
import io.treecast.monitor.probe.ProbePolicy;
import io.treecast.monitor.probe.SilencePolicy;
import io.treecast.monitor.throughput.ThroughputPolicy;
import io.treecast.monitor.weight.SignificancePolicy;
import java.nio.file.Path;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * All settings of one agent, checked. Immutable.
 *
 * @param id its node id, unique in the cluster
 * @param listen where it accepts other agents and applications
 * @param advertise where others reach it, if that is not {@code listen}; null for that
 * @param admin where it serves metrics and health over HTTP, or null for nowhere
 * @param adminHosts host names by which it serves them, beside those of its addresses
 * @param membership the members that it links with
 * @param tls the directory with its certificate, its key and the trusted authorities; null for
 *     plain text
 * @param insecure whether it may talk in plain text beyond this machine
 * @param permissions the file that says what applications and operators may do; null if they may do
 *     everything
 * @param overlay which links it has where members find each other
 * @param links times and bounds of linking
 * @param probes when links are measured
 * @param silence when a link counts as silent
 * @param significance which changes of a measured round trip are changes of the link's weight
 * @param throughput when throughput is measured
 * @param broadcast bounds of the data
 * @param collectives bounds of collective operations
 * @param allowFaults whether any client may break its links, for tests
 * @param series the directory of its measured series, or null for none
 * @param site the name of its site; null to go by what links show
 * @param cluster the name of its cluster, common to all its members; may be empty
 * @param readyMembers how many members its tree must have until the agent is ready
 */
public record AgentConfig(
    NodeId id,
    HostPort listen,
    @Nullable HostPort advertise,
    @Nullable HostPort admin,
    List<String> adminHosts,
    Membership membership,
    @Nullable Path tls,
    boolean insecure,
    @Nullable Path permissions,
    OverlayLimits overlay,
    LinkLimits links,
    ProbePolicy probes,
    SilencePolicy silence,
    SignificancePolicy significance,
    ThroughputPolicy throughput,
    BroadcastLimits broadcast,
    CombiningLimits collectives,
    boolean allowFaults,
    @Nullable Path series,
    @Nullable String site,
    String cluster,
    int readyMembers) {
  /** The most members that an agent may wait for before it is ready. */
  public static final int MAX_READY_MEMBERS = 10_000;

  private static final String IF_TRUSTED =
      "add --insecure (insecure: true) if the network is trusted, or ";
  private static final String SECURED =
      "give it a certificate with --tls DIRECTORY (tls: DIRECTORY), " + IF_TRUSTED;

  /**
   * Checks settings against each other, and resolves hosts.
   *
   * @throws ConfigException if the settings do not go together, or a host is not known now
   */
  public AgentConfig checked() throws ConfigException {
    checkIsHost("listen", listen);
    if (admin != null) {
      checkIsHost("admin", admin);
    }
    if (!insecure && tls == null) {
      checkConnectionsStayOnMachine();
    }
    if (permissions != null && tls == null) {
      checkCallersAreOfMachine();
    }
    if (!insecure && admin != null && !admin.isLoopback() && !servesPagesByTls()) {
      throw new ConfigException(
          "admin: '"
              + admin
              + "' is reachable from other machines, and its pages are plain text for everybody; "
              + "limit them with --permissions FILE (permissions: FILE) and a certificate, "
              + IF_TRUSTED
              + "serve them on 127.0.0.1");
    }
    if (advertise == null && listen.isWildcard()) {
      throw new ConfigException(
          "listen: '"
              + listen
              + "' stands for all interfaces, which other agents cannot dial; "
              + "add --advertise HOST:PORT (advertise: HOST:PORT)");
    }
    return this;
  }

  /** Returns whether the admin pages need TLS and permissions: beyond this machine. */
  public boolean servesPagesByTls() {
    return permissions != null && tls != null && admin != null && !admin.isLoopback();
  }

  /** Plain text identifies nobody, and would show tokens to others. */
  private void checkCallersAreOfMachine() throws ConfigException {
    if (!listen.isLoopback() || (admin != null && !admin.isLoopback())) {
      throw new ConfigException(
          "permissions: in plain text, callers from other machines cannot be identified; give the"
              + " agent a certificate with --tls DIRECTORY (tls: DIRECTORY), or serve this machine"
              + " only");
    }
  }

  /** The resolver may not be ready yet soon after the machine's start. */
  private static void checkIsHost(String setting, HostPort address) throws ConfigException {
    if (address.toSocketAddress().isUnresolved()) {
      throw ConfigException.now(
          setting + ": '" + address + "' names no host; give an address of this machine");
    }
  }

  /**
   * Addresses from other members are dialed without this check: their sources talk with them
   * already.
   */
  private void checkConnectionsStayOnMachine() throws ConfigException {
    if (!listen.isLoopback()) {
      throw new ConfigException(
          "listen: '"
              + listen
              + "' is reachable from other machines, and agents talk in plain text; "
              + SECURED
              + "listen on 127.0.0.1");
    }
    for (String seed : membership.seeds()) {
      checkIsOfMachine("seeds", seed);
    }
    List<Member> neighbours = membership.neighbours();
    for (Member neighbour : neighbours == null ? List.<Member>of() : neighbours) {
      checkIsOfMachine("neighbours", neighbour.address());
    }
  }

  private static void checkIsOfMachine(String setting, String address) throws ConfigException {
    if (ServiceName.is(address) || !HostPort.parseRemote(setting, address).isLoopback()) {
      throw new ConfigException(
          setting
              + ": '"
              + address
              + "' is not known to be this machine, and agents talk in plain text; "
              + SECURED
              + "name agents of this machine only");
    }
  }

  /**
   * Returns the configuration of the agent's core.
   *
   * @param incarnation higher than at every earlier start of this node
   * @param address HOST:PORT where other agents reach it
   */
  public CoreConfig core(long incarnation, String address) {
    return new CoreConfig(
        id,
        incarnation,
        address,
        site,
        cluster,
        membership,
        overlay,
        links,
        probes,
        silence,
        significance,
        throughput,
        broadcast,
        collectives,
        readyMembers);
  }

  /** Returns an agent that finds the other members from seeds, with defaults for the rest. */
  public static AgentConfig discovered(NodeId id, HostPort listen, List<String> seeds) {
    return withDefaults(id, listen, Membership.discovered(seeds));
  }

  /** Returns an agent with configured neighbours, with defaults for the rest. */
  public static AgentConfig configured(NodeId id, HostPort listen, List<Member> neighbours) {
    return withDefaults(id, listen, Membership.configured(neighbours));
  }

  private static AgentConfig withDefaults(NodeId id, HostPort listen, Membership membership) {
    return new AgentConfig(
        id,
        listen,
        null,
        null,
        List.of(),
        membership,
        null,
        false,
        null,
        OverlayLimits.DEFAULT,
        LinkLimits.DEFAULT,
        ProbePolicy.DEFAULT,
        SilencePolicy.DEFAULT,
        SignificancePolicy.DEFAULT,
        ThroughputPolicy.DEFAULT,
        BroadcastLimits.defaults(),
        CombiningLimits.defaults(),
        false,
        null,
        null,
        "",
        1);
  }

  /** Returns a copy with the certificate in this directory. */
  public AgentConfig withTls(Path directory) {
    return with(admin, directory, permissions, allowFaults, site, significance);
  }

  /** Returns a copy with the permissions in this file. */
  public AgentConfig withPermissions(Path file) {
    return with(admin, tls, file, allowFaults, site, significance);
  }

  /** Returns a copy that serves metrics and health at this address. */
  public AgentConfig withAdmin(HostPort adminAddress) {
    return with(adminAddress, tls, permissions, allowFaults, site, significance);
  }

  /** Returns a copy that lets any client break the agent's links. */
  public AgentConfig allowingFaults() {
    return with(admin, tls, permissions, true, site, significance);
  }

  /** Returns a copy at a site of this name; null for none. */
  public AgentConfig withSite(@Nullable String siteName) {
    return with(admin, tls, permissions, allowFaults, siteName, significance);
  }

  /** Returns a copy with another significance policy. */
  public AgentConfig withSignificance(SignificancePolicy policy) {
    return with(admin, tls, permissions, allowFaults, site, policy);
  }

  private AgentConfig with(
      @Nullable HostPort newAdmin,
      @Nullable Path newTls,
      @Nullable Path newPermissions,
      boolean newAllowFaults,
      @Nullable String newSite,
      SignificancePolicy newSignificance) {
    return new AgentConfig(
        id,
        listen,
        advertise,
        newAdmin,
        adminHosts,
        membership,
        newTls,
        insecure,
        newPermissions,
        overlay,
        links,
        probes,
        silence,
        newSignificance,
        throughput,
        broadcast,
        collectives,
        newAllowFaults,
        series,
        newSite,
        cluster,
        readyMembers);
  }
}
