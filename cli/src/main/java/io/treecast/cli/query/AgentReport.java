package io.treecast.cli.query;

import io.treecast.agent.core.contract.LinkState;
import io.treecast.agent.core.message.Member;
import io.treecast.ghs.Edge;
import io.treecast.ghs.LinkWeight;
import io.treecast.ghs.NodeId;
import io.treecast.mst.CommittedTree;
import io.treecast.proto.v1.Expectation;
import io.treecast.proto.v1.LinkQuality;
import io.treecast.proto.v1.ThroughputExpectation;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * What an agent answers when it is asked where it stands. Immutable.
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
    Map<NodeId, String> sites) {
  private static final String NO_WIDEST_TREE = "no tree by bandwidth yet; it has just started";
  private static final String NO_THROUGHPUT =
      "no tree by bandwidth; it measures no throughput (throughput.enabled)";

  /** The same, where the edges of its tree weigh what agents report of these links now. */
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
        sites);
  }

  /** The same, where its tree and what links weigh are those of this metric. */
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
        sites);
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
      long downMillis) {
    /** Its state for a person; of a member that is absent, for how long. */
    public String stateText() {
      String text = state.name().toLowerCase(Locale.ROOT);
      return unheardMillis == 0 ? text : text + ", absent " + age(unheardMillis);
    }

    /** Returns since when it is down and why; empty where there is nothing to tell. */
    public String downText() {
      return downText(downReason, downMillis);
    }

    /** The same of what an agent answered. */
    public static String downText(String reason, long millis) {
      return reason.isEmpty() ? "" : age(millis) + " ago: " + reason;
    }

    /** In the largest unit of which there are two at least. */
    private static String age(long millis) {
      Duration age = Duration.ofMillis(millis);
      if (age.toDays() > 1) {
        return age.toDays() + " d";
      }
      if (age.toHours() > 1) {
        return age.toHours() + " h";
      }
      return age.toMinutes() > 1 ? age.toMinutes() + " min" : age.toSeconds() + " s";
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
          downMillis);
    }
  }
}
