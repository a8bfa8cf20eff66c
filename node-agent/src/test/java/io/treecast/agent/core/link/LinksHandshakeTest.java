package io.treecast.agent.core.link;

import static org.assertj.core.api.Assertions.assertThat;

import io.treecast.agent.core.RecordingConnection;
import io.treecast.agent.core.TestConfig;
import io.treecast.agent.core.contract.Connection;
import io.treecast.agent.core.contract.Notice;
import io.treecast.agent.core.contract.Notice.Kind;
import io.treecast.agent.core.contract.Transport;
import io.treecast.agent.core.message.AnnouncedMember;
import io.treecast.agent.core.message.CountHorizon;
import io.treecast.agent.core.message.DataMessage;
import io.treecast.agent.core.message.Member;
import io.treecast.agent.core.message.Membership;
import io.treecast.agent.core.message.PeerMessage;
import io.treecast.agent.core.message.PeerMessage.Hello;
import io.treecast.agent.core.message.PeerMessage.Leave;
import io.treecast.agent.core.message.PeerMessage.Members;
import io.treecast.agent.core.message.PeerMessage.OpenLink;
import io.treecast.agent.core.message.PeerMessage.OtherHello;
import io.treecast.agent.core.message.PeerMessage.Probe;
import io.treecast.agent.core.message.PeerMessage.ProbeReply;
import io.treecast.agent.core.message.PeerMessage.RefusalCause;
import io.treecast.agent.core.message.PeerMessage.RefuseLink;
import io.treecast.agent.core.message.PeerMessage.SuspendLink;
import io.treecast.agent.core.message.PeerMessage.Tree;
import io.treecast.agent.core.message.PeerMessage.WeightUpdate;
import io.treecast.agent.core.settings.LinkLimits;
import io.treecast.ghs.FragmentId;
import io.treecast.ghs.GhsMessage;
import io.treecast.ghs.NodeId;
import io.treecast.ghs.Rank;
import io.treecast.ghs.Round;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** One end of a handshake, message by message. The agent under test is {@code m}. */
class LinksHandshakeTest {
  private static final Hello SELF = new Hello(NodeId.of("m"), 1, "m:1");
  private static final Hello LOWER = new Hello(NodeId.of("a"), 11, "a:1");
  private static final Hello HIGHER = new Hello(NodeId.of("z"), 12, "z:1");
  private static final LinkLimits LIMITS =
      LinkLimits.builder()
          .handshakeTimeoutNanos(10_000)
          .redialMinNanos(200)
          .redialMaxNanos(10_000)
          .higherEndGraceNanos(2_000)
          .handshakes(3)
          .suspendedNanos(20_000)
          .gatherQuietNanos(1_000)
          .gatherNanos(15_000)
          .batchNanos(2_000)
          .forgetNanos(60_000)
          .build();

  private final List<RecordingConnection<PeerMessage>> dialed = new ArrayList<>();
  private final List<String> events = new ArrayList<>();
  private final List<Notice> notices = new ArrayList<>();
  private final Links links = links(Membership.discovered(List.of("seed:1")));

  /** Returns the agent's message when it knows only this other member. */
  private static Members members(Hello other) {
    Member self = new Member(SELF.node(), SELF.address());
    KnownMembers known = new KnownMembers(self, null, LIMITS.forgetNanos(), Set.of());
    known.learn(
        new AnnouncedMember(new Member(other.node(), other.address()), other.incarnation(), 0), 0);
    return known.announce(List.copyOf(known.all()), 0);
  }

  private Links links(Membership membership) {
    return new Links(
        SELF,
        TestConfig.of(SELF, membership, LIMITS),
        new Transport() {
          @Override
          public Connection<PeerMessage> dialControl(String address) {
            RecordingConnection<PeerMessage> connection = new RecordingConnection<>(address);
            dialed.add(connection);
            return connection;
          }

          @Override
          public Connection<DataMessage> dialData(String address) {
            throw new AssertionError("links have no data streams");
          }
        },
        new CountHorizon(0),
        new Links.Events() {
          @Override
          public void memberDiscovered(long nowNanos) {
            // The tree waits for it, the links do not.
          }

          @Override
          public void opened(Link link, long nowNanos) {
            events.add("opened " + link.peer + " session " + link.session);
          }

          @Override
          public void received(Link link, PeerMessage message, long nowNanos) {
            events.add("received " + message + " from " + link.peer);
          }

          @Override
          public void lost(Link link, String reason, long nowNanos) {
            events.add("lost " + link.peer + ": " + reason);
          }

          @Override
          public void livenessCheckRequested(Link link, long nowNanos) {
            events.add("doubted " + link.peer);
          }

          @Override
          public void noticed(Notice notice) {
            notices.add(notice);
          }
        });
  }

