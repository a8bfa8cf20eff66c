package io.treecast.agent.config;

import io.treecast.agent.core.message.Member;
import io.treecast.agent.core.message.Membership;
import io.treecast.agent.core.settings.CoreConfig;
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
import java.net.InetAddress;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.SortedMap;
import org.jspecify.annotations.Nullable;

/** All settings of one agent, with defaults for absent ones. Immutable. */
public final class AgentConfig {
  /** The highest allowed {@code readyMembers}. */
  public static final int MAX_READY_MEMBERS = 10_000;

  private static final String IF_TRUSTED =
      "add --insecure (insecure: true) if the network is trusted, or ";
  private static final String SECURED =
      "give it a certificate with --tls DIRECTORY (tls: DIRECTORY), " + IF_TRUSTED;

  private final AgentSettings settings;

  AgentConfig(AgentSettings settings) {
    this.settings = settings;
  }

  /**
   * Returns the configuration of an agent that discovers the other members from seeds, with
   * defaults for other settings.
   */
  public static AgentConfig discovered(NodeId id, HostPort listen, List<String> seeds) {
    return of(id, listen, Membership.discovered(seeds));
  }

  /**
   * Returns the configuration of an agent with configured neighbours, with defaults for other
   * settings.
   */
  public static AgentConfig configured(NodeId id, HostPort listen, List<Member> neighbours) {
    return of(id, listen, Membership.configured(neighbours));
  }

  private static AgentConfig of(NodeId id, HostPort listen, Membership membership) {
    return new AgentConfig(
        AgentSettings.NONE
            .with(Setting.ID, id)
            .with(Setting.LISTEN, listen)
            .with(Setting.MEMBERSHIP, membership));
  }

  /** Returns a copy with this value of a setting; null stands for its default. */
  public <T> AgentConfig with(Setting<T> setting, @Nullable T value) {
    return new AgentConfig(settings.with(setting, value));
  }

  private <T> T required(Setting<T> setting) {
    T value = settings.get(setting);
    return value != null
        ? value
        : Objects.requireNonNull(setting.byDefault(), () -> "setting " + setting);
  }

  public NodeId id() {
    return required(Setting.ID);
  }

  public HostPort listen() {
    return required(Setting.LISTEN);
  }

  public @Nullable Advertised advertise() {
    return settings.get(Setting.ADVERTISE);
  }

  public @Nullable HostPort admin() {
    return settings.get(Setting.ADMIN);
  }

  public List<String> adminHosts() {
    return required(Setting.ADMIN_HOSTS);
  }

  public boolean http() {
    return required(Setting.HTTP);
  }

  public Membership membership() {
    return required(Setting.MEMBERSHIP);
  }

  public @Nullable Path tls() {
    return settings.get(Setting.TLS);
  }

  public @Nullable Path permissions() {
    return settings.get(Setting.PERMISSIONS);
  }

  public boolean insecure() {
    return required(Setting.INSECURE);
  }

  public OverlayLimits overlay() {
    return required(Setting.OVERLAY);
  }

  public LinkLimits links() {
    return required(Setting.LINKS);
  }

  public ProbePolicy probes() {
    return required(Setting.PROBES);
  }

  public SilencePolicy silence() {
    return required(Setting.SILENCE);
  }

  public SignificancePolicy significance() {
    return required(Setting.SIGNIFICANCE);
  }

  public ThroughputPolicy throughput() {
    return required(Setting.THROUGHPUT);
  }

  public BroadcastLimits broadcast() {
    return required(Setting.LIMITS);
  }

  public CombiningLimits collectives() {
    return required(Setting.COLLECTIVES);
  }

  public ClaimLimits claims() {
    return required(Setting.CLAIMS);
  }

  public ValuesLimits values() {
    return required(Setting.VALUES);
  }

  public boolean allowFaults() {
    return required(Setting.ALLOW_FAULTS);
  }

  public @Nullable Path series() {
    return settings.get(Setting.SERIES);
  }

  public SortedMap<String, String> labels() {
    return required(Setting.LABELS);
  }

  public @Nullable String site() {
    return settings.get(Setting.SITE);
  }

  public String cluster() {
    return required(Setting.CLUSTER);
  }

  public int readyMembers() {
    return required(Setting.READY_MEMBERS);
  }

  /**
   * Checks the consistency of the settings, and resolves the hosts to listen on.
   *
   * @throws ConfigException if settings are inconsistent, or if such a host cannot be resolved now
   */
  public AgentConfig checked() throws ConfigException {
    checkIsHost("listen", listen());
    HostPort admin = admin();
    if (admin != null) {
      checkIsHost("admin", admin);
    }
    if (staysOnMachine()) {
      checkConnectionsStayOnMachine();
    }
    if (permissions() != null && tls() == null) {
      checkCallersAreOfMachine();
    }
    if (!insecure() && admin != null && !admin.isLoopback() && !servesPagesByTls()) {
      throw new ConfigException(
          ("admin: '%s' is reachable from other machines, and its pages are plain text for "
                  + "everybody; limit them with --permissions FILE (permissions: FILE) and a "
                  + "certificate, %sserve them on 127.0.0.1")
              .formatted(admin, IF_TRUSTED));
    }
    if (http()) {
      checkHttp();
    }
    if (advertise() == null && listen().isWildcard()) {
      throw new ConfigException(
          "listen: '"
              + listen()
              + "' stands for all interfaces, which other agents cannot dial; "
              + "add --advertise HOST:PORT (advertise: HOST:PORT)");
    }
    checkAdvertised();
    return this;
  }

