package io.treecast.cli.links;

import io.treecast.agent.core.message.Member;
import io.treecast.agent.runtime.status.LinkReason;
import io.treecast.cli.console.CommandFailure;
import io.treecast.cli.console.ExitCode;
import io.treecast.cli.console.OutputOption;
import io.treecast.cli.query.AgentInquiry;
import io.treecast.cli.query.AgentOption;
import io.treecast.cli.query.AgentReport.LinkReport;
import io.treecast.cli.query.MemberDirectory;
import io.treecast.cli.query.MetricOption;
import io.treecast.cli.query.MetricText;
import io.treecast.cli.query.TreeJson;
import io.treecast.proto.v1.AgreedWeight;
import io.treecast.proto.v1.Expectation;
import io.treecast.proto.v1.ExplainLinkResponse;
import io.treecast.proto.v1.LinkDecision;
import io.treecast.proto.v1.LinkWeight;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/** {@code treecast why}. */
@Command(
    name = "why",
    description = {
      "Explains why the link between two nodes is an edge of a tree or not.",
      "Asks the end with the lower node id, which measures the link and decides "
          + "its weight; or the other end, if that does not answer."
    },
    mixinStandardHelpOptions = true,
    footer = {
      "",
      "Examples:",
      "  treecast why h1-h2 --agent 10.0.0.4:7700",
      "  treecast why h1 h2",
      "  treecast why h1 h2 --metric bandwidth"
    })
public final class WhyCommand implements Callable<Integer> {
  private static final double MICROS_PER_SECOND = 1e6;
  private static final double MILLIS_PER_SECOND = 1e3;

  @Parameters(
      index = "0",
      paramLabel = "A-B",
      description = "The link, by the node ids of its ends; or one end, followed by the other.")
  private String link = "";

  @Parameters(
      index = "1",
      arity = "0..1",
      paramLabel = "B",
      description = "The node id of the other end.")
  private @Nullable String other;

  @Mixin private AgentOption agent = new AgentOption();
  @Mixin private MetricOption metric = new MetricOption();
  @Mixin private OutputOption output = new OutputOption();

  @Override
  public Integer call() {
    if (other == null) {
      MemberDirectory.checkForm(link);
    }
    try (AgentInquiry agents = agent.inquiry(output)) {
      print(agents);
    }
    return ExitCode.OK;
  }

  private void print(AgentInquiry agents) {
    MemberDirectory members = new MemberDirectory(agents);
    MemberDirectory.Link ends = other == null ? members.link(link) : members.link(link, other);
    Member first = ends.from();
    Member second = ends.to();
    boolean inOrder = first.id().compareTo(second.id()) < 0;
    Member owner = inOrder ? first : second;
    Member peer = inOrder ? second : first;
    ExplainLinkResponse why = explain(agents, owner, peer);
    if (metric.metric() == MetricText.BANDWIDTH) {
      WidestTreeReason reason = new WidestTreeReason(owner, peer, why);
      if (output.isJson()) {
        output.println(reason.json());
      } else {
        reason.lines(agents).forEach(output::println);
      }
    } else if (output.isJson()) {
      output.println(json(owner, peer, why));
    } else {
      print(owner, peer, why);
    }
  }

  /** Asks the end with the lower id, or the other end if that does not answer. */
  private ExplainLinkResponse explain(AgentInquiry agents, Member owner, Member peer) {
    try {
      return agents.explainLink(owner, peer.id(), metric.metric());
    } catch (AgentInquiry.FailedException e) {
      String silent = "agent " + owner.id() + ": " + e.reason();
      output.note("treecast: " + silent + "; the other end, " + peer.id() + ", is asked instead");
      try {
        return agents.explainLink(peer, owner.id(), metric.metric());
      } catch (AgentInquiry.FailedException both) {
        throw CommandFailure.failed(silent + "; agent " + peer.id() + ": " + both.reason());
      }
    }
  }

  private void print(Member owner, Member peer, ExplainLinkResponse why) {
    String down = LinkReport.downText(why.getLink().getDownReason(), why.getLink().getDownMillis());
    new LinkReason(owner.id() + "-" + peer.id(), why, down).lines().forEach(output::println);
  }

  private static @Nullable Long measurementsToGo(LinkDecision decision) {
    return decision.hasMeasurementsToGo() ? (Long) decision.getMeasurementsToGo() : null;
  }

  private static ObjectNode json(Member owner, Member peer, ExplainLinkResponse why) {
    ObjectNode json =
        TreeJson.object()
            .put("a", owner.id().toString())
            .put("b", peer.id().toString())
            .put("state", LinkReason.state(why))
            .put("downReason", why.getLink().getDownReason())
            .put("downSeconds", why.getLink().getDownMillis() / MILLIS_PER_SECOND)
            .put("treeEdge", why.getLink().getTreeEdge())
            .put("weightMillis", TreeJson.measuredMillis(why.getLink().getWeight().getCost()));
    if (why.hasHeaviestOnPath()) {
      LinkWeight heaviest = why.getHeaviestOnPath();
      json.putObject("heaviestOnPath")
          .put("a", heaviest.getLow())
          .put("b", heaviest.getHigh())
          .put("weightMillis", heaviest.getCost() / 1e3);
    }
    Expectation expectation = why.getLink().getExpectation();
    json.put("measuredMillis", TreeJson.measuredMillis(expectation.getMeasuredMicros()))
        .put("forecastMillis", TreeJson.measuredMillis(expectation.getForecastMicros()))
        .put("errorMillis", expectation.getErrorMicros() / 1e3)
        .put("forecaster", expectation.getForecaster())
        .put("confidence", expectation.getConfidence())
        .put("measurements", expectation.getMeasurements());
    LinkDecision decision = why.getDecision();
    json.put("turningPointMillis", TreeJson.measuredMillis(decision.getTurningPointMicros()))
        .put("measurementsToGo", measurementsToGo(decision))
        .put("penalty", decision.getPenalty())
        .put("damped", decision.getDamped())
        .put("dampedSeconds", decision.getDampedForMicros() / MICROS_PER_SECOND);
    ArrayNode weights = json.putArray("weights");
    for (AgreedWeight weight : why.getWeightsList()) {
      weights
          .addObject()
          .put("weightMillis", weight.getCost() / 1e3)
          .put("secondsAgo", weight.getAgeMicros() / MICROS_PER_SECOND);
    }
    return json;
  }
}