  private RecordingConnection<PeerMessage> accept(String address) {
    RecordingConnection<PeerMessage> connection = new RecordingConnection<>(address);
    links.accepted(connection, 0);
    return connection;
  }

  private List<String> takeEvents() {
    List<String> taken = List.copyOf(events);
    events.clear();
    return taken;
  }

  @Test
  void the_owner_answers_a_hello_with_its_own_and_opens_the_link() {
    RecordingConnection<PeerMessage> z = accept("z:9");
    assertThat(z.takeSent()).isEmpty();
    links.received(z, HIGHER, 0);
    assertThat(z.takeSent()).containsExactly(SELF, new OpenLink(1), members(HIGHER));
    assertThat(takeEvents()).containsExactly("opened z session 1");
  }

  @Test
  void the_other_end_answers_a_hello_with_its_own_and_waits_for_the_owner_to_open_the_link() {
    RecordingConnection<PeerMessage> a = accept("a:9");
    links.received(a, LOWER, 0);
    assertThat(a.takeSent()).containsExactly(SELF);
    assertThat(takeEvents()).isEmpty();
    links.received(a, new OpenLink(7), 0);
    assertThat(takeEvents()).containsExactly("opened a session 7");
    assertThat(a.takeSent()).containsExactly(members(LOWER));
  }

  @Test
  void a_session_that_no_owner_can_have_counted_to_is_refused() {
    RecordingConnection<PeerMessage> a = accept("a:9");
    links.received(a, LOWER, 0);
    a.takeSent();

    links.received(a, new OpenLink(CountHorizon.HEADROOM + 1), 0);

    assertThat(a.takeSent())
        .singleElement()
        .isInstanceOfSatisfying(
            RefuseLink.class,
            refusal -> assertThat(refusal.cause()).isEqualTo(RefusalCause.PROTOCOL_VIOLATION));
    assertThat(a.isClosed()).isTrue();
    assertThat(takeEvents()).isEmpty();
  }

  @Test
  void the_dialing_end_says_hello_first_and_once() {
    links.start(0);
    RecordingConnection<PeerMessage> seed = dialed.get(0);
    assertThat(seed.takeSent()).containsExactly(SELF);
    links.received(seed, HIGHER, 0);
    assertThat(seed.takeSent().get(0)).isEqualTo(new OpenLink(1));
  }

  @Test
  void the_owner_refuses_a_second_connection_and_keeps_the_first() {
    RecordingConnection<PeerMessage> first = accept("z:9");
    RecordingConnection<PeerMessage> second = accept("z:10");
    links.received(first, HIGHER, 0);
    links.received(second, HIGHER, 0);
    assertThat(second.takeSent())
        .hasSize(2)
        .startsWith(SELF)
        .last()
        .isInstanceOfSatisfying(
            RefuseLink.class,
            refusal -> assertThat(refusal.cause()).isEqualTo(RefusalCause.ALREADY_LINKED));
    assertThat(second.isClosed()).isTrue();
    assertThat(first.isClosed()).isFalse();
    assertThat(takeEvents()).containsExactly("opened z session 1");
    assertThat(notices).isEmpty();
  }

  @Test
  void a_refusal_because_there_is_a_link_already_is_quiet_and_keeps_it() {
    RecordingConnection<PeerMessage> first = accept("a:9");
    RecordingConnection<PeerMessage> second = accept("a:10");
    links.received(first, LOWER, 0);
    links.received(second, LOWER, 0);
    links.received(first, new OpenLink(1), 0);
    links.received(second, new RefuseLink(RefusalCause.ALREADY_LINKED, "linked"), 0);
    assertThat(second.isClosed()).isTrue();
    assertThat(first.isClosed()).isFalse();
    assertThat(takeEvents()).containsExactly("opened a session 1");
    assertThat(notices).isEmpty();
  }

