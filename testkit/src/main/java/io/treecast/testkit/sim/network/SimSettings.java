package io.treecast.testkit.sim.network;

import io.treecast.agent.core.message.Membership;
import io.treecast.agent.core.message.NetworkAddresses;
import io.treecast.agent.core.settings.CoreConfig;
import io.treecast.agent.core.settings.LinkLimits;
import io.treecast.agent.core.settings.OverlayLimits;
import io.treecast.collectives.broadcast.contract.BroadcastLimits;
import io.treecast.collectives.operation.contract.CombiningLimits;
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
 * The settings of the agents of a simulated cluster.
 *
 * @param probes the policy of probes
 * @param silence the policy for silent links
 * @param significance the policy for changes of weights
 * @param throughput the policy for measurements of throughput
 * @param overlay the limits of links among agents that discover each other
 * @param links the timeouts and limits of links
 * @param broadcast the limits of broadcasts
 * @param collectives the limits of collective operations
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
   * The defaults of agents, with weights to the microsecond, since virtual time has no noise, and
   * without measurements of throughput, since links are unlimited by default.
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

  /** The settings with the default measurements of throughput. */
  public static final SimSettings MEASURING_THROUGHPUT = DEFAULT.with(ThroughputPolicy.DEFAULT);

  /** Returns these settings with another policy for measurements of throughput. */
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

  public static String address(NodeId node) {
    return HOST + node + PORT;
  }

  /**
   * Returns the address of a node in a named network; an empty name stands for the only network.
   */
  static String address(NodeId node, String network) {
    return network.isEmpty() ? address(node) : HOST + node + NETWORK + network + PORT;
  }

  public static int nodeAt(String address) {
    String host = address.substring(HOST.length(), address.length() - PORT.length());
    int network = host.indexOf(NETWORK);
    return Integer.parseInt(network < 0 ? host : host.substring(0, network));
  }

  /** Returns the name of the network of an address; empty without a name. */
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

  /** Returns these settings with several networks. */
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

  /** Returns the configuration of an agent's core. */
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

  /** Returns these settings with other limits of the overlay. */
  public SimSettings withOverlay(OverlayLimits limits) {
    return new SimSettings(
        probes, silence, significance, throughput, limits, links, broadcast, collectives, networks);
  }

  /** Returns these settings with other timeouts and limits of links. */
  public SimSettings withLinks(LinkLimits limits) {
    return new SimSettings(
        probes,
        silence,
        significance,
        throughput,
        overlay,
        limits,
        broadcast,
        collectives,
        networks);
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

  /** Number of seeds of an agent in a large cluster. */
  private static final int SEEDS = 8;

  /** Returns the seeds of an agent: all others, or a random selection in a large cluster. */
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
