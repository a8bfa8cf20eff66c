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
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Asks the agent that a command is about, and others, where they stand: each over a connection of
 * its own that ends with the answer, and all by TLS with one certificate, or in plain text. Any
 * thread.
 */
public final class AgentInquiry implements AutoCloseable {
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

    /**
     * Returns the patience of a command with a limit: for the connection as much as usual, or a
     * sixth.
     */
    static Patience within(Duration limit) {
      long millis = limit.toMillis();
      long usualMillis = USUAL.answerMillis + USUAL.connectMillis;
      int connectMillis =
          (int) Math.min(USUAL.connectMillis, millis * USUAL.connectMillis / usualMillis);
      return new Patience(millis - connectMillis, Math.max(1, connectMillis));
    }

    /** Describes the time for answers, for people. */
    String text() {
      return answerMillis % 1_000 == 0 ? answerMillis / 1_000 + " s" : answerMillis + " ms";
    }
  }

  /** The beginning of a web server's answers. */
  private static final String HTTP = "HTTP/1.";

  /** The most printed characters of a reason. */
  private static final int MAX_REASON_CHARS = 200;

  /** Largest answer: the links of the largest cluster. */
  private static final int MAX_ANSWER_BYTES = 16 << 20;

  /** The agent cannot be asked, or answers nonsense; the message says why, without its address. */
  public static final class FailedException extends Exception {
    private static final long serialVersionUID = 1L;

    /** Its name in docs/failures.md. */
    private final Reason name;

    private final boolean connected;

    /** It cannot be reached. */
    public FailedException(String reason) {
      this(Reason.AGENT_UNREACHABLE, reason, false);
    }

    private FailedException(Reason name, String reason, boolean connected) {
      super(reason);
      this.name = name;
      this.connected = connected;
    }

    /** Something listens there, and it cannot be asked. */
    private static FailedException unanswering(String reason) {
      return new FailedException(Reason.AGENT_UNREACHABLE, reason, true);
    }

    /** Something answers, and not as an agent does. */
    private static FailedException noAgent(String reason) {
      return new FailedException(Reason.REFUSED, reason, true);
    }

    public String reason() {
      return String.valueOf(getMessage());
    }

    /** Returns whether the agent answers, and its permissions do not allow the question. */
    public boolean isForWantOfPermission() {
      return name == Reason.PERMISSION_DENIED;
    }
  }

  /** All agents that the command may ask. */
  private final List<HostPort> agents;

  private final @Nullable Path tls;
  private final @Nullable TlsFiles files;
  private final @Nullable String token;

  /** The agent that the command asks: the first that has answered. */
  private volatile HostPort agent;

  private AgentInquiry(
      List<HostPort> agents, @Nullable Path tls, @Nullable TlsFiles files, @Nullable String token) {
    this.agents = List.copyOf(agents);
    this.agent = agents.get(0);
    this.tls = tls;
    this.files = files;
    this.token = token;
  }

  /** Without TLS and token. */
  public static AgentInquiry inPlainText(HostPort agent) {
    return inPlainText(agent, null);
  }

  /** Without TLS. */
  static AgentInquiry inPlainText(HostPort agent, @Nullable String token) {
    return inPlainText(List.of(agent), token);
  }

  /** Without TLS, about the first of several agents that answers. */
  static AgentInquiry inPlainText(List<HostPort> agents, @Nullable String token) {
    return new AgentInquiry(agents, null, null, token);
  }

  /**
   * By TLS.
   *
   * @param agents the agents, of which the command asks the first that answers
   * @param directory of the files
   * @param files closed with this
   * @param token null for none
   */
  static AgentInquiry byTls(
      List<HostPort> agents, Path directory, TlsFiles files, @Nullable String token) {
    return new AgentInquiry(agents, directory, files, token);
  }

  /**
   * By TLS, with files that this reads and closes, for a command that says itself what is wrong
   * with them.
   *
   * @throws TlsFilesException if they cannot be used
   */
  public static AgentInquiry byTls(HostPort agent, Path directory) throws TlsFilesException {
    return new AgentInquiry(
        List.of(agent), directory, TlsFiles.ofApplication(directory, ignored -> {}), null);
  }

  /**
   * Checks that the command names one agent alone.
   *
   * @param option the option that needs one agent
   * @throws CommandFailure if it names several
   */
  public void requireOneAgent(String option) {
    if (agents.size() > 1) {
      throw CommandFailure.usage(option + ": name one agent (--agent), that of the first attempt");
    }
  }

  /** The agent that the command is about. */
  public HostPort agent() {
    return agent;
  }

  /**
   * Returns a client of that agent, which may switch to the others; with the same security, and at
   * most the default limits.
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
   * Asks the agent that the command is about.
   *
   * @throws CommandFailure if it does not answer
   */
  public AgentReport report() {
    try {
      return firstAnswer(Patience.USUAL);
    } catch (FailedException e) {
      throw unreported(e);
    }
  }

  /**
   * Asks for the report within a command's own limit, if the agent's permissions allow it.
   *
   * @param limit the longest wait
   * @return the report; null if the agent's permissions do not allow it to this command
   * @throws CommandFailure if it does not answer
   */
  public @Nullable AgentReport reportIfPermitted(Duration limit) {
    try {
      return firstAnswer(Patience.within(limit));
    } catch (FailedException e) {
      if (e.isForWantOfPermission()) {
        return null;
      }
      throw unreported(e);
    }
  }

  /** Asks the agents in turn. One that refuses has answered. */
  private AgentReport firstAnswer(Patience patience) throws FailedException {
    for (HostPort next : agents.subList(0, agents.size() - 1)) {
      agent = next;
      try {
        return ask(next, patience);
      } catch (FailedException e) {
        if (e.isForWantOfPermission()) {
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
            : e.name
                + ": agent "
                + agent
                + " is not reachable ("
                + e.reason()
                + "); check the address and that the agent runs"
                + others);
  }

  /** Returns where a member says that it is reached. */
  private static HostPort address(Member member) throws FailedException {
    try {
      return HostPort.parseRemote("address", NetworkAddresses.primary(member.address()));
    } catch (ConfigException e) {
      throw new FailedException(String.valueOf(e.getMessage()));
    }
  }

  /** Returns a connection of its own to a member, which the caller ends. */
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

  /** Returns why the agent has no link with a member, as far as it knows. */
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
      // It has answered before, and that answer is all there is.
    }
    return text
        + "; 'treecast links --agent "
        + NetworkAddresses.primary(member.address())
        + "' shows all its links";
  }

  private static String refused(String refusalText) {
    return refusalText.isEmpty() ? "" : "; a link was refused " + refusalText;
  }

  private static String lost(String downText) {
    return downText.isEmpty() ? "" : ", and was lost " + downText;
  }

  /** Asks the agent that the command is about, and goes on if it does not answer. */
  public AgentReport ask() throws FailedException {
    return ask(agent, Patience.USUAL);
  }

  /** Asks a member. */
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

  /** One question to the agent that the command is about. */
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
   * The latest trees of the agent that the command is about, the latest first.
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
   * One of these trees.
   *
   * @throws CommandFailure if the agent does not answer, or does not keep it
   */
  public CommittedTree pastTree(long version) {
    try {
      GetTreeRequest request = GetTreeRequest.newBuilder().setVersion(version).build();
      return ValueCodec.decode(askAgent(agent, admin -> admin.getTree(request)).getTree());
    } catch (FailedException e) {
      throw unreported(e);
    } catch (WireViolation | IllegalArgumentException e) {
      throw CommandFailure.failed(
          "agent " + agent + ": its answer makes no sense: " + e.getMessage());
    }
  }

  /** The topics in use at a member. */
  public List<TopicUse> topics(Member member) throws FailedException {
    return askAgent(
            address(member), admin -> admin.listTopics(ListTopicsRequest.getDefaultInstance()))
        .getTopicsList();
  }

  /** Returns a member's knowledge of the root's time. */
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
   * @throws CommandFailure if it does not answer, or has none
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

  /** A call to a member has failed. */
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

  /** Nothing listens there, or one end does not take how the other is secured. */
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
   * Returns why nothing listens there; null if something does. The system connects for a process
   * that is busy or stopped, so the connection of the call that failed does not say: it waits for
   * what such a process says first.
   */
  private static @Nullable String refusal(HostPort agent, int connectMillis) {
    InetSocketAddress address = resolved(agent, connectMillis);
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

  /** Resolves a name; null if that takes too long. The system's resolver has limits of its own. */
  private static @Nullable InetSocketAddress resolved(HostPort agent, int millis) {
    CompletableFuture<@Nullable InetSocketAddress> address =
        CompletableFuture.supplyAsync(agent::toSocketAddress);
    try {
      return address.completeOnTimeout(null, millis, TimeUnit.MILLISECONDS).get();
    } catch (ExecutionException e) {
      throw new IllegalStateException("an address that was checked", e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return null;
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
