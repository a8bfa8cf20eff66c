package io.treecast.cli.query;

import static java.nio.charset.StandardCharsets.US_ASCII;

import io.grpc.ChannelCredentials;
import io.grpc.Grpc;
import io.grpc.InsecureChannelCredentials;
import io.grpc.ManagedChannel;
import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import io.treecast.agent.config.ConfigException;
import io.treecast.agent.config.HostPort;
import io.treecast.agent.core.message.Member;
import io.treecast.agent.core.message.NetworkAddresses;
import io.treecast.agent.wire.value.ValueCodec;
import io.treecast.agent.wire.value.WireViolation;
import io.treecast.cli.console.CommandFailure;
import io.treecast.client.Treecast;
import io.treecast.client.TreecastBuilder;
import io.treecast.client.TreecastException.Reason;
import io.treecast.ghs.NodeId;
import io.treecast.monitor.series.SeriesPoint;
import io.treecast.monitor.series.SeriesResource;
import io.treecast.mst.CommittedTree;
import io.treecast.proto.v1.AdminServiceGrpc;
import io.treecast.proto.v1.ClockServiceGrpc;
import io.treecast.proto.v1.ExplainLinkRequest;
import io.treecast.proto.v1.ExplainLinkResponse;
import io.treecast.proto.v1.GetStatusRequest;
import io.treecast.proto.v1.GetTreeRequest;
import io.treecast.proto.v1.ListLinksRequest;
import io.treecast.proto.v1.ListTopicsRequest;
import io.treecast.proto.v1.ListTreesRequest;
import io.treecast.proto.v1.PastTree;
import io.treecast.proto.v1.ReadClockRequest;
import io.treecast.proto.v1.ReadClockResponse;
import io.treecast.proto.v1.ReadSeriesRequest;
import io.treecast.proto.v1.TopicUse;
import io.treecast.tls.BearerToken;
import io.treecast.tls.ConnectionFailure;
import io.treecast.tls.TlsFailure;
import io.treecast.tls.TlsFiles;
import io.treecast.tls.TlsFilesException;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.net.UnknownHostException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Questions to the agent that a command names, and to other members. Each call has its own
 * connection; all use TLS with one certificate, or plain text. Thread-safe.
 */
public final class AgentInquiry implements AutoCloseable {
  /** Longest wait for an agent's answers; the tests of commands set a longer one. */
  public static final long ANSWER_SECONDS = Long.getLong("treecast.answerSeconds", 5);

  /** Longest wait for a connection to an agent that has not answered. */
  private static final int CONNECT_MILLIS = 1_000;

  /**
   * The timeouts of an inquiry.
   *
   * @param answerMillis the timeout of the answers
   * @param connectMillis the timeout of the connection that then tests whether a server listens
   */
  private record Patience(long answerMillis, int connectMillis) {
    static final Patience USUAL =
        new Patience(TimeUnit.SECONDS.toMillis(ANSWER_SECONDS), CONNECT_MILLIS);

    /**
     * Returns the timeouts of a command with a limit: for the connection the usual one, or a sixth
     * of the limit if that is less.
     */
    static Patience within(Duration limit) {
      long millis = limit.toMillis();
      int connectMillis = (int) Math.min(CONNECT_MILLIS, millis / 6);
      return new Patience(millis - connectMillis, Math.max(1, connectMillis));
    }

    /** Returns the timeout of the answers, for people. */
    String text() {
      return answerMillis % 1_000 == 0 ? answerMillis / 1_000 + " s" : answerMillis + " ms";
    }
  }

  private static final NameLookups LOOKUPS = new NameLookups(HostPort::toSocketAddress);

  /** The beginning of a web server's answers. */
  private static final String HTTP = "HTTP/1.";

  /** Limit of the printed characters of a reason. */
  private static final int MAX_REASON_CHARS = 200;

  /** Limit of an answer, which has the links of the largest cluster. */
  private static final int MAX_ANSWER_BYTES = 16 << 20;

  /**
   * The agent did not answer, or its answer is invalid. The message has the reason without the
   * address.
   */
  public static final class FailedException extends Exception {
    private static final long serialVersionUID = 1L;

    /** Its name in docs/failures.md. */
    private final Reason name;

    private final boolean connected;

    /** Creates the failure of an agent that cannot be reached. */
    public FailedException(String reason) {
      this(Reason.AGENT_UNREACHABLE, reason, false);
    }

    private FailedException(Reason name, String reason, boolean connected) {
      super(reason);
      this.name = name;
      this.connected = connected;
    }

    /** Returns the failure of a server that listens, but does not answer. */
    private static FailedException unanswering(String reason) {
      return new FailedException(Reason.AGENT_UNREACHABLE, reason, true);
    }

    /** Returns the failure of a server that is not an agent. */
    private static FailedException noAgent(String reason) {
      return new FailedException(Reason.REFUSED, reason, true);
    }

