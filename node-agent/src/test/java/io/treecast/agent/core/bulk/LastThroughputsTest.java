package io.treecast.agent.core.bulk;

import static io.treecast.agent.core.bulk.LastThroughputs.KEPT_NANOS;
import static io.treecast.agent.core.bulk.LastThroughputs.MAX_REMEMBERED;
import static org.assertj.core.api.Assertions.assertThat;

import io.treecast.agent.core.RecordingConnection;
import io.treecast.agent.core.link.Link;
import io.treecast.agent.core.message.PeerMessage.Hello;
import io.treecast.ghs.NodeId;
import io.treecast.monitor.forecast.ForecasterBank;
import io.treecast.monitor.forecast.SharedExperience;
import io.treecast.monitor.probe.SilenceDetector;
import io.treecast.monitor.probe.SilencePolicy;
import io.treecast.monitor.throughput.ThroughputForecast;
import io.treecast.monitor.throughput.ThroughputPolicy;
import java.util.Objects;
import org.junit.jupiter.api.Test;

class LastThroughputsTest {
  private static final String ADDRESS = "10.0.0.2:7700";
  private static final long MEASURED_NANOS = 5;

  private final LastThroughputs last = new LastThroughputs();

  private static ThroughputForecast forecast() {
    return new ThroughputForecast(
        ThroughputPolicy.DEFAULT, new ForecasterBank(new SharedExperience()), 0);
  }

  private static Link link(String peer, String address) {
    return new Link(
        new Hello(NodeId.of(peer), 1, address),
        1,
        new RecordingConnection<>(address),
        address,
        new SilenceDetector(SilencePolicy.DEFAULT, 0));
  }

  private static Link measured(String peer, long kbps) {
    Link link = link(peer, ADDRESS);
    link.throughput = forecast();
    link.throughput.probed(kbps, MEASURED_NANOS);
    return link;
  }

  /** Returns the recalled throughput of a link that opens then; 0 if there is none. */
  private long recalledKbps(String peer, String address, long nowNanos) {
    ThroughputForecast forecast = forecast();
    boolean isRecalled = last.recall(link(peer, address), forecast, nowNanos);
    assertThat(forecast.expectation() != null).isEqualTo(isRecalled);
    return isRecalled ? Objects.requireNonNull(forecast.expectation()).forecastKbps() : 0;
  }

  @Test
  void a_link_to_the_same_peer_at_the_same_place_is_known_once() {
    last.lost(measured("h2", 7_000));
    last.lost(measured("h3", 8_000));
    assertThat(recalledKbps("h2", ADDRESS, 9)).isEqualTo(7_000);
    assertThat(recalledKbps("h2", ADDRESS, 9)).as("now the link has it").isZero();
    assertThat(recalledKbps("h3", "10.0.0.3:7700", 9)).as("it is elsewhere").isZero();
    assertThat(last.size()).isZero();
  }

  @Test
  void measurements_older_than_an_hour_are_forgotten_however_often_the_link_came_and_went() {
    last.lost(measured("h2", 7_000));
    Link again = link("h2", ADDRESS);
    again.throughput = forecast();
    assertThat(last.recall(again, again.throughput, MEASURED_NANOS + KEPT_NANOS)).isTrue();
    last.lost(again);
    assertThat(recalledKbps("h2", ADDRESS, MEASURED_NANOS + KEPT_NANOS + 1)).isZero();
  }

  @Test
  void a_link_that_was_not_measured_makes_nobody_forget() {
    last.lost(measured("h2", 7_000));
    Link unmeasured = link("h2", ADDRESS);
    unmeasured.throughput = forecast();
    last.lost(unmeasured);
    assertThat(recalledKbps("h2", ADDRESS, 9)).isEqualTo(7_000);
  }

  @Test
  void beyond_the_limit_the_one_that_was_lost_first_is_forgotten() {
    ThroughputForecast alike = Objects.requireNonNull(measured("n", 7_000).throughput);
    for (int i = 0; i <= MAX_REMEMBERED; i++) {
      Link link = link("n" + i, ADDRESS);
      link.throughput = alike;
      last.lost(link);
    }
    assertThat(last.size()).isEqualTo(MAX_REMEMBERED);
    assertThat(recalledKbps("n0", ADDRESS, 9)).isZero();
    assertThat(recalledKbps("n1", ADDRESS, 9)).isEqualTo(7_000);
  }
}
