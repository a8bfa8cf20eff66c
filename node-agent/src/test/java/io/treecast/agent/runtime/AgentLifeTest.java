package io.treecast.agent.runtime;

import static io.treecast.agent.runtime.TestAgents.PATIENCE;
import static io.treecast.agent.runtime.TestAgents.listeningOn;
import static io.treecast.agent.runtime.TestAgents.snapshot;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.awaitility.Awaitility.await;

import io.grpc.Grpc;
import io.grpc.InsecureChannelCredentials;
import io.grpc.Status;
import io.grpc.health.v1.HealthCheckRequest;
import io.grpc.health.v1.HealthCheckResponse;
import io.grpc.health.v1.HealthGrpc;
import io.grpc.stub.StreamObserver;
import io.treecast.agent.config.AgentConfig;
import io.treecast.agent.config.ConfigException;
import io.treecast.agent.config.HostPort;
import io.treecast.agent.core.contract.Notice;
import io.treecast.client.Message;
import io.treecast.client.MessageHandler;
import io.treecast.client.Treecast;
import io.treecast.proto.v1.BroadcastRequest;
import io.treecast.proto.v1.TreecastServiceGrpc;
import java.io.IOException;
import java.lang.ref.WeakReference;
import java.net.ServerSocket;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.logging.Handler;
import java.util.logging.Level;
import java.util.logging.LogRecord;
import java.util.logging.Logger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Isolated;

/** How an agent starts, or says why not, and what is left of it when it is closed. */
@Isolated("It looks for threads and channels that are left of any agent.")
class AgentLifeTest {
  private final TestAgents agents = new TestAgents();

  @AfterEach
  void closeAll() {
    agents.close();
  }

  private void assertRefusesToStart(AgentConfig config, String... words) {
    assertThatExceptionOfType(ConfigException.class)
        .isThrownBy(() -> Agent.start(config, AgentOptions.standard()))
        .satisfies(refusal -> assertThat(refusal).hasMessageContainingAll(words));
    assertThat(treecastThreads("treecast-agent-z")).isEmpty();
  }

  @Test
  void a_listen_port_in_use_is_named() throws IOException {
    try (ServerSocket taken =
        new ServerSocket(0, 1, TestAgents.ANY_PORT.toSocketAddress().getAddress())) {
      HostPort port = TestAgents.ANY_PORT.withPort(taken.getLocalPort());
      assertRefusesToStart(
          listeningOn(agents.config("z", List.of()), port, TestAgents.ANY_PORT),
          "listen: cannot listen on " + port,
          "Address already in use",
          "choose a free --listen address of this machine, or stop the process that uses it");
    }
  }

  @Test
  void an_admin_port_in_use_is_named_and_the_listen_port_is_free_again() throws IOException {
    HostPort listen = RestartPort.find();
    try (ServerSocket taken =
        new ServerSocket(0, 1, TestAgents.ANY_PORT.toSocketAddress().getAddress())) {
      HostPort admin = TestAgents.ANY_PORT.withPort(taken.getLocalPort());
      assertRefusesToStart(
          listeningOn(agents.config("z", List.of()), listen, admin),
          "admin: cannot listen on " + admin,
          "Address already in use",
          "choose a free --admin address of this machine, or stop the process that uses it");
    }
    awaitFree(listen.port());
  }

  @Test
  void hosts_that_do_not_exist_are_named() {
    HostPort nowhere = new HostPort("no-such-host.invalid", 0);
    assertRefusesToStart(
        listeningOn(agents.config("z", List.of()), nowhere, TestAgents.ANY_PORT),
        "listen: 'no-such-host.invalid:0' names no host");
    assertRefusesToStart(
        listeningOn(agents.config("z", List.of()), TestAgents.ANY_PORT, nowhere),
        "admin: 'no-such-host.invalid:0' names no host");
  }

  @Test
  void a_closed_agent_leaves_no_thread_and_no_port() {
    List<Agent> cluster = agents.startReadyCluster(3);
    await()
        .atMost(PATIENCE)
        .untilAsserted(() -> assertThat(treecastThreads("treecast-agent-h")).hasSize(3));
    cluster.forEach(Agent::close);
    await()
        .atMost(PATIENCE)
        .untilAsserted(
            () -> {
              assertThat(treecastThreads("treecast-agent-h")).isEmpty();
              assertThat(treecastThreads("treecast-admin-")).isEmpty();
            });
    for (Agent agent : cluster) {
      assertThat(agent.stopped().join()).isEqualTo("closed");
      awaitFree(agent.address().port());
    }
  }

  private static void awaitFree(int port) {
    await()
        .atMost(PATIENCE)
        .ignoreException(IOException.class)
        .until(
            () -> {
              new ServerSocket(port).close();
              return true;
            });
  }

