package io.treecast.testkit.sim;

import io.treecast.agent.core.message.DataMessage;
import io.treecast.agent.core.message.PeerMessage;
import io.treecast.agent.core.message.PeerMessage.Probe;
import io.treecast.testkit.sim.network.SimHost;
import io.treecast.testkit.sim.network.SimNetwork;
import io.treecast.testkit.sim.network.SimSettings;
import io.treecast.testkit.sim.network.SimStream;
import java.util.ArrayList;
import java.util.List;

/** Records the events of its control connections, with their times: {@code 12.5 ms: probe 3}. */
public final class RecordingHost implements SimHost, SimStream.End<PeerMessage> {
  public final List<String> received = new ArrayList<>();
  public final List<SimStream<PeerMessage>> accepted = new ArrayList<>();
  private final SimNetwork network;
  private final int node;

  public RecordingHost(SimNetwork network, int node) {
    this.network = network;
    this.node = node;
    network.attach(this);
  }

  public SimStream<PeerMessage> dial(int there) {
    return network.dialControl(this, SimSettings.address(SimSettings.id(there)));
  }

  @Override
  public int node() {
    return node;
  }

  @Override
  public void handle(Runnable event) {
    event.run();
  }

  @Override
  public SimStream.End<PeerMessage> control() {
    return this;
  }

  @Override
  public SimStream.End<DataMessage> data() {
    throw new AssertionError("no data is sent");
  }

  @Override
  public void accepted(SimStream<PeerMessage> stream) {
    accepted.add(stream);
    note("accepted");
  }

  @Override
  public void received(SimStream<PeerMessage> stream, PeerMessage message) {
    note(message instanceof Probe probe ? "probe " + probe.number() : message.toString());
  }

  @Override
  public void closed(SimStream<PeerMessage> stream, String reason) {
    note(reason);
  }

  private void note(String what) {
    received.add(network.nowNanos() / 1e6 + " ms: " + what);
  }
}
