package io.treecast.agent.core;

import static org.assertj.core.api.Assertions.assertThat;

import io.treecast.agent.core.contract.LinkState;
import io.treecast.agent.core.contract.Notice.Kind;
import io.treecast.agent.core.settings.LinkLimits;
import io.treecast.mst.ChangeCause;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * A silent link is suspended: the tree does without it, its connection is kept for a while, and its
 * next session begins in place when the other end is heard again. Agents h0, h1 and h2 in virtual
 * time, in a tree with the edges h0-h1 and h1-h2.
 */
class SuspensionTest {
  /** A punctual link is silent after this, and half a round trip and a beat of the heart more. */
  private static final long NOTICED_MILLIS = 3_500;

  private static final long SUSPENDED_MILLIS =
      LinkLimits.DEFAULT.suspendedNanos() / VirtualNetwork.MILLI;

  private final VirtualNetwork network = VirtualNetwork.measurable(1, 10 * VirtualNetwork.MILLI);
  private final List<AgentHost> hosts;
  private final AgentHost h0;
  private final AgentHost h1;
  private final AgentHost h2;

  SuspensionTest() {
    network.rtt("host0:7700", "host1:7700", 20);
    network.rtt("host1:7700", "host2:7700", 30);
    network.rtt("host0:7700", "host2:7700", 200);
    hosts = AgentHost.cluster(network, 3);
    h0 = hosts.get(0);
    h1 = hosts.get(1);
    h2 = hosts.get(2);
    AgentHost.runUntilReady(network, hosts, 1);
    network.run(5_000);
    assertThat(edges(h0)).containsExactly("h0-h1", "h1-h2");
  }

  private static List<String> edges(AgentHost host) {
    return host.tree().edges().stream().map(edge -> edge.low() + "-" + edge.high()).toList();
  }

  private static AgentSnapshot.LinkView viewAt(AgentHost host, AgentHost peer) {
    return host.core().snapshot().links().stream()
        .filter(link -> link.peer().address().equals(peer.address()))
        .findFirst()
        .orElseThrow();
  }

  private void hold(boolean fromH0, boolean fromH1) {
    if (fromH0) {
      network.hold(h0.address(), h1.address());
    }
    if (fromH1) {
      network.hold(h1.address(), h0.address());
    }
  }

  private void heal() {
    network.heal(h0.address(), h1.address());
  }

  /** Returns how often h0 and h1 have dialed each other, for the link or its data. */
  private long dials() {
    String there = h0.address() + " > " + h1.address();
    String back = h1.address() + " > " + h0.address();
    return network.dials().stream().filter(d -> d.equals(there) || d.equals(back)).count();
  }

  @ParameterizedTest(name = "what h0 sends is held: {0}; what h1 sends: {1}")
  @CsvSource({"true,true", "true,false", "false,true"})
  void the_tree_does_without_a_silent_link_and_takes_it_back_in_place_when_it_recovers(
      boolean fromH0, boolean fromH1) {
    hold(fromH0, fromH1);
    network.run(NOTICED_MILLIS + 3_000);
    assertThat(edges(h0)).as("without the silent link").containsExactly("h1-h2", "h0-h2");
    assertThat(AgentHost.agree(hosts)).isTrue();
    assertThat(List.of(h0.stateOf(h1), h1.stateOf(h0))).contains(LinkState.SUSPENDED);

    assertThat(viewAt(h0, h1).downReason()).contains("h1");
    assertThat(isUnheard("h1", viewAt(h0, h1).downReason())).isEqualTo(!fromH1);
    assertThat(viewAt(h0, h1).downMillis()).isBetween(1L, NOTICED_MILLIS + 3_000);
    // Where only what h1 sends is held, it has heard of the next session.
    assertThat(viewAt(h1, h0).downReason().contains("h0")).isEqualTo(fromH0);

    heal();
    network.run(10_000);
    assertThat(viewAt(h0, h1).downReason()).isEmpty();
    assertThat(edges(h0)).as("with it again").containsExactlyInAnyOrder("h0-h1", "h1-h2");
    assertThat(AgentHost.agree(hosts)).isTrue();
    assertThat(h0.link(h1).session()).isEqualTo(2);
    assertThat(h1.link(h0).session()).isEqualTo(2);
    assertThat(hosts).allMatch(host -> host.notices(Kind.LINK_LOST).isEmpty());
    assertThat(hosts).allMatch(host -> host.notices(Kind.PROTOCOL_VIOLATION).isEmpty());
  }

