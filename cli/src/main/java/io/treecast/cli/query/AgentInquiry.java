package io.treecast.cli.query;

import io.grpc.ManagedChannel;
import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import io.grpc.netty.shaded.io.grpc.netty.NettyChannelBuilder;
import io.treecast.agent.config.ConfigException;
import io.treecast.agent.config.HostPort;
import io.treecast.agent.core.LinkState;
import io.treecast.agent.core.Member;
import io.treecast.agent.wire.ValueCodec;
import io.treecast.agent.wire.WireViolation;
import io.treecast.cli.console.CommandFailure;
import io.treecast.cli.query.AgentReport.LinkReport;
import io.treecast.client.TreecastException.Reason;
import io.treecast.ghs.NodeId;
import io.treecast.monitor.series.SeriesPoint;
import io.treecast.monitor.series.SeriesResource;
import io.treecast.proto.v1.AdminServiceGrpc;
import io.treecast.proto.v1.ExplainLinkRequest;
import io.treecast.proto.v1.ExplainLinkResponse;
import io.treecast.proto.v1.GetStatusRequest;
import io.treecast.proto.v1.GetStatusResponse;
import io.treecast.proto.v1.Link;
import io.treecast.proto.v1.ListLinksRequest;
import io.treecast.proto.v1.ListLinksResponse;
import io.treecast.proto.v1.ReadSeriesRequest;
import io.treecast.proto.v1.TreeStatus;
import java.io.IOException;
import java.net.Socket;
import java.net.UnknownHostException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Asks an agent where it stands, over a connection of its own that ends with the answer. */
public final class AgentInquiry {
  /** Longest wait for an agent's answers. */
  public static final long ANSWER_SECONDS = 5;

  /** Longest wait for a connection to an agent that has not answered. */
  private static final int CONNECT_MILLIS = 1_000;

  /**
   * How long an inquiry waits.
   *
   * @param answerMillis for the answers
   * @param connectMillis then, without them, for a connection that says whether anything listens
   */
  private record Patience(long answerMillis, int connectMillis) {
    static final Patience USUAL =
        new Patience(TimeUnit.SECONDS.toMillis(ANSWER_SECONDS), CONNECT_MILLIS);

    /** The usual, or in the same proportion what takes no longer than this in all. */
    static Patience within(Duration limit) {
      long usualMillis = USUAL.answerMillis + USUAL.connectMillis;
      long millis = Math.min(usualMillis, limit.toMillis());
      int connectMillis = (int) (millis * USUAL.connectMillis / usualMillis);
      return new Patience(millis - connectMillis, Math.max(1, connectMillis));
    }

    /** Of the answers, for a person. */
    String text() {
      return answerMillis % 1_000 == 0 ? answerMillis / 1_000 + " s" : answerMillis + " ms";
    }
  }

  /** Largest answer: the links of the largest cluster. */
  private static final int MAX_ANSWER_BYTES = 16 << 20;

  /** Of a longer reason only the beginning is printed. */
  private static final int MAX_REASON_CHARS = 200;

  /** What the transport writes before the reason itself. */
  private static final Pattern SYSTEM_CALL =
      Pattern.compile("^\\w+\\(.*?\\) failed with error\\(-?\\d+\\): ");

  /** In the transport's message when the other end does not speak its protocol. */
  private static final String NO_HTTP2 = "First received frame was not SETTINGS";

  /** The agent can not be asked, or answers nonsense; the message says why, without its address. */
  public static final class FailedException extends Exception {
    private static final long serialVersionUID = 1L;

    /** Its name in docs/failures.md. */
    private final Reason name;

    private final boolean connected;

    /** It can not be reached. */
    public FailedException(String reason) {
      this(Reason.AGENT_UNREACHABLE, reason, false);
    }

    private FailedException(Reason name, String reason, boolean connected) {
      super(reason);
      this.name = name;
      this.connected = connected;
    }

    /** Something answers, and not as an agent does. */
    private static FailedException noAgent(String reason) {
      return new FailedException(Reason.REFUSED, reason, true);
    }

    public String reason() {
      return String.valueOf(getMessage());
    }
  }

  private AgentInquiry() {}

  /**
   * Asks the agent that a command is about.
   *
   * @throws CommandFailure if it does not answer
   */
  public static AgentReport report(HostPort agent) {
    return report(agent, Patience.USUAL);
  }

  /**
   * Asks the agent that a command is about which has a limit of its own.
   *
   * @param limit how long it may take, if that is less than usual
   * @throws CommandFailure if it does not answer
   */
  public static AgentReport report(HostPort agent, Duration limit) {
    return report(agent, Patience.within(limit));
  }

  private static AgentReport report(HostPort agent, Patience patience) {
    try {
      return ask(agent, patience);
    } catch (FailedException e) {
      throw CommandFailure.failed(
          e.connected
              ? e.name + ": agent " + agent + ": " + e.reason()
              : e.name
                  + ": agent "
                  + agent
                  + " is not reachable ("
                  + e.reason()
                  + "); check the address and that the agent runs");
    }
  }

