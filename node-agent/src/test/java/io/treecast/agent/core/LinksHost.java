package io.treecast.agent.core;

import io.treecast.agent.core.contract.Connection;
import io.treecast.agent.core.contract.Notice;
import io.treecast.agent.core.contract.Notice.Severity;
import io.treecast.agent.core.link.Link;
import io.treecast.agent.core.link.Links;
import io.treecast.agent.core.link.LivenessCheck;
import io.treecast.agent.core.message.CountHorizon;
import io.treecast.agent.core.message.DataMessage;
import io.treecast.agent.core.message.Membership;
import io.treecast.agent.core.message.PeerMessage;
import io.treecast.agent.core.message.PeerMessage.Hello;
import io.treecast.agent.core.message.PeerMessage.Members;
import io.treecast.agent.core.settings.LinkLimits;
import io.treecast.ghs.NodeId;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/** The links of one agent, without the rest of it, on a {@link VirtualNetwork}. */
public final class LinksHost implements VirtualNetwork.Host, Links.Events {
  private static final AtomicLong INCARNATIONS = new AtomicLong();

  private final String address;
  private final Links links;
  private final List<Notice> notices = new ArrayList<>();
  private final List<String> losses = new ArrayList<>();
  private final List<Link> everOpened = new ArrayList<>();

  private LinksHost(
      VirtualNetwork network,
      String id,
      String address,
      String cluster,
      int chunkBytes,
      Membership membership) {
    this.address = address;
    Hello self =
        new Hello(
            NodeId.of(id),
            INCARNATIONS.incrementAndGet(),
            address,
            null,
            cluster,
            true,
            chunkBytes);
    this.links =
        new Links(
            self,
            TestConfig.of(self, membership, LinkLimits.DEFAULT),
            network.transportOf(address),
            new CountHorizon(0),
            this);
  }

  /** Starts an agent's links at an address. */
  public static LinksHost start(
      VirtualNetwork network, String id, String address, Membership membership) {
    return start(network, id, address, "", membership);
  }

  /** Starts a host in a named cluster. */
  public static LinksHost start(
      VirtualNetwork network, String id, String address, String cluster, Membership membership) {
    return started(network, new LinksHost(network, id, address, cluster, 0, membership));
  }

  /** Starts a host without a cluster's name, with chunks of this size. */
  public static LinksHost start(
      VirtualNetwork network, String id, String address, int chunkBytes, Membership membership) {
    return started(network, new LinksHost(network, id, address, "", chunkBytes, membership));
  }

  private static LinksHost started(VirtualNetwork network, LinksHost host) {
    network.put(host.address, host);
    host.links.start(network.nowNanos());
    return host;
  }

  public String address() {
    return address;
  }

  public Links links() {
    return links;
  }

  @Nullable
  public Link linkTo(String peer) {
    return links.open(NodeId.of(peer));
  }

  public List<String> peers() {
    return links.open().stream().map(link -> link.peer.toString()).toList();
  }

  public List<String> notices(Severity severity) {
    return notices.stream().filter(n -> n.severity() == severity).map(Notice::text).toList();
  }

  /** {@code "peer: reason"}, oldest first. */
  public List<String> losses() {
    return losses;
  }

  public List<Link> everOpened() {
    return everOpened;
  }

  @Override
  public void controlAccepted(Connection<PeerMessage> connection, long nowNanos) {
    links.accepted(connection, nowNanos);
  }

  @Override
  public void controlReceived(
      Connection<PeerMessage> connection, PeerMessage message, long nowNanos) {
    links.received(connection, message, nowNanos);
  }

  @Override
  public void controlClosed(Connection<PeerMessage> connection, String reason, long nowNanos) {
    links.closed(connection, reason, nowNanos);
  }

  @Override
  public void dataAccepted(Connection<DataMessage> connection, long nowNanos) {
    throw new AssertionError("links have no data streams");
  }

  @Override
  public void dataReceived(Connection<DataMessage> connection, DataMessage message, long nowNanos) {
    throw new AssertionError("links have no data streams");
  }

  @Override
  public void dataClosed(Connection<DataMessage> connection, String reason, long nowNanos) {
    throw new AssertionError("links have no data streams");
  }

  @Override
  public long nextDeadlineNanos() {
    return links.nextDeadlineNanos();
  }

  @Override
  public void tick(long nowNanos) {
    links.tick(nowNanos);
  }

  @Override
  public void memberDiscovered(long nowNanos) {
    // The tree waits for it, the links do not.
  }

  @Override
  public void opened(Link link, long nowNanos) {
    everOpened.add(link);
  }

  @Override
  public void received(Link link, PeerMessage message, long nowNanos) {
    if (!(message instanceof Members)) {
      throw new AssertionError("links alone send no " + message);
    }
  }

  @Override
  public void lost(Link link, String reason, long nowNanos) {
    losses.add(link.peer + ": " + reason);
  }

  /** The other end of each link answers at once, if it is there. */
  @Override
  public void livenessCheckRequested(Link link, long nowNanos) {
    LivenessCheck livenessCheck = link.livenessCheck;
    boolean isThere = !((VirtualNetwork.Stream<?>) link.control).isHalfOpen();
    if (livenessCheck != null && isThere) {
      livenessCheck.received(new PeerMessage.ProbeReply(Long.MAX_VALUE, nowNanos));
    }
  }

  @Override
  public void noticed(Notice notice) {
    notices.add(notice);
  }
}