  private void checkAdvertised() throws ConfigException {
    Advertised advertised = advertise();
    if (advertised == null) {
      return;
    }
    for (HostPort address : advertised.byNetwork().values()) {
      if (!address.isName() && !address.isOfOneMachine()) {
        throw new ConfigException(
            "advertise: '"
                + address
                + "' is not the address of one machine; give an address of this machine that other"
                + " agents can dial");
      }
    }
  }

  /**
   * Returns whether the admin pages use TLS and permissions, since other machines can reach them.
   */
  public boolean servesPagesByTls() {
    HostPort admin = admin();
    return permissions() != null && tls() != null && admin != null && !admin.isLoopback();
  }

  /**
   * Refuses permissions for other machines in plain text, which proves no identity and reveals
   * tokens.
   */
  private void checkCallersAreOfMachine() throws ConfigException {
    HostPort admin = admin();
    if (!listen().isLoopback() || (admin != null && !admin.isLoopback())) {
      throw new ConfigException(
          "permissions: in plain text, callers from other machines cannot be identified; give the"
              + " agent a certificate with --tls DIRECTORY (tls: DIRECTORY), or serve this machine"
              + " only");
    }
  }

  /** Refuses HTTP access without a certificate if gRPC clients need one. */
  private void checkHttp() throws ConfigException {
    HostPort admin = admin();
    if (admin == null) {
      throw new ConfigException(
          "http: HTTP clients publish and subscribe on the port of the admin pages; add --admin"
              + " HOST:PORT (admin: HOST:PORT)");
    }
    if (tls() != null && !admin.isLoopback() && !servesPagesByTls()) {
      throw new ConfigException(
          "http: everybody who reaches '"
              + admin
              + "' could publish and subscribe in plain text, without the certificate that 'tls'"
              + " requires; add --permissions FILE (permissions: FILE), or serve them on 127.0.0.1");
    }
  }

  /**
   * Checks that a host resolves. A failure may pass, since the resolver may start after the agent.
   */
  private static void checkIsHost(String setting, HostPort address) throws ConfigException {
    if (address.toSocketAddress().isUnresolved()) {
      throw ConfigException.now(
          setting + ": '" + address + "' names no host; give an address of this machine");
    }
  }

  /**
   * Refuses plain text to other machines. IP addresses announced by other members are not checked,
   * since those members already communicate with them.
   */
  private void checkConnectionsStayOnMachine() throws ConfigException {
    if (!listen().isLoopback()) {
      throw new ConfigException(
          ("listen: '%s' is reachable from other machines, and agents talk in plain text; "
                  + "%slisten on 127.0.0.1")
              .formatted(listen(), SECURED));
    }
    checkAreOfMachine("seeds", membership().seeds());
    List<Member> neighbours = membership().neighbours();
    if (neighbours != null) {
      checkAreOfMachine("neighbours", neighbours.stream().map(Member::address).toList());
    }
  }

  private static void checkAreOfMachine(String setting, List<String> addresses)
      throws ConfigException {
    List<HostPort> named = new ArrayList<>();
    for (String address : addresses) {
      HostPort at = ServiceName.is(address) ? null : HostPort.parseRemote(setting, address);
      if (at == null || (!at.isName() && !at.isLoopback())) {
        throw elsewhere(setting, address);
      }
      if (at.isName()) {
        named.add(at);
      }
    }
    HostPort elsewhere = NameCheck.firstElsewhere(named, InetAddress::getAllByName);
    if (elsewhere != null) {
      throw elsewhere(setting, elsewhere.toString());
    }
  }

  private static ConfigException elsewhere(String setting, String address) {
    return new ConfigException(
        setting
            + ": '"
            + address
            + "' is not known to be this machine, and agents talk in plain text; "
            + SECURED
            + "name agents of this machine only");
  }

  /**
   * Returns whether the agent dials names only as far as they are of this machine, since its
   * connections are in plain text.
   */
  public boolean staysOnMachine() {
    return !insecure() && tls() == null;
  }

  /**
   * Returns the configuration of the agent's core.
   *
   * @param incarnation the incarnation, higher than at every earlier start of this node
   * @param address the announced addresses, in the form of {@link Advertised#text}
   */
  public CoreConfig core(long incarnation, String address) {
    return new CoreConfig(
        id(),
        incarnation,
        address,
        site(),
        cluster(),
        membership(),
        overlay(),
        links(),
        probes(),
        silence(),
        significance(),
        throughput(),
        broadcast(),
        collectives(),
        readyMembers());
  }
}