    public String reason() {
      return String.valueOf(getMessage());
    }

    /** Returns whether the agent's permissions do not allow the question. */
    public boolean isPermissionDenied() {
      return name == Reason.PERMISSION_DENIED;
    }
  }

  /** The agents that the command may ask. */
  private final List<HostPort> agents;

  private final @Nullable Path tls;
  private final @Nullable TlsFiles files;
  private final @Nullable String token;

  /** The present agent: the first that has answered. */
  private volatile HostPort agent;

  private AgentInquiry(
      List<HostPort> agents, @Nullable Path tls, @Nullable TlsFiles files, @Nullable String token) {
    this.agents = List.copyOf(agents);
    this.agent = agents.get(0);
    this.tls = tls;
    this.files = files;
    this.token = token;
  }

  /** Returns an inquiry without TLS and token. */
  public static AgentInquiry inPlainText(HostPort agent) {
    return inPlainText(agent, null);
  }

  /** Returns an inquiry without TLS. */
  static AgentInquiry inPlainText(HostPort agent, @Nullable String token) {
    return inPlainText(List.of(agent), token);
  }

  /** Returns an inquiry without TLS to the first of several agents that answers. */
  static AgentInquiry inPlainText(List<HostPort> agents, @Nullable String token) {
    return new AgentInquiry(agents, null, null, token);
  }

  /**
   * Returns an inquiry over TLS.
   *
   * @param agents the agents, of which the first that answers is asked
   * @param directory the directory of the files
   * @param files the files, closed with this inquiry
   * @param token the token; null for none
   */
  static AgentInquiry byTls(
      List<HostPort> agents, Path directory, TlsFiles files, @Nullable String token) {
    return new AgentInquiry(agents, directory, files, token);
  }

  /**
   * Returns an inquiry over TLS that reads and closes the files, for a command that reports their
   * errors itself.
   *
   * @throws TlsFilesException if they cannot be used
   */
  public static AgentInquiry byTls(HostPort agent, Path directory) throws TlsFilesException {
    return new AgentInquiry(
        List.of(agent), directory, TlsFiles.ofApplication(directory, ignored -> {}), null);
  }

  /**
   * Checks that the command names only one agent.
   *
   * @param option the option that needs one agent
   * @throws CommandFailure if it names several
   */
  public void requireOneAgent(String option) {
    if (agents.size() > 1) {
      throw CommandFailure.usage(option + ": name one agent (--agent), that of the first attempt");
    }
  }

  /** Returns the present agent. */
  public HostPort agent() {
    return agent;
  }

  /**
   * Returns a client of the present agent, which may switch to the others, with the same security
   * and the default limits.
   */
  public TreecastBuilder client() {
    HostPort present = agent;
    TreecastBuilder builder =
        Treecast.builder(
            Stream.concat(
                    Stream.of(present), agents.stream().filter(other -> !other.equals(present)))
                .map(HostPort::toString)
                .toArray(String[]::new));
    if (tls != null) {
      builder.tls(tls);
    }
    return token == null ? builder : builder.token(token);
  }

  /**
   * Asks the agents in turn for a report.
   *
   * @throws CommandFailure if none answers
   */
  public AgentReport report() {
    try {
      return firstAnswer(Patience.USUAL);
    } catch (FailedException e) {
      throw unreported(e);
    }
  }

  /**
   * Asks the agents in turn for a report within a command's own limit, if permissions allow it.
   *
   * @param limit the timeout
   * @return the report; null if the agent's permissions do not allow it to this command
   * @throws CommandFailure if no agent answers
   */
  public @Nullable AgentReport reportIfPermitted(Duration limit) {
    try {
      return firstAnswer(Patience.within(limit));
    } catch (FailedException e) {
      if (e.isPermissionDenied()) {
        return null;
      }
      throw unreported(e);
    }
  }

  /**
   * Checks that an agent answers, for a command whose client would otherwise wait for an agent that
   * is down.
   *
   * @throws CommandFailure if no agent answers
   */
  public void requireAnswer() {
    var unused = reportIfPermitted(Duration.ofSeconds(ANSWER_SECONDS));
  }

  /** Asks the agents in turn; a refusal counts as an answer. */
  private AgentReport firstAnswer(Patience patience) throws FailedException {
    for (HostPort next : agents.subList(0, agents.size() - 1)) {
      agent = next;
      try {
        return ask(next, patience);
      } catch (FailedException e) {
        if (e.isPermissionDenied()) {
          throw e;
        }
      }
    }
    agent = agents.get(agents.size() - 1);
    return ask(agent, patience);
  }

