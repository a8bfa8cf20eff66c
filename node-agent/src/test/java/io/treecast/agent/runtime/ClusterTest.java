package io.treecast.agent.runtime;

import static io.treecast.agent.runtime.TestAgents.PATIENCE;
import static io.treecast.agent.runtime.TestAgents.snapshot;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;
import static org.awaitility.Awaitility.await;

import com.google.protobuf.ByteString;
import io.grpc.Context;
import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import io.treecast.agent.core.AgentSnapshot;
import io.treecast.agent.core.AgentSnapshot.LinkView;
import io.treecast.agent.core.contract.LinkState;
import io.treecast.agent.core.contract.Notice;
import io.treecast.client.BroadcastOptions;
import io.treecast.client.MessageId;
import io.treecast.client.SubscribeOptions;
import io.treecast.client.Subscription;
import io.treecast.client.Treecast;
import io.treecast.client.TreecastException;
import io.treecast.collectives.broadcast.contract.BroadcastLimits;
import io.treecast.ghs.Edge;
import io.treecast.ghs.LinkWeight;
import io.treecast.ghs.NodeId;
import io.treecast.mst.CommittedTree;
import io.treecast.oracle.Boruvka;
import io.treecast.oracle.WeightedEdge;
import io.treecast.proto.v1.BroadcastRequest;
import io.treecast.proto.v1.RefusalReason;
import io.treecast.proto.v1.TreecastServiceGrpc;
import java.io.ByteArrayInputStream;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/** Real agents and applications over loopback. */
@Order(2)
@Execution(ExecutionMode.CONCURRENT)
class ClusterTest {
  private static final Duration ONE_SECOND = Duration.ofSeconds(1);

  private final TestAgents agents = new TestAgents();
  private final List<Treecast> clients = new ArrayList<>();

  @AfterEach
  void closeAll() {
    clients.forEach(Treecast::close);
    agents.close();
  }

  private Treecast client(Agent agent) {
    Treecast client = Treecast.connect(agent.address().toString());
    clients.add(client);
    return client;
  }

  @Test
  void three_agents_become_ready_with_the_same_tree_which_is_minimal() {
    List<Agent> cluster = agents.startReadyCluster(3);
    // A weight may change just now, and then the tree does a moment later.
    await().atMost(PATIENCE).untilAsserted(() -> assertMinimalTree(cluster));
  }

  private static void assertMinimalTree(List<Agent> cluster) {
    List<AgentSnapshot> snapshots = cluster.stream().map(TestAgents::snapshot).toList();
    CommittedTree tree = snapshots.get(0).tree().tree();
    assertThat(tree).isNotNull();
    assertThat(snapshots).allSatisfy(s -> assertThat(s.tree().tree()).isEqualTo(tree));

    Set<LinkWeight> weights = new TreeSet<>();
    for (AgentSnapshot snapshot : snapshots) {
      assertThat(snapshot.links()).hasSize(2);
      for (LinkView link : snapshot.links()) {
        assertThat(link.weight()).isNotNull();
        weights.add(link.weight());
      }
    }
    assertThat(weights).as("the same at both ends").hasSize(3);
    List<WeightedEdge<NodeId, LinkWeight>> edges =
        weights.stream().map(w -> new WeightedEdge<>(w.low(), w.high(), w)).toList();
    assertThat(tree.edges().stream().map(e -> Edge.between(e.low(), e.high())))
        .containsExactlyInAnyOrderElementsOf(
            new Boruvka()
                .of(tree.members(), edges).edges().stream()
                    .map(e -> Edge.between(e.weight().low(), e.weight().high()))
                    .toList());
  }

  @Test
  void broadcasts_reach_every_subscriber_of_every_agent_once_and_in_order() {
    List<Agent> cluster = agents.startReadyCluster(3);
    Map<Integer, List<String>> received = new ConcurrentHashMap<>();
    for (int i = 0; i < 6; i++) {
      List<String> log = new CopyOnWriteArrayList<>();
      received.put(i, log);
      Subscription subscription =
          client(cluster.get(i % 3)).subscribe(m -> log.add(m.origin() + " " + m.text()));
      subscription.ready().orTimeout(PATIENCE.toSeconds(), TimeUnit.SECONDS).join();
    }
    List<Treecast> publishers = cluster.stream().map(this::client).toList();
    for (int i = 0; i < 50; i++) {
      for (Treecast publisher : publishers) {
        publisher.broadcast(Integer.toString(i).getBytes(UTF_8)).join();
      }
    }
    await()
        .atMost(PATIENCE)
        .untilAsserted(
            () -> assertThat(received.values()).allSatisfy(log -> assertThat(log).hasSize(150)));
    for (List<String> log : received.values()) {
      for (String origin : List.of("h1", "h2", "h3")) {
        List<String> expected = new ArrayList<>();
        for (int i = 0; i < 50; i++) {
          expected.add(origin + " " + i);
        }
        assertThat(log.stream().filter(entry -> entry.startsWith(origin + " ")))
            .containsExactlyElementsOf(expected);
      }
    }
  }

