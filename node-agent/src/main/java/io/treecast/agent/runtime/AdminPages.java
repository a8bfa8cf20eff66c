package io.treecast.agent.runtime;

import static java.util.concurrent.CompletableFuture.completedFuture;

import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import io.treecast.agent.core.AgentSnapshot;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What an agent's pages for operators say, by path: metrics, health, the tree, the links, and the
 * live page that draws them. Each is made when it is asked for, on the thread of the pages. If the
 * agent's loop does not say within {@value #ANSWER_SECONDS} s where it stands, the answer says
 * that.
 *
 * <p>Thread-safe.
 */
final class AdminPages {
  private static final long ANSWER_SECONDS = 2;

  private static final Logger log = LoggerFactory.getLogger(AdminPages.class);

  private final Map<String, Supplier<CompletableFuture<AdminPage>>> pages = new LinkedHashMap<>();
  private final Supplier<CompletableFuture<AgentSnapshot>> snapshots;
  private final Executor thread;
  private final AdminPage noSuchPage;

  /**
   * Of one agent.
   *
   * @param snapshots asks its loop where it stands
   * @param thread makes the pages
   * @param history the trees that it had
   * @param siteMicros see {@link io.treecast.monitor.ThroughputPolicy#siteMicros}
   */
  AdminPages(
      Supplier<CompletableFuture<AgentSnapshot>> snapshots,
      Executor thread,
      PrometheusMeterRegistry registry,
      TreeHistory history,
      long siteMicros) {
    this.snapshots = snapshots;
    this.thread = thread;
    Map<String, AdminPage> livePage = LivePage.files();
    // That it can be seen when the loop does not answer, it is served without the loop.
    livePage.forEach((path, file) -> pages.put(path, () -> completedFuture(file)));
    put(
        "/metrics",
        s -> new AdminPage(200, "text/plain; version=0.0.4; charset=utf-8", registry.scrape(), ""));
    put("/healthz", s -> AdminPage.text(200, "ok\n"));
    put("/readyz", AdminPages::readiness);
    put("/tree.json", s -> AdminPage.json(TreeJson.of(s, siteMicros)));
    put("/links.json", s -> AdminPage.json(LinksJson.of(s)));
    pages.put("/history.json", () -> completedFuture(AdminPage.json(history.json())));
    this.noSuchPage =
        AdminPage.text(
            404,
            "no such page; there are "
                + String.join(
                    ", ",
                    pages.keySet().stream()
                        .filter(path -> path.equals("/") || !livePage.containsKey(path))
                        .toList())
                + "\n");
  }

  private interface Content {
    AdminPage of(AgentSnapshot snapshot);
  }

  private void put(String path, Content content) {
    pages.put(path, () -> made(content));
  }

  private static AdminPage readiness(AgentSnapshot snapshot) {
    return snapshot.tree().ready()
        ? AdminPage.text(200, "ready\n")
        : AdminPage.text(503, "not ready: " + snapshot.tree().reason() + "\n");
  }

  private CompletableFuture<AdminPage> made(Content content) {
    return snapshots
        .get()
        .orTimeout(ANSWER_SECONDS, TimeUnit.SECONDS)
        .handleAsync(
            (snapshot, failure) ->
                failure == null
                    ? content.of(snapshot)
                    : AdminPage.text(503, "the agent's event loop does not answer\n"),
            thread)
        .exceptionally(
            broken -> {
              log.error("a page for operators cannot be made", broken);
              return AdminPage.text(500, "the page cannot be made; the agent's log says why\n");
            });
  }

  /**
   * The answer to a request.
   *
   * @param method HTTP's; pages are there to be read only
   * @param path null where the request names none
   */
  CompletableFuture<AdminPage> answer(String method, @Nullable String path) {
    Supplier<CompletableFuture<AdminPage>> page = pages.get(path);
    if (page == null) {
      return completedFuture(noSuchPage);
    }
    return method.equals("GET") || method.equals("HEAD")
        ? page.get()
        : completedFuture(AdminPage.text(405, "only GET\n"));
  }
}