  @ParameterizedTest(name = "what h0 sends is held: {0}; what h1 sends: {1}")
  @CsvSource({"true,true", "true,false", "false,true"})
  void a_connection_that_does_not_recover_in_time_is_closed_and_the_other_end_dialed_again(
      boolean fromH0, boolean fromH1) {
    long dials = dials();
    hold(fromH0, fromH1);
    network.run(NOTICED_MILLIS + SUSPENDED_MILLIS + 5_000);
    assertThat(List.of(h0, h1))
        .allSatisfy(
            host ->
                assertThat(host.notices(Kind.LINK_LOST))
                    .as(host.address())
                    .hasSizeLessThanOrEqualTo(1));
    assertThat(h0.notices(Kind.LINK_LOST).size() + h1.notices(Kind.LINK_LOST).size()).isPositive();
    assertThat(dials()).as("dialed again").isGreaterThan(dials);
    heal();
    network.run(30_000);
    assertThat(edges(h0)).containsExactly("h0-h1", "h1-h2");
    assertThat(AgentHost.agree(hosts)).isTrue();
    assertThat(h0.link(h1).session()).isEqualTo(h1.link(h0).session()).isGreaterThan(1);
  }

  @Test
  void an_end_says_that_it_suspends_the_link_and_why() {
    network.cut(h0.address(), h1.address());
    network.run(NOTICED_MILLIS);
    assertThat(h0.notices(Kind.LINK_SUSPENDED)).singleElement().asString().contains(" h1: ");
    assertThat(h1.notices(Kind.LINK_SUSPENDED)).singleElement().asString().contains(" h0: ");
    heal();
    network.run(1_000);
    assertThat(h0.notices(Kind.LINK_OPENED)).anyMatch(text -> text.matches(".* h1 .* session 2"));
    assertThat(h1.notices(Kind.LINK_OPENED)).anyMatch(text -> text.matches(".* h0 .* session 2"));
  }

  /** Whether the reason is that the other end hears nothing; it begins with that end. */
  private static boolean isUnheard(String peer, String reason) {
    return reason.startsWith(peer + " ");
  }

  private static String afterColon(String text) {
    return text.substring(text.indexOf(": ") + 2);
  }

  @Test
  void a_link_that_is_silent_for_less_than_the_threshold_is_left_alone() {
    for (int i = 0; i < 20; i++) {
      network.cut(h0.address(), h1.address());
      network.run(2_000);
      heal();
      network.run(20_000);
    }
    assertThat(hosts).allMatch(host -> host.notices(Kind.LINK_SUSPENDED).isEmpty());
    assertThat(h0.tree().version()).isEqualTo(h0.changes().get(0).tree().version());
  }

  @Test
  void the_data_stream_of_a_suspended_link_stays_open_until_the_tree_does_without_it() {
    network.cut(h0.address(), h1.address());
    network.run(NOTICED_MILLIS);
    assertThat(h0.stateOf(h1)).isEqualTo(LinkState.SUSPENDED);
    assertThat(h1.stateOf(h0)).isEqualTo(LinkState.SUSPENDED);
    assertThat(h0.link(h1).carriesData()).isTrue();
    assertThat(h1.link(h0).carriesData()).isTrue();
    heal();
    network.run(10_000);
    assertThat(h0.link(h1)).matches(AgentSnapshot.LinkView::treeEdge);
    assertThat(h0.link(h1).carriesData()).isTrue();
    assertThat(h1.link(h0).carriesData()).isTrue();
  }

