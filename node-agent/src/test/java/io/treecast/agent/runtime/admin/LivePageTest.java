package io.treecast.agent.runtime.admin;

import static io.treecast.agent.runtime.TestAgents.PATIENCE;
import static org.assertj.core.api.Assertions.assertThat;

import io.treecast.agent.runtime.Agent;
import io.treecast.agent.runtime.TestAgents;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/**
 * The page that draws the tree in a browser: what an agent serves of it, and what it must not do.
 */
class LivePageTest {
  /** Files that a page loads, or a script imports, by paths relative for the sake of proxies. */
  private static final Pattern LOADED =
      Pattern.compile("(?:src|href)=\"(live-page/[^\"]+)\"|from \"\\./([^\"]+)\"");

  /** Code that would make markup of text, or load from elsewhere. */
  private static final Pattern FORBIDDEN =
      Pattern.compile(
          "innerHTML|outerHTML|insertAdjacentHTML|document\\.write|setHTML|DOMParser"
              + "|createContextualFragment|srcdoc|\\beval\\(|\\bFunction\\(|https?:");

  private final TestAgents agents = new TestAgents();
  private final HttpClient http = HttpClient.newHttpClient();

  @AfterEach
  void closeAll() {
    agents.close();
  }

  private HttpResponse<String> get(Agent agent, String path) throws Exception {
    return http.send(
        HttpRequest.newBuilder(URI.create("http://" + agent.adminAddress() + path))
            .timeout(PATIENCE)
            .build(),
        HttpResponse.BodyHandlers.ofString());
  }

  /** Returns the page and all that it loads, as a browser would find it. */
  private Map<String, HttpResponse<String>> loaded(Agent agent) throws Exception {
    Map<String, HttpResponse<String>> files = new TreeMap<>();
    Deque<String> open = new ArrayDeque<>();
    open.add("/");
    while (!open.isEmpty()) {
      String path = open.remove();
      HttpResponse<String> file = get(agent, path);
      files.put(path, file);
      LOADED
          .matcher(file.body())
          .results()
          .map(
              found ->
                  found.group(1) == null ? "/live-page/" + found.group(2) : "/" + found.group(1))
          .filter(next -> !files.containsKey(next) && !open.contains(next))
          .forEach(open::add);
    }
    return files;
  }

  @Test
  void the_page_is_served_with_all_that_it_loads_and_nothing_besides() throws Exception {
    Map<String, HttpResponse<String>> files = loaded(agents.start("h1"));
    files.forEach(
        (path, file) -> {
          assertThat(file.statusCode()).as(path).isEqualTo(200);
          assertThat(file.headers().firstValue("Content-Type").orElse(""))
              .as(path)
              .startsWith(
                  path.endsWith(".js")
                      ? "text/javascript"
                      : path.endsWith(".css")
                          ? "text/css"
                          : path.endsWith(".svg") ? "image/svg+xml" : "text/html");
        });
    assertThat(files.keySet()).isEqualTo(LivePage.files().keySet());
  }

  @Test
  void the_content_policy_allows_the_scripts_of_the_agent_only() throws Exception {
    Agent lone = agents.start("h1");
    for (String path : new String[] {"/", "/live-page/live.js", "/tree.json", "/nothing"}) {
      HttpResponse<String> page = get(lone, path);
      assertThat(page.headers().firstValue("Content-Security-Policy").orElse(""))
          .as(path)
          .startsWith("default-src 'none'; script-src 'self';")
          .doesNotContain("unsafe");
      assertThat(page.headers().firstValue("X-Content-Type-Options")).hasValue("nosniff");
    }
    assertThat(get(lone, "/").body())
        .as("no script or style that this would forbid")
        .doesNotContainPattern("<script(?![^>]* src=)|<style|\\bstyle=|\\bon\\w+=");
  }

  @Test
  void agents_values_become_text_and_never_markup_and_nothing_is_loaded_from_elsewhere() {
    LivePage.files()
        .forEach(
            (path, file) ->
                assertThat(
                        FORBIDDEN
                            .matcher(withoutNames(file.body()))
                            .results()
                            .map(MatchResult::group))
                    .as(path)
                    .isEmpty());
  }

  /** The name of SVG is an address, and so is the project of a library, in its first line. */
  private static String withoutNames(String body) {
    return body.replace("http://www.w3.org/2000/svg", "").replaceFirst("^/\\*![^*]*\\*/", "");
  }

  @Test
  void the_page_is_there_also_when_the_agent_does_not_answer() throws Exception {
    Agent frozen = agents.start("h1");
    frozen.pause();
    try {
      assertThat(get(frozen, "/").statusCode()).isEqualTo(200);
      HttpResponse<String> tree = get(frozen, "/tree.json");
      assertThat(tree.statusCode()).isEqualTo(503);
      assertThat(tree.body()).isNotBlank();
    } finally {
      frozen.resume();
    }
  }
}
