package io.treecast.agent.runtime;

import com.sun.net.httpserver.Headers;
import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import io.treecast.agent.config.AgentConfig;
import io.treecast.agent.config.ConfigException;
import io.treecast.agent.config.HostPort;
import io.treecast.agent.core.AgentSnapshot;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Serves an agent's {@linkplain AdminPages pages for operators} over HTTP. Runs on threads of its
 * own, one for each request: one that does not go on is not to keep the others from their answer,
 * and with {@value #MOST_THREADS} under way the next is closed at once. Nothing is held open for
 * who looks again and again: a page that they have is answered with a few bytes.
 */
final class AdminHttp implements AutoCloseable {
  private static final int MOST_THREADS = 64;

  /** What a browser may do with a page: read this agent's pages, and run no scripts but theirs. */
  private static final String CONTENT_SECURITY_POLICY =
      "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self';"
          + " base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

  private final HttpServer server;
  private final AnswerThreads threads;
  private final AdminPages pages;
  private final HostPort address;

  private AdminHttp(HttpServer server, HostPort address, AdminPages pages) {
    this.server = server;
    this.pages = pages;
    this.address = address.withPort(server.getAddress().getPort());
    this.threads = new AnswerThreads("treecast-admin-" + this.address.port(), MOST_THREADS);
    server.setExecutor(threads);
    server.createContext(
        "/",
        exchange -> {
          AnswerThreads.requestIsRead();
          try (exchange) {
            answer(exchange);
          }
        });
    server.start();
  }

  /**
   * Opens the pages of an agent; null if its settings ask for none.
   *
   * @param snapshots asks its loop where it stands
   * @param history the trees that it had
   * @throws ConfigException if the address can not be listened on
   */
  static @Nullable AdminHttp open(
      AgentConfig config,
      Supplier<CompletableFuture<AgentSnapshot>> snapshots,
      PrometheusMeterRegistry registry,
      TreeHistory history)
      throws ConfigException {
    HostPort address = config.admin();
    if (address == null) {
      return null;
    }
    AdminPages pages =
        new AdminPages(snapshots, registry, history, config.throughput().siteMicros());
    try {
      return new AdminHttp(HttpServer.create(address.toSocketAddress(), 0), address, pages);
    } catch (IOException e) {
      throw ConfigException.now(
          "admin: can not listen on "
              + address
              + " ("
              + e.getMessage()
              + "); choose another --admin address, or stop what uses it");
    }
  }

  private void answer(HttpExchange exchange) throws IOException {
    String method = exchange.getRequestMethod();
    AdminPage page = pages.answer(method, exchange.getRequestURI().getPath());
    Headers headers = exchange.getResponseHeaders();
    headers.set("Content-Security-Policy", CONTENT_SECURITY_POLICY);
    headers.set("X-Content-Type-Options", "nosniff");
    if (!page.tag().isEmpty()) {
      headers.set("ETag", page.tag());
      // Browsers keep it, and ask each time whether it is still the same.
      headers.set("Cache-Control", "no-cache");
      if (page.isAmong(exchange.getRequestHeaders().getOrDefault("If-None-Match", List.of()))) {
        exchange.sendResponseHeaders(304, -1);
        return;
      }
    }
    byte[] body = page.body().getBytes(StandardCharsets.UTF_8);
    headers.set("Content-Type", page.contentType());
    boolean head = method.equals("HEAD");
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