  @Test
  void a_member_that_has_moved_is_dialed_where_it_is_and_not_where_it_was() {
    links
        .exchange()
        .learn(List.of(new AnnouncedMember(new Member(HIGHER.node(), "z:1"), 11, 0)), 0);
    links
        .exchange()
        .learn(List.of(new AnnouncedMember(new Member(HIGHER.node(), "z:2"), 12, 0)), 0);
    links.tick(0);
    assertThat(dialed).extracting(Connection::remoteAddress).containsExactly("z:2");
  }

  @Test
  void a_member_at_whose_address_another_cluster_answers_is_forgotten_all_the_same() {
    links
        .exchange()
        .learn(List.of(new AnnouncedMember(new Member(HIGHER.node(), "z:1"), 11, 0)), 0);
    links.tick(0);
    long late = LIMITS.forgetNanos() / 2;
    links.received(dialed.get(0), new RefuseLink(RefusalCause.OTHER_CLUSTER, "other"), late);
    assertThat(links.known().all()).hasSize(1);

    links.tick(LIMITS.forgetNanos());

    assertThat(links.known().all()).isEmpty();
  }

  @Test
  void an_agent_that_says_an_address_that_cannot_be_dialed_is_refused() {
    RecordingConnection<PeerMessage> connection = accept("z:9");
    links.received(connection, new Hello(HIGHER.node(), 12, "a_b:1"), 0);
    assertThat(connection.takeSent())
        .singleElement()
        .isInstanceOfSatisfying(
            RefuseLink.class,
            refusal -> {
              assertThat(refusal.cause()).isEqualTo(RefusalCause.OTHER_SETTINGS);
              assertThat(refusal.reason()).contains("z", "a_b:1", "advertise");
            });
    assertThat(connection.isClosed()).isTrue();
    assertThat(links.open()).isEmpty();
  }

  @Test
  void a_told_member_that_cannot_be_dialed_is_not_known() {
    links
        .exchange()
        .learn(List.of(new AnnouncedMember(new Member(HIGHER.node(), "a_b:1"), 11, 0)), 0);
    links.tick(0);
    assertThat(links.known().all()).isEmpty();
    assertThat(dialed).isEmpty();
  }

  @Test
  void agents_of_different_versions_do_not_link_and_each_says_once_which_and_where() {
    OtherHello later = new OtherHello(7, "z", "z:1");
    String reason =
        "m at m:1 speaks version "
            + PeerMessage.PROTOCOL_VERSION
            + " of the protocol between agents, and z at z:1 version 7; run the same release of"
            + " Treecast at both";
    for (int attempt = 0; attempt < 3; attempt++) {
      RecordingConnection<PeerMessage> connection = accept("z:9");
      links.received(connection, later, 0);
      assertThat(connection.takeSent())
          .containsExactly(new RefuseLink(RefusalCause.OTHER_VERSION, reason));
      assertThat(connection.isClosed()).isTrue();
      assertThat(links.lastRefusal()).isEqualTo(reason);
    }
    String theirs = "z at z:1 speaks version 7";
    links.start(0);
    for (int attempt = 0; attempt < 3; attempt++) {
      long nowNanos = 2L * attempt * LIMITS.redialMaxNanos();
      links.tick(nowNanos);
      links.received(
          dialed.get(attempt), new RefuseLink(RefusalCause.OTHER_VERSION, theirs), nowNanos);
    }

    assertThat(takeEvents()).isEmpty();
    assertThat(links.lastRefusal()).isEqualTo(theirs);
    assertThat(links.lastRefusedNanos()).isEqualTo(4L * LIMITS.redialMaxNanos());
    assertThat(notices)
        .hasSize(6)
        .allMatch(notice -> notice.kind() == Kind.OTHER_VERSION)
        .filteredOn(notice -> notice.severity() == Notice.Severity.WARNING)
        .extracting(Notice::text)
        .satisfiesExactly(
            text -> assertThat(text).endsWith(" z:9: " + reason),
            text -> assertThat(text).endsWith(" seed:1: " + theirs));
  }