  /** Where a member says that it is reached. */
  public static HostPort address(Member member) throws FailedException {
    try {
      return HostPort.parseRemote("address", member.address());
    } catch (ConfigException e) {
      throw new FailedException(String.valueOf(e.getMessage()));
    }
  }

  /** A connection of its own to an agent. */
  public static ManagedChannel channel(HostPort agent) {
    return NettyChannelBuilder.forAddress(agent.host(), agent.port())
        .usePlaintext()
        .disableServiceConfigLookUp()
        .maxInboundMessageSize(MAX_ANSWER_BYTES)
        .build();
  }

  /**
   * Asks a member about its link to another.
   *
   * @throws CommandFailure if it has no such link
   * @throws FailedException if it does not answer
   */
  public static ExplainLinkResponse explainLink(Member member, NodeId peer, MetricText metric)
      throws FailedException {
    ManagedChannel channel = null;
    try {
      channel = channel(address(member));
      return AdminServiceGrpc.newBlockingStub(channel)
          .withDeadlineAfter(ANSWER_SECONDS, TimeUnit.SECONDS)
          .explainLink(
              ExplainLinkRequest.newBuilder()
                  .setPeer(peer.toString())
                  .setMetric(metric.onTheWire())
                  .build());
    } catch (StatusRuntimeException e) {
      if (e.getStatus().getCode() == Status.Code.NOT_FOUND) {
        throw CommandFailure.failed(noLink(member, peer));
      }
      throw failed(member, e.getStatus());
    } finally {
      if (channel != null) {
        channel.shutdownNow();
      }
    }
  }

  /** What the agent knows of a member that it has no link with. */
  private static String noLink(Member member, NodeId peer) {
    String text = "agent " + member.id() + " has no link to " + peer + " now";
    try {
      AgentReport report = ask(address(member));
      String state =
          report.links().stream()
              .filter(link -> link.peer().id().equals(peer))
              .map(link -> ": that is " + link.stateText() + lost(link.downText()))
              .findFirst()
              .orElse("");
      text += state + refused(report.refusalText());
    } catch (FailedException e) {
      // It has answered before. What it said then is all that there is to say.
    }
    return text + "; 'treecast links --agent " + member.address() + "' shows all its links";
  }

  private static String refused(String refusalText) {
    return refusalText.isEmpty() ? "" : "; a link was refused " + refusalText;
  }

  private static String lost(String downText) {
    return downText.isEmpty() ? "" : ", and was lost " + downText;
  }

  /** Asks an agent. */
  public static AgentReport ask(HostPort agent) throws FailedException {
    return ask(agent, Patience.USUAL);
  }

  private static AgentReport ask(HostPort agent, Patience patience) throws FailedException {
    ManagedChannel channel = channel(agent);
    try {
      AdminServiceGrpc.AdminServiceBlockingStub admin =
          AdminServiceGrpc.newBlockingStub(channel)
              .withDeadlineAfter(patience.answerMillis, TimeUnit.MILLISECONDS);
      return report(
          admin.getStatus(GetStatusRequest.getDefaultInstance()),
          admin.listLinks(ListLinksRequest.getDefaultInstance()));
    } catch (StatusRuntimeException e) {
      throw failed(agent, e.getStatus(), patience);
    } catch (WireViolation | IllegalArgumentException e) {
      throw FailedException.noAgent("its answer makes no sense: " + e.getMessage());
    } finally {
      channel.shutdownNow();
    }
  }

  /**
   * What a member has measured of its link to another.
   *
   * @throws CommandFailure if it does not answer, or has none
   */
  public static List<SeriesPoint> series(
      Member owner, NodeId peer, SeriesResource resource, long sinceUnixMillis) {
    ManagedChannel channel = null;
    try {
      channel = channel(address(owner));
      ReadSeriesRequest request =
          ReadSeriesRequest.newBuilder()
              .setPeer(peer.toString())
              .setResource(resource.label())
              .setSinceUnixMillis(sinceUnixMillis)
              .build();
      return AdminServiceGrpc.newBlockingStub(channel)
          .withDeadlineAfter(ANSWER_SECONDS, TimeUnit.SECONDS)
          .readSeries(request)
          .getPointsList()
          .stream()
          .map(point -> new SeriesPoint(point.getUnixMillis(), point.getValue()))
          .toList();
    } catch (StatusRuntimeException e) {
      throw noSeries(owner, failed(owner, e.getStatus()).reason());
    } catch (FailedException e) {
      throw noSeries(owner, e.reason());
    } finally {
      if (channel != null) {
        channel.shutdownNow();
      }
    }
  }

  private static CommandFailure noSeries(Member owner, String reason) {
    return CommandFailure.failed(
        "agent " + owner.id() + " (" + owner.address() + ") measures that link: " + reason);
  }

