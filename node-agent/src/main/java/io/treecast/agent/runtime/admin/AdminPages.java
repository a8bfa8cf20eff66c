package io.treecast.agent.runtime.admin;

import static java.util.concurrent.CompletableFuture.completedFuture;

import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import io.treecast.agent.core.AgentSnapshot;
import io.treecast.agent.core.message.TreeMetric;
import io.treecast.agent.runtime.series.SeriesFiles;
import io.treecast.collectives.group.GroupPath;
import io.treecast.ghs.NodeId;
import io.treecast.monitor.series.SeriesResource;
import java.io.IOException;
import java.net.URI;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * An agent's pages for operators, by path: metrics, health, the tree, the links, and the live page
 * that draws them. Each page is made on request, on the pages' thread. If the agent's loop does not
 * return its state within {@value #ANSWER_SECONDS} s, the response says so.
 *
 * <p>Thread-safe.
 */
final class AdminPages {
  private static final long ANSWER_SECONDS = 2;

  private static final Logger log = LoggerFactory.getLogger(AdminPages.class);

  /** A query parameter. */
  private static final Pattern PARAMETER = Pattern.compile("([a-z]+)=([^&=]*)");

  private static final Pattern VERSION = Pattern.compile("[0-9]{1,18}");

  private static final AdminPage NO_PEER =
      AdminPage.text(400, "name a member that this agent knows: ?peer=ID\n");

  /** The maximum number of points of a series on a page. */
  private static final int MAX_POINTS = 600;

  private final Map<String, Page> pages = new LinkedHashMap<>();
  private final AdminSources sources;
  private final Executor thread;
  private final AdminPage noSuchPage;

  /**
   * Creates the pages of one agent.
   *
   * @param sources the agent's state
   * @param thread makes the pages
   * @param siteMicros see {@link io.treecast.monitor.throughput.ThroughputPolicy#siteMicros}
   */
  AdminPages(
      AdminSources sources, Executor thread, PrometheusMeterRegistry registry, long siteMicros) {
    this.sources = sources;
    this.thread = thread;
    Map<String, AdminPage> livePage = LivePage.files();
    // These do not need the loop, so they are served even if it does not answer.
    livePage.forEach((path, file) -> pages.put(path, asked -> completedFuture(file)));
    put(
        "/metrics",
        s -> new AdminPage(200, "text/plain; version=0.0.4; charset=utf-8", registry.scrape(), ""));
    put("/healthz", s -> AdminPage.text(200, "ok\n"));
    put("/readyz", AdminPages::readiness);
    put("/tree.json", s -> AdminPage.json(TreeJson.of(s, siteMicros)));
    put("/links.json", s -> AdminPage.json(LinksJson.of(s)));
    put("/activity.json", s -> AdminPage.json(ActivityJson.of(s, Instant.now())));
    pages.put("/history.json", asked -> completedFuture(AdminPage.json(sources.history().json())));
    pages.put("/past-tree.json", asked -> completedFuture(pastTree(asked)));
    pages.put("/link.json", this::link);
    pages.put("/series.json", this::series);
    pages.put(
        "/labels.json",
        asked -> made(sources.labels().get(), labels -> AdminPage.json(MembersJson.of(labels))));
    pages.put(
        "/groups.json",
        asked -> made(sources.groups().get(), groups -> AdminPage.json(MembersJson.of(groups))));
    pages.put("/group.json", this::group);
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

  /** A page made from the parameters of a request. */
  private interface Page {
    CompletableFuture<AdminPage> answer(Map<String, String> asked);
  }

  private void put(String path, Content content) {
    pages.put(path, asked -> made(sources.snapshots().get(), content::of));
  }

  private AdminPage pastTree(Map<String, String> asked) {
    String version = asked.getOrDefault("version", "");
    String tree =
        VERSION.matcher(version).matches() ? sources.history().json(Long.parseLong(version)) : null;
    return tree == null
        ? AdminPage.text(
            404,
            "no tree of version '" + version + "' is kept here; history.json lists the latest\n")
        : AdminPage.json(tree);
  }

  /** Explains why the link to a peer is in a tree, or is not. */
  private CompletableFuture<AdminPage> link(Map<String, String> asked) {
    NodeId peer = peer(asked);
    TreeMetric metric =
        "bandwidth".equals(asked.get("metric")) ? TreeMetric.BANDWIDTH : TreeMetric.LATENCY;
    return peer == null
        ? completedFuture(NO_PEER)
        : made(
            sources.explanations().of(peer, metric),
            found ->
                found
                    .map(why -> AdminPage.json(LinksJson.of(peer, metric, why)))
                    .orElseGet(
                        () -> AdminPage.text(404, "this agent has no link to " + peer + "\n")));
  }

  /** Returns the latest round trips of a link that are on disk. */
  private CompletableFuture<AdminPage> series(Map<String, String> asked) {
    NodeId peer = peer(asked);
    SeriesFiles files = sources.series();
    if (peer == null) {
      return completedFuture(NO_PEER);
    }
    if (files == null) {
      return completedFuture(
          AdminPage.text(404, "this agent keeps no series; start it with --series DIRECTORY\n"));
    }
    return made(
        files.since(peer, SeriesResource.RTT, 0),
        points -> AdminPage.json(LinksJson.series(points, MAX_POINTS)));
  }

  private CompletableFuture<AdminPage> group(Map<String, String> asked) {
    GroupPath path;
    try {
      path = new GroupPath(asked.getOrDefault("path", ""));
    } catch (IllegalArgumentException e) {
      return completedFuture(
          AdminPage.text(400, "name a group, ?path=PATH: " + e.getMessage() + "\n"));
    }
    return made(sources.group().apply(path), view -> AdminPage.json(MembersJson.of(path, view)));
  }

  private static @Nullable NodeId peer(Map<String, String> asked) {
    try {
      return NodeId.of(asked.getOrDefault("peer", ""));
    } catch (IllegalArgumentException e) {
      return null;
    }
  }

  private static AdminPage readiness(AgentSnapshot snapshot) {
    return snapshot.tree().ready()
        ? AdminPage.text(200, "ready\n")
        : AdminPage.text(503, "not ready: " + snapshot.tree().reason() + "\n");
  }

  private <T> CompletableFuture<AdminPage> made(
      CompletableFuture<T> source, Function<T, AdminPage> content) {
    return source
        .orTimeout(ANSWER_SECONDS, TimeUnit.SECONDS)
        .handleAsync(
            (answer, failure) ->
                failure == null ? content.apply(answer) : AdminPage.text(503, reason(failure)),
            thread)
        .exceptionally(
            broken -> {
              log.error("cannot make an admin page", broken);
              return AdminPage.text(500, "the page cannot be made; see the agent's log\n");
            });
  }

  /** Returns the text of a failure: a damaged disk, or a loop that does not answer. */
  private static String reason(Throwable failure) {
    Throwable cause = failure.getCause() == null ? failure : failure.getCause();
    return cause instanceof IOException
        ? cause.getMessage() + "\n"
        : "the agent's event loop does not answer\n";
  }

  /**
   * Returns the answer to a request.
   *
   * @param method the HTTP method; pages are read-only
   * @param uri null if the request has no valid URI
   */
  CompletableFuture<AdminPage> answer(String method, @Nullable URI uri) {
    Page page = uri == null ? null : pages.get(uri.getPath());
    if (uri == null || page == null) {
      return completedFuture(noSuchPage);
    }
    Map<String, String> asked = new TreeMap<>();
    String query = uri.getQuery();
    PARAMETER
        .matcher(query == null ? "" : query)
        .results()
        .forEach(found -> asked.put(found.group(1), found.group(2)));
    return method.equals("GET") || method.equals("HEAD")
        ? page.answer(asked)
        : completedFuture(AdminPage.text(405, "only GET\n"));
  }
}