  private static List<String> treecastThreads(String prefix) {
    return Thread.getAllStackTraces().keySet().stream()
        .map(Thread::getName)
        .filter(name -> name.startsWith(prefix))
        .toList();
  }

  @Test
  void a_closed_agent_has_shut_its_channels_down() {
    List<String> complaints = new CopyOnWriteArrayList<>();
    Logger orphans = Logger.getLogger("io.grpc.internal.ManagedChannelOrphanWrapper");
    Handler handler =
        new Handler() {
          @Override
          public void publish(LogRecord record) {
            if (record.getLevel().intValue() >= Level.WARNING.intValue()) {
              complaints.add(record.getMessage());
            }
          }

          @Override
          public void flush() {}

          @Override
          public void close() {}
        };
    orphans.addHandler(handler);
    try {
      runAndCloseClusters();
      WeakReference<Object> canary = new WeakReference<>(new Object());
      await()
          .atMost(PATIENCE)
          .until(
              () -> {
                System.gc();
                return canary.refersTo(null);
              });
      // gRPC looks for channels that were forgotten whenever one is made.
      for (int i = 0; i < 3; i++) {
        System.gc();
        Grpc.newChannelBuilder("127.0.0.1:1", InsecureChannelCredentials.create())
            .build()
            .shutdownNow();
      }
      assertThat(complaints).isEmpty();
    } finally {
      orphans.removeHandler(handler);
    }
  }

  /** Ready ones, ones in the middle of their handshakes, and one whose seed is down. */
  private static void runAndCloseClusters() {
    try (TestAgents ready = new TestAgents()) {
      ready.startReadyCluster(3);
    }
    try (TestAgents starting = new TestAgents()) {
      starting.startCluster(3);
    }
    try (TestAgents seedless = new TestAgents()) {
      seedless.start("h1", "127.0.0.1:1");
    }
  }

  @Test
  void close_may_be_called_twice_and_by_several_at_once() {
    Agent lone = agents.startReadyCluster(1).get(0);
    List<Thread> closers = new ArrayList<>();
    for (int i = 0; i < 4; i++) {
      Thread closer = new Thread(lone::close);
      closer.start();
      closers.add(closer);
    }
    for (Thread closer : closers) {
      await().atMost(PATIENCE).until(() -> !closer.isAlive());
    }
    lone.close();
    assertThat(lone.stopped().join()).isEqualTo("closed");
  }

  @Test
  void an_agent_whose_seed_is_of_another_cluster_warns_and_goes_on_alone() {
    String seed = agents.withCluster("production").start("h1").address().toString();
    Agent stray = agents.withCluster("staging").start("h2", seed);
    await()
        .atMost(PATIENCE)
        .untilAsserted(
            () ->
                assertThat(agents.notices())
                    .filteredOn(notice -> notice.kind() == Notice.Kind.OTHER_CLUSTER)
                    .filteredOn(notice -> notice.severity() == Notice.Severity.WARNING)
                    .extracting(Notice::text)
                    .anyMatch(text -> text.startsWith("refused by " + seed + ": h1 at " + seed))
                    .anyMatch(text -> text.startsWith("refused a connection from "))
                    .allMatch(text -> text.contains("cluster production"))
                    .allMatch(text -> text.contains("cluster staging")));
    await().atMost(PATIENCE).until(() -> TestAgents.memberCount(stray) == 1);
    assertThat(snapshot(stray).links()).isEmpty();
    // It tries on, which the logs do not tell again.
    await().atMost(PATIENCE).until(() -> agents.dropped("h1", "other_cluster") > 1);
    await().atMost(PATIENCE).until(() -> agents.dropped("h2", "other_cluster") > 1);
  }

  @Test
  void futures_of_an_agent_that_closes_complete() {
    Agent agent = agents.startWaiting("h1");
    var stub = TreecastServiceGrpc.newFutureStub(agents.channel(agent));
    var waiting = stub.broadcast(BroadcastRequest.newBuilder().setWaitMillis(3_600_000).build());
    agent.close();
    assertThatExceptionOfType(ExecutionException.class)
        .isThrownBy(() -> waiting.get(PATIENCE.toSeconds(), TimeUnit.SECONDS))
        .satisfies(
            failure ->
                assertThat(Status.fromThrowable(failure).getCode())
                    .isEqualTo(Status.Code.UNAVAILABLE));
    assertThatExceptionOfType(ExecutionException.class)
        .isThrownBy(() -> agent.snapshot().get(PATIENCE.toSeconds(), TimeUnit.SECONDS))
        .withCauseInstanceOf(IllegalStateException.class);
  }

