package io.treecast.agent.runtime;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import io.treecast.agent.config.ConfigException;
import io.treecast.agent.config.HostPort;
import io.treecast.agent.core.AgentSnapshot;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Supplier;

/**
 * An agent's pages for operators, over HTTP: {@code /metrics}, {@code /healthz}, {@code /readyz},
 * {@code /tree.json}. Runs on a few threads of its own: one that asks and does not go on is not to
 * keep the others from their answer.
 */
final class AdminHttp implements AutoCloseable {
  private static final String TEXT = "text/plain; charset=utf-8";
  private static final String JSON = "application/json";
  private static final Page NO_SUCH_PAGE =
      new Page(404, TEXT, "no such page; there are /metrics, /healthz, /readyz, /tree.json\n");
  private static final long ANSWER_SECONDS = 2;
  private static final int THREADS = 8;

  private final HttpServer server;
  private final AnswerThreads threads;
  private final Supplier<CompletableFuture<AgentSnapshot>> snapshots;
  private final HostPort address;

  private AdminHttp(
      HttpServer server,
      HostPort address,
      Supplier<CompletableFuture<AgentSnapshot>> snapshots,
      PrometheusMeterRegistry registry) {
    this.server = server;
    this.snapshots = snapshots;
    this.address = address.withPort(server.getAddress().getPort());
    this.threads = new AnswerThreads("treecast-admin-" + this.address.port(), THREADS);
    server.setExecutor(threads);
    serve(
        "/metrics",
        s -> new Page(200, "text/plain; version=0.0.4; charset=utf-8", registry.scrape()));
    serve("/healthz", s -> new Page(200, TEXT, "ok\n"));
    serve("/readyz", AdminHttp::readiness);
    serve("/tree.json", s -> new Page(200, JSON, TreeJson.of(s)));
    server.createContext(
        "/",
        exchange -> {
          try (exchange) {
            send(exchange, NO_SUCH_PAGE);
          }
        });
    server.start();
  }

  /**
   * Opens the pages.
   *
   * @throws ConfigException if the address can not be listened on
   */
  static AdminHttp open(
      HostPort address,
      Supplier<CompletableFuture<AgentSnapshot>> snapshots,
      PrometheusMeterRegistry registry)
      throws ConfigException {
    try {
      return new AdminHttp(
          HttpServer.create(address.toSocketAddress(), 0), address, snapshots, registry);
    } catch (IOException e) {
      throw new ConfigException(
          "admin: can not listen on "
              + address
              + " ("
              + e.getMessage()
              + "); choose another --admin address, or stop what uses it");
    }
  }

  private record Page(int status, String contentType, String body) {}

  private interface Content {
    Page of(AgentSnapshot snapshot);
  }

  private static Page readiness(AgentSnapshot snapshot) {
    return snapshot.tree().ready()
        ? new Page(200, TEXT, "ready\n")
        : new Page(503, TEXT, "not ready: " + snapshot.tree().reason() + "\n");
  }

  private void serve(String path, Content content) {
    server.createContext(
        path,
        exchange -> {
          try (exchange) {
            if (!exchange.getRequestURI().getPath().equals(path)) {
              send(exchange, NO_SUCH_PAGE);
            } else if (!exchange.getRequestMethod().equals("GET")
                && !exchange.getRequestMethod().equals("HEAD")) {
              send(exchange, new Page(405, TEXT, "only GET\n"));
            } else {
              send(exchange, page(content));
            }
          }
        });
  }

  private Page page(Content content) {
    try {
      return content.of(snapshots.get().get(ANSWER_SECONDS, TimeUnit.SECONDS));
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return new Page(503, TEXT, "shutting down\n");
    } catch (ExecutionException | TimeoutException e) {
      return new Page(503, TEXT, "the agent's event loop does not answer\n");
    }
  }

  private static void send(HttpExchange exchange, Page page) throws IOException {
    byte[] body = page.body().getBytes(StandardCharsets.UTF_8);
    exchange.getResponseHeaders().set("Content-Type", page.contentType());
    boolean head = exchange.getRequestMethod().equals("HEAD");
    exchange.sendResponseHeaders(page.status(), head ? -1 : body.length);
    if (!head) {
      exchange.getResponseBody().write(body);
    }
  }

  HostPort address() {
    return address;
  }

  @Override
  public void close() {
    server.stop(0);
    threads.close();
  }
}
