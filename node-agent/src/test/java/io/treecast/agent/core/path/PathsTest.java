package io.treecast.agent.core.path;

import static io.treecast.agent.core.path.TwoAgents.MILLI;
import static io.treecast.agent.core.path.TwoAgents.address;
import static org.assertj.core.api.Assertions.assertThat;

import io.treecast.agent.core.contract.Connection;
import io.treecast.agent.core.message.PeerMessage;
import io.treecast.agent.core.message.PeerMessage.JoinPath;
import io.treecast.agent.core.message.PeerMessage.NamePaths;
import io.treecast.agent.core.message.PeerMessage.PathAck;
import io.treecast.agent.core.message.PeerMessage.UsePath;
import io.treecast.ghs.NodeId;
import java.util.List;
import java.util.Objects;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Control streams over several networks, and over one. */
class PathsTest {
  /** A link that is silent for so long is suspended, which changes the tree. */
  private static final long SILENCE_NANOS = 2_600 * MILLI;

  private static TwoAgents linked(String... networks) {
    TwoAgents agents = new TwoAgents(1, networks);
    agents.one.dial(agents.other.hello.address());
    assertThat(agents.runUntil(() -> agents.one.paths() == networks.length, 20_000)).isTrue();
    agents.run(2_000);
    return agents;
  }

  private static void assertInOrder(TwoAgents agents) {
    assertThat(agents.other.heard).isEqualTo(upTo(agents.other.heard.size()));
    assertThat(agents.one.heard).isEqualTo(upTo(agents.one.heard.size()));
  }

  private static List<Long> upTo(long last) {
    return LongStream.rangeClosed(1, last).boxed().toList();
  }

  @Test
  void a_member_in_one_network_gets_no_message_about_paths() {
    TwoAgents agents = new TwoAgents(1, "lan");
    agents.one.dial(agents.other.hello.address());
    agents.run(60_000);

    assertThat(agents.sent).containsOnlyKeys("Hello", "ShortcutAck");
    assertThat(agents.one.paths()).isZero();
    assertThat(agents.one.network()).isNull();
    assertInOrder(agents);
  }

  @Test
  void control_uses_the_network_of_the_least_round_trip() {
    TwoAgents agents = new TwoAgents(1, "public", "fast");
    agents.delay("public", 20 * MILLI);
    agents.delay("fast", 2 * MILLI);
    agents.one.dial(agents.other.hello.address());
    agents.run(5_000);

    assertThat(agents.one.network()).isEqualTo("fast");
    assertThat(agents.other.network()).isEqualTo("fast");
    assertThat(agents.one.paths.moves()).isOne();
    assertInOrder(agents);
  }

  @Test
  void networks_that_are_nearly_as_good_are_not_exchanged() {
    TwoAgents agents = new TwoAgents(1, "public", "fast");
    agents.delay("public", 20 * MILLI);
    agents.delay("fast", 18 * MILLI);
    agents.one.dial(agents.other.hello.address());
    agents.run(60_000);

    assertThat(agents.one.network()).isEqualTo("public");
    assertThat(agents.one.paths.moves()).isZero();
  }

