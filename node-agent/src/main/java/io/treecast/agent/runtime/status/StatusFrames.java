package io.treecast.agent.runtime.status;

import io.treecast.agent.core.AgentSnapshot;
import io.treecast.agent.core.AgentSnapshot.LinkView;
import io.treecast.agent.core.LinkExplanation;
import io.treecast.agent.core.contract.TreeChange;
import io.treecast.agent.core.message.Member;
import io.treecast.agent.core.message.NetworkAddresses;
import io.treecast.agent.wire.value.ValueCodec;
import io.treecast.collectives.broadcast.contract.TopicUse;
import io.treecast.monitor.probe.LinkQuality;
import io.treecast.monitor.throughput.ThroughputExpectation;
import io.treecast.monitor.weight.Expectation;
import io.treecast.proto.v1.AgreedWeight;
import io.treecast.proto.v1.ExplainLinkResponse;
import io.treecast.proto.v1.GetStatusResponse;
import io.treecast.proto.v1.Link;
import io.treecast.proto.v1.LinkDecision;
import io.treecast.proto.v1.LinkState;
import io.treecast.proto.v1.ListLinksResponse;
import io.treecast.proto.v1.ListTopicsResponse;
import io.treecast.proto.v1.TreeStatus;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Converts an agent's state into frames for applications and operators. Stateless; for any thread.
 */
public final class StatusFrames {
  private StatusFrames() {}

  public static TreeStatus treeStatus(AgentSnapshot snapshot) {
    TreeStatus.Builder status =
        TreeStatus.newBuilder()
            .setNodeId(snapshot.self().id().toString())
            .setReady(snapshot.tree().ready())
            .setNotReadyReason(snapshot.tree().reason());
    if (snapshot.tree().tree() != null) {
      status.setTree(ValueCodec.encode(snapshot.tree().tree()));
    }
    TreeChange change = snapshot.lastChange();
    if (change != null) {
      status.setChange(change(change, Integer.MAX_VALUE));
    }
    return status.build();
  }

  /**
   * Returns the change that led to a tree.
   *
   * @param mostEdges the limit of removed edges and of added edges that are named
   */
  public static io.treecast.proto.v1.TreeChange change(TreeChange change, int mostEdges) {
    io.treecast.proto.v1.TreeChange.Builder frame =
        io.treecast.proto.v1.TreeChange.newBuilder()
            .setVersionBefore(change.versionBefore())
            .setDurationMicros(TimeUnit.NANOSECONDS.toMicros(change.durationNanos()))
            .setMessagesSent(change.messagesSent());
    change.causes().forEach(cause -> frame.addCauses(cause.label()));
    change.removed().stream()
        .limit(mostEdges)
        .forEach(edge -> frame.addRemoved(ValueCodec.encode(edge)));
    change.added().stream()
        .limit(mostEdges)
        .forEach(edge -> frame.addAdded(ValueCodec.encode(edge)));
    return frame.build();
  }

  /**
   * Returns the status for an operator.
   *
   * @param startedNanos the agent's start
   * @param nowNanos the present time, by the same clock
   */
  public static GetStatusResponse status(AgentSnapshot snapshot, long startedNanos, long nowNanos) {
    GetStatusResponse.Builder status =
        GetStatusResponse.newBuilder()
            .setTree(treeStatus(snapshot))
            .addMembers(member(snapshot.self(), snapshot.site()))
            .setThroughputDisabled(!snapshot.measuresThroughput())
            .setVersion(BuildVersion.version())
            .setUpMillis(TimeUnit.NANOSECONDS.toMillis(nowNanos - startedNanos))
            .setUnixMillis(System.currentTimeMillis())
            .setSeeds(snapshot.seeds())
            .addAllUnansweredSeeds(snapshot.unansweredSeeds());
    if (snapshot.tree().tree() != null) {
      status.setTreeAgeMillis(
          Math.max(1, TimeUnit.NANOSECONDS.toMillis(nowNanos - snapshot.committedNanos())));
    }
    if (snapshot.widestTree() != null) {
      status.setWidestTree(ValueCodec.encode(snapshot.widestTree()));
    }
    snapshot.links().forEach(link -> status.addMembers(member(link.peer(), link.site())));
    return status.build();
  }

  private static io.treecast.proto.v1.Member member(Member member, @Nullable String site) {
    io.treecast.proto.v1.Member encoded = ValueCodec.encode(member);
    return site == null ? encoded : encoded.toBuilder().setSite(site).build();
  }

  /** Returns the topics for an operator. */
  public static ListTopicsResponse topics(List<TopicUse> topics) {
    ListTopicsResponse.Builder response = ListTopicsResponse.newBuilder();
    for (TopicUse use : topics) {
      io.treecast.proto.v1.TopicUse.Builder frame =
          response
              .addTopicsBuilder()
              .setTopic(use.topic())
              .setSubscriptions(use.subscriptions())
              .setPublished(use.published());
      use.wantedBy().forEach(neighbour -> frame.addWantedBy(neighbour.toString()));
    }
    return response.build();
  }

