package io.treecast.testkit.network;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.treecast.testkit.network.Topology.Link;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.IntFunction;
import org.junit.jupiter.api.Test;

/** The published properties of the reference network. */
class ReferenceNetworkTest {
  private final Topology network = ReferenceNetwork.topology();
  private final BroadcastTimes times = new BroadcastTimes(network);

  @Test
  void has_24_nodes_in_six_sites_and_a_link_for_every_pair() {
    assertThat(network).hasToString("24 nodes, 276 links");
    assertThat(network.rttMicros(0, 3)).isEqualTo(200);
    assertThat(network.rttMicros(4, 16)).isEqualTo(13_500);
    assertThat(network.rttMicros(8, 23)).isEqualTo(722_900);
    for (Link link : network.links()) {
      boolean sameSite =
          link.low() / ReferenceNetwork.SITE_SIZE == link.high() / ReferenceNetwork.SITE_SIZE;
      assertThat(link.rttMicros() == 200).as("%s", link).isEqualTo(sameSite);
    }
  }

  @Test
  void the_same_with_1_ms_inside_sites_differs_there_only() {
    Topology slower = ReferenceNetwork.named(ReferenceNetwork.NAME_1_MS);
    assertThat(slower.links()).hasSameSizeAs(network.links());
    for (Link link : slower.links()) {
      long other = network.rttMicros(link.low(), link.high());
      assertThat(link.rttMicros()).as("%s", link).isEqualTo(other == 200 ? 1_000 : other);
    }
  }

  @Test
  void the_minimum_spanning_tree_is_at_most_four_percent_slower_than_the_limit() {
    double[] ratios = ratios(source -> BroadcastShape.alongTree(24, minimumTree(), source));
    assertThat(mean(ratios)).isCloseTo(1.0251, within(0.0005));
    assertThat(worst(ratios)).isCloseTo(1.0358, within(0.0005));
  }

  @Test
  void the_binomial_tree_takes_two_and_a_half_times_the_limit_on_average() {
    double[] ratios = ratios(source -> BroadcastShape.binomial(network, source));
    assertThat(mean(ratios)).isCloseTo(2.5237, within(0.0005));
    assertThat(worst(ratios)).isCloseTo(3.7775, within(0.0005));
  }

  @Test
  void the_star_is_close_to_the_limit_but_sends_four_times_the_copies_between_sites() {
    double[] ratios = ratios(source -> BroadcastShape.star(network, source));
    assertThat(mean(ratios)).isCloseTo(1.0967, within(0.0005));
    for (int source = 0; source < 24; source++) {
      assertThat(copies(BroadcastShape.star(network, source))).isEqualTo(20);
      assertThat(copies(BroadcastShape.alongTree(24, minimumTree(), source))).isEqualTo(5);
    }
  }

  private List<Link> minimumTree() {
    int[][] betweenSites = {{0, 12}, {12, 20}, {12, 16}, {4, 16}, {4, 8}};
    List<Link> edges = new ArrayList<>();
    for (int node = 0; node < 24; node++) {
      if (node % 4 != 0) {
        edges.add(Link.between(node - node % 4, node, network.rttMicros(node - node % 4, node)));
      }
    }
    for (int[] ends : betweenSites) {
      edges.add(Link.between(ends[0], ends[1], network.rttMicros(ends[0], ends[1])));
    }
    return edges;
  }

  private double[] ratios(IntFunction<BroadcastShape> shape) {
    double[] ratios = new double[24];
    for (int source = 0; source < 24; source++) {
      ratios[source] = times.ratio(shape.apply(source));
    }
    return ratios;
  }

  private static int copies(BroadcastShape shape) {
    return shape.copiesBetweenSites(ReferenceNetwork.SITE_SIZE);
  }

  private static double mean(double[] values) {
    return Arrays.stream(values).average().orElseThrow();
  }

  private static double worst(double[] values) {
    return Arrays.stream(values).max().orElseThrow();
  }
}
