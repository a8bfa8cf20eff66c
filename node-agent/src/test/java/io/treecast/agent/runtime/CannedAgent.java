package io.treecast.agent.runtime;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.sun.net.httpserver.HttpServer;
import io.treecast.agent.runtime.admin.AdminConnection;
import io.treecast.agent.runtime.admin.AdminPage;
import io.treecast.agent.runtime.admin.LivePage;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/** Serves the live page, and says of its agent what a test puts in. */
public final class CannedAgent implements AutoCloseable {
  private final Map<String, AdminPage> pages = new ConcurrentHashMap<>(LivePage.files());
  private final HttpServer server;

  public CannedAgent() {
    try {
      server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    server.createContext(
        "/",
        exchange -> {
          AdminPage page =
              pages.getOrDefault(
                  exchange.getRequestURI().toString(), AdminPage.text(404, "no such page\n"));
          byte[] body = page.body().getBytes(UTF_8);
          exchange.getResponseHeaders().set("Content-Type", page.contentType());
          exchange
              .getResponseHeaders()
              .set("Content-Security-Policy", AdminConnection.ALLOWED_CONTENT);
          exchange.sendResponseHeaders(page.status(), body.length);
          exchange.getResponseBody().write(body);
          exchange.close();
        });
    server.start();
    says("/history.json", "{\"history\":[]}");
    says("/links.json", "{\"node\":\"x\",\"links\":[]}");
    says("/labels.json", "{\"labels\":{}}");
    says(
        "/activity.json",
        """
        {"at":"2026-01-01T10:00:00Z","publishedMessages":0,"deliveredMessages":0,"missedMessages":0,\
        "forwardedChunks":0,"waitingBytes":0,"publishersWaiting":0}\
        """);
  }

  public String address() {
    return "http://127.0.0.1:" + server.getAddress().getPort() + "/";
  }

  /** From now on a page is this JSON. */
  public void says(String path, String json) {
    pages.put(path, AdminPage.json(json));
  }

  @Override
  public void close() {
    server.stop(0);
  }
}