  @Test
  void a_later_session_on_another_connection_replaces_the_link() {
    RecordingConnection<PeerMessage> first = accept("a:9");
    RecordingConnection<PeerMessage> second = accept("a:10");
    links.received(first, LOWER, 0);
    links.received(second, LOWER, 0);
    links.received(first, new OpenLink(1), 0);
    links.received(second, new OpenLink(2), 0);
    assertThat(first.isClosed()).isTrue();
    assertThat(second.isClosed()).isFalse();
    assertThat(takeEvents())
        .containsExactly(
            "opened a session 1", "lost a: replaced by session 2", "opened a session 2");
  }

  @ParameterizedTest
  @ValueSource(longs = {4, 5})
  void an_opening_that_was_overtaken_by_a_later_session_is_dropped(long session) {
    RecordingConnection<PeerMessage> late = accept("a:9");
    RecordingConnection<PeerMessage> current = accept("a:10");
    links.received(late, LOWER, 0);
    links.received(current, LOWER, 0);
    links.received(current, new OpenLink(5), 0);
    links.received(late, new OpenLink(session), 0);
    assertThat(late.isClosed()).isTrue();
    assertThat(current.isClosed()).isFalse();
    assertThat(takeEvents()).containsExactly("opened a session 5");

    // Also when the later session is over.
    links.closed(current, "reset", 0);
    RecordingConnection<PeerMessage> later = accept("a:11");
    links.received(later, LOWER, 0);
    links.received(later, new OpenLink(session), 0);
    assertThat(takeEvents()).containsExactly("lost a: reset");
  }

  @Test
  void an_owner_that_was_restarted_counts_sessions_from_one_again() {
    RecordingConnection<PeerMessage> before = accept("a:9");
    links.received(before, LOWER, 0);
    links.received(before, new OpenLink(5), 0);
    links.closed(before, "reset", 0);
    RecordingConnection<PeerMessage> after = accept("a:10");
    links.received(after, new Hello(LOWER.node(), 99, LOWER.address()), 0);
    links.received(after, new OpenLink(1), 0);
    assertThat(takeEvents())
        .containsExactly("opened a session 5", "lost a: reset", "opened a session 1");
  }

  @Test
  void a_neighbour_whose_clock_went_back_between_its_starts_is_taken_back_with_a_warning() {
    RecordingConnection<PeerMessage> before = accept("z:9");
    links.received(before, HIGHER, 0);
    long earlier = HIGHER.incarnation() - 1;
    links.closed(before, "reset", 0);
    RecordingConnection<PeerMessage> after = accept("z:10");
    links.received(after, new Hello(HIGHER.node(), earlier, HIGHER.address()), 0);

    assertThat(links.open()).extracting(link -> link.incarnation).containsExactly(earlier);
    assertThat(notices)
        .singleElement()
        .satisfies(
            notice -> {
              assertThat(notice.kind()).isEqualTo(Kind.EARLIER_INCARNATION);
              assertThat(notice.text()).startsWith("z ");
            });
  }

  @Test
  void a_neighbour_that_was_restarted_is_opened_a_new_session_by_the_owner() {
    RecordingConnection<PeerMessage> before = accept("z:9");
    links.received(before, HIGHER, 0);
    links.closed(before, "reset", 0);
    RecordingConnection<PeerMessage> after = accept("z:10");
    links.received(after, new Hello(HIGHER.node(), 99, HIGHER.address()), 0);
    assertThat(takeEvents())
        .containsExactly("opened z session 1", "lost z: reset", "opened z session 2");
  }

  @Test
  void a_neighbour_that_is_linked_still_is_asked_before_another_life_of_it_gets_its_link() {
    RecordingConnection<PeerMessage> before = accept("z:9");
    links.received(before, HIGHER, 0);
    RecordingConnection<PeerMessage> after = accept("z:10");
    links.received(after, new Hello(HIGHER.node(), 99, HIGHER.address()), 0);
    assertThat(after.takeSent())
        .singleElement()
        .isInstanceOfSatisfying(
            RefuseLink.class,
            refusal -> assertThat(refusal.cause()).isEqualTo(RefusalCause.LIVENESS_CHECK));
    assertThat(before.isClosed()).isFalse();
    assertThat(takeEvents()).containsExactly("opened z session 1", "doubted z");
  }

