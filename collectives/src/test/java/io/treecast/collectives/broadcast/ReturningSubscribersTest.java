package io.treecast.collectives.broadcast;

import static io.treecast.collectives.broadcast.Examples.SMALL;
import static org.assertj.core.api.Assertions.assertThat;

import io.treecast.collectives.broadcast.contract.BroadcastRefusedException;
import io.treecast.collectives.broadcast.contract.SubscriptionStart;
import io.treecast.collectives.broadcast.message.MessageId;
import io.treecast.collectives.broadcast.message.StreamId;
import io.treecast.ghs.NodeId;
import java.util.List;
import org.junit.jupiter.api.Test;

/**
 * The subscribers of a topic at m are away, or m is, until all have forgotten the publications of o
 * on it. Between the two is r, to which most of it never came.
 */
class ReturningSubscribersTest {
  private static final NodeId O = NodeId.of("o");
  private static final NodeId R = NodeId.of("r");
  private static final NodeId M = NodeId.of("m");

  private final LineOfRelays line = new LineOfRelays(SMALL, O, R, M);
  private final StreamId stream = line.stream(O, "t");

  private void subscribe(long name) throws BroadcastRefusedException {
    line.subscribe(M, name, "t", new SubscriptionStart.Now());
  }

  private void subscribeAfter(long name, MessageId... last) throws BroadcastRefusedException {
    line.subscribe(M, name, "t", new SubscriptionStart.After(List.of(last)));
  }

  private void passIdleTime() {
    line.pass(800);
    for (NodeId id : List.of(O, R, M)) {
      assertThat(line.at(id).positions()).noneMatch(position -> position.stream().isOfTopic());
    }
    line.takeTold();
  }

  /** A subscriber has three messages, and three more are published when it is gone. */
  private void missThree() throws BroadcastRefusedException {
    subscribe(1);
    line.publish(O, "t", 3);
    line.unsubscribe(M, 1);
    line.publish(O, "t", 3);
  }

  @Test
  void a_subscriber_that_was_away_for_long_gets_a_gap() throws Exception {
    missThree();
    passIdleTime();

    subscribeAfter(2, new MessageId(stream, 3));
    assertThat(line.takeTold())
        .containsExactly("s2 begins after []", "s2 missed " + stream + "/4 to 6 NOT_RETAINED");
  }

  @Test
  void a_subscriber_of_a_restarted_agent_gets_a_gap() throws Exception {
    missThree();
    passIdleTime();
    line.restart(M);

    subscribeAfter(2, new MessageId(stream, 3));
    assertThat(line.takeTold())
        .containsExactly("s2 begins after []", "s2 missed " + stream + "/4 to 6 NOT_RETAINED");
  }

  @Test
  void a_subscriber_that_had_nothing_of_the_stream_misses_all_of_it() throws Exception {
    line.publish(O, "t", 2);
    passIdleTime();

    subscribeAfter(2);
    assertThat(line.takeTold())
        .containsExactly("s2 begins after []", "s2 missed " + stream + "/1 to 2 NOT_RETAINED");
  }

  @Test
  void a_subscriber_that_had_all_of_the_stream_gets_no_gap() throws Exception {
    subscribe(1);
    line.publish(O, "t", 3);
    line.unsubscribe(M, 1);
    passIdleTime();

    subscribeAfter(2, new MessageId(stream, 3));
    line.publish(O, "t", 1);
    assertThat(line.takeTold())
        .containsExactly("s2 begins after []", "s2 got " + line.stream(O, "t", 1) + "/1");
  }

  private boolean knows(NodeId id) {
    return line.at(id).positions().stream().anyMatch(p -> p.stream().equals(stream));
  }

  @Test
  void a_subscriber_gets_a_gap_where_only_the_publisher_remembers_the_stream() throws Exception {
    line.pass(5);
    line.restart(R); // It looks for idle streams at another time.
    subscribe(1);
    line.publish(O, "t", 6);
    line.unsubscribe(M, 1);
    while (knows(R)) {
      line.pass(1);
    }
    assertThat(knows(O)).isTrue();
    line.restart(M);
    line.takeTold();

    subscribeAfter(2, new MessageId(stream, 3));
    assertThat(line.takeTold())
        .contains("s2 begins after []", "s2 missed " + stream + "/4 to 6 AGENT_AWAY");
  }

  @Test
  void a_stream_forgotten_before_the_subscription_is_not_missed_when_it_continues()
      throws Exception {
    line.publish(O, "t", 2);
    passIdleTime();

    subscribe(1);
    assertThat(line.takeTold()).containsExactly("s1 begins after [" + stream + "/2]");
    line.unsubscribe(M, 1);
    subscribeAfter(2, new MessageId(stream, 2));
    assertThat(line.takeTold()).containsExactly("s2 begins after []");
  }

  /** Member o publishes three messages while all are apart, and forgets them. */
  private void forgetApart(NodeId... aware) throws BroadcastRefusedException {
    line.part(aware);
    line.publish(O, "t", 3);
    line.pass(800);
    assertThat(line.at(O).positions()).noneMatch(position -> position.stream().isOfTopic());
    line.takeTold();
  }

  @Test
  void a_subscriber_at_a_member_that_was_cut_off_gets_one_gap() throws Exception {
    subscribe(1);
    forgetApart(O, R, M);

    line.meet();
    assertThat(line.takeTold()).containsExactly("s1 missed " + stream + "/1 to 3 AGENT_AWAY");
    line.part(O, R, M);
    line.meet();
    assertThat(line.takeTold()).isEmpty();
  }

  @Test
  void a_subscriber_at_a_member_that_did_not_notice_its_isolation_gets_one_gap() throws Exception {
    subscribe(1);
    forgetApart(O, R);

    line.meet();
    assertThat(line.takeTold()).containsExactly("s1 missed " + stream + "/1 to 3 AGENT_AWAY");
  }

  @Test
  void a_subscriber_that_stayed_gets_no_gap_for_messages_that_it_had() throws Exception {
    subscribe(1);
    line.publish(O, "t", 3);
    forgetApart(M, R, O);
    line.pass(LineOfRelays.FORGET_SECONDS);
    assertThat(line.at(M).positions()).noneMatch(position -> position.stream().isOfTopic());

    line.meet();
    assertThat(line.takeTold()).containsExactly("s1 missed " + stream + "/4 to 6 AGENT_AWAY");
  }
}
