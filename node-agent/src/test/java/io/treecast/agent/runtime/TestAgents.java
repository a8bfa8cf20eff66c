package io.treecast.agent.runtime;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.grpc.Channel;
import io.grpc.Grpc;
import io.grpc.InsecureChannelCredentials;
import io.grpc.ManagedChannel;
import io.grpc.Metadata;
import io.grpc.Status;
import io.grpc.netty.shaded.io.grpc.netty.NettyChannelBuilder;
import io.micrometer.prometheusmetrics.PrometheusConfig;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import io.treecast.agent.config.Advertised;
import io.treecast.agent.config.AgentConfig;
import io.treecast.agent.config.ConfigException;
import io.treecast.agent.config.HostPort;
import io.treecast.agent.config.Setting;
import io.treecast.agent.core.AgentSnapshot;
import io.treecast.agent.core.AgentSnapshot.LinkView;
import io.treecast.agent.core.contract.LinkState;
import io.treecast.agent.core.contract.Notice;
import io.treecast.agent.core.settings.LinkLimits;
import io.treecast.agent.transport.emulation.LinkEmulation;
import io.treecast.collectives.broadcast.contract.BroadcastLimits;
import io.treecast.collectives.operation.contract.CombiningLimits;
import io.treecast.ghs.NodeId;
import io.treecast.monitor.probe.ProbePolicy;
import io.treecast.monitor.throughput.ThroughputPolicy;
import io.treecast.mst.CommittedTree;
import io.treecast.proto.v1.RefusalReason;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.ServerSocket;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Real agents on free ports of this machine, that measure quickly. Closes what it has started, the
 * channels to the agents included.
 */
public final class TestAgents implements AutoCloseable {
  public static final Duration PATIENCE = Duration.ofSeconds(60);
  public static final HostPort ANY_PORT = new HostPort("127.0.0.1", 0);

  private static final Metadata.Key<String> REASON =
      Metadata.Key.of("treecast-refusal-reason", Metadata.ASCII_STRING_MARSHALLER);

  private static final ProbePolicy QUICK =
      new ProbePolicy(5, 4, Duration.ofMillis(5), Duration.ofMillis(200), Duration.ofSeconds(5), 5);
  private static final LinkLimits QUICK_LINKS = quickLinks(Duration.ofSeconds(10));

  private final List<Agent> agents = new ArrayList<>();
  private final List<ManagedChannel> channels = new ArrayList<>();
  private final List<ServerSocket> silentSeeds = new ArrayList<>();
  private final PrometheusMeterRegistry registry =
      new PrometheusMeterRegistry(PrometheusConfig.DEFAULT);
  private final List<Notice> notices = new CopyOnWriteArrayList<>();
  private BroadcastLimits limits = BroadcastLimits.defaults();
  private CombiningLimits collectives = CombiningLimits.defaults();
  private ThroughputPolicy throughput = ThroughputPolicy.DISABLED;
  private @Nullable LinkEmulation emulation;
  private String cluster = "";
  private @Nullable String site;
  private int readyMembers = 1;
  private @Nullable Path series;
  private @Nullable Path permissions;
  private List<String> adminHosts = List.of();
  private boolean http;

  /** With this wait for the answers of seeds. */
  private static LinkLimits quickLinks(Duration wait) {
    return LinkLimits.builder()
        .handshakeTimeoutNanos(wait.toNanos())
        .redialMinNanos(50_000_000L)
        .redialMaxNanos(1_000_000_000L)
        .higherEndGraceNanos(200_000_000L)
        .handshakes(64)
        .suspendedNanos(20_000_000_000L)
        .gatherQuietNanos(200_000_000L)
        .gatherNanos(wait.toNanos())
        .batchNanos(2_000_000_000L)
        .forgetNanos(LinkLimits.DEFAULT.forgetNanos())
        .build();
  }

  /** Sets the permissions of agents that start from now on. */
  public TestAgents withPermissions(Path file) {
    permissions = file;
    return this;
  }

  public TestAgents withLimits(BroadcastLimits broadcastLimits) {
    limits = broadcastLimits;
    return this;
  }