  @Test
  void an_agent_that_did_not_run_does_not_hold_its_own_silence_against_the_others() {
    network.pause(h1.address());
    network.run(60_000);
    network.resume(h1.address());
    assertThat(h1.notices(Kind.LINK_SUSPENDED))
        .as("the others found it silent, not the other way round")
        .allMatch(text -> isUnheard("h0", afterColon(text)) || isUnheard("h2", afterColon(text)));
    network.run(30_000);
    assertThat(AgentHost.agree(hosts)).isTrue();
    assertThat(edges(h0)).containsExactly("h0-h1", "h1-h2");
  }

  @Test
  void a_pause_that_the_others_bear_changes_nothing() {
    network.pause(h1.address());
    network.run(2_000);
    network.resume(h1.address());
    network.run(30_000);
    assertThat(hosts).allMatch(host -> host.notices(Kind.LINK_SUSPENDED).isEmpty());
    assertThat(hosts).allMatch(host -> host.changes().size() == h1.changes().size());
    assertThat(h1.changes()).hasSize(1);
  }

  @Test
  void a_pause_while_a_link_is_suspended_does_not_use_up_its_time_to_recover() {
    network.cut(h0.address(), h1.address());
    network.run(NOTICED_MILLIS);
    assertThat(h1.stateOf(h0)).isEqualTo(LinkState.SUSPENDED);
    network.pause(h1.address());
    network.run(2 * SUSPENDED_MILLIS);
    network.resume(h1.address());
    assertThat(h1.stateOf(h0)).isEqualTo(LinkState.SUSPENDED);
  }

  @Test
  void a_crash_behind_a_cut_link_is_noticed_as_silence_and_a_restart_takes_its_place() {
    network.cut(h0.address(), h1.address());
    network.cut(h2.address(), h1.address());
    network.crash(h1.address());
    network.run(NOTICED_MILLIS + 3_000);
    assertThat(edges(h0)).containsExactly("h0-h2");
    assertThat(h0.changes().get(h0.changes().size() - 1).causes())
        .contains(ChangeCause.TREE_LINK_LOST);
    heal();
    network.heal(h2.address(), h1.address());
    AgentHost again = AgentHost.join(network, 1);
    network.run(30_000);
    assertThat(AgentHost.agree(List.of(h0, again, h2))).isTrue();
    assertThat(edges(h0)).containsExactly("h0-h1", "h1-h2");
  }

  @Test
  void neither_end_of_a_link_of_six_seconds_finds_the_other_silent_while_it_is_first_measured() {
    VirtualNetwork slow = VirtualNetwork.measurable(2, VirtualNetwork.MILLI);
    slow.rtt("host0:7700", "host1:7700", 6_000);
    List<AgentHost> pair = AgentHost.cluster(slow, 2);
    AgentHost.runUntilReady(slow, pair, 2);
    slow.run(120_000);
    assertThat(pair)
        .allSatisfy(
            host -> {
              assertThat(host.notices(Kind.LINK_SUSPENDED)).isEmpty();
              assertThat(host.notices(Kind.LINK_LOST)).isEmpty();
            });
    assertThat(AgentHost.agree(pair)).isTrue();
  }

  @Test
  void an_agent_that_stood_still_says_for_how_long_and_one_that_was_late_says_nothing() {
    stall(3_000);
    assertThat(h1.notices(Kind.STALLED)).isEmpty();
    long dueNanos = h1.nextDeadlineNanos();
    long lateNanos = network.nowNanos() + 51_000 * VirtualNetwork.MILLI - dueNanos;
    stall(51_000);
    assertThat(h1.notices(Kind.STALLED))
        .singleElement()
        .asString()
        .contains(" " + TimeUnit.NANOSECONDS.toSeconds(lateNanos) + " s");
    assertThat(List.of(h0, h2)).allMatch(host -> host.notices(Kind.STALLED).isEmpty());
  }

  private void stall(long millis) {
    network.pause(h1.address());
    network.run(millis);
    network.resume(h1.address());
    network.run(1_000);
  }
}
