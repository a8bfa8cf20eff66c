package io.treecast.agent.runtime;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.WebSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ObjectNode;

/**
 * A page in a Chromium without a window, driven by the DevTools protocol over a WebSocket: so that
 * tests need no driver and no package, but the browser where it is installed.
 */
public final class Chromium implements AutoCloseable {
  private static final Duration PATIENCE = Duration.ofSeconds(60);
  private static final String ADDRESS = "DevTools listening on ";

  private final Process process;
  private final WebSocket socket;
  private final AtomicInteger lastId = new AtomicInteger();
  private final Map<Integer, CompletableFuture<JsonNode>> answers = new ConcurrentHashMap<>();

  /** The page's errors: exceptions, and violations of its policy. */
  private final List<String> troubles = new CopyOnWriteArrayList<>();

  private @Nullable String session;

  private Chromium(Process process, WebSocket socket) {
    this.process = process;
    this.socket = socket;
  }

  /**
   * Returns where a Chromium is: named by {@code CHROMIUM}, or in a usual place; null if there is
   * none.
   */
  public static @Nullable Path installed() {
    return Stream.of(
            System.getenv().getOrDefault("CHROMIUM", ""),
            "/usr/bin/chromium",
            "/usr/bin/chromium-browser",
            "/usr/bin/google-chrome")
        .filter(name -> !name.isEmpty())
        .map(Path::of)
        .filter(Files::isExecutable)
        .findFirst()
        .orElse(null);
  }

  /** Starts one whose profile is in a directory of its own. */
  public static Chromium start(Path executable, Path profile) throws Exception {
    Process process =
        new ProcessBuilder(
                executable.toString(),
                "--headless=new",
                "--no-sandbox",
                "--disable-gpu",
                "--disable-dev-shm-usage",
                "--disable-quic",
                "--disable-sync",
                "--disable-background-networking",
                "--disable-component-update",
                "--no-first-run",
                "--no-proxy-server",
                "--remote-debugging-port=0",
                "--user-data-dir=" + profile,
                "about:blank")
            .redirectOutput(ProcessBuilder.Redirect.DISCARD)
            .start();
    String address = address(process);
    Answers answers = new Answers();
    WebSocket socket =
        HttpClient.newHttpClient()
            .newWebSocketBuilder()
            .buildAsync(URI.create(address), answers)
            .get(PATIENCE.toSeconds(), TimeUnit.SECONDS);
    Chromium browser = new Chromium(process, socket);
    answers.browser.complete(browser);
    browser.openPage();
    return browser;
  }

  /** Reads on, so that the browser can say more. */
  private static String address(Process process) throws IOException {
    BufferedReader lines =
        new BufferedReader(new InputStreamReader(process.getErrorStream(), UTF_8));
    for (String line = lines.readLine(); line != null; line = lines.readLine()) {
      if (line.startsWith(ADDRESS)) {
        Thread reader = new Thread(() -> lines.lines().forEach(unused -> {}), "chromium-stderr");
        reader.setDaemon(true);
        reader.start();
        return line.substring(ADDRESS.length());
      }
    }
    throw new IOException("Chromium ended at its start, with " + process.exitValue());
  }

  private static final class Answers implements WebSocket.Listener {
    final CompletableFuture<Chromium> browser = new CompletableFuture<>();
    private final StringBuilder text = new StringBuilder();

    @Override
    public @Nullable CompletionStage<?> onText(WebSocket from, CharSequence part, boolean isLast) {
      text.append(part);
      if (isLast) {
        JsonNode message = JsonMapper.shared().readTree(text.toString());
        text.setLength(0);
        browser.join().heard(message);
      }
      from.request(1);
      return null;
    }
  }

  private void heard(JsonNode message) {
    if (message.has("id")) {
      CompletableFuture<JsonNode> answer = answers.remove(message.get("id").asInt());
      if (answer != null) {
        answer.complete(message);
      }
      return;
    }
    String method = message.path("method").asString("");
    if (method.equals("Runtime.exceptionThrown") || method.equals("Log.entryAdded")) {
      troubles.add(message.get("params").toString());
    }
  }

  private JsonNode ask(String method, ObjectNode parameters) throws Exception {
    int id = lastId.incrementAndGet();
    CompletableFuture<JsonNode> answer = new CompletableFuture<>();
    answers.put(id, answer);
    ObjectNode message = JsonMapper.shared().createObjectNode().put("id", id).put("method", method);
    message.set("params", parameters);
    if (session != null) {
      message.put("sessionId", session);
    }
    socket.sendText(message.toString(), true).get(PATIENCE.toSeconds(), TimeUnit.SECONDS);
    JsonNode answered = answer.get(PATIENCE.toSeconds(), TimeUnit.SECONDS);
    if (answered.has("error")) {
      throw new IOException(method + ": " + answered.get("error"));
    }
    return answered.get("result");
  }

