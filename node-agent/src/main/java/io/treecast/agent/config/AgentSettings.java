package io.treecast.agent.config;

import io.treecast.agent.core.message.Membership;
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
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The settings that one source gives for an agent: the flags, or a file. Each setting is valid by
 * itself; null if the source does not give it. Immutable.
 *
 * @param id its node id
 * @param listen where it accepts other agents and applications
 * @param advertise where others reach it, if that is not {@code listen}
 * @param seeds agents to ask for the other members, each HOST:PORT
 * @param admin where it serves metrics and health over HTTP
 * @param adminHosts host names by which it serves them, beside those of its addresses
 * @param tls the directory with its certificate
 * @param insecure whether it may talk in plain text beyond this machine
 * @param permissions the file that says what applications and operators may do
 * @param limits bounds of the data
 * @param collectives bounds of collective operations
 * @param probes when links are measured
 * @param silence when a link counts as silent
 * @param significance which changes of a measured round trip are changes of the link's weight
 * @param throughput when throughput is measured
 * @param overlay which links it has
 * @param links times and bounds of linking
 * @param allowFaults whether any client may break its links
 * @param series the directory of its measured series
 * @param site the name of its site
 * @param cluster the name of its cluster
 * @param readyMembers how many members its tree must have until the agent is ready
 */
public record AgentSettings(
    @Nullable NodeId id,
    @Nullable HostPort listen,
    @Nullable HostPort advertise,
    @Nullable List<String> seeds,
    @Nullable HostPort admin,
    @Nullable List<String> adminHosts,
    @Nullable Path tls,
    @Nullable Boolean insecure,
    @Nullable Path permissions,
    @Nullable BroadcastLimits limits,
    @Nullable CombiningLimits collectives,
    @Nullable ProbePolicy probes,
    @Nullable SilencePolicy silence,
    @Nullable SignificancePolicy significance,
    @Nullable ThroughputPolicy throughput,
    @Nullable OverlayLimits overlay,
    @Nullable LinkLimits links,
    @Nullable Boolean allowFaults,
    @Nullable Path series,
    @Nullable String site,
    @Nullable String cluster,
    @Nullable Integer readyMembers) {

  /** No settings. */
  public static final AgentSettings NONE =
      new AgentSettings(
          null, null, null, null, null, null, null, null, null, null, null, null, null, null, null,
          null, null, null, null, null, null, null);

  /** Returns these settings, completed by those of a weaker source. */
  public AgentSettings orElse(AgentSettings weaker) {
    return new AgentSettings(
        first(id, weaker.id),
        first(listen, weaker.listen),
        first(advertise, weaker.advertise),
        first(seeds, weaker.seeds),
        first(admin, weaker.admin),
        first(adminHosts, weaker.adminHosts),
        first(tls, weaker.tls),
        first(insecure, weaker.insecure),
        first(permissions, weaker.permissions),
        first(limits, weaker.limits),
        first(collectives, weaker.collectives),
        first(probes, weaker.probes),
        first(silence, weaker.silence),
        first(significance, weaker.significance),
        first(throughput, weaker.throughput),
        first(overlay, weaker.overlay),
        first(links, weaker.links),
        first(allowFaults, weaker.allowFaults),
        first(series, weaker.series),
        first(site, weaker.site),
        first(cluster, weaker.cluster),
        first(readyMembers, weaker.readyMembers));
  }

  private static <T> @Nullable T first(@Nullable T stronger, @Nullable T weaker) {
    return stronger != null ? stronger : weaker;
  }

  /**
   * Returns the configuration, with defaults for absent settings.
   *
   * @throws ConfigException if settings without a default are missing, naming all of them, or the
   *     settings do not go together, or a host is not known now
   */
  public AgentConfig toConfig() throws ConfigException {
    if (id == null || listen == null) {
      throw new ConfigException("missing: " + String.join(", ", missing()));
    }
    return new AgentConfig(
            id,
            listen,
            advertise,
            admin,
            adminHosts == null ? List.of() : adminHosts,
            Membership.discovered(seeds == null ? List.of() : seeds),
            tls,
            insecure != null && insecure,
            permissions,
            overlay == null ? OverlayLimits.DEFAULT : overlay,
            links == null ? LinkLimits.DEFAULT : links,
            probes == null ? ProbePolicy.DEFAULT : probes,
            silence == null ? SilencePolicy.DEFAULT : silence,
            significance == null ? SignificancePolicy.DEFAULT : significance,
            throughput == null ? ThroughputPolicy.DEFAULT : throughput,
            limits == null ? BroadcastLimits.defaults() : limits,
            collectives == null ? CombiningLimits.defaults() : collectives,
            allowFaults != null && allowFaults,
            series,
            site,
            cluster == null ? "" : cluster,
            readyMembers == null ? 1 : readyMembers)
        .checked();
  }

  private List<String> missing() {
    List<String> missing = new ArrayList<>();
    if (id == null) {
      missing.add("the node id (--id NAME, or id: NAME in the file)");
    }
    if (listen == null) {
      missing.add("the address to listen on (--listen HOST:PORT, or listen: HOST:PORT)");
    }
    return missing;
  }
}