  public static ListLinksResponse links(AgentSnapshot snapshot) {
    ListLinksResponse.Builder links =
        ListLinksResponse.newBuilder()
            .setRefusal(snapshot.refusal())
            .setRefusedMillis(snapshot.refusedMillis());
    snapshot.links().forEach(link -> links.addLinks(link(link)));
    return links.build();
  }

  private static Link link(LinkView view) {
    Link.Builder link =
        Link.newBuilder()
            .setPeer(view.peer().id().toString())
            .setAddress(NetworkAddresses.primary(view.peer().address()))
            .addAllNetworks(ValueCodec.networks(view.peer().address()))
            .setState(
                switch (view.state()) {
                  case DIALING -> LinkState.LINK_STATE_DIALING;
                  case MEASURING -> LinkState.LINK_STATE_MEASURING;
                  case UP -> LinkState.LINK_STATE_UP;
                  case SUSPENDED -> LinkState.LINK_STATE_SUSPENDED;
                  case NO_DATA -> LinkState.LINK_STATE_NO_DATA;
                  case UNLINKED -> LinkState.LINK_STATE_UNLINKED;
                })
            .setSession(view.session())
            .setRttMinMicros(view.rttMinMicros())
            .setRttLastMicros(view.rttLastMicros())
            .setTreeEdge(view.treeEdge())
            .setCarriesData(view.carriesData())
            .setAbsentMillis(view.absentMillis())
            .setDownReason(view.downReason())
            .setDownMillis(view.downMillis());
    if (view.weight() != null) {
      link.setWeight(ValueCodec.encode(view.weight()));
    }
    if (view.expectation() != null) {
      link.setExpectation(expectation(view.expectation()));
    }
    if (view.bandwidthWeight() != null) {
      link.setBandwidthWeight(ValueCodec.encode(view.bandwidthWeight()));
    }
    if (view.site() != null) {
      link.setSite(view.site());
    }
    if (view.network() != null) {
      link.setNetwork(view.network());
    }
    LinkQuality quality = view.quality();
    if (quality != null) {
      link.getQualityBuilder()
          .setJitterMicros(quality.jitterMicros())
          .setLossPercent(quality.lossPercent())
          .setDiscardedPercent(quality.discardedPercent());
    }
    ThroughputExpectation throughput = view.throughput();
    if (throughput != null) {
      link.getThroughputBuilder()
          .setMeasuredKbps(throughput.measuredKbps())
          .setForecastKbps(throughput.forecastKbps())
          .setErrorKbps(throughput.errorKbps())
          .setForecaster(throughput.forecaster())
          .setMeasurements(throughput.measurements())
          .setRemembered(throughput.remembered());
    }
    return link.build();
  }

  private static io.treecast.proto.v1.Expectation expectation(Expectation expectation) {
    return io.treecast.proto.v1.Expectation.newBuilder()
        .setMeasuredMicros(expectation.measuredMicros())
        .setForecastMicros(expectation.forecastMicros())
        .setErrorMicros(expectation.errorMicros())
        .setForecaster(expectation.forecaster())
        .setConfidence(expectation.confidence())
        .setMeasurements(expectation.measurements())
        .build();
  }

  public static ExplainLinkResponse explanation(LinkExplanation explanation) {
    ExplainLinkResponse.Builder frame =
        ExplainLinkResponse.newBuilder().setLink(link(explanation.link()));
    if (explanation.heaviest() != null) {
      frame.setHeaviestOnPath(ValueCodec.encode(explanation.heaviest()));
    }
    LinkExplanation.Decision decision = explanation.decision();
    if (decision != null) {
      LinkDecision.Builder encoded =
          frame
              .getDecisionBuilder()
              .setTurningPointMicros(decision.turningPointMicros())
              .setPenalty(decision.penalty())
              .setDamped(decision.damped())
              .setDampedForMicros(TimeUnit.NANOSECONDS.toMicros(decision.dampedForNanos()));
      decision.measurementsToGo().ifPresent(encoded::setMeasurementsToGo);
    }
    if (explanation.turningPointKbps() > 0) {
      frame.getDecisionBuilder().setTurningPointKbps(explanation.turningPointKbps());
    }
    explanation
        .weights()
        .forEach(
            weight ->
                frame.addWeights(
                    AgreedWeight.newBuilder()
                        .setCost(weight.cost())
                        .setAgeMicros(TimeUnit.NANOSECONDS.toMicros(weight.ageNanos()))));
    return frame.build();
  }
}
