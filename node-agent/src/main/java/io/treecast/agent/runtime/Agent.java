package io.treecast.agent.runtime;

import io.grpc.Server;
import io.grpc.ServerInterceptors;
import io.grpc.ServerServiceDefinition;
import io.grpc.health.v1.HealthCheckResponse.ServingStatus;
import io.grpc.protobuf.services.HealthStatusManager;
import io.grpc.protobuf.services.ProtoReflectionServiceV1;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.composite.CompositeMeterRegistry;
import io.micrometer.prometheusmetrics.PrometheusConfig;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import io.treecast.agent.config.Advertised;
import io.treecast.agent.config.AgentConfig;
import io.treecast.agent.config.ConfigException;
import io.treecast.agent.config.HostPort;
import io.treecast.agent.config.Labels;
import io.treecast.agent.core.AgentCore;
import io.treecast.agent.core.AgentSnapshot;
import io.treecast.agent.core.LinkExplanation;
import io.treecast.agent.core.contract.AgentEffects;
import io.treecast.agent.core.contract.Notice;
import io.treecast.agent.core.contract.TreeChange;
import io.treecast.agent.core.data.ClaimSetup;
import io.treecast.agent.core.message.TreeMetric;
import io.treecast.agent.runtime.admin.AdminEndpoint;
import io.treecast.agent.runtime.admin.AdminHttp;
import io.treecast.agent.runtime.admin.AdminSources;
import io.treecast.agent.runtime.admin.TreeHistory;
import io.treecast.agent.runtime.application.Applications;
import io.treecast.agent.runtime.application.ClaimEndpoint;
import io.treecast.agent.runtime.application.ClientEndpoint;
import io.treecast.agent.runtime.application.ClockEndpoint;
import io.treecast.agent.runtime.application.EarlyResponseHeaders;
import io.treecast.agent.runtime.application.GroupEndpoint;
import io.treecast.agent.runtime.application.ValuesEndpoint;
import io.treecast.agent.runtime.fault.FaultEndpoint;
import io.treecast.agent.runtime.fault.FaultyBody;
import io.treecast.agent.runtime.http.HttpClients;
import io.treecast.agent.runtime.loop.Answers;
import io.treecast.agent.runtime.loop.EventLoop;
import io.treecast.agent.runtime.metrics.AgentMetrics;
import io.treecast.agent.runtime.series.ClaimFile;
import io.treecast.agent.runtime.series.Incarnation;
import io.treecast.agent.runtime.series.SeriesFiles;
import io.treecast.agent.runtime.server.AgentServer;
import io.treecast.agent.runtime.server.CallPermissions;
import io.treecast.agent.runtime.server.ClientConnections;
import io.treecast.agent.runtime.server.ConnectionSecurity;
import io.treecast.agent.runtime.server.InProcessServer;
import io.treecast.agent.runtime.status.StatusFrames;
import io.treecast.agent.transport.GrpcTransport;
import io.treecast.agent.transport.StreamDrops;
import io.treecast.agent.transport.connection.DialedChannels;
import io.treecast.agent.transport.emulation.LinkEmulation;
import io.treecast.client.Treecast;
import io.treecast.client.TreecastBuilder;
import io.treecast.collectives.broadcast.message.Chunk;
import io.treecast.collectives.broadcast.message.Confirmation;
import io.treecast.collectives.broadcast.message.Gap;
import io.treecast.collectives.broadcast.message.MessageId;
import io.treecast.collectives.broadcast.message.MissedReason;
import io.treecast.collectives.broadcast.message.OrderPosition;
import io.treecast.collectives.claim.ClaimEnd;
import io.treecast.collectives.claim.ClaimEvents;
import io.treecast.collectives.claim.ClaimMemory;
import io.treecast.collectives.claim.ClaimState;
import io.treecast.collectives.group.GroupList;
import io.treecast.collectives.group.GroupView;
import io.treecast.collectives.operation.contract.Outcome;
import io.treecast.collectives.values.MapName;
import io.treecast.ghs.NodeId;
import io.treecast.monitor.series.SeriesPoint;
import io.treecast.monitor.series.SeriesResource;
import io.treecast.proto.v1.TreecastServiceGrpc;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.LongAdder;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A running agent: its core on an event loop, its gRPC services and its admin pages, from {@link
 * #start} to {@link #close}. Thread-safe.
 *
 * <pre>{@code
 * try (Agent agent = Agent.builder().id("h1").listen("127.0.0.1:7700").start();
 *     Treecast treecast = agent.client()) {
 *   agent.ready().join();
 *   treecast.blocking().broadcast("hello".getBytes(UTF_8));
 * }
 * }</pre>
 */
public final class Agent implements AutoCloseable {
  private static final Logger log = LoggerFactory.getLogger(Agent.class);

  private static final long GOODBYE_SECONDS = 2;

  /**
   * The limit for handing data on. With the goodbyes it is shorter than the usual grace period of a
   * process.
   */
  private static final long HAND_ON_SECONDS = 3;

  private final AgentConfig config;
  private final AgentOptions options;
  private final HostPort address;
  private final StreamDrops drops = new StreamDrops();
  private final LongAdder refusedBehind = new LongAdder();
  private final ClientConnections clients = new ClientConnections();
  private final HealthStatusManager health = new HealthStatusManager();
  private final CompletableFuture<String> stopped = new CompletableFuture<>();
  private final CompletableFuture<@Nullable Void> ready = new CompletableFuture<>();
  private final AtomicBoolean closing = new AtomicBoolean();
  private final ConnectionSecurity security;
  private final @Nullable CallPermissions permissions;
  private final @Nullable LinkEmulation emulation;
  private final EventLoop loop;
  private final long startedNanos;
  private final Answers answers;
  private final GrpcTransport transport;
  private final AgentCore core;
  private final Applications applications;
  private final AgentMetrics metrics;
  private final Effects effects = new Effects();
  private final TreeHistory history = new TreeHistory();
  private final @Nullable SeriesFiles series;
  private final ServerServiceDefinition clientService;

  /** The services for applications, {@link #clientService} among them. */
  private final List<ServerServiceDefinition> applicationServices;

  private final @Nullable ClaimFile claimFile;
  private final InProcessServer inProcess;
  private final Server server;
  private final @Nullable AdminHttp admin;

  private Agent(
      AgentConfig config,
      AgentOptions options,
      ConnectionSecurity security,
      @Nullable CallPermissions permissions,
      @Nullable LinkEmulation emulation,
      @Nullable SeriesFiles series)
      throws ConfigException {
    this.config = config;
    this.options = options;
    this.security = security;
    this.permissions = permissions;
    this.series = series;
    this.loop =
        new EventLoop(
            "treecast-agent-" + config.id(),
            config.broadcast().publishBufferBytes(),
            new CoreTimers(),
            this::loopFailed);
    this.startedNanos = loop.nowNanos();
    this.answers = new Answers(loop);
    this.emulation = emulation;
    this.transport =
        new GrpcTransport(
            config.id(),
            loop,
            this::core,
            emulation,
            drops,
            effects::noticed,
            config.broadcast().memoryBytes(),
            new DialedChannels(
                security.toAgents(),
                security.onCallsToAgents(),
                config.links().handshakeTimeoutNanos(),
                config.staysOnMachine()));
    this.applications =
        Applications.of(
            config.id(),
            this::core,
            loop,
            config.broadcast(),
            config.collectives(),
            config.claims(),
            refusedBehind,
            options.notices());
    this.clientService =
        ServerInterceptors.intercept(
            new ClientEndpoint(config.id(), this::core, loop, applications, refusedBehind)
                .service(),
            clients,
            new EarlyResponseHeaders());
    this.applicationServices =
        List.of(
            clientService,
            ServerInterceptors.intercept(new ClaimEndpoint(loop, applications), clients),
            ServerInterceptors.intercept(new ClockEndpoint(config.id(), this::core, loop), clients),
            ServerInterceptors.intercept(new ValuesEndpoint(loop, applications), clients),
            ServerInterceptors.intercept(new GroupEndpoint(loop, applications), clients));
    this.inProcess = new InProcessServer(config.id(), applicationServices);
    // The server listens before the core exists, because the core announces the port. Incoming
    // calls wait in the loop until it starts.
    this.server = listen();
    Advertised advertised =
        Objects.requireNonNullElse(config.advertise(), Advertised.of(config.listen()))
            .withPort(server.getPort());
    this.address = advertised.primary();
    if (emulation != null) {
      advertised
          .byNetwork()
          .values()
          .forEach(each -> emulation.located(config.id(), each.toString()));
    }
    Remembered remembered = remembered(config, series);
    this.claimFile = remembered.claims();
    this.core =
        new AgentCore(
            config.core(remembered.incarnation(), advertised.text()),
            transport,
            effects,
            new ClaimSetup(
                config.claims(), claimFile == null ? null : claimFile.memory(), new ClaimReports()),
            config.values());
    PrometheusMeterRegistry scraped = scraped(options.registry());
    MeterRegistry meters = options.registry();
    if (scraped != meters && config.admin() != null) {
      meters = new CompositeMeterRegistry().add(meters).add(scraped);
    }
    this.metrics =
        new AgentMetrics(
            meters,
            core.snapshot(),
            drops,
            refusedBehind,
            clients::count,
            config.broadcast().logBytes(),
            this::query);
    try {
      this.admin =
          AdminHttp.open(
              config,
              adminSources(),
              scraped,
              security,
              permissions,
              HttpClients.of(config, clientService, permissions));
    } catch (ConfigException e) {
      metrics.close();
      server.shutdownNow();
      throw e;
    }
    metrics.show(applications.claims());
    metrics.show(applications.groups());
    if (series != null) {
      metrics.count(series);
    }
    if (security.files() != null) {
      metrics.show(security.files());
    }
    if (permissions != null) {
      metrics.show(permissions);
    }
  }

  /**
   * The number of this start, and the file of votes.
   *
   * @param claims null without a directory, or if its disk does not answer
   */
  private record Remembered(long incarnation, @Nullable ClaimFile claims) {}

  /** Reads and writes the directory of series, unless its disk does not answer. */
  private static Remembered remembered(AgentConfig config, @Nullable SeriesFiles series) {
    Instant now = Instant.now();
    Path directory = config.series();
    Remembered none = new Remembered(Incarnation.next(null, now), null);
    return series == null || directory == null
        ? none
        : series
            .atStart(
                () ->
                    new Remembered(
                        Incarnation.next(directory, now),
                        ClaimFile.in(directory, config.id().toString())))
            .orElse(none);
  }

  /**
   * Returns the registry behind the page of metrics: the given one if Prometheus can scrape it,
   * else a new one.
   */
  private static PrometheusMeterRegistry scraped(MeterRegistry given) {
    return given instanceof PrometheusMeterRegistry registry
        ? registry
        : new PrometheusMeterRegistry(PrometheusConfig.DEFAULT);
  }

  /** Returns a builder, to run an agent inside another program. */
  public static AgentBuilder builder() {
    return new AgentBuilder();
  }

  /**
   * Starts an agent. It becomes ready later: see {@link #ready} or {@code /readyz}.
   *
   * @throws ConfigException if settings contradict each other, a port is in use, or another agent
   *     uses the directory of series
   */
  public static Agent start(AgentConfig config, AgentOptions options) throws ConfigException {
    AgentConfig checked = config.checked();
    CallPermissions permissions = CallPermissions.of(checked);
    ConnectionSecurity security = ConnectionSecurity.of(checked);
    try {
      return start(checked, options, security, permissions);
    } catch (ConfigException e) {
      security.close();
      throw e;
    }
  }

  private static Agent start(
      AgentConfig checked,
      AgentOptions options,
      ConnectionSecurity security,
      @Nullable CallPermissions permissions)
      throws ConfigException {
    // The owner of the directory is checked before this start is recorded in it.
    SeriesFiles series =
        checked.series() == null ? null : SeriesFiles.in(checked.series(), checked.id());
    LinkEmulation ofRealLinks =
        options.emulation() == null && checked.allowFaults() ? LinkEmulation.ofRealLinks() : null;
    try {
      LinkEmulation emulation = ofRealLinks == null ? options.emulation() : ofRealLinks;
      Agent agent = new Agent(checked, options, security, permissions, emulation, series);
      if (ofRealLinks != null) {
        log.warn(
            "faults are allowed: whoever reaches {} can break the links of agent {}, or crash it",
            agent.address,
            checked.id());
      }
      return started(agent);
    } catch (ConfigException e) {
      if (ofRealLinks != null) {
        ofRealLinks.close();
      }
      if (series != null) {
        series.close();
      }
      throw e;
    }
  }

  private static Agent started(Agent agent) {
    agent.loop.start();
    if (agent.permissions != null) {
      agent.permissions.watch(() -> agent.loop.execute(agent.applications::permissionsChanged));
    }
    agent.loop.execute(
        () -> {
          agent.core.start(agent.loop.nowNanos());
          agent.applications.values().hold(Labels.of(agent.config));
        });
    return agent;
  }

  private AdminSources adminSources() {
    return new AdminSources(
        this::query,
        this::explain,
        series,
        history,
        () -> answers.of(() -> core().topics()),
        () -> answers.of(() -> applications.values().labels()),
        () -> applications.groupQueries().list(),
        path -> applications.groupQueries().view(path),
        loop::nowNanos,
        startedNanos);
  }

  private Server listen() throws ConfigException {
    health.setStatus(HealthStatusManager.SERVICE_NAME_ALL_SERVICES, ServingStatus.NOT_SERVING);
    health.setStatus(TreecastServiceGrpc.SERVICE_NAME, ServingStatus.NOT_SERVING);
    List<ServerServiceDefinition> services = new ArrayList<>(applicationServices);
    services.addAll(
        List.of(
            transport.service(),
            new AdminEndpoint(adminSources()).bindService(),
            new FaultEndpoint(
                    config.id(),
                    config.allowFaults() ? emulation : null,
                    new FaultyBody(
                        config.id(),
                        loop,
                        Objects.requireNonNullElse(options.crash(), this::crash)))
                .bindService(),
            health.getHealthService().bindService(),
            ProtoReflectionServiceV1.newInstance().bindService()));
    return AgentServer.listen(config, security, permissions, drops, services);
  }

  private AgentCore core() {
    return core;
  }

  ConnectionSecurity security() {
    return security;
  }

  @Nullable CallPermissions permissions() {
    return permissions;
  }

  List<ServerServiceDefinition> services() {
    return server.getServices();
  }

  /** Returns the address at which other agents and applications reach this agent. */
  public HostPort address() {
    return address;
  }

  /** Returns the address of the admin pages; null if the agent serves none. */
  public @Nullable HostPort adminAddress() {
    return admin == null ? null : admin.address();
  }

  /**
   * Returns a future that completes when the agent first has a tree of {@code readyMembers}
   * members, and fails with an {@link IllegalStateException} if the agent stops before. Callbacks
   * do not run on the agent's thread, so they may block.
   */
  public CompletableFuture<@Nullable Void> ready() {
    return Answers.offLoop(ready);
  }

  /**
   * As {@link #ready()}, with a timeout. After it, the future fails with an {@link
   * IllegalStateException} whose message names the condition that the agent waits for, and the
   * seeds without an answer.
   */
  public CompletableFuture<@Nullable Void> ready(Duration atMost) {
    return Answers.offLoop(ReadinessWait.of(config.id().toString(), ready, atMost, this::query));
  }

  /**
   * Returns a new client of this agent, connected without a socket and without TLS. The caller
   * closes it. Once the agent has stopped, its calls fail with {@code AGENT_UNREACHABLE}.
   */
  public Treecast client() {
    return clientBuilder().connect();
  }

  /** Returns a builder for clients like {@link #client}, to set limits, delays and threads. */
  public TreecastBuilder clientBuilder() {
    return Treecast.inProcess(inProcess.name());
  }

  /**
   * Returns the agent's state; fails if the agent has stopped. Completes on a thread of the common
   * pool, so callbacks may block.
   */
  public CompletableFuture<AgentSnapshot> snapshot() {
    return Answers.offLoop(query());
  }

  /** Returns the agent's state, completed on the loop's thread. */
  private CompletableFuture<AgentSnapshot> query() {
    return answers.of(
        () -> {
          AgentSnapshot snapshot = core.snapshot();
          metrics.update(snapshot);
          return snapshot;
        });
  }

  /** Explains why the link to a peer is in a tree, or is not; empty if there is no such link. */
  private CompletableFuture<Optional<LinkExplanation>> explain(NodeId peer, TreeMetric metric) {
    return answers.of(() -> Optional.ofNullable(core.explain(peer, metric, loop.nowNanos())));
  }

  /**
   * Returns a future that completes with the reason when the agent has stopped or cannot continue.
   * Callbacks do not run on the agent's thread, so they may close the agent.
   */
  public CompletableFuture<String> stopped() {
    return Answers.offLoop(stopped);
  }

  /**
   * Leaves gracefully: hands on the data that it has accepted, for some seconds at most, says
   * goodbye to the neighbours, closes the streams and frees the ports. Idempotent.
   */
  @Override
  public void close() {
    end(true);
  }

  /**
   * Leaves like {@link #close}, but hands no data on. Use it when all agents of a cluster end
   * together, so that no remaining member can lack data.
   */
  public void closeWithAllOthers() {
    end(false);
  }

  private void end(boolean handsOn) {
    if (!closing.compareAndSet(false, true)) {
      return;
    }
    loop.resume();
    if (loop.isRunning()) {
      health.enterTerminalState();
    }
    if (admin != null) {
      admin.endClients();
      admin.close();
    }
    if (handsOn) {
      handOn();
    }
    CompletableFuture<Void> left = new CompletableFuture<>();
    loop.execute(
        () -> {
          core.leave();
          applications.end();
          left.complete(null);
        });
    if (loop.isRunning()) {
      await(left, GOODBYE_SECONDS);
    }
    server.shutdown();
    try {
      transport.awaitGoodbyes(TimeUnit.SECONDS.toNanos(GOODBYE_SECONDS));
      if (!server.awaitTermination(GOODBYE_SECONDS, TimeUnit.SECONDS)) {
        server.shutdownNow();
      }
    } catch (InterruptedException e) {
      server.shutdownNow();
      Thread.currentThread().interrupt();
    }
    loop.stop();
    release();
    stop("closed");
  }

  private void handOn() {
    CompletableFuture<Void> handedOn = new CompletableFuture<>();
    loop.execute(
        () -> {
          applications.uploads().endUnfinished();
          core.prepareToLeave(() -> handedOn.complete(null));
        });
    if (loop.isRunning() && !await(handedOn, HAND_ON_SECONDS)) {
      log.warn(
          "other agents did not receive all broadcasts within {} s; those that only this agent "
              + "has are lost",
          HAND_ON_SECONDS);
    }
  }

  /** Returns whether the event happened within the time. */
  private static boolean await(CompletableFuture<Void> event, long seconds) {
    return event.thenApply(done -> true).completeOnTimeout(false, seconds, TimeUnit.SECONDS).join();
  }

  /**
   * Ends the agent as the kernel ends a killed process: sends no goodbyes, and closes its
   * connections at once. Idempotent; no effect after {@link #close}.
   */
  public void crash() {
    if (!closing.compareAndSet(false, true)) {
      return;
    }
    loop.stop();
    release();
    server.shutdownNow();
    if (admin != null) {
      admin.close();
    }
    stop("crashed on purpose");
  }

  /**
   * Handles the failure of the loop. No call can be answered any more, so ports and connections
   * close at once, as in a crash. {@link #close} releases the rest.
   */
  private void loopFailed() {
    try {
      health.enterTerminalState();
      transport.abort();
      server.shutdownNow();
      if (admin != null) {
        admin.endClients();
      }
    } finally {
      stop("its event loop failed");
    }
  }

  private void stop(String why) {
    stopped.complete(why);
    ready.completeExceptionally(
        new IllegalStateException("agent " + config.id() + " stopped before it was ready: " + why));
  }

  /** Releases resources after the loop has stopped. */
  private void release() {
    transport.abort();
    inProcess.close();
    metrics.close();
    security.close();
    if (permissions != null) {
      permissions.close();
    }
    if (series != null) {
      series.close();
    }
    if (claimFile != null) {
      claimFile.close();
    }
    if (emulation != null && options.emulation() == null) {
      emulation.close();
    }
  }

  /**
   * Freezes the agent like a stopped process: its connections stay open, but it answers nothing
   * until {@link #resume}. A {@link #snapshot} completes only then, too.
   */
  public void pause() {
    var unused = loop.pause();
  }

  /** Ends a {@link #pause}. */
  public void resume() {
    loop.resume();
  }

  private final class CoreTimers implements EventLoop.Timers {
    @Override
    public long nextDeadlineNanos() {
      return Math.min(core.nextDeadlineNanos(), applications.subscribers().nextDeadlineNanos());
    }

    @Override
    public void tick(long nowNanos) {
      applications.subscribers().tick(nowNanos);
      if (core.nextDeadlineNanos() <= nowNanos) {
        core.tick(nowNanos);
      }
    }
  }

  private final class ClaimReports implements ClaimEvents {
    @Override
    public void store(ClaimMemory memory) {
      Runnable stored =
          () ->
              loop.execute(
                  () -> {
                    long now = loop.nowNanos();
                    core.claim(claims -> claims.stored(memory, now), now);
                  });
      if (claimFile == null) {
        stored.run();
      } else {
        claimFile.store(memory, stored);
      }
    }

    @Override
    public void held(long call, long number, long fence, long remainingNanos) {
      applications.claims().held(call, number, fence, remainingNanos);
    }

    @Override
    public void ended(long call, ClaimEnd end) {
      applications.claims().ended(call, end);
    }

    @Override
    public void answered(long inquiry, ClaimState state) {
      applications.claims().answered(inquiry, state);
    }
  }

  private final class Effects implements AgentEffects {
    @Override
    public void began(long subscriber, List<MessageId> after) {
      applications.subscribers().began(subscriber, after);
    }

    @Override
    public void live(long subscriber) {
      applications.subscribers().live(subscriber);
    }

    @Override
    public void missed(long subscriber, Gap gap, MissedReason reason) {
      applications.subscribers().missed(subscriber, gap, reason);
    }

    @Override
    public void abandoned(long subscriber, MessageId message) {
      applications.subscribers().abandoned(subscriber, message);
    }

    @Override
    public void fellBehind(long subscriber) {
      applications.subscribers().fellBehind(subscriber);
    }

    @Override
    public void deliver(long subscriber, Chunk chunk, @Nullable OrderPosition position) {
      if (applications.subscribers().deliver(subscriber, chunk, position)
          && chunk.last()
          && chunk.publishedNanos() != 0) {
        metrics.delivered(
            core.site(chunk.messageId().origin()), loop.nowNanos() - chunk.publishedNanos());
      }
    }

    @Override
    public void confirmed(Confirmation confirmation) {
      applications.waiters().confirmed(confirmation);
    }

    @Override
    public void uploadTaken(long upload, int pieces) {
      applications.uploads().taken(upload, pieces);
    }

    @Override
    public void uploadEnded(long upload, int replicas) {
      applications.uploads().ended(upload, replicas);
    }

    @Override
    public void collectiveEnded(long call, Outcome outcome) {
      applications.collectives().ended(call, outcome);
    }

    @Override
    public void valueChanged(MapName map, String key) {
      applications.values().changed(map, key);
    }

    @Override
    public void groupChanged(GroupView view) {
      applications.groups().changed(view);
      applications.groupQueries().changed(view);
    }

    @Override
    public void groupsListed(long question, GroupList groups) {
      applications.groups().listed(question, groups);
    }

    @Override
    public void measured(NodeId neighbour, SeriesResource resource, long value) {
      if (series != null) {
        series.add(neighbour, resource, new SeriesPoint(System.currentTimeMillis(), value));
      }
    }

    @Override
    public void treeChanged(TreeChange change) {
      AgentSnapshot snapshot = core.snapshot();
      ServingStatus status =
          snapshot.tree().ready() ? ServingStatus.SERVING : ServingStatus.NOT_SERVING;
      health.setStatus(HealthStatusManager.SERVICE_NAME_ALL_SERVICES, status);
      health.setStatus(TreecastServiceGrpc.SERVICE_NAME, status);
      metrics.reconfigured(change);
      history.add(change, Instant.now());
      metrics.update(snapshot);
      if (snapshot.tree().ready()) {
        ready.complete(null);
      }
      applications.watchers().changed(StatusFrames.treeStatus(snapshot));
    }

    @Override
    public long unixNanos() {
      Instant now = Instant.now();
      return TimeUnit.SECONDS.toNanos(now.getEpochSecond()) + now.getNano();
    }

    @Override
    public void noticed(Notice notice) {
      drops.count(notice.kind());
      options.notices().accept(notice);
      if (notice.severity() == Notice.Severity.FATAL) {
        stop(notice.text());
      }
    }
  }
}