  @Test
  void payloads_of_many_chunks_arrive_whole() {
    List<Agent> cluster = agents.startReadyCluster(2);
    List<byte[]> received = new CopyOnWriteArrayList<>();
    client(cluster.get(1)).subscribe(m -> received.add(m.payload().clone())).ready().join();
    byte[] payload = new byte[4 * 1024 * 1024];
    new java.util.Random(1).nextBytes(payload);
    client(cluster.get(0)).broadcast(payload).join();
    await().atMost(PATIENCE).until(() -> received.size() == 1);
    assertThat(received.get(0)).isEqualTo(payload);
  }

  @Test
  void a_broadcast_before_there_is_a_tree_fails_at_its_deadline_with_the_reason() {
    Treecast alone = client(agents.startWaiting("h1"));
    // So that there is a connection, however busy this machine is.
    alone.watchTree(tree -> {}).ready().orTimeout(60, TimeUnit.SECONDS).join();
    // The agent may be too late to say so.
    await()
        .atMost(PATIENCE)
        .untilAsserted(
            () -> {
              TreecastException failure =
                  catchThrowableOfType(
                      TreecastException.class,
                      () -> alone.blocking().broadcast(new byte[1], Duration.ofMillis(100)));
              assertThat(failure.reason()).isEqualTo(TreecastException.Reason.NO_TREE);
              assertThat(failure).hasMessageContaining("0 links");
            });
  }

  @Test
  void a_broadcast_before_there_is_a_tree_is_sent_once_there_is_one() {
    Agent first = agents.startWaiting("h1");
    var result = client(first).broadcast(new byte[1], PATIENCE);
    agents.silenceEnds();
    assertThat(result.orTimeout(60, TimeUnit.SECONDS).join().treeVersion()).isPositive();
  }

  @Test
  void a_subscription_is_in_place_when_there_is_a_tree_and_gets_what_comes_then() {
    Agent first = agents.startWaiting("h1");
    List<String> received = new CopyOnWriteArrayList<>();
    try (Treecast client =
        Treecast.builder(first.address().toString()).defaultWait(ONE_SECOND).connect()) {
      client.watchTree(tree -> {}).ready().orTimeout(60, TimeUnit.SECONDS).join();
      Subscription subscription = client.subscribe(m -> received.add(m.text()));
      // A second may be too short for the agent to say so.
      await()
          .atMost(PATIENCE)
          .untilAsserted(
              () -> {
                TreecastException failure =
                    catchThrowableOfType(
                        TreecastException.class, () -> client.blocking().subscribe());
                assertThat(failure.reason()).isEqualTo(TreecastException.Reason.NO_TREE);
              });
      assertThat(subscription.ready()).isNotDone();

      agents.silenceEnds();
      subscription.ready().orTimeout(60, TimeUnit.SECONDS).join();
      assertThat(snapshot(first).tree().ready()).isTrue();
      client.broadcast("then".getBytes(UTF_8)).join();

      await().atMost(PATIENCE).until(() -> received.equals(List.of("then")));
    }
  }

  @Test
  void an_abandoned_broadcast_takes_no_room_and_is_not_sent() {
    agents.withLimits(
        BroadcastLimits.builder()
            .chunkBytes(1_000)
            .payloadBytes(2_000)
            .publishBufferBytes(3_000)
            .logBytes(1 << 20)
            .edgeWindowBytes(10_000)
            .subscriberWindowBytes(10_000)
            .subscribers(10)
            .topics(10)
            .origins(10)
            .build());
    Agent first = agents.startWaiting("h1");
    var stub = TreecastServiceGrpc.newFutureStub(agents.channel(first));
    var givenUp = stub.broadcast(waitingFor(60_000));
    // Another call may overtake it.
    await().atMost(PATIENCE).until(() -> snapshot(first).publishing().waiting() == 1);
    await().atMost(PATIENCE).until(() -> refusal(stub) == Status.Code.RESOURCE_EXHAUSTED);

    givenUp.cancel(true);

    await().atMost(PATIENCE).until(() -> refusal(stub) == Status.Code.UNAVAILABLE);
    agents.silenceEnds();
    MessageId next = client(first).broadcast(new byte[1], PATIENCE).join().messageId();
    assertThat(next.sequence()).isEqualTo(1);
  }

