package io.treecast.agent.core;

import io.treecast.agent.core.contract.Connection;
import io.treecast.agent.core.contract.Notice;
import io.treecast.agent.core.contract.Transport;
import io.treecast.agent.core.link.Lateness;
import io.treecast.agent.core.link.Link;
import io.treecast.agent.core.link.Links;
import io.treecast.agent.core.measure.Heartbeats;
import io.treecast.agent.core.measure.Measurement;
import io.treecast.agent.core.measure.Pace;
import io.treecast.agent.core.message.CountHorizon;
import io.treecast.agent.core.message.DataMessage;
import io.treecast.agent.core.message.Membership;
import io.treecast.agent.core.message.PeerMessage;
import io.treecast.agent.core.message.PeerMessage.Hello;
import io.treecast.agent.core.message.PeerMessage.Tree;
import io.treecast.agent.core.settings.CoreConfig;
import io.treecast.agent.core.settings.LinkLimits;
import io.treecast.agent.core.tree.TreeDriver;
import io.treecast.agent.core.tree.WidestTree;
import io.treecast.ghs.ConnectId;
import io.treecast.ghs.FragmentId;
import io.treecast.ghs.GhsMessage.Connect;
import io.treecast.ghs.GhsMessage.Initiate;
import io.treecast.ghs.LinkWeight;
import io.treecast.ghs.MemberList;
import io.treecast.ghs.NodeId;
import io.treecast.ghs.Rank;
import io.treecast.ghs.Round;
import io.treecast.ghs.TreeViolation;
import io.treecast.monitor.probe.LinkProbe;
import io.treecast.monitor.probe.ProbePolicy;
import io.treecast.mst.CommittedTree;
import io.treecast.mst.CommittedView;
import io.treecast.mst.MstMessage.Commit;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * The measured links of an agent called h1, with what decides how often they are probed, for tests
 * that say when that is. The first neighbour is the root of each tree, which is a star around it.
 */
public final class PacedLinks {
  static final NodeId SELF = NodeId.of("h1");

  private static final long INCARNATION = 77;
  private static final long RTT_NANOS = 1_000_000;

  private final Map<NodeId, RecordingConnection<PeerMessage>> controls = new TreeMap<>();
  private final NodeId root;
  private final CoreConfig config;
  private final Links links;
  private final TreeDriver tree;
  private final Pace pace;
  private final Heartbeats heartbeats;
  private final ConnectId edgeToRoot;
  private int searches;
  private long nowNanos;

  /** Links that are measured at time 0, the later ones taking longer; there is no tree yet. */
  public PacedLinks(String... neighbours) {
    Hello self = new Hello(SELF, INCARNATION, "h1:1");
    this.config = TestConfig.of(self, Membership.discovered(List.of()), LinkLimits.DEFAULT);
    this.links = new Links(self, config, new NoTransport(), new CountHorizon(0), new NoEvents());
    this.tree = new TreeDriver(config, links, new Lateness(), change -> {});
    this.pace = new Pace(config, links, tree);
    this.heartbeats = new Heartbeats(SELF, links, pace, new Lateness());
    this.root = NodeId.of(neighbours[0]);
    tree.start(nowNanos);
    for (String name : neighbours) {
      RecordingConnection<PeerMessage> control = new RecordingConnection<>(name + ":9");
      controls.put(NodeId.of(name), control);
      links.opened(
          new Hello(NodeId.of(name), INCARNATION, name + ":1"), 1, control, null, nowNanos);
    }
    long rttMicros = 0;
    for (String name : neighbours) {
      rttMicros += 1_000;
      measure(link(name), rttMicros);
    }
    this.edgeToRoot =
        takeSent(neighbours[0]).stream()
            .filter(message -> message instanceof Tree tree && tree.message() instanceof Connect)
            .map(message -> ((Connect) ((Tree) message).message()).id())
            .findFirst()
            .orElseThrow();
  }

  private void measure(Link link, long rttMicros) {
    if (link.isOwnedBy(SELF)) {
      link.probe = new LinkProbe(ProbePolicy.DEFAULT, Duration.ZERO, nowNanos);
    }
    link.agreed(LinkWeight.between(SELF, link.peer, rttMicros), nowNanos);
    tree.measured(link, LinkWeight.between(SELF, link.peer, rttMicros), nowNanos);
  }

  public Pace pace() {
    return pace;
  }

