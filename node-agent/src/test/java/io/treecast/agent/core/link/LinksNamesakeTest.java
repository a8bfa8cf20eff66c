package io.treecast.agent.core.link;

import static org.assertj.core.api.Assertions.assertThat;

import io.treecast.agent.core.RecordingConnection;
import io.treecast.agent.core.TestConfig;
import io.treecast.agent.core.contract.Connection;
import io.treecast.agent.core.contract.Notice;
import io.treecast.agent.core.contract.Transport;
import io.treecast.agent.core.message.CountHorizon;
import io.treecast.agent.core.message.DataMessage;
import io.treecast.agent.core.message.Membership;
import io.treecast.agent.core.message.PeerMessage;
import io.treecast.agent.core.message.PeerMessage.Hello;
import io.treecast.agent.core.message.PeerMessage.ProbeReply;
import io.treecast.agent.core.message.PeerMessage.RefusalCause;
import io.treecast.agent.core.message.PeerMessage.RefuseLink;
import io.treecast.agent.core.settings.LinkLimits;
import io.treecast.ghs.NodeId;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Test;

/** Whoever comes to m with the name of z, to which m has a link, message by message. */
class LinksNamesakeTest {
  private static final Hello SELF = new Hello(NodeId.of("m"), 1, "m:1");
  private static final Hello HIGHER = new Hello(NodeId.of("z"), 12, "z:1");

  private final List<String> events = new ArrayList<>();
  private final Links links =
      new Links(
          SELF,
          TestConfig.of(SELF, Membership.discovered(List.of("seed:1")), LinkLimits.DEFAULT),
          new Transport() {
            @Override
            public Connection<PeerMessage> dialControl(String address) {
              return new RecordingConnection<>(address);
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
              events.add("opened " + link.peer);
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
              // What is refused is what matters here.
            }
          });

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
  void the_id_of_a_linked_agent_is_refused_at_another_address_when_that_agent_has_answered() {
    RecordingConnection<PeerMessage> z = accept("z:9");
    links.received(z, HIGHER, 0);
    takeEvents();
    PeerMessage inDoubt =
        new RefuseLink(
            RefusalCause.LIVENESS_CHECK,
            "node id z belongs to the agent at z:1, and m is checking whether that agent is alive;"
                + " the agent at x:1 retries until it has answered, or has been silent for too"
                + " long");
    assertThat(refusalOfNamesake(1)).isEqualTo(inDoubt);
    assertThat(takeEvents()).containsExactly("doubted z");
    assertThat(refusalOfNamesake(2)).as("it has not answered").isEqualTo(inDoubt);
    assertThat(takeEvents()).as("nor is it asked again").isEmpty();

    answerDoubt();
    PeerMessage taken =
        new RefuseLink(
            RefusalCause.DUPLICATE_ID,
            "node id z is taken by the agent at z:1, which is connected as z:9; stop the agent at"
                + " x:1, or start it with another --id",
            HIGHER.incarnation());
    assertThat(refusalOfNamesake(4)).isEqualTo(taken);
    assertThat(z.isClosed()).isFalse();

    assertThat(refusalOfNamesake(5)).as("asked again").isEqualTo(inDoubt);
    assertThat(takeEvents()).containsExactly("doubted z");
    answerDoubt();
    assertThat(refusalOfNamesake(60_000_000_000L)).as("long ago").isEqualTo(inDoubt);
    assertThat(takeEvents()).containsExactly("doubted z");
  }

  @Test
  void answers_from_before_the_namesake_came_do_not_count() {
    RecordingConnection<PeerMessage> z = accept("z:9");
    links.received(z, HIGHER, 0);
    refusalOfNamesake(1);
    answerDoubt();
    takeEvents();

    assertThat(causeForNamesake(100, 2)).isEqualTo(RefusalCause.LIVENESS_CHECK);
    assertThat(takeEvents()).as("asked again").containsExactly("doubted z");
    assertThat(causeForNamesake(101, 3)).isEqualTo(RefusalCause.LIVENESS_CHECK);
    assertThat(takeEvents()).as("one question at a time").isEmpty();
    answerDoubt();
    assertThat(causeForNamesake(100, 4)).isEqualTo(RefusalCause.DUPLICATE_ID);
  }

  @Test
  void an_agent_that_does_not_answer_is_asked_again_every_few_seconds() {
    RecordingConnection<PeerMessage> z = accept("z:9");
    links.received(z, HIGHER, 0);
    takeEvents();
    for (long second = 1; second <= 11; second++) {
      refusalOfNamesake(second * 1_000_000_000L);
    }
    assertThat(takeEvents()).containsExactly("doubted z", "doubted z", "doubted z");
  }

  private void answerDoubt() {
    Objects.requireNonNull(links.open().iterator().next().livenessCheck)
        .received(new ProbeReply(1, 0));
  }

  private RefusalCause causeForNamesake(long incarnation, long nowNanos) {
    return ((RefuseLink) refusalOfNamesake(incarnation, nowNanos)).cause();
  }

  private PeerMessage refusalOfNamesake(long nowNanos) {
    return refusalOfNamesake(99, nowNanos);
  }

  private PeerMessage refusalOfNamesake(long incarnation, long nowNanos) {
    RecordingConnection<PeerMessage> namesake = accept("x:9");
    links.received(namesake, new Hello(HIGHER.node(), incarnation, "x:1"), nowNanos);
    assertThat(namesake.isClosed()).isTrue();
    List<PeerMessage> sent = namesake.takeSent();
    assertThat(sent).hasSize(1);
    return sent.get(0);
  }
}
