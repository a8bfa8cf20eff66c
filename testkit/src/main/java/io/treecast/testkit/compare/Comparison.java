package io.treecast.testkit.compare;

import io.treecast.testkit.network.BroadcastShape;
import io.treecast.testkit.network.NodeSites;
import io.treecast.testkit.network.Topology;
import io.treecast.testkit.network.Topology.Link;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;

/**
 * Comparison of algorithms on one network whose links change. Times come from a model: one way over
 * a link takes half its round trip, and a send occupies its sender for a fixed time. Immutable.
 *
 * @param networks the network at the start, and after each change
 * @param sites the sites of the nodes
 * @param source the origin of the broadcasts
 * @param broadcasts the number of broadcasts in immediate succession, for {@link Row#allMillis}
 * @param sendNanos duration of a send at its sender
 */
public record Comparison(
    List<Topology> networks, NodeSites sites, int source, int broadcasts, long sendNanos) {

  /**
   * The result of one algorithm.
   *
   * @param name the name of the algorithm
   * @param build the cost before the first broadcast
   * @param changes the cost of the changes
   * @param firstMillis time of one broadcast from the source to the last node, before the changes
   * @param lastMillis the same time after the changes
   * @param allMillis time of all broadcasts to the last node, after the changes
   * @param siteCopies copies of a broadcast that cross between sites, after the changes
   */
  public record Row(
      String name,
      Cost build,
      Cost changes,
      double firstMillis,
      double lastMillis,
      double allMillis,
      int siteCopies) {}

  /** Copies the list. */
  public Comparison {
    networks = List.copyOf(networks);
  }

  public Row row(Algorithm algorithm) {
    Topology first = networks.get(0);
    Topology last = networks.get(networks.size() - 1);
    BroadcastShape before = shape(algorithm, first);
    return switch (algorithm) {
      case LINK_STATE ->
          row(
              algorithm.label(),
              LinkState.build(first),
              linkStateChanges(),
              before,
              shape(algorithm, last));
      case GHS_1983 -> row(algorithm.label(), PaperBuild.of(first), Cost.NONE, before, before);
      case BINOMIAL, TWO_LEVEL, STATIC_MST ->
          row(algorithm.label(), Cost.NONE, Cost.NONE, before, before);
    };
  }

  /**
   * Returns the row of a given tree.
   *
   * @param before its edges before the changes
   * @param after its edges after the changes
   */
  public Row row(
      String name, Cost build, Cost changes, Collection<Link> before, Collection<Link> after) {
    int nodes = networks.get(0).nodes();
    return row(
        name,
        build,
        changes,
        BroadcastShape.alongTree(nodes, before, source),
        BroadcastShape.alongTree(nodes, after, source));
  }

  private Row row(
      String name, Cost build, Cost changes, BroadcastShape before, BroadcastShape after) {
    Topology first = networks.get(0);
    Topology last = networks.get(networks.size() - 1);
    BlockingSends sends = new BlockingSends(last, after, sendNanos);
    return new Row(
        name,
        build,
        changes,
        new BlockingSends(first, before, sendNanos).lastNanos(1) / 1e6,
        sends.lastNanos(1) / 1e6,
        sends.lastNanos(broadcasts) / 1e6,
        after.copiesBetweenSites(sites::siteOf));
  }

  private BroadcastShape shape(Algorithm algorithm, Topology network) {
    return switch (algorithm) {
      case BINOMIAL -> BroadcastShape.binomial(network, source);
      case TWO_LEVEL -> BroadcastShape.twoLevel(network, sites::siteOf, source);
      case STATIC_MST, GHS_1983, LINK_STATE ->
          BroadcastShape.alongTree(network.nodes(), MinimumTree.of(network), source);
    };
  }

  private Cost linkStateChanges() {
    Cost sum = Cost.NONE;
    for (int i = 1; i < networks.size(); i++) {
      Topology before = networks.get(i - 1);
      List<Link> changed = new ArrayList<>(networks.get(i).links());
      changed.removeAll(before.links());
      sum = sum.plus(LinkState.change(networks.get(i), changed));
    }
    return sum;
  }
}