  @Test
  void a_name_that_somebody_else_has_been_linked_under_since_the_hello_is_refused() {
    RecordingConnection<PeerMessage> late = accept("a:9");
    links.received(late, LOWER, 0);
    RecordingConnection<PeerMessage> namesake = accept("b:9");
    links.received(namesake, new Hello(LOWER.node(), 99, "b:1"), 0);
    links.received(namesake, new OpenLink(1), 0);
    late.takeSent();
    links.received(late, new OpenLink(1), 0);
    assertThat(late.takeSent())
        .singleElement()
        .isInstanceOfSatisfying(
            RefuseLink.class,
            refusal -> assertThat(refusal.cause()).isEqualTo(RefusalCause.LIVENESS_CHECK));
    assertThat(late.isClosed()).isTrue();
    assertThat(takeEvents()).containsExactly("opened a session 1", "doubted a");
  }

  @Test
  void an_owner_opens_the_next_session_for_a_suspended_neighbour_that_dials_again() {
    RecordingConnection<PeerMessage> silent = accept("z:9");
    links.received(silent, HIGHER, 0);
    links.open().iterator().next().suspended = true;
    RecordingConnection<PeerMessage> second = accept("z:10");
    links.received(second, HIGHER, 0);
    assertThat(silent.isClosed()).isTrue();
    assertThat(second.takeSent()).contains(new OpenLink(2));
    assertThat(takeEvents())
        .containsExactly(
            "opened z session 1", "lost z: replaced by session 2", "opened z session 2");
  }

  static List<PeerMessage> notAHello() {
    return List.of(
        new OpenLink(1),
        new Members(List.of(), List.of(), 0),
        new Leave(),
        new Probe(1, 500, 0, false, null),
        new ProbeReply(1, 0),
        new WeightUpdate(1, 1),
        new SuspendLink(),
        new Tree(
            new GhsMessage.Wake(new Round(new FragmentId(Rank.LOWEST, HIGHER.node(), 12, 1), 1))));
  }

  @ParameterizedTest
  @MethodSource("notAHello")
  void whatever_comes_before_the_hello_ends_the_connection(PeerMessage message) {
    RecordingConnection<PeerMessage> stranger = accept("s:9");
    links.received(stranger, message, 0);
    assertThat(stranger.takeSent())
        .singleElement()
        .isInstanceOfSatisfying(
            RefuseLink.class,
            refusal -> {
              assertThat(refusal.cause()).isEqualTo(RefusalCause.PROTOCOL_VIOLATION);
              assertThat(refusal.reason()).startsWith(message.getClass().getSimpleName() + " ");
            });
    assertThat(stranger.isClosed()).isTrue();
    assertThat(notices)
        .singleElement()
        .satisfies(
            notice -> {
              assertThat(notice.kind()).isEqualTo(Kind.PROTOCOL_VIOLATION);
              assertThat(notice.text())
                  .contains(" s:9: " + message.getClass().getSimpleName() + " ");
            });
  }

  @Test
  void a_second_hello_ends_the_connection() {
    RecordingConnection<PeerMessage> a = accept("a:9");
    links.received(a, LOWER, 0);
    links.received(a, LOWER, 0);
    assertThat(a.isClosed()).isTrue();
    assertThat(notices).singleElement().matches(n -> n.kind() == Kind.PROTOCOL_VIOLATION);
  }