  private static ObjectNode with() {
    return JsonMapper.shared().createObjectNode();
  }

  private void openPage() throws Exception {
    String target =
        ask("Target.createTarget", with().put("url", "about:blank")).get("targetId").asString();
    session =
        ask("Target.attachToTarget", with().put("targetId", target).put("flatten", true))
            .get("sessionId")
            .asString();
    ask("Runtime.enable", with());
    ask("Log.enable", with());
  }

  /**
   * Goes to an address in a window of this size, and forgets what was wrong with the page before.
   */
  public void open(String url, int width, int height) throws Exception {
    ask(
        "Emulation.setDeviceMetricsOverride",
        with()
            .put("width", width)
            .put("height", height)
            .put("deviceScaleFactor", 1)
            .put("mobile", false));
    navigate("about:blank");
    troubles.clear();
    navigate(url);
  }

  /** Returns when the page before is gone, which the answer of the browser does not say. */
  private void navigate(String url) throws Exception {
    ask("Page.navigate", with().put("url", url));
    ObjectNode where = with().put("expression", "location.href").put("returnByValue", true);
    await()
        .alias(url)
        .atMost(PATIENCE)
        .ignoreException(IOException.class)
        .until(() -> ask("Runtime.evaluate", where).at("/result/value").asString("").equals(url));
  }

  /** Returns the value of a JavaScript expression in the page, after its promise has settled. */
  public JsonNode evaluate(String expression) {
    try {
      JsonNode answer =
          ask(
              "Runtime.evaluate",
              with()
                  .put("expression", expression)
                  .put("returnByValue", true)
                  .put("awaitPromise", true));
      assertThat(answer.path("exceptionDetails").toString()).as(expression).isEmpty();
      return answer.get("result").path("value");
    } catch (Exception e) {
      throw new AssertionError(expression, e);
    }
  }

  /** Waits until an expression is true. */
  public void awaitTrue(String expression) {
    await()
        .alias(expression)
        .atMost(PATIENCE)
        .until(() -> evaluate("Boolean(" + expression + ")").asBoolean());
  }

  public String text(String selector) {
    return evaluate("document.querySelector(" + quoted(selector) + ")?.textContent ?? ''")
        .asString();
  }

  /** Clicks with the mouse into the middle of what is there: what lies above it gets the click. */
  public void click(String selector) throws Exception {
    awaitTrue("document.querySelector(" + quoted(selector) + ")");
    JsonNode middle =
        evaluate(
            "(() => { const box = document.querySelector("
                + quoted(selector)
                + ").getBoundingClientRect();"
                + " return { x: box.x + box.width / 2, y: box.y + box.height / 2 }; })()");
    for (String kind : List.of("mouseMoved", "mousePressed", "mouseReleased")) {
      ask(
          "Input.dispatchMouseEvent",
          with()
              .put("type", kind)
              .put("x", middle.get("x").asDouble())
              .put("y", middle.get("y").asDouble())
              .put("button", kind.equals("mouseMoved") ? "none" : "left")
              .put("clickCount", kind.equals("mouseMoved") ? 0 : 1));
    }
  }

  /** Presses and lets go of a key, by its name in JavaScript. */
  public void press(String keyName) throws Exception {
    String text = keyName.equals("Enter") ? "\r" : keyName.length() == 1 ? keyName : "";
    ObjectNode down =
        with().put("type", text.isEmpty() ? "rawKeyDown" : "keyDown").put("key", keyName);
    ask("Input.dispatchKeyEvent", text.isEmpty() ? down : down.put("text", text));
    ask("Input.dispatchKeyEvent", with().put("type", "keyUp").put("key", keyName));
  }

  private static String quoted(String text) {
    return JsonMapper.shared().writeValueAsString(text);
  }

  /** Returns the errors of the page since it was opened. */
  public List<String> troubles() {
    return List.copyOf(troubles);
  }

  @Override
  public void close() {
    socket.abort();
    // Its processes write to the profile until each of them has ended.
    List<ProcessHandle> parts = process.descendants().toList();
    process.destroy();
    awaitEnd(process.toHandle());
    for (ProcessHandle part : parts) {
      part.destroyForcibly();
      awaitEnd(part);
    }
  }

  private static void awaitEnd(ProcessHandle part) {
    try {
      part.onExit().orTimeout(PATIENCE.toSeconds(), TimeUnit.SECONDS).join();
    } catch (CompletionException late) {
      part.destroyForcibly();
    }
  }
}