  private CommandFailure unreported(FailedException e) {
    String others =
        agents.size() == 1
            ? ""
            : "; no other agent of --agent answers: "
                + agents.stream()
                    .filter(other -> !other.equals(agent))
                    .map(HostPort::toString)
                    .collect(Collectors.joining(", "));
    return CommandFailure.failed(
        e.connected
            ? e.name + ": agent " + agent + ": " + e.reason() + others
            : ("%s: agent %s is not reachable (%s); check the address and that the agent "
                    + "runs%s")
                .formatted(e.name, agent, e.reason(), others));
  }

  /** Returns the advertised address of a member. */
  private static HostPort address(Member member) throws FailedException {
    try {
      return HostPort.parseRemote("address", NetworkAddresses.primary(member.address()));
    } catch (ConfigException e) {
      throw new FailedException(String.valueOf(e.getMessage()));
    }
  }

  /** Returns a new connection to a member, which the caller must shut down. */
  public ManagedChannel channel(Member member) throws FailedException {
    return channel(address(member));
  }

  private ManagedChannel channel(HostPort address) {
    ChannelCredentials credentials =
        files == null ? InsecureChannelCredentials.create() : files.toAgent();
    return Grpc.newChannelBuilderForAddress(address.host(), address.port(), credentials)
        .intercept(token == null ? List.of() : List.of(BearerToken.of(token)))
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
  public ExplainLinkResponse explainLink(Member member, NodeId peer, MetricText metric)
      throws FailedException {
    ManagedChannel channel = null;
    try {
      channel = channel(member);
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

  /** Returns the message about a missing link, with the reason as far as it is known. */
  private String noLink(Member member, NodeId peer) {
    String text = "agent " + member.id() + " has no link to " + peer + " now";
    try {
      AgentReport report = ask(member);
      String state =
          report.links().stream()
              .filter(link -> link.peer().id().equals(peer))
              .map(link -> ": that is " + link.stateText() + lost(link.downText()))
              .findFirst()
              .orElse("");
      text += state + refused(report.refusalText());
    } catch (FailedException e) {
      // The message has no reason then.
    }
    return "%s; 'treecast links --agent %s' shows all its links"
        .formatted(text, NetworkAddresses.primary(member.address()));
  }

  private static String refused(String refusalText) {
    return refusalText.isEmpty() ? "" : "; a link was refused " + refusalText;
  }

  private static String lost(String downText) {
    return downText.isEmpty() ? "" : ", and was lost " + downText;
  }

  /** Asks the present agent, without ending the command if it does not answer. */
  public AgentReport ask() throws FailedException {
    return ask(agent, Patience.USUAL);
  }

  public AgentReport ask(Member member) throws FailedException {
    return ask(address(member), Patience.USUAL);
  }

  private AgentReport ask(HostPort address, Patience patience) throws FailedException {
    ManagedChannel channel = channel(address);
    try {
      AdminServiceGrpc.AdminServiceBlockingStub admin =
          AdminServiceGrpc.newBlockingStub(channel)
              .withDeadlineAfter(patience.answerMillis, TimeUnit.MILLISECONDS);
      return AnswerReader.report(
          admin.getStatus(GetStatusRequest.getDefaultInstance()),
          admin.listLinks(ListLinksRequest.getDefaultInstance()));
    } catch (StatusRuntimeException e) {
      throw failed(address, e.getStatus(), patience);
    } catch (WireViolation | IllegalArgumentException e) {
      throw FailedException.noAgent("invalid response: " + e.getMessage());
    } finally {
      channel.shutdownNow();
    }
  }

  private interface Question<T> {
    T ask(AdminServiceGrpc.AdminServiceBlockingStub admin);
  }

  private <T> T askAgent(HostPort address, Question<T> question) throws FailedException {
    ManagedChannel channel = channel(address);
    try {
      return question.ask(
          AdminServiceGrpc.newBlockingStub(channel)
              .withDeadlineAfter(ANSWER_SECONDS, TimeUnit.SECONDS));
    } catch (StatusRuntimeException e) {
      if (e.getStatus().getCode() == Status.Code.NOT_FOUND) {
        throw CommandFailure.failed("agent " + address + ": " + e.getStatus().getDescription());
      }
      throw failed(address, e.getStatus(), Patience.USUAL);
    } finally {
      channel.shutdownNow();
    }
  }

  /**
   * Returns the recent trees of the present agent, the latest first.
   *
   * @throws CommandFailure if it does not answer
   */
  public List<PastTree> pastTrees() {
    try {
      return askAgent(agent, admin -> admin.listTrees(ListTreesRequest.getDefaultInstance()))
          .getTreesList();
    } catch (FailedException e) {
      throw unreported(e);
    }
  }

  /**
   * Returns one of the recent trees.
   *
   * @throws CommandFailure if the agent does not answer, or has dropped the tree
   */
  public CommittedTree pastTree(long version) {
    try {
      GetTreeRequest request = GetTreeRequest.newBuilder().setVersion(version).build();
      return ValueCodec.decode(askAgent(agent, admin -> admin.getTree(request)).getTree());
    } catch (FailedException e) {
      throw unreported(e);
    } catch (WireViolation | IllegalArgumentException e) {
      throw CommandFailure.failed("agent " + agent + ": invalid response: " + e.getMessage());
    }
  }

  public List<TopicUse> topics(Member member) throws FailedException {
    return askAgent(
            address(member), admin -> admin.listTopics(ListTopicsRequest.getDefaultInstance()))
        .getTopicsList();
  }

  /** Returns a member's estimate of the root's time. */
  public ReadClockResponse clock(Member member) throws FailedException {
    ManagedChannel channel = channel(member);
    try {
      return ClockServiceGrpc.newBlockingStub(channel)
          .withDeadlineAfter(ANSWER_SECONDS, TimeUnit.SECONDS)
          .readClock(ReadClockRequest.getDefaultInstance());
    } catch (StatusRuntimeException e) {
      throw failed(member, e.getStatus());
    } finally {
      channel.shutdownNow();
    }
  }

  /**
   * Returns a member's measurements of its link to another.
   *
   * @throws CommandFailure if it does not answer, or has no measurements
   */
  public List<SeriesPoint> series(
      Member owner, NodeId peer, SeriesResource resource, long sinceUnixMillis) {
    ManagedChannel channel = null;
    try {
      channel = channel(owner);
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

  /** Returns the failure of a call to a member. */
  public FailedException failed(Member member, Status status) {
    try {
      return failed(address(member), status, Patience.USUAL);
    } catch (FailedException e) {
      return e;
    }
  }

  private FailedException failed(HostPort agent, Status status, Patience patience) {
    if (status.getCode() == Status.Code.UNIMPLEMENTED) {
      return FailedException.noAgent(
          "the server there is not a Treecast agent of this version; check the "
              + "address, and the versions of both");
    }
    if (status.getCode() == Status.Code.PERMISSION_DENIED
        || status.getCode() == Status.Code.UNAUTHENTICATED) {
      return new FailedException(
          status.getCode() == Status.Code.UNAUTHENTICATED
              ? Reason.REFUSED
              : Reason.PERMISSION_DENIED,
          ConnectionFailure.text(status),
          true);
    }
    if (status.getCode() != Status.Code.DEADLINE_EXCEEDED) {
      return unanswered(status);
    }
    String refusal = refusal(agent, patience.connectMillis);
    return refusal == null
        ? FailedException.unanswering(
            "connected, but no answer within " + patience.text() + ": it may be busy or paused")
        : new FailedException(refusal);
  }

  /**
   * Returns the failure of a call without an answer: no server listens, or the security of both
   * ends does not match.
   */
  private FailedException unanswered(Status status) {
    if (files == null && ConnectionFailure.isClosedAtOnce(status)) {
      return FailedException.unanswering(
          "the connection was closed at once; does the agent want TLS? (--tls DIRECTORY)");
    }
    String tls = TlsFailure.text(status.getCause());
    return tls == null
        ? new FailedException(beginning(ConnectionFailure.text(status)))
        : FailedException.unanswering(tls);
  }

  private static String beginning(String reason) {
    return reason.length() <= MAX_REASON_CHARS
        ? reason
        : reason.substring(0, MAX_REASON_CHARS) + "...";
  }

  /**
   * Returns the reason why no agent listens at an address; null if one may. The failed call cannot
   * distinguish this from a busy or stopped process, for which the system accepts connections.
   */
  private static @Nullable String refusal(HostPort agent, int connectMillis) {
    InetSocketAddress address = LOOKUPS.resolve(agent, connectMillis);
    if (address == null) {
      return "its name was not resolved within "
          + connectMillis
          + " ms: DNS does not answer in time";
    }
    try (Socket socket = new Socket()) {
      socket.connect(address, connectMillis);
      return speaksHttp(socket, connectMillis) ? ConnectionFailure.ADMIN_PORT : null;
    } catch (UnknownHostException e) {
      return "unknown host";
    } catch (IOException e) {
      return e.getMessage() == null ? e.toString() : e.getMessage();
    }
  }

  /** Returns whether a web server listens there. A process that is busy or stopped says nothing. */
  private static boolean speaksHttp(Socket socket, int answerMillis) throws IOException {
    socket.setSoTimeout(answerMillis);
    try {
      socket.getOutputStream().write("GET / HTTP/1.0\r\n\r\n".getBytes(US_ASCII));
      return new String(socket.getInputStream().readNBytes(HTTP.length()), US_ASCII).equals(HTTP);
    } catch (SocketTimeoutException silent) {
      return false;
    }
  }

  @Override
  public void close() {
    if (files != null) {
      files.close();
    }
  }
}
