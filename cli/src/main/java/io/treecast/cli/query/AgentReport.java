package io.treecast.cli.query;

import io.treecast.agent.core.contract.LinkState;
import io.treecast.agent.core.message.Member;
import io.treecast.agent.core.message.NetworkAddresses;
import io.treecast.cli.console.AgeText;
import io.treecast.ghs.Edge;
import io.treecast.ghs.LinkWeight;
import io.treecast.ghs.NodeId;
import io.treecast.mst.CommittedTree;
import io.treecast.proto.v1.Expectation;
import io.treecast.proto.v1.LinkQuality;
import io.treecast.proto.v1.ThroughputExpectation;
import io.treecast.proto.v1.TreeChange;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * An agent's report of its state. Immutable.
 *
 * @param id the agent
 * @param tree its committed tree, or null
 * @param ready whether it can broadcast
 * @param notReadyReason the reason if it is not ready; empty otherwise
 * @param members all known members, itself included
 * @param links its links, by peer
 * @param refusal the reason of the latest refused link; empty if none was refused since the last
 *     link opened
 * @param refusedMillis the time since the refusal
 * @param widestTree its widest tree, or null
 * @param measuresThroughput whether it takes part in the widest tree
 * @param sites the configured sites of members, itself included
 * @param selfReport facts about itself
 */
public record AgentReport(
    NodeId id,
    @Nullable CommittedTree tree,
    boolean ready,
    String notReadyReason,
    List<Member> members,
    List<LinkReport> links,
    String refusal,
    long refusedMillis,
    @Nullable CommittedTree widestTree,
    boolean measuresThroughput,
    Map<NodeId, String> sites,
    SelfReport selfReport) {
  private static final String NO_WIDEST_TREE = "no tree by bandwidth yet; it has just started";
  private static final String NO_THROUGHPUT =
      "no tree by bandwidth; it measures no throughput (throughput.enabled)";

  /** Returns a copy whose tree has the present weights of the edges, from the reports of agents. */
  public AgentReport weighedBy(List<AgentReport> reports) {
    Map<Edge, LinkWeight> present = new HashMap<>();
    for (AgentReport report : reports) {
      for (LinkReport link : report.links) {
        LinkWeight weight = link.weight;
        if (weight != null) {
          present.put(Edge.between(weight.low(), weight.high()), weight);
        }
      }
    }
    CommittedTree committed = tree;
    if (committed == null) {
      return this;
    }
    List<LinkWeight> edges =
        committed.edges().stream()
            .map(edge -> present.getOrDefault(Edge.between(edge.low(), edge.high()), edge))
            .toList();
    CommittedTree weighed = new CommittedTree(committed.version(), committed.root(), edges);
    return new AgentReport(
        id,
        weighed,
        ready,
        notReadyReason,
        members,
        links,
        refusal,
        refusedMillis,
        widestTree,
        measuresThroughput,
        sites,
        selfReport);
  }

  /** Returns a copy with the tree and the weights of a metric. */
  public AgentReport by(MetricText metric) {
    if (metric == MetricText.LATENCY) {
      return this;
    }
    return new AgentReport(
        id,
        widestTree,
        widestTree != null,
        widestTree != null ? "" : measuresThroughput ? NO_WIDEST_TREE : NO_THROUGHPUT,
        members,
        links.stream().map(LinkReport::byBandwidth).toList(),
        refusal,
        refusedMillis,
        widestTree,
        measuresThroughput,
        sites,
        selfReport);
  }

  /** Returns the agent itself with its advertised address. */
  public Member self() {
    return members.stream()
        .filter(member -> member.id().equals(id))
        .findFirst()
        .orElseGet(() -> new Member(id, ""));
  }

  /** Returns the site of the agent; null if none is configured. */
  public @Nullable String site() {
    return sites.get(id);
  }

  /**
   * Facts that an agent reports about itself.
   *
   * @param version its release; empty if not reported
   * @param upMillis the time since its start
   * @param treeAgeMillis the time since the commit of its tree; 0 without a tree
   * @param lastChange the change that led to the tree; null without a tree
   * @param seeds the number of its seeds
   * @param unansweredSeeds the seeds at which no other agent has ever answered, each with the
   *     reason if known
   * @param unixMillis the clock of its machine; 0 if not reported
   */
  public record SelfReport(
      String version,
      long upMillis,
      long treeAgeMillis,
      @Nullable TreeChange lastChange,
      int seeds,
      List<String> unansweredSeeds,
      long unixMillis) {
    /** The report of an agent without facts. */
    public static final SelfReport UNKNOWN = new SelfReport("", 0, 0, null, 0, List.of(), 0);

    /** Returns whether it has seeds, but no other agent has ever answered at any of them. */
    public boolean hasNoSeedAnswered() {
      return seeds > 0 && unansweredSeeds.size() == seeds;
    }
  }

  /** Returns the time and the reason of the latest refused link; empty without one. */
  public String refusalText() {
    return LinkReport.downText(refusal, refusedMillis);
  }

  /**
   * One of its links.
   *
   * @param peer the other end
   * @param state its state
   * @param session the number of its session; 0 before the first
   * @param rttLeastMicros the least round trip of recent probes; 0 if the other end probes
   * @param rttLastMicros the last round trip; 0 if the other end probes
   * @param weight the agreed weight, or null
   * @param treeEdge whether it is an edge of the committed tree
   * @param carriesData whether its data stream is open
   * @param expectation the forecast of its round trip; null if the other end probes, or before the
   *     first measurement
   * @param quality its jitter and loss; null if the other end probes
   * @param throughput the forecast of its throughput; null if the other end measures, or before the
   *     first measurement
   * @param bandwidthWeight the agreed weight for the widest tree, or null
   * @param absentMillis the time since any agent is known to have heard from the other end; 0 if it
   *     is linked, or in the committed tree
   * @param site the name of the other end's site; null if none is configured
   * @param downReason the reason why it was suspended or lost; empty while it is up, and before its
   *     first session
   * @param downMillis the time since then
   * @param network the network that control uses; empty if it has no name
   */
  public record LinkReport(
      Member peer,
      LinkState state,
      long session,
      long rttLeastMicros,
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
      String network) {
    /**
     * Returns the address of the other end: that in the network that control uses, if the network
     * has a name.
     */
    public String addressText() {
      String used = NetworkAddresses.byNetwork(peer.address()).get(network);
      return network.isEmpty() || used == null ? peer.address() : used + " (" + network + ")";
    }

    /** Returns the state for people, with the time of absence of an absent member. */
    public String stateText() {
      String text = state.name().toLowerCase(Locale.ROOT);
      return absentMillis == 0 ? text : text + ", absent " + AgeText.of(absentMillis);
    }

    /** Returns the time and the reason of the loss; empty if the link was not lost. */
    public String downText() {
      return downText(downReason, downMillis);
    }

    /** Returns the time and the reason of a loss, for people. */
    public static String downText(String reason, long millis) {
      return reason.isEmpty() ? "" : AgeText.of(millis) + " ago: " + reason;
    }

    private LinkReport byBandwidth() {
      return new LinkReport(
          peer,
          state,
          session,
          rttLeastMicros,
          rttLastMicros,
          bandwidthWeight,
          treeEdge,
          carriesData,
          expectation,
          quality,
          throughput,
          bandwidthWeight,
          absentMillis,
          site,
          downReason,
          downMillis,
          network);
    }
  }
}
