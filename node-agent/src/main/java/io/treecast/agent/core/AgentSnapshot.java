package io.treecast.agent.core;

import io.treecast.agent.core.contract.LinkState;
import io.treecast.agent.core.contract.PublishCounters;
import io.treecast.agent.core.contract.TreeChange;
import io.treecast.agent.core.contract.TreeStatus;
import io.treecast.agent.core.link.KnownMembers;
import io.treecast.agent.core.link.Link;
import io.treecast.agent.core.link.Links;
import io.treecast.agent.core.message.Member;
import io.treecast.agent.core.tree.TreeDriver;
import io.treecast.agent.core.tree.WidestTree;
import io.treecast.collectives.broadcast.BroadcastCounters;
import io.treecast.collectives.operation.CombiningCounters;
import io.treecast.collectives.values.ValuesCounters;
import io.treecast.ghs.LinkWeight;
import io.treecast.ghs.NodeId;
import io.treecast.monitor.probe.LinkQuality;
import io.treecast.monitor.throughput.ThroughputExpectation;
import io.treecast.monitor.weight.Expectation;
import io.treecast.mst.CommittedTree;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * The state of an agent at one moment. Immutable.
 *
 * @param self the agent
 * @param site the name of its site; null if none is configured
 * @param tree its tree protocol
 * @param links its links, by peer
 * @param seeds how many seeds it has, its own address not counted
 * @param unansweredSeeds those at which no agent but this one has ever answered, each with the
 *     reason if it is known
 * @param refusal why another agent and this one did not link, as either said, for a person; empty
 *     if none has since the last link opened
 * @param refusedMillis how long ago that was
 * @param controlMessagesSent control messages that it sent, by type
 * @param startedNanos when it began to take part in the tree; 0 before
 * @param committedNanos when it committed its tree; 0 before the first
 * @param lastChange the reconfiguration that led to its tree, or null before the first
 * @param widestTree the tree by bandwidth that it has committed, or null
 * @param measuresThroughput whether it takes part in that tree
 * @param linksWithoutData how often either end ended one of its links because data did not pass
 * @param networkChanges how often a link moved to another network of the other end
 * @param broadcast counters of its relay
 * @param publishing counters of broadcasts that were not sent at once
 * @param sentAhead small broadcasts that it sent ahead of the tree, once for each receiver
 * @param collectives counters of collective operations
 * @param values counters of shared values
 */