  public Heartbeats heartbeats() {
    return heartbeats;
  }

  public Link link(String neighbour) {
    Link link = links.open(NodeId.of(neighbour));
    if (link == null) {
      throw new AssertionError("no link to " + neighbour);
    }
    return link;
  }

  /** Opens the link to a neighbour again, dialed by this end at an address, or by the other end. */
  Link reopen(String neighbour, @Nullable String dialedAddress) {
    tree.lost(link(neighbour), nowNanos);
    RecordingConnection<PeerMessage> control = new RecordingConnection<>(neighbour + ":9");
    controls.put(NodeId.of(neighbour), control);
    Hello hello = new Hello(NodeId.of(neighbour), INCARNATION, neighbour + ":1");
    links.opened(hello, 2, control, dialedAddress, nowNanos);
    return link(neighbour);
  }

  /** Returns a measurement of these links, with a pace of its own. */
  Measurement measurement() {
    WidestTree widestTree = new WidestTree(config, links, tree);
    return new Measurement(
        config,
        links,
        tree,
        widestTree,
        new Lateness(),
        notice -> {},
        (peer, resource, value) -> {});
  }

  /** Returns the messages sent on a link since the last call. */
  public List<PeerMessage> takeSent(String neighbour) {
    RecordingConnection<PeerMessage> control = controls.get(NodeId.of(neighbour));
    if (control == null) {
      throw new AssertionError("no link to " + neighbour);
    }
    return control.takeSent();
  }

  public long nowNanos() {
    return nowNanos;
  }

  public void pass(long millis) {
    nowNanos += Duration.ofMillis(millis).toNanos();
  }

  public void passTo(long nanos) {
    nowNanos = nanos;
  }

  /** The root commits a tree of itself, this agent and the others, which {@link Pace} follows. */
  public void commit(String... others) {
    if (searches > 0) {
      search();
    }
    searches = Math.max(searches, 1);
    List<LinkWeight> edges = new ArrayList<>();
    edges.add(LinkWeight.between(SELF, root, 1_000));
    for (String other : others) {
      edges.add(LinkWeight.between(NodeId.of(other), root, 1));
    }
    CommittedView view =
        new CommittedView(round(), new CommittedTree(searches, root, edges), Set.of());
    receive(new Tree(new Commit(edgeToRoot, view, searches == 1)));
    pace.follow();
  }

  /** The root begins another search: a change of the tree is under way. */
  public void search() {
    searches++;
    receive(
        new Tree(
            new Initiate(
                edgeToRoot, round(), MemberList.of(List.of(root, SELF)), new TreeSet<>())));
  }

  private Round round() {
    return new Round(new FragmentId(new Rank(0, 1), root, INCARNATION, 1), Math.max(searches, 1));
  }

  private void receive(Tree message) {
    try {
      tree.received(link(root.toString()), message.message(), nowNanos);
    } catch (TreeViolation violation) {
      throw new AssertionError(violation);
    }
  }

  /** Sends so many probes on a link of this agent's, each when it is due and answered soon. */
  public void probe(String neighbour, int count) {
    Link link = link(neighbour);
    LinkProbe probe = link.probe;
    if (probe == null) {
      throw new AssertionError(neighbour + " owns the link");
    }
    for (int sent = 0; sent < count; ) {
      nowNanos = Math.max(nowNanos, probe.nextDeadlineNanos());
      OptionalLong number = probe.tick(nowNanos);
      if (number.isPresent()) {
        sent++;
        pace.probed(link, probe, nowNanos);
        probe.replied(number.getAsLong(), nowNanos + RTT_NANOS);
      }
    }
  }

  private static final class NoTransport implements Transport {
    @Override
    public Connection<PeerMessage> dialControl(String address) {
      throw new AssertionError("dialed " + address);
    }

    @Override
    public Connection<DataMessage> dialData(String address) {
      throw new AssertionError("dialed " + address);
    }
  }

  private static final class NoEvents implements Links.Events {
    @Override
    public void memberDiscovered(long nowNanos) {}

    @Override
    public void opened(Link link, long nowNanos) {}

    @Override
    public void received(Link link, PeerMessage message, long nowNanos) {}

    @Override
    public void lost(Link link, String reason, long nowNanos) {}

    @Override
    public void livenessCheckRequested(Link link, long nowNanos) {}

    @Override
    public void noticed(Notice notice) {}
  }
}