  @Test
  void a_seed_with_the_address_of_one_network_leads_to_all_of_them() {
    TwoAgents agents = new TwoAgents(1, "public", "fast");
    agents.one.dial(address("fast"));
    agents.run(5_000);

    assertThat(agents.one.paths()).isEqualTo(2);
    assertThat(agents.one.network()).isEqualTo("fast");
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void an_address_that_does_not_answer_is_followed_by_the_next(boolean isRefused) {
    TwoAgents agents = new TwoAgents(1, "public", "fast");
    if (isRefused) {
      agents.refusing.add(address("public"));
    } else {
      agents.cut("public");
    }
    agents.one.dial(agents.other.hello.address());
    agents.run(9_000);

    assertThat(agents.one.network()).isEqualTo("fast");
    assertThat(agents.one.ends).isEmpty();
    assertThat(agents.other.heard).isNotEmpty();
    assertInOrder(agents);
  }

  @Test
  void a_stream_of_which_no_address_answers_ends_once() {
    TwoAgents agents = new TwoAgents(1, "public", "fast");
    agents.refusing.add(address("public"));
    agents.refusing.add(address("fast"));
    agents.one.dial(agents.other.hello.address());
    agents.run(9_000);

    assertThat(agents.one.ends).containsExactly("connection refused");
  }

  @Test
  void a_network_that_falls_silent_is_left_before_the_link_counts_as_silent() {
    TwoAgents agents = linked("public", "fast");
    String used = Objects.requireNonNull(agents.one.network());
    agents.cut(used);
    agents.run(30_000);

    assertThat(agents.one.network()).isNotEqualTo(used);
    assertThat(agents.other.network()).isNotEqualTo(used);
    assertThat(agents.one.longestSilenceNanos).isLessThan(SILENCE_NANOS);
    assertThat(agents.other.longestSilenceNanos).isLessThan(SILENCE_NANOS);
    assertThat(agents.one.losses).isOne();
    assertInOrder(agents);
  }

  @Test
  void a_network_whose_connections_break_is_left_at_once() {
    TwoAgents agents = linked("public", "fast");
    agents.reset(Objects.requireNonNull(agents.one.network()));
    agents.run(1_000);

    assertThat(agents.one.ends).isEmpty();
    assertThat(agents.other.heard).contains(agents.one.said - 1);
    assertInOrder(agents);
  }

  @Test
  void the_core_learns_that_all_networks_have_failed() {
    TwoAgents agents = linked("public", "fast");
    agents.reset("public");
    agents.reset("fast");
    agents.run(1_000);

    assertThat(agents.one.ends).containsExactly("connection reset");
    assertThat(agents.other.ends).containsExactly("connection reset");
  }

  @Test
  void a_network_that_heals_is_used_again_if_it_is_better() {
    TwoAgents agents = new TwoAgents(1, "public", "fast");
    agents.delay("public", 20 * MILLI);
    agents.delay("fast", 2 * MILLI);
    agents.one.dial(agents.other.hello.address());
    agents.run(5_000);
    agents.cut("fast");
    agents.run(60_000);
    assertThat(agents.one.network()).isEqualTo("public");
    agents.heal("fast");
    agents.run(120_000);

    assertThat(agents.one.network()).isEqualTo("fast");
    assertThat(agents.one.paths()).isEqualTo(2);
    assertInOrder(agents);
  }

  @Test
  void a_silent_network_that_is_not_in_use_is_lost_without_a_move() {
    TwoAgents agents = linked("public", "fast");
    String used = Objects.requireNonNull(agents.one.network());
    agents.cut(used.equals("fast") ? "public" : "fast");
    agents.run(30_000);

    assertThat(agents.one.network()).isEqualTo(used);
    assertThat(agents.one.paths()).isOne();
    assertThat(agents.one.losses).isOne();
  }

  @Test
  void paths_cost_four_messages_in_twenty_seconds_while_nothing_changes() {
    TwoAgents agents = linked("public", "fast");
    agents.isQuiet = true;
    agents.run(25_000);
    agents.sent.clear();
    agents.run(200_000);

    assertThat(agents.sent).containsOnlyKeys("PathProbe", "PathReply");
    assertThat(agents.sent.values()).allMatch(count -> count >= 18 && count <= 20);
  }

  @Test
  void messages_are_confirmed_at_least_once_in_64() {
    TwoAgents agents = linked("public", "fast");
    Connection<PeerMessage> stream = Objects.requireNonNull(agents.one.stream);
    for (int i = 0; i < 1_000; i++) {
      stream.send(new PeerMessage.ShortcutAck(++agents.one.said));
    }
    agents.run(1_000);

    assertThat(agents.sent.get("PathAck")).isBetween(10, 20);
    assertInOrder(agents);
  }

  @Test
  void a_stream_whose_messages_are_not_confirmed_ends() {
    TwoAgents agents = linked("public", "fast");
    agents.cut("public");
    agents.cut("fast");
    Connection<PeerMessage> stream = Objects.requireNonNull(agents.one.stream);
    for (int i = 0; i <= MessageCounts.MAX_KEPT; i++) {
      stream.send(new PeerMessage.ShortcutAck(++agents.one.said));
    }
    agents.run(1_000);

    assertThat(agents.one.ends).hasSize(1);
  }

  @Test
  void a_connection_that_joins_an_unknown_stream_is_closed() {
    TwoAgents agents = linked("public", "fast");
    Connection<PeerMessage> alien = agents.one.dialControl(address("fast"));
    alien.send(new JoinPath(NodeId.of("a"), 1, 99, "fast"));
    agents.run(1_000);

    assertThat(((TwoAgents.Wire) alien).closed).isTrue();
    assertThat(agents.other.ends).isEmpty();
    assertThat(agents.other.paths()).isEqualTo(2);
  }

  @Test
  void no_more_connections_join_than_there_can_be_networks() {
    TwoAgents agents = linked("public", "fast");
    for (int i = 0; i < 10; i++) {
      agents.one.dialControl(address("fast")).send(new JoinPath(NodeId.of("a"), 1, 1, "fast"));
    }
    agents.run(1_000);

    assertThat(agents.other.paths()).isEqualTo(PathedConnection.MAX_PATHS);
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 1, 2, 3, 4})
  void messages_about_paths_that_no_agent_sends_end_the_stream(int which) {
    PeerMessage wrong =
        List.of(
                new UsePath(1, 1_000_000, 0, false),
                new UsePath(1, 1, 1_000_000, false),
                new PathAck(1_000_000),
                new JoinPath(NodeId.of("a"), 1, 1, ""),
                new NamePaths(1, ""))
            .get(which);
    TwoAgents agents = linked("public", "fast");
    Connection<PeerMessage> stream = Objects.requireNonNull(agents.one.stream);
    stream.send(wrong);
    agents.run(1_000);

    assertThat(agents.other.ends).hasSize(1);
  }
}
