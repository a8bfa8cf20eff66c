package io.treecast.agent.core.message;

import static org.assertj.core.api.Assertions.assertThat;

import io.treecast.agent.core.message.PeerMessage.ClockEcho;
import io.treecast.agent.core.message.PeerMessage.Heartbeat;
import io.treecast.agent.core.message.PeerMessage.HeartbeatReply;
import io.treecast.agent.core.message.PeerMessage.Leave;
import io.treecast.agent.core.message.PeerMessage.Probe;
import io.treecast.agent.core.message.PeerMessage.ProbeReply;
import org.junit.jupiter.api.Test;

/** The times in messages that leave 5 ns after the time that their sender had for them. */
class LeavingMessagesTest {
  @Test
  void a_probe_states_its_delay() {
    assertThat(new Probe(1, 500, 7, true, null).leaving(5))
        .isEqualTo(new Probe(1, 500, 7, true, null, null, false, 5));
  }

  @Test
  void a_reply_was_held_longer_and_has_a_later_clock() {
    assertThat(new ProbeReply(1, 100, 20, 3, null).leaving(5))
        .isEqualTo(new ProbeReply(1, 105, 25, 3, null));
    assertThat(new HeartbeatReply(500, 100).leaving(5)).isEqualTo(new HeartbeatReply(500, 105));
  }

  @Test
  void so_have_a_heartbeat_and_its_echo() {
    assertThat(new Heartbeat(500, true, 100, null, 3).leaving(5))
        .isEqualTo(new Heartbeat(500, true, 105, null, 3));
    assertThat(new Heartbeat(500, false, 100, new ClockEcho(40, 20), 3).leaving(5))
        .isEqualTo(new Heartbeat(500, false, 105, new ClockEcho(40, 25), 3));
  }

  @Test
  void messages_without_times_stay() {
    Leave leave = new Leave();
    assertThat(leave.leaving(5)).isSameAs(leave);
  }
}
