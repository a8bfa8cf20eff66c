package io.treecast.agent.core;

import static org.assertj.core.api.Assertions.assertThat;

import io.treecast.agent.core.PeerMessage.Hello;
import io.treecast.ghs.LinkWeight;
import io.treecast.ghs.NodeId;
import io.treecast.monitor.SilenceDetector;
import io.treecast.monitor.SilencePolicy;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Who is of the site of agent {@code m}, where links of up to 3 ms are within a site. */
class CliqueTurnsTest {
  private static final NodeId SELF = NodeId.of("m");
  private static final NodeId PEER = NodeId.of("z");

  private static boolean isWithinSite(
      @Nullable String own, @Nullable String peers, @Nullable LinkWeight weight) {
    VirtualNetwork network = new VirtualNetwork(1, VirtualNetwork.MILLI);
    Links links = LinksHost.start(network, "m", "m:1", Membership.discovered(List.of())).links();
    Link link =
        new Link(
            new Hello(PEER, 1, "z:1", peers, ""),
            1,
            new RecordingConnection<>("z:1"),
            null,
            new SilenceDetector(SilencePolicy.DEFAULT, 0));
    link.weight = weight;
    return new CliqueTurns(SELF, own, 3_000, links).isWithinSite(link);
  }

  @ParameterizedTest(name = "{0} and {1}, {2} us: {3}")
  @CsvSource({
    "east, east, 90000, true",
    "east, west, 500, false",
    "east, , 3000, true",
    "east, , 3001, false",
    ", west, 3000, true",
    ", west, 3001, false",
    ", , 3000, true",
    ", , 3001, false",
  })
  void names_decide_where_both_ends_have_one_and_else_the_weight(
      @Nullable String own, @Nullable String peers, long rttMicros, boolean isWithin) {
    assertThat(isWithinSite(own, peers, LinkWeight.between(SELF, PEER, rttMicros)))
        .isEqualTo(isWithin);
  }

  @Test
  void a_link_that_is_not_measured_is_within_no_site() {
    assertThat(isWithinSite("east", "east", null)).isFalse();
  }
}