  TestAgents withLimits(CombiningLimits combiningLimits) {
    collectives = combiningLimits;
    return this;
  }

  public TestAgents withThroughput(ThroughputPolicy policy) {
    throughput = policy;
    return this;
  }

  TestAgents withEmulation(LinkEmulation linkEmulation) {
    emulation = linkEmulation;
    return this;
  }

  TestAgents withReadyMembers(int count) {
    readyMembers = count;
    return this;
  }

  /** Sets the cluster's name for agents that start from now on. */
  TestAgents withCluster(String name) {
    cluster = name;
    return this;
  }

  /** Sets the site of agents that start from now on. */
  public TestAgents withSite(String name) {
    site = name;
    return this;
  }

  /** Sets the admin hosts of agents that start from now on. */
  public TestAgents withAdminHosts(String... names) {
    adminHosts = List.of(names);
    return this;
  }

  /** Lets HTTP clients of agents that start from now on publish and subscribe. */
  public TestAgents withHttp() {
    http = true;
    return this;
  }

  /** Sets the directory of series for agents that start from now on. */
  public TestAgents withSeries(Path directory) {
    series = directory;
    return this;
  }

  AgentConfig config(String id, List<String> seeds) {
    return config(id, null, seeds);
  }

  /** One that says that it is reached there. */
  AgentConfig config(String id, @Nullable HostPort advertise, List<String> seeds) {
    return AgentConfig.discovered(NodeId.of(id), RestartPort.find(), seeds)
        .with(Setting.ADVERTISE, advertise == null ? null : Advertised.of(advertise))
        .with(Setting.ADMIN, ANY_PORT)
        .with(Setting.ADMIN_HOSTS, adminHosts)
        .with(Setting.HTTP, http)
        .with(Setting.LINKS, QUICK_LINKS)
        .with(Setting.PROBES, QUICK)
        .with(Setting.THROUGHPUT, throughput)
        .with(Setting.LIMITS, limits)
        .with(Setting.COLLECTIVES, collectives)
        .with(Setting.SERIES, series)
        .with(Setting.SITE, site)
        .with(Setting.PERMISSIONS, permissions)
        .with(Setting.CLUSTER, cluster)
        .with(Setting.READY_MEMBERS, readyMembers);
  }

  /** Returns a copy on these addresses. */
  static AgentConfig listeningOn(AgentConfig config, HostPort listen, HostPort admin) {
    return config
        .with(Setting.LISTEN, listen)
        .with(Setting.ADMIN, admin)
        .with(Setting.INSECURE, true);
  }

  /** Returns a copy that others reach at this address. */
  static AgentConfig advertising(AgentConfig config, HostPort advertise) {
    return config.with(Setting.ADVERTISE, Advertised.of(advertise)).with(Setting.INSECURE, true);
  }

  public Agent start(String id, String... seeds) {
    return start(config(id, List.of(seeds)));
  }

  public Agent start(AgentConfig config) {
    return start(config, notices::add);
  }

  /** One whose loop fails when there is something to notice. */
  Agent startThrowing(String id, String... seeds) {
    return start(
        config(id, List.of(seeds)),
        notice -> {
          throw new IllegalStateException("a test throws this: " + notice.text());
        });
  }

  private Agent start(AgentConfig config, Consumer<Notice> noticed) {
    try {
      Agent agent = Agent.start(config, new AgentOptions(registry, emulation, noticed));
      agents.add(agent);
      return agent;
    } catch (ConfigException e) {
      throw new AssertionError("an agent on any free port does not start", e);
    }
  }