  @Test
  void random_messages_in_any_order_never_do_more_than_open_and_lose_links() {
    List<RefusalCause> causes = List.copyOf(EnumSet.allOf(RefusalCause.class));
    for (long seed = 0; seed < 2_000; seed++) {
      Random random = new Random(seed);
      List<PeerMessage> choice = new ArrayList<>(notAHello());
      for (int i = 0; i < 4; i++) {
        choice.add(new OpenLink(random.nextLong(5)));
        choice.add(
            new Hello(
                NodeId.of("" + (char) ('k' + random.nextInt(5))),
                random.nextInt(3),
                "h:" + random.nextInt(2)));
        choice.add(new RefuseLink(causes.get(random.nextInt(causes.size())), "whatever " + seed));
      }
      Links fresh = links(Membership.discovered(List.of("seed:1", "seed:2")));
      fresh.start(0);
      List<RecordingConnection<PeerMessage>> connections = new ArrayList<>(dialed);
      for (int step = 0; step < 60; step++) {
        if (connections.isEmpty() || random.nextInt(6) == 0) {
          RecordingConnection<PeerMessage> accepted = new RecordingConnection<>("s:" + step);
          fresh.accepted(accepted, step);
          connections.add(accepted);
        }
        RecordingConnection<PeerMessage> connection =
            connections.get(random.nextInt(connections.size()));
        if (!connection.isClosed()) {
          if (random.nextInt(8) == 0) {
            connection.close();
            fresh.closed(connection, "reset", step);
          } else {
            fresh.received(connection, choice.get(random.nextInt(choice.size())), step);
          }
        }
        assertThat(fresh.open())
            .as("seed %d step %d", seed, step)
            .hasSizeLessThanOrEqualTo(4)
            .allSatisfy(
                link -> {
                  assertThat(((RecordingConnection<PeerMessage>) link.control).isClosed())
                      .isFalse();
                  assertThat(link.peer).isNotEqualTo(SELF.node());
                });
      }
      dialed.clear();
      events.clear();
      notices.clear();
    }
  }

  @Test
  void a_connection_that_says_nothing_is_closed_after_the_handshake_timeout() {
    RecordingConnection<PeerMessage> silent = accept("s:9");
    assertThat(links.nextDeadlineNanos()).isEqualTo(LIMITS.handshakeTimeoutNanos());
    links.tick(LIMITS.handshakeTimeoutNanos() - 1);
    assertThat(silent.isClosed()).isFalse();
    links.tick(LIMITS.handshakeTimeoutNanos());
    assertThat(silent.isClosed()).isTrue();
    assertThat(links.nextDeadlineNanos()).isEqualTo(Long.MAX_VALUE);
  }

  @Test
  void a_link_is_not_closed_by_the_timeout_of_its_handshake() {
    RecordingConnection<PeerMessage> z = accept("z:9");
    links.received(z, HIGHER, 0);
    links.tick(2 * LIMITS.handshakeTimeoutNanos());
    assertThat(z.isClosed()).isFalse();
  }

  @Test
  void more_handshakes_than_the_limit_are_refused_and_told_why() {
    for (int i = 0; i < LIMITS.handshakes(); i++) {
      assertThat(accept("s:" + i).isClosed()).isFalse();
    }
    RecordingConnection<PeerMessage> tooMany = accept("s:99");
    assertThat(tooMany.isClosed()).isTrue();
    assertThat(tooMany.takeSent())
        .singleElement()
        .isInstanceOfSatisfying(
            RefuseLink.class,
            refusal -> assertThat(refusal.cause()).isEqualTo(RefusalCause.PROTOCOL_VIOLATION));
    links.tick(LIMITS.handshakeTimeoutNanos());
    assertThat(accept("s:100").isClosed()).isFalse();
  }

  @Test
  void a_refusal_of_a_link_that_is_open_ends_it_with_the_reason() {
    RecordingConnection<PeerMessage> z = accept("z:9");
    links.received(z, HIGHER, 0);
    links.received(z, new RefuseLink(RefusalCause.UNEXPECTED_MEMBER, "complete"), 0);
    assertThat(z.isClosed()).isTrue();
    assertThat(takeEvents())
        .hasSize(2)
        .startsWith("opened z session 1")
        .last()
        .asString()
        .startsWith("lost z: ")
        .endsWith(": complete");
  }

  @Test
  void messages_of_a_connection_that_was_given_up_are_ignored() {
    RecordingConnection<PeerMessage> z = accept("z:9");
    links.received(z, HIGHER, 0);
    links.received(z, new Leave(), 0);
    takeEvents();
    links.received(z, HIGHER, 0);
    links.received(z, new Probe(1, 500, 0, false, null), 0);
    links.closed(z, "reset", 0);
    assertThat(takeEvents()).isEmpty();
    assertThat(notices).isEmpty();
  }
}