public record AgentSnapshot(
    Member self,
    @Nullable String site,
    TreeStatus tree,
    List<LinkView> links,
    int seeds,
    List<String> unansweredSeeds,
    String refusal,
    long refusedMillis,
    Map<String, Long> controlMessagesSent,
    long startedNanos,
    long committedNanos,
    @Nullable TreeChange lastChange,
    @Nullable CommittedTree widestTree,
    boolean measuresThroughput,
    long linksWithoutData,
    long networkChanges,
    BroadcastCounters broadcast,
    PublishCounters publishing,
    long sentAhead,
    CombiningCounters collectives,
    ValuesCounters values) {

  /** All types of control messages: the automaton's, and the one that tells a new weight. */
  public static final List<String> CONTROL_MESSAGE_TYPES =
      List.of(
          "Hello",
          "Initiate",
          "Report",
          "ChangeRoot",
          "Connect",
          "Nack",
          "Cancel",
          "Decline",
          "Commit",
          "Cut",
          "Failure",
          "Wake",
          "CutOrder",
          "Refuse",
          "WeightUpdate");

  /**
   * One link.
   *
   * @param peer the other end
   * @param state its state
   * @param session counts its sessions; 0 before the first
   * @param rttMinMicros least round trip of this end's recent probes; 0 where the other end probes
   * @param rttLastMicros last round trip; 0 where the other end probes
   * @param weight the agreed weight, or null
   * @param treeEdge whether it is an edge of the committed tree
   * @param carriesData whether its data stream is open
   * @param expectation the forecast of its round trip; null where the other end probes, and before
   *     it is measured
   * @param quality its jitter and loss; null where the other end probes
   * @param throughput the forecast of its throughput; null where the other end measures, and before
   *     it is measured
   * @param bandwidthWeight the agreed weight for the tree by bandwidth, or null; its value is one
   *     of {@link io.treecast.monitor.throughput.BandwidthWeight}
   * @param unheardMillis how long ago the other end was last heard of by any member; 0 if it is
   *     linked, or in the committed tree
   * @param site the name of the other end's site; null if none is configured there
   * @param downReason why it was suspended or lost, for people; empty while it is there, and before
   *     it ever was
   * @param downMillis for how long that has been so
   * @param network the name of the other end's network that control uses; null if it has none
   */
  public record LinkView(
      Member peer,
      LinkState state,
      long session,
      long rttMinMicros,
      long rttLastMicros,
      @Nullable LinkWeight weight,
      boolean treeEdge,
      boolean carriesData,
      @Nullable Expectation expectation,
      @Nullable LinkQuality quality,
      @Nullable ThroughputExpectation throughput,
      @Nullable LinkWeight bandwidthWeight,
      long unheardMillis,
      @Nullable String site,
      String downReason,
      long downMillis,
      @Nullable String network) {}

  /** Returns whether the agent is ready and the data streams of all its tree edges are open. */
  public boolean carriesBroadcasts() {
    return tree.ready() && links.stream().allMatch(link -> !link.treeEdge() || link.carriesData());
  }

  private static LinkState state(Link link) {
    if (link.suspended) {
      return LinkState.SUSPENDED;
    }
    return link.weight == null ? LinkState.MEASURING : LinkState.UP;
  }

  private static LinkState state(Links links, NodeId unlinked, long nowNanos) {
    if (links.dataPauses().isPaused(unlinked, nowNanos)) {
      return LinkState.NO_DATA;
    }
    return links.wants(unlinked) ? LinkState.DIALING : LinkState.UNLINKED;
  }

  static LinkView view(
      Link link, boolean treeEdge, @Nullable LinkWeight bandwidthWeight, long nowNanos) {
    return new LinkView(
        new Member(link.peer, link.address),
        state(link),
        link.session,
        link.probe == null ? 0 : link.probe.rttMinMicros(),
        link.probe == null ? 0 : link.probe.rttLastMicros(),
        link.weight,
        treeEdge,
        link.dataAttached,
        link.forecast == null ? null : link.forecast.expectation(),
        link.probe == null ? null : link.quality.quality(nowNanos),
        link.throughput == null ? null : link.throughput.expectation(),
        bandwidthWeight,
        0,
        link.site,
        link.suspended ? link.suspendedReason : "",
        link.suspended ? TimeUnit.NANOSECONDS.toMillis(nowNanos - link.suspendedNanos) : 0,
        link.control.network());
  }

  private static LinkView viewWithoutLink(
      Member member, KnownMembers known, LinkState state, boolean treeEdge, long nowNanos) {
    KnownMembers.Loss loss = known.loss(member.id());
    return new LinkView(
        member,
        state,
        0,
        0,
        0,
        null,
        treeEdge,
        false,
        null,
        null,
        null,
        null,
        TimeUnit.NANOSECONDS.toMillis(known.unheardNanos(member.id(), nowNanos)),
        known.site(member.id()),
        loss == null ? "" : loss.reason(),
        loss == null ? 0 : TimeUnit.NANOSECONDS.toMillis(nowNanos - loss.nanos()),
        null);
  }

  static AgentSnapshot of(
      TreeStatus status,
      Links links,
      TreeDriver driver,
      WidestTree widestTree,
      long networkChanges,
      BroadcastCounters broadcast,
      PublishCounters publishing,
      long sentAhead,
      CombiningCounters collectives,
      ValuesCounters values,
      long nowNanos) {
    Member self = links.known().self();
    CommittedTree tree = status.tree();
    List<NodeId> treeNeighbours = tree == null ? List.of() : tree.neighbours(self.id());
    TreeMap<NodeId, Member> known = new TreeMap<>();
    links.known().all().forEach(member -> known.put(member.id(), member));
    links.open().forEach(link -> known.put(link.peer, new Member(link.peer, link.address)));
    List<LinkView> views = new ArrayList<>();
    for (Member member : known.values()) {
      Link link = links.open(member.id());
      boolean isEdge = treeNeighbours.contains(member.id());
      views.add(
          link == null
              ? viewWithoutLink(
                  member, links.known(), state(links, member.id(), nowNanos), isEdge, nowNanos)
              : view(link, isEdge, widestTree.weight(member.id()), nowNanos));
    }
    String refusal = links.lastRefusal();
    return new AgentSnapshot(
        self,
        links.known().site(self.id()),
        status,
        List.copyOf(views),
        links.seedCount(),
        links.unansweredSeeds(),
        refusal,
        refusal.isEmpty() ? 0 : TimeUnit.NANOSECONDS.toMillis(nowNanos - links.lastRefusedNanos()),
        Map.copyOf(driver.messagesSent()),
        driver.startedNanos(),
        driver.committedNanos(),
        driver.lastChange(),
        widestTree.tree(),
        widestTree.isEnabled(),
        links.dataPauses().begun(),
        networkChanges,
        broadcast,
        publishing,
        sentAhead,
        collectives,
        values);
  }
}