  @Test
  void an_upload_that_is_given_up_before_there_is_a_tree_does_not_wait_for_one() {
    Agent first = agents.startWaiting("h1");
    var upload =
        client(first)
            .upload(
                new ByteArrayInputStream(new byte[10]),
                BroadcastOptions.defaults().withWait(PATIENCE));
    await().atMost(PATIENCE).until(() -> snapshot(first).publishing().waiting() == 1);
    upload.cancel(true);
    await().atMost(PATIENCE).until(() -> snapshot(first).publishing().waiting() == 0);
    assertThat(snapshot(first).tree().ready()).as("it had no other reason to go").isFalse();
  }

  @Test
  void the_site_of_a_member_is_known_also_where_there_is_no_link_to_it() {
    Agent first = agents.withSite("east").start("h1");
    Agent second = agents.withSite("west").start("h2", first.address().toString());
    assertThat(snapshot(first).site()).isEqualTo("east");
    await().atMost(PATIENCE).until(() -> siteOfPeer(first, LinkState.UP).equals("west"));
    second.crash();
    await().atMost(PATIENCE).until(() -> siteOfPeer(first, LinkState.DIALING).equals("west"));
  }

  /** Returns the site of the only other member, if the link to it is in this state. */
  private static String siteOfPeer(Agent agent, LinkState state) {
    return snapshot(agent).links().stream()
        .filter(link -> link.state() == state)
        .map(link -> String.valueOf(link.site()))
        .findFirst()
        .orElse("no such link");
  }

  /** Two of these are more than may wait for a tree. */
  private static BroadcastRequest waitingFor(long waitMillis) {
    return BroadcastRequest.newBuilder()
        .setPayload(ByteString.copyFrom(new byte[2_000]))
        .setWaitMillis(waitMillis)
        .build();
  }

  /** With which a broadcast fails that waits hardly at all. */
  private static Status.Code refusal(TreecastServiceGrpc.TreecastServiceFutureStub stub)
      throws Exception {
    try {
      throw new AssertionError("accepted as " + stub.broadcast(waitingFor(1)).get());
    } catch (ExecutionException e) {
      return Status.fromThrowable(e).getCode();
    }
  }

  @Test
  void a_payload_that_is_too_large_is_refused_and_the_limit_is_named() {
    agents.withLimits(
        BroadcastLimits.builder()
            .chunkBytes(1_000)
            .payloadBytes(2_000)
            .publishBufferBytes(10_000)
            .logBytes(1 << 20)
            .edgeWindowBytes(10_000)
            .subscriberWindowBytes(10_000)
            .subscribers(10)
            .topics(10)
            .origins(10)
            .build());
    Agent lone = agents.startReadyCluster(1).get(0);
    var stub = TreecastServiceGrpc.newBlockingStub(agents.channel(lone));
    StatusRuntimeException refusal =
        catchThrowableOfType(
            StatusRuntimeException.class,
            () ->
                stub.broadcast(
                    BroadcastRequest.newBuilder()
                        .setPayload(ByteString.copyFrom(new byte[2_001]))
                        .build()));
    assertThat(TestAgents.reason(refusal))
        .isEqualTo(RefusalReason.REFUSAL_REASON_PAYLOAD_TOO_LARGE);
    assertThat(refusal.getStatus().getCode()).isEqualTo(Status.Code.OUT_OF_RANGE);
    assertThat(refusal.getStatus().getDescription()).contains("2001", "2000");
  }

  @Test
  void more_subscribers_than_the_limit_are_refused_and_the_limit_is_named() {
    agents.withLimits(
        BroadcastLimits.builder()
            .chunkBytes(1_000)
            .payloadBytes(2_000)
            .publishBufferBytes(10_000)
            .logBytes(1 << 20)
            .edgeWindowBytes(10_000)
            .subscriberWindowBytes(10_000)
            .subscribers(1)
            .topics(10)
            .origins(10)
            .build());
    Agent lone = agents.startReadyCluster(1).get(0);
    var stub = TreecastServiceGrpc.newBlockingStub(agents.channel(lone));
    var request = io.treecast.proto.v1.SubscribeRequest.getDefaultInstance();
    var cancellable = Context.current().withCancellation();
    cancellable.run(
        () -> assertThat(stub.subscribe(request).next().getEvents(0).hasSubscribed()).isTrue());
    StatusRuntimeException refusal =
        catchThrowableOfType(StatusRuntimeException.class, () -> stub.subscribe(request).hasNext());
    assertThat(TestAgents.reason(refusal)).isEqualTo(RefusalReason.REFUSAL_REASON_NO_ROOM);
    assertThat(refusal.getStatus().getDescription()).contains("limits.subscribers = 1");
    // The place is free again when the first one is gone.
    cancellable.cancel(null);
    await()
        .atMost(PATIENCE)
        .ignoreExceptions()
        .until(() -> stub.subscribe(request).next().getEvents(0).hasSubscribed());
  }

