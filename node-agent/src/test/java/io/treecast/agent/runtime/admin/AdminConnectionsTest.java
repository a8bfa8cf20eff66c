package io.treecast.agent.runtime.admin;

import static org.assertj.core.api.Assertions.assertThat;

import io.grpc.netty.shaded.io.netty.channel.Channel;
import io.grpc.netty.shaded.io.netty.channel.embedded.EmbeddedChannel;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class AdminConnectionsTest {
  private final AdminConnections connections = new AdminConnections();

  private List<Channel> opened(int count) {
    List<Channel> channels = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      Channel channel = new EmbeddedChannel();
      connections.opened(channel);
      channels.add(channel);
    }
    return channels;
  }

  @Test
  void the_oldest_connection_without_an_answer_makes_room_for_a_new_one() {
    List<Channel> first = opened(AdminConnections.MOST_UNANSWERED);
    assertThat(first).allMatch(Channel::isOpen);

    List<Channel> second = opened(2);

    assertThat(first.subList(0, 2)).noneMatch(Channel::isOpen);
    assertThat(first.subList(2, first.size())).allMatch(Channel::isOpen);
    assertThat(second).allMatch(Channel::isOpen);
  }

  @Test
  void connections_that_do_not_read_their_answers_close_each_other_and_no_others() {
    List<Channel> reading = opened(AdminConnections.MOST_UNREAD + 1);
    reading.forEach(connections::answered);
    assertThat(reading.get(0).isOpen()).isFalse();
    assertThat(reading.subList(1, reading.size())).allMatch(Channel::isOpen);

    List<Channel> unanswered = opened(AdminConnections.MOST_UNANSWERED);

    assertThat(unanswered).allMatch(Channel::isOpen);
    assertThat(reading.subList(1, reading.size())).allMatch(Channel::isOpen);
  }

  @Test
  void a_connection_that_has_ended_takes_no_place() {
    List<Channel> first = opened(AdminConnections.MOST_UNANSWERED);
    connections.closed(first.get(7));

    opened(1);

    assertThat(first).allMatch(Channel::isOpen);
  }
}
