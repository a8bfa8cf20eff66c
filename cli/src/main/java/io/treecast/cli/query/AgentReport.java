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
 * @param notReadyReason why not; empty when ready
 * @param members all members that it knows, itself included
 * @param links its links, by peer
 * @param refusal why another agent and it did not link; empty if none was refused since the last
 *     link opened
 * @param refusedMillis how long ago that was
 * @param widestTree its tree by bandwidth, or null
 * @param measuresThroughput whether it has a part in the tree by bandwidth
 * @param sites the sites of members, itself included, where one is configured
 * @param life what it says of its own life
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
    Life life) {
  private static final String NO_WIDEST_TREE = "no tree by bandwidth yet; it has just started";
  private static final String NO_THROUGHPUT =
      "no tree by bandwidth; it measures no throughput (throughput.enabled)";

  /**
   * Returns a copy in which the edges of the tree have the weights that agents report of these
   * links now.
   */
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
        life);
  }

  /** Returns a copy with the tree and the weights of this metric. */
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
        life);
  }

  /** The agent itself, with the address that it tells others. */
  public Member self() {
    return members.stream()
        .filter(member -> member.id().equals(id))
        .findFirst()
        .orElseGet(() -> new Member(id, ""));
  }

  /** The site of the agent itself; null if none is configured. */
  public @Nullable String site() {
    return sites.get(id);
  }

  /**
   * Facts that an agent reports about itself.
   *
   * @param version the release that it runs; empty if the agent does not say
   * @param upMillis for how long it has run
   * @param treeAgeMillis how long ago it committed its tree; 0 without a tree
   * @param lastChange the change that led to that tree; null without a tree
   * @param seeds how many seeds it has
   * @param unansweredSeeds those at which no other agent has ever answered, each with the reason if
   *     known
   * @param unixMillis the clock of its machine; 0 if the agent does not say
   */
  public record Life(
      String version,
      long upMillis,
      long treeAgeMillis,
      @Nullable TreeChange lastChange,
      int seeds,
      List<String> unansweredSeeds,
      long unixMillis) {
    /** Stands for an agent that reports nothing. */
    public static final Life UNKNOWN = new Life("", 0, 0, null, 0, List.of(), 0);

    /** Returns whether it has seeds and no other agent has ever answered at any of them. */
    public boolean hasMetNoSeed() {
      return seeds > 0 && unansweredSeeds.size() == seeds;
    }
  }

  /**
   * Returns when another agent and it did not link last and why; empty where there is nothing to
   * tell.
   */
  public String refusalText() {
    return LinkReport.downText(refusal, refusedMillis);
  }

  /**
   * One of its links.
   *
   * @param peer the other end
   * @param state where it stands
   * @param session counts its sessions; 0 before the first
   * @param rttLeastMicros least round trip of the agent's recent probes; 0 where the other end
   *     probes
   * @param rttLastMicros last round trip; 0 where the other end probes
   * @param weight what both ends agreed on, or null
   * @param treeEdge whether it is an edge of the committed tree
   * @param carriesData whether its data stream is open
   * @param expectation of its round trip; null where the other end probes, and before it is
   *     measured
   * @param quality its jitter and loss; null where the other end probes
   * @param throughput what is expected of it; null where the other end measures, and before it is
   *     measured
   * @param bandwidthWeight what both ends agreed on for the tree by bandwidth, or null
   * @param unheardMillis for how long nobody is known to have heard of the other end; 0 for one
   *     that is linked, or in the committed tree
   * @param site the name of the other end's site; null if none is configured there
   * @param downReason why it was suspended or lost; empty while it is there, and before it ever was
   * @param downMillis for how long that has been so
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
      long unheardMillis,
      @Nullable String site,
      String downReason,
      long downMillis,
      String network) {
    /** Returns where it leads: the address in the network that control uses, if that has a name. */
    public String addressText() {
      String used = NetworkAddresses.byNetwork(peer.address()).get(network);
      return network.isEmpty() || used == null ? peer.address() : used + " (" + network + ")";
    }

    /** Its state for a person; of a member that is absent, for how long. */
    public String stateText() {
      String text = state.name().toLowerCase(Locale.ROOT);
      return unheardMillis == 0 ? text : text + ", absent " + AgeText.of(unheardMillis);
    }

    /** Returns since when it is down and why; empty where there is nothing to tell. */
    public String downText() {
      return downText(downReason, downMillis);
    }

    /** Describes the loss of a link in an agent's answer. */
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
          unheardMillis,
          site,
          downReason,
          downMillis,
          network);
    }
  }
}