  @Test
  void more_topics_than_the_limit_are_refused_for_good_and_the_limit_is_named() {
    agents.withLimits(
        BroadcastLimits.builder()
            .chunkBytes(1_000)
            .payloadBytes(2_000)
            .publishBufferBytes(10_000)
            .logBytes(1 << 20)
            .edgeWindowBytes(10_000)
            .subscriberWindowBytes(10_000)
            .subscribers(10)
            .topics(1)
            .origins(10)
            .build());
    Agent lone = agents.startReadyCluster(1).get(0);
    Subscription refused =
        client(lone).subscribe(SubscribeOptions.defaults().withTopics("a", "b"), m -> {});

    assertThat(refused.done())
        .failsWithin(PATIENCE)
        .withThrowableThat()
        .withMessageContaining("REFUSED: ")
        .withMessageContainingAll("2 topics", "limits.topics = 1");
  }

  @Test
  void an_agent_that_closes_leaves_plainly_and_the_others_go_on_without_it() {
    List<Agent> cluster = agents.startReadyCluster(3);
    cluster.get(2).close();
    List<Agent> others = cluster.subList(0, 2);
    await()
        .atMost(PATIENCE)
        .untilAsserted(
            () ->
                assertThat(others)
                    .allSatisfy(
                        agent -> {
                          AgentSnapshot snapshot = snapshot(agent);
                          assertThat(TestAgents.memberCount(agent)).isEqualTo(2);
                          assertThat(snapshot.tree().ready()).isTrue();
                          assertThat(snapshot.links())
                              .extracting(link -> link.peer().id().toString())
                              .doesNotContain("h3");
                        }));
    assertThat(agents.notices())
        .filteredOn(notice -> notice.kind() == Notice.Kind.LINK_LOST)
        .hasSize(2)
        .allMatch(notice -> notice.text().contains(" h3: "));
    List<String> received = new CopyOnWriteArrayList<>();
    client(others.get(1)).subscribe(m -> received.add(m.text())).ready().join();
    client(others.get(0)).broadcast("still here".getBytes(UTF_8)).join();
    await().atMost(PATIENCE).until(() -> received.equals(List.of("still here")));
  }

  @Test
  void a_newcomer_with_a_taken_id_stops_and_the_cluster_goes_on() {
    List<Agent> cluster = agents.startReadyCluster(2);
    Agent newcomer = agents.start("h2", cluster.get(0).address().toString());
    assertThat(newcomer.stopped().orTimeout(60, TimeUnit.SECONDS).join())
        .contains(" h2 ", cluster.get(1).address().toString());
    await().atMost(PATIENCE).until(() -> agents.dropped("h1", "duplicate_id") > 0);
    assertThat(cluster).allMatch(agent -> snapshot(agent).tree().ready());
  }

  @Test
  void a_clone_with_the_id_and_the_address_of_a_member_stops_and_costs_no_link() {
    List<Agent> cluster = agents.startReadyCluster(3);
    Agent original = cluster.get(1);
    Agent clone =
        agents.start(
            agents.config("h2", original.address(), List.of(cluster.get(0).address().toString())));
    assertThat(clone.stopped().orTimeout(60, TimeUnit.SECONDS).join())
        .contains(" h2 ", original.address().toString());
    clone.close();
    await().atMost(PATIENCE).until(() -> agents.dropped("h1", "duplicate_id") > 0);
    assertThat(agents.notices())
        .filteredOn(notice -> notice.kind() == Notice.Kind.DUPLICATE_ID)
        .extracting(Notice::severity)
        .contains(Notice.Severity.WARNING, Notice.Severity.FATAL);
    assertThat(agents.notices())
        .as("links that were lost")
        .noneMatch(notice -> notice.kind() == Notice.Kind.LINK_LOST);
    assertThat(cluster).allMatch(agent -> TestAgents.memberCount(agent) == 3);
  }
}
