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
import io.treecast.collectives.operation.contract.CombiningCounters;
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
 * @param tree its state in the tree protocol
 * @param links its links, by peer
 * @param seeds the number of its seeds, except its own address
 * @param unansweredSeeds the seeds at which no other agent has ever answered, each with the reason
 *     if known
 * @param refusal the latest reason, for people, why this agent or another refused a link between
 *     them; empty if there was none since the last link opened
 * @param refusedMillis the age of that refusal
 * @param controlMessagesSent the numbers of control messages sent, by type
 * @param startedNanos when it joined the tree protocol; 0 before
 * @param committedNanos when it committed its present tree; 0 before the first
 * @param lastChange the reconfiguration that led to its present tree; null before the first
 * @param widestTree the committed tree by throughput; null if there is none
 * @param measuresThroughput whether it takes part in that tree
 * @param uploadsUseRing whether uploads on the default topic use a ring of all members
 * @param linksWithoutData how often one of its links was ended because data did not pass
 * @param networkChanges how often a link moved to another network of its peer
 * @param broadcast counters of its relay
 * @param publishing counters of broadcasts that were queued or refused
 * @param sentByShortcut the small broadcasts that it sent ahead of the tree, counted for each
 *     receiver
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
    boolean uploadsUseRing,
    long linksWithoutData,
    long networkChanges,
    BroadcastCounters broadcast,
    PublishCounters publishing,
    long sentByShortcut,
    CombiningCounters collectives,
    ValuesCounters values) {

  /** All types of control messages: those of the tree automaton, and WeightUpdate. */
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
   * @param session the number of its session; 0 before the first
   * @param rttMinMicros the least round trip of this end's recent probes; 0 if the other end probes
   * @param rttLastMicros the last round trip; 0 if the other end probes
   * @param weight the agreed weight, or null
   * @param treeEdge whether it is an edge of the committed tree
   * @param carriesData whether its data stream is open
   * @param expectation the forecast of its round trip; null if the other end probes, and before the
   *     first measurement
   * @param quality its jitter and loss; null if the other end probes
   * @param throughput the forecast of its throughput; null if the other end measures, and before
   *     the first measurement
   * @param bandwidthWeight the agreed weight in the tree by throughput, or null; its cost is a
   *     {@link io.treecast.monitor.throughput.BandwidthWeight}
   * @param absentMillis the time since any member last had contact with the other end; 0 if it is
   *     linked, or in the committed tree
   * @param site the name of the other end's site; null if none is configured
   * @param downReason why it was suspended or lost, for people; empty while it is open, and before
   *     it first opened
   * @param downMillis the time since then
   * @param network the name of the other end's network that the control stream uses; null if the
   *     network has no name
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
      long absentMillis,
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
    return links.isWanted(unlinked) ? LinkState.DIALING : LinkState.UNLINKED;
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
        TimeUnit.NANOSECONDS.toMillis(known.absentNanos(member.id(), nowNanos)),
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
      long sentByShortcut,
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
        widestTree.isRound(),
        links.dataPauses().begun(),
        networkChanges,
        broadcast,
        publishing,
        sentByShortcut,
        collectives,
        values);
  }
}