  private static AgentReport report(GetStatusResponse status, ListLinksResponse links)
      throws WireViolation {
    TreeStatus tree = status.getTree();
    List<Member> members = new ArrayList<>();
    Map<NodeId, String> sites = new HashMap<>();
    for (io.treecast.proto.v1.Member told : status.getMembersList()) {
      Member member = member(told.getNodeId(), told.getAddress());
      members.add(member);
      if (!told.getSite().isEmpty()) {
        sites.put(member.id(), told.getSite());
      }
    }
    List<LinkReport> views = new ArrayList<>();
    for (Link link : links.getLinksList()) {
      views.add(
          new LinkReport(
              member(link.getPeer(), link.getAddress()),
              state(link),
              link.getSession(),
              link.getRttMinMicros(),
              link.getRttLastMicros(),
              link.hasWeight() ? ValueCodec.decode(link.getWeight()) : null,
              link.getTreeEdge(),
              link.getCarriesData(),
              link.hasExpectation() ? link.getExpectation() : null,
              link.hasQuality() ? link.getQuality() : null,
              link.hasThroughput() ? link.getThroughput() : null,
              link.hasBandwidthWeight() ? ValueCodec.decode(link.getBandwidthWeight()) : null,
              link.getUnheardMillis(),
              link.getSite().isEmpty() ? null : link.getSite(),
              link.getDownReason(),
              link.getDownMillis()));
    }
    return new AgentReport(
        NodeId.of(tree.getNodeId()),
        tree.hasTree() ? ValueCodec.decode(tree.getTree()) : null,
        tree.getReady(),
        tree.getNotReadyReason(),
        List.copyOf(members),
        List.copyOf(views),
        links.getRefusal(),
        links.getRefusedMillis(),
        status.hasWidestTree() ? ValueCodec.decode(status.getWidestTree()) : null,
        !status.getThroughputDisabled(),
        Map.copyOf(sites));
  }

  private static Member member(String id, String address) {
    return new Member(NodeId.of(id), address);
  }

  private static LinkState state(Link link) throws WireViolation {
    return switch (link.getState()) {
      case LINK_STATE_DIALING -> LinkState.DIALING;
      case LINK_STATE_MEASURING -> LinkState.MEASURING;
      case LINK_STATE_UP -> LinkState.UP;
      case LINK_STATE_SUSPENDED -> LinkState.SUSPENDED;
      case LINK_STATE_UNLINKED -> LinkState.UNLINKED;
      case LINK_STATE_UNSPECIFIED, UNRECOGNIZED ->
          throw new WireViolation("link state " + link.getStateValue() + " is not known");
    };
  }

  /** A call to a member has failed. */
  public static FailedException failed(Member member, Status status) {
    try {
      return failed(address(member), status, Patience.USUAL);
    } catch (FailedException e) {
      return e;
    }
  }

  private static FailedException failed(HostPort agent, Status status, Patience patience) {
    if (status.getCode() == Status.Code.UNIMPLEMENTED) {
      return FailedException.noAgent(
          "what listens there is no Treecast agent of this version; check the address, and the"
              + " versions of both");
    }
    if (status.getCode() != Status.Code.DEADLINE_EXCEEDED) {
      return new FailedException(reason(status));
    }
    String refusal = refusal(agent, patience.connectMillis);
    return refusal == null
        ? new FailedException(
            Reason.AGENT_UNREACHABLE,
            "connected, but no answer within " + patience.text() + ": it may be busy or paused",
            true)
        : new FailedException(refusal);
  }

  /**
   * Why nothing listens there; null if something does. The system connects for a process that is
   * busy or stopped, so the connection of the call that failed does not say: it waits for what such
   * a process says first.
   */
  private static @Nullable String refusal(HostPort agent, int connectMillis) {
    try (Socket socket = new Socket()) {
      socket.connect(agent.toSocketAddress(), connectMillis);
      return null;
    } catch (UnknownHostException e) {
      return "unknown host";
    } catch (IOException e) {
      return e.getMessage() == null ? e.toString() : e.getMessage();
    }
  }

  /** Why a call failed, for a person. */
  private static String reason(Status status) {
    String message = rootMessage(status);
    return message.contains(NO_HTTP2)
        ? "what listens there does not speak gRPC; is it the agent's admin port?"
        : beginning(SYSTEM_CALL.matcher(message).replaceFirst(""));
  }

  private static String rootMessage(Status status) {
    Throwable cause = status.getCause();
    if (cause == null) {
      String description = status.getDescription();
      return description == null ? "it fails without saying why" : description;
    }
    while (cause.getCause() != null) {
      cause = cause.getCause();
    }
    return cause.getMessage() == null ? cause.getClass().getSimpleName() : cause.getMessage();
  }

  private static String beginning(String reason) {
    return reason.length() <= MAX_REASON_CHARS
        ? reason
        : reason.substring(0, MAX_REASON_CHARS) + "...";
  }
}