  @Test
  void an_agent_whose_loop_has_failed_leaves_no_port_and_no_call() {
    Agent broken = agents.startThrowing("h1", agents.start("h2").address().toString());
    CompletableFuture<Status> call = new CompletableFuture<>();
    HealthGrpc.newStub(agents.channel(broken))
        .watch(
            HealthCheckRequest.getDefaultInstance(),
            new StreamObserver<HealthCheckResponse>() {
              @Override
              public void onNext(HealthCheckResponse response) {}

              @Override
              public void onError(Throwable error) {
                call.complete(Status.fromThrowable(error));
              }

              @Override
              public void onCompleted() {
                call.complete(Status.OK);
              }
            });

    assertThat(broken.stopped().orTimeout(PATIENCE.toSeconds(), TimeUnit.SECONDS).join())
        .isNotEqualTo("closed");
    await().atMost(PATIENCE).until(call::isDone);
    awaitFree(broken.address().port());
    broken.close();
  }

  @Test
  void callbacks_of_an_agents_answer_may_block() throws Exception {
    Agent agent = agents.startThrowing("h1");
    agent.pause();
    CompletableFuture<Void> canPublish = new CompletableFuture<>();
    CountDownLatch isAsked = new CountDownLatch(1);
    CompletableFuture<String> onSnapshot = new CompletableFuture<>();
    // A thread of its own may block: the agent may have ended already.
    Thread asking =
        new Thread(
            () -> {
              var snapshot = agent.snapshot();
              isAsked.countDown();
              var unused =
                  snapshot.whenComplete(
                      (answer, failure) -> {
                        canPublish.join();
                        onSnapshot.complete(Thread.currentThread().getName());
                      });
            });
    asking.start();
    assertThat(isAsked.await(PATIENCE.toSeconds(), TimeUnit.SECONDS)).isTrue();
    // Whatever the agent notices first ends it, and closing it waits for its thread.
    var onStopped =
        agent
            .stopped()
            .thenApply(
                reason -> {
                  agent.close();
                  return Thread.currentThread().getName();
                });
    agent.resume();
    agents.start("h2", agent.address().toString());

    assertThat(onStopped.get(PATIENCE.toSeconds(), TimeUnit.SECONDS))
        .doesNotStartWith("treecast-agent");
    canPublish.complete(null);
    assertThat(onSnapshot.get(PATIENCE.toSeconds(), TimeUnit.SECONDS))
        .doesNotStartWith("treecast-agent");
  }

  @Test
  void a_snapshot_of_an_agent_that_closes_meanwhile_completes_one_way_or_the_other() {
    for (int i = 0; i < 20; i++) {
      try (TestAgents few = new TestAgents()) {
        Agent agent = few.start("h1");
        Thread closer = new Thread(agent::close);
        closer.start();
        while (closer.isAlive()) {
          var snapshot = agent.snapshot();
          await().atMost(PATIENCE).until(snapshot::isDone);
        }
      }
    }
  }

  @Test
  void an_agent_that_was_restarted_under_its_address_is_taken_back_into_the_tree()
      throws ConfigException {
    Agent first = agents.start("h1");
    Agent second = agents.start("h2", first.address().toString());
    await().atMost(PATIENCE).until(() -> linked(first) == 1);
    HostPort address = second.address();
    second.close();
    await().atMost(PATIENCE).until(() -> linked(first) == 0);
    agents.start(
        listeningOn(
            agents.config("h2", List.of(first.address().toString())),
            address,
            TestAgents.ANY_PORT));
    agents.start("h3", first.address().toString());
    await().atMost(PATIENCE).until(() -> TestAgents.memberCount(first) == 3);
  }

  private static long linked(Agent agent) {
    return snapshot(agent).links().stream().filter(link -> link.session() > 0).count();
  }

  @Test
  void the_meters_of_an_agent_end_with_it_and_its_next_life_has_its_own() {
    List<Consumer<Agent>> ends = List.of(Agent::close, Agent::crash);
    for (Consumer<Agent> end : ends) {
      Agent agent = agents.start("h1");
      await().atMost(PATIENCE).until(() -> snapshot(agent).tree().ready());
      assertThat(agents.registry().get("treecast.ready").tag("node", "h1").gauge().value()).isOne();

      end.accept(agent);

      assertThat(agents.registry().getMeters())
          .noneMatch(meter -> "h1".equals(meter.getId().getTag("node")));
    }
  }

  @Test
  void applications_learn_without_delay_that_their_agent_closes() {
    Agent lone = agents.startReadyCluster(1).get(0);
    try (Treecast client = Treecast.connect(lone.address().toString())) {
      CompletableFuture<String> interrupted = new CompletableFuture<>();
      client
          .subscribe(
              new MessageHandler() {
                @Override
                public void onMessage(Message message) {}

                @Override
                public void onInterrupted(String reason) {
                  interrupted.complete(reason);
                }
              })
          .ready()
          .join();
      client.watchTree(view -> {}).ready().join();
      lone.close();
      assertThat(lone.stopped()).isDone();
      assertThat(interrupted).succeedsWithin(PATIENCE);
    }
  }
}
