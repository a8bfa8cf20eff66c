package io.treecast.testkit.sim.network;

import io.treecast.agent.core.message.Membership;
import io.treecast.agent.core.message.NetworkAddresses;
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
import io.treecast.monitor.weight.WeightGrid;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;

/**
 * How the agents of a simulated cluster measure, where it is not as agents do by default.
 *
 * @param probes when links are measured
 * @param silence when a link counts as silent
 * @param significance which changes are changes of the weight
 * @param throughput when throughput is measured
 * @param overlay which links agents have that find each other
 * @param links times and bounds of linking
 * @param broadcast bounds of broadcasts
 * @param collectives bounds of collective operations
 * @param networks the names of the networks of each agent; empty for one without a name
 */
public record SimSettings(
    ProbePolicy probes,
    SilencePolicy silence,
    SignificancePolicy significance,
    ThroughputPolicy throughput,
    OverlayLimits overlay,
    LinkLimits links,
    BroadcastLimits broadcast,
    CombiningLimits collectives,
    List<String> networks) {

  /**
   * The defaults, with weights to the microsecond, since virtual time has no noise; throughput is
   * not measured, since links have no limit unless one is set.
   */
  public static final SimSettings DEFAULT =
      new SimSettings(
          ProbePolicy.DEFAULT,
          SilencePolicy.DEFAULT,
          SignificancePolicy.DEFAULT.withGrid(WeightGrid.EXACT),
          ThroughputPolicy.DISABLED,
          OverlayLimits.DEFAULT,
          LinkLimits.DEFAULT,
          BroadcastLimits.defaults(),
          CombiningLimits.defaults(),
          List.of());

  /** Returns these settings with throughput measured as agents do by default. */
  public static final SimSettings MEASURING_THROUGHPUT = DEFAULT.with(ThroughputPolicy.DEFAULT);

  /** Returns these settings with throughput measured in this way. */
  public SimSettings with(ThroughputPolicy other) {
    return new SimSettings(
        probes, silence, significance, other, overlay, links, broadcast, collectives, networks);
  }

  private static final String HOST = "n";
  private static final String NETWORK = ".";
  private static final String PORT = ":7700";

  /** Returns the node id of a node of the topology. */
  public static NodeId id(int node) {
    return NodeId.of(Integer.toString(node));
  }

  /** Returns where a node is, in this network. */
  public static String address(NodeId node) {
    return HOST + node + PORT;
  }

  /** Returns where a node is in a network; the empty name stands for the only one. */
  static String address(NodeId node, String network) {
    return network.isEmpty() ? address(node) : HOST + node + NETWORK + network + PORT;
  }

  /** The node that is there. */
  public static int nodeAt(String address) {
    String host = address.substring(HOST.length(), address.length() - PORT.length());
    int network = host.indexOf(NETWORK);
    return Integer.parseInt(network < 0 ? host : host.substring(0, network));
  }

  /** The network of the address; empty if it has no name. */
  public static String networkAt(String address) {
    int network = address.indexOf(NETWORK);
    return network < 0 ? "" : address.substring(network + 1, address.length() - PORT.length());
  }

  private String addresses(NodeId node) {
    if (networks.isEmpty()) {
      return address(node);
    }
    Map<String, String> addresses = new LinkedHashMap<>();
    networks.forEach(network -> addresses.put(network, address(node, network)));
    return NetworkAddresses.text(addresses);
  }

  /** Returns these settings with agents that are in several networks. */
  public SimSettings withNetworks(String... names) {
    return new SimSettings(
        probes,
        silence,
        significance,
        throughput,
        overlay,
        links,
        broadcast,
        collectives,
        List.of(names));
  }

  /** The members that an agent knows at its start. */
  public CoreConfig config(NodeId self, long incarnation, Membership membership) {
    return new CoreConfig(
        self,
        incarnation,
        addresses(self),
        null,
        "",
        membership,
        overlay,
        links,
        probes,
        silence,
        significance,
        throughput,
        broadcast,
        collectives,
        1);
  }

  /** Returns these settings with other rules for links. */
  public SimSettings withOverlay(OverlayLimits limits) {
    return new SimSettings(
        probes, silence, significance, throughput, limits, links, broadcast, collectives, networks);
  }

  /** Returns these settings with other times and limits of linking. */
  public SimSettings withLinks(LinkLimits limits) {
    return new SimSettings(
        probes, silence, significance, throughput, overlay, limits, broadcast, collectives, networks);
  }

  /** Returns these settings with another policy for changes. */
  public SimSettings withSignificance(SignificancePolicy policy) {
    return new SimSettings(
        probes, silence, policy, throughput, overlay, links, broadcast, collectives, networks);
  }

  /** Returns these settings with other limits of broadcasts. */
  public SimSettings withBroadcast(BroadcastLimits limits) {
    return new SimSettings(
        probes, silence, significance, throughput, overlay, links, limits, collectives, networks);
  }

  /** Returns these settings with other limits of collective operations. */
  public SimSettings withCollectives(CombiningLimits limits) {
    return new SimSettings(
        probes, silence, significance, throughput, overlay, links, broadcast, limits, networks);
  }

  /** Members of a large cluster that an agent is told of. */
  private static final int SEEDS = 8;

  /**
   * Returns the members that an agent knows at its start: all others, or some of many at random.
   */
  public List<String> seeds(int node, List<Integer> others) {
    List<Integer> seeds = new ArrayList<>(others);
    if (others.size() >= overlay.fullMeshMembers()) {
      Collections.shuffle(seeds, new Random(node));
      seeds.subList(Math.min(SEEDS, seeds.size()), seeds.size()).clear();
    }
    String network = networks.isEmpty() ? "" : networks.get(0);
    return seeds.stream().map(seed -> address(id(seed), network)).toList();
  }
}
