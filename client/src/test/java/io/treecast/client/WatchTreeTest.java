package io.treecast.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.treecast.proto.v1.CommittedTree;
import io.treecast.proto.v1.LinkWeight;
import io.treecast.proto.v1.TreeStatus;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class WatchTreeTest {
  private static final TreeStatus NO_TREE =
      TreeStatus.newBuilder().setNodeId("h1").setNotReadyReason("2 of 3 members linked").build();

  private final ScriptedAgent agent = ScriptedAgent.running();
  private final Treecast treecast = Treecast.connect(agent.address());

  @AfterEach
  void close() {
    treecast.close();
    agent.close();
  }

  @Test
  void the_handler_sees_the_tree_and_each_change() {
    List<TreeView> views = new CopyOnWriteArrayList<>();
    Subscription subscription = treecast.watchTree(views::add);
    await().until(() -> agent.watchers.size() == 1);
    assertThat(subscription.ready()).isNotDone();

    agent.sendTree(NO_TREE);
    agent.sendTree(tree(3));

    await().until(() -> views.size() == 2);
    assertThat(views.get(0))
        .isEqualTo(new TreeView("h1", false, "2 of 3 members linked", 0, null, List.of(), null))
        .returns(false, TreeView::hasTree);
    assertThat(views.get(1))
        .isEqualTo(
            new TreeView(
                "h1",
                true,
                "",
                3,
                "h2",
                List.of(new TreeEdge("h1", "h2", 200), new TreeEdge("h2", "h3", 600)),
                new TreeChange(
                    2,
                    List.of("tree-link-lost"),
                    List.of(new TreeEdge("h1", "h3", 500)),
                    List.of(new TreeEdge("h2", "h3", 600)),
                    12,
                    7)))
        .returns(true, TreeView::hasTree)
        .returns(800L, TreeView::weightMicros);
    assertThat(subscription.ready()).isCompletedWithValue("h1");
  }

  @Test
  void a_tree_that_is_no_longer_usable_keeps_its_edges() {
    List<TreeView> views = new CopyOnWriteArrayList<>();
    treecast.watchTree(views::add);
    await().until(() -> agent.watchers.size() == 1);
    agent.sendTree(tree(3).toBuilder().setReady(false).setNotReadyReason("lost h3").build());

    await().until(() -> views.size() == 1);
    assertThat(views.get(0).hasTree()).isTrue();
    assertThat(views.get(0).ready()).isFalse();
    assertThat(views.get(0).edges()).hasSize(2);
  }

  @Test
  void after_a_reconnect_the_handler_gets_the_tree_again() {
    RecordingHandler handler = new RecordingHandler();
    treecast.watchTree(handler);
    await().until(() -> agent.watchers.size() == 1);
    agent.sendTree(tree(3));
    await().until(() -> handler.heard.size() == 1);
    agent.stop();
    await().until(() -> handler.heard.size() == 2);
    agent.start();
    await().until(() -> agent.watchers.size() == 2);
    agent.sendTree(tree(4));

    await()
        .untilAsserted(
            () ->
                assertThat(handler.heard)
                    .containsExactly("tree 3", "interrupted", "resumed", "tree 4"));
  }

  @Test
  void closing_ends_the_watch() throws Exception {
    Subscription subscription = treecast.watchTree(tree -> {});
    await().until(() -> agent.watchers.size() == 1);

    subscription.close();

    subscription.done().get(60, TimeUnit.SECONDS);
    await().until(() -> agent.watchers.get(0).isCancelled());
  }

  static TreeStatus tree(long version) {
    return TreeStatus.newBuilder()
        .setNodeId("h1")
        .setReady(true)
        .setChange(
            io.treecast.proto.v1.TreeChange.newBuilder()
                .setVersionBefore(version - 1)
                .addCauses("tree-link-lost")
                .addRemoved(edge("h1", "h3", 500))
                .addAdded(edge("h2", "h3", 600))
                .setDurationMicros(12)
                .setMessagesSent(7))
        .setTree(
            CommittedTree.newBuilder()
                .setVersion(version)
                .setRoot("h2")
                .addEdges(edge("h1", "h2", 200))
                .addEdges(edge("h2", "h3", 600)))
        .build();
  }

  private static LinkWeight.Builder edge(String low, String high, long rttMicros) {
    return LinkWeight.newBuilder().setLow(low).setHigh(high).setCost(rttMicros);
  }
}