  /**
   * One that has no tree until {@link #silenceEnds}, or for {@link #PATIENCE}: a seed of it accepts
   * its connection and says nothing.
   */
  public Agent startWaiting(String id) {
    try {
      ServerSocket silent = new ServerSocket(0, 1, ANY_PORT.toSocketAddress().getAddress());
      silentSeeds.add(silent);
      List<String> seeds = List.of("127.0.0.1:" + silent.getLocalPort());
      return start(config(id, seeds).with(Setting.LINKS, quickLinks(PATIENCE)));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** The silent seeds are gone, so nobody waits for them any more. */
  public void silenceEnds() {
    for (ServerSocket silent : silentSeeds) {
      try {
        silent.close();
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    }
    silentSeeds.clear();
  }

  /** Agents h1, h2... that find each other from the first, not ready yet. */
  public List<Agent> startCluster(int members) {
    List<Agent> cluster = new ArrayList<>();
    for (int i = 1; i <= members; i++) {
      String[] seeds = i == 1 ? new String[0] : new String[] {cluster.get(0).address().toString()};
      cluster.add(start("h" + i, seeds));
    }
    return cluster;
  }

  /**
   * Starts a cluster, and waits until it has one tree, open data streams, and a measured link
   * between each two members.
   */
  public List<Agent> startReadyCluster(int members) {
    List<Agent> cluster = startCluster(members);
    await()
        .atMost(PATIENCE)
        .untilAsserted(
            () ->
                assertThat(cluster)
                    .allSatisfy(
                        agent -> {
                          AgentSnapshot snapshot = snapshot(agent);
                          assertThat(memberCount(agent)).isEqualTo(members);
                          assertThat(snapshot.tree().tree())
                              .isEqualTo(snapshot(cluster.get(0)).tree().tree());
                          assertThat(snapshot.carriesBroadcasts()).isTrue();
                          assertThat(snapshot.links())
                              .hasSize(members - 1)
                              .allSatisfy(TestAgents::assertMeasured);
                        }));
    return cluster;
  }

  /** One of its ends measures a link; this end has a forecast if it is the one. */
  private static void assertMeasured(LinkView link) {
    assertThat(link.state()).isEqualTo(LinkState.UP);
    assertThat(link.expectation() == null).isEqualTo(link.quality() == null);
  }

  /** Returns the size of the agent's committed tree; 0 while it has none. */
  public static int memberCount(Agent agent) {
    CommittedTree tree = snapshot(agent).tree().tree();
    return tree == null ? 0 : tree.members().size();
  }

  /** Returns the reason that the agent states for the failure of a call. */
  public static RefusalReason reason(Throwable failure) {
    Metadata trailers = Status.trailersFromThrowable(failure);
    String name = trailers == null ? null : trailers.get(REASON);
    return name == null ? RefusalReason.REFUSAL_REASON_UNSPECIFIED : RefusalReason.valueOf(name);
  }

  public static AgentSnapshot snapshot(Agent agent) {
    return agent.snapshot().orTimeout(PATIENCE.toSeconds(), TimeUnit.SECONDS).join();
  }

  /**
   * Asks for a page until the agent's loop has answered in time, as it may not while it is busy.
   */
  public static HttpResponse<String> inTime(Callable<HttpResponse<String>> asking) {
    return await()
        .atMost(PATIENCE)
        .pollDelay(Duration.ZERO)
        .until(asking, page -> !page.body().equals("the agent's event loop does not answer\n"));
  }

  /** Returns a connection of its own to an agent. */
  public Channel channel(Agent agent) {
    ManagedChannel channel =
        Grpc.newChannelBuilder(agent.address().toString(), InsecureChannelCredentials.create())
            .directExecutor()
            .build();
    channels.add(channel);
    return channel;
  }

  /** One that takes 64 KiB of each answer that is not read. */
  Channel narrowChannel(Agent agent) {
    ManagedChannel channel =
        NettyChannelBuilder.forAddress(agent.address().toSocketAddress())
            .usePlaintext()
            .flowControlWindow(1 << 16)
            .build();
    channels.add(channel);
    return channel;
  }

  List<Notice> notices() {
    return notices;
  }

  PrometheusMeterRegistry registry() {
    return registry;
  }

  /** Returns the value of {@code treecast_protocol_dropped_total} of an agent. */
  double dropped(String id, String reason) {
    return registry
        .get("treecast.protocol.dropped")
        .tag("node", id)
        .tag("reason", reason)
        .functionCounter()
        .count();
  }

  @Override
  public void close() {
    channels.forEach(ManagedChannel::shutdownNow);
    agents.forEach(Agent::close);
    silenceEnds();
  }
}
