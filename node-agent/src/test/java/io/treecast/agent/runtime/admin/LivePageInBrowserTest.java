package io.treecast.agent.runtime.admin;

import static io.treecast.agent.runtime.TestAgents.PATIENCE;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.treecast.agent.runtime.Agent;
import io.treecast.agent.runtime.CannedAgent;
import io.treecast.agent.runtime.Chromium;
import io.treecast.agent.runtime.TestAgents;
import io.treecast.client.Member;
import io.treecast.client.Selector;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;

/** The live page as a browser shows it. Skipped on machines without Chromium. */
@Order(1)
class LivePageInBrowserTest {
  /**
   * Edges that pass a box of neither of their ends, by what is on the screen: each is looked at in
   * many places of its line.
   */
  private static final String CROSSINGS =
      """
      [...document.querySelectorAll('.edges .edge')].flatMap(edge => {
        const line = edge.querySelector('.line');
        const toScreen = line.getScreenCTM();
        const places = [...Array(201).keys()].map(part =>
          line.getPointAtLength(line.getTotalLength() * part / 200).matrixTransform(toScreen));
        return [...document.querySelectorAll('.members .member')]
          .filter(member => member.dataset.id !== edge.dataset.a && member.dataset.id !== edge.dataset.b)
          .filter(member => {
            const box = member.querySelector('rect').getBoundingClientRect();
            return places.some(at => at.x > box.left && at.x < box.right && at.y > box.top && at.y < box.bottom);
          })
          .map(member => edge.dataset.a + '-' + edge.dataset.b + ' crosses ' + member.dataset.id);
      })
      """;

  private static final String DRAWN_EDGES =
      "[...document.querySelectorAll('.edges .edge')].map(e => e.dataset.a + '-' +"
          + " e.dataset.b).sort()";

  @TempDir private static Path profile;
  private static @Nullable Chromium chromium;

  private final CannedAgent agent = new CannedAgent();

  @BeforeAll
  static void startBrowser() throws Exception {
    Path executable = Chromium.installed();
    if (executable != null) {
      chromium = Chromium.start(executable, profile);
    }
  }

  /** Before each, so that each is reported as skipped, with the reason. */
  @BeforeEach
  void assumeThatThereIsABrowser() {
    assumeTrue(
        chromium != null,
        "the live page is not looked at: there is no Chromium on this machine (CHROMIUM=PATH names"
            + " one)");
  }

  @AfterAll
  static void closeBrowser() {
    if (chromium != null) {
      chromium.close();
    }
  }

  @AfterEach
  void closeAgent() {
    agent.close();
  }

  private static Chromium browser() {
    assertThat(chromium).isNotNull();
    return chromium;
  }

  /** Returns the JSON of edges such as {@code 1-2:5}, in milliseconds. */
  private static String edges(List<String> edges) {
    return edges.stream()
        .map(edge -> edge.split("[-:]", -1))
        .map(
            part ->
                String.format(
                    "{\"a\":\"%s\",\"b\":\"%s\",\"weightMillis\":%s}",
                    part[0], part[1], part.length > 2 ? part[2] : "1"))
        .collect(Collectors.joining(",", "[", "]"));
  }

  private static String tree(
      String node, String root, int version, List<String> edges, Map<String, String> sites) {
    return tree(node, root, version, edges, sites, "[]");
  }

  private static String tree(
      String node,
      String root,
      int version,
      List<String> edges,
      Map<String, String> sites,
      String absent) {
    String names =
        sites.entrySet().stream()
            .map(site -> "\"" + site.getKey() + "\":\"" + site.getValue() + "\"")
            .collect(Collectors.joining(",", "{", "}"));
    return String.format(
        """
        {"node":"%s","ready":true,"reason":"","version":%d,"root":"%s","weightMillis":5,"tree":%s,"absent":%s,\
        "siteMillis":3,"sites":%s,"measuresThroughput":false}\
        """,
        node, version, root, edges(edges), absent, names);
  }

  private static String link(String peer, String rest) {
    return String.format(
        """
        {"peer":"%s","address":"10.0.0.1:7700","state":"up","absentMillis":0,"site":null,"measuredMillis":null,\
        "forecastMillis":null,"errorMillis":null,"forecaster":null,"jitterMillis":null,"lossPercent":null,\
        "discardedPercent":null,"throughputForecastMbps":null,"weightMillis":null,"treeEdge":false,"downReason":"",\
        "downMillis":0%s}\
        """,
        peer, rest);
  }

  /** Returns a row of the history, without edges. */
  private static String row(int version) {
    return String.format(
        """
        {"at":"2026-01-01T09:59:5%1$s","version":%1$s,"versionBefore":%2$s,"root":"1","edges":2,"weightMillis":2,\
        "durationMillis":1,"messagesSent":1,"causes":[],"removed":[],"removedMore":0,"added":[],"addedMore":0}\
        """,
        version, version - 1);
  }

  private void open(int width, int height) throws Exception {
    browser().open(agent.address(), width, height);
    browser().awaitTrue("document.querySelector('.members .member')");
    awaitStill();
  }

  /** Boxes glide to where they belong. */
  private static void awaitStill() {
    browser()
        .awaitTrue(
            "document.getAnimations().every(one => one.playState !== 'running' ||"
                + " one.animationName)");
  }

  private static List<String> strings(JsonNode array) {
    return array.valueStream().map(JsonNode::asString).toList();
  }

  @Test
  void no_edge_crosses_the_box_of_a_member_that_is_not_its_end() throws Exception {
    List<String> edges = List.of("1-2", "1-3", "2-4", "2-5", "2-6");
    for (Map<String, String> sites :
        List.of(
            Map.<String, String>of(), Map.of("1", "a", "2", "b", "3", "a", "4", "b", "5", "c"))) {
      for (String node : List.of("1", "2", "3")) {
        agent.says("/tree.json", tree(node, "3", 1, edges, sites));
        open(1200, 800);
        assertThat(strings(browser().evaluate(DRAWN_EDGES))).isEqualTo(edges);
        assertThat(strings(browser().evaluate(CROSSINGS))).as("from %s, %s", node, sites).isEmpty();
      }
    }
    assertThat(browser().troubles()).isEmpty();
  }

  @Test
  void edges_between_sites_one_above_the_other_have_a_lane_each() throws Exception {
    List<String> edges = new ArrayList<>();
    Map<String, String> sites = new TreeMap<>();
    for (int id = 1; id <= 28; id++) {
      int site = (id - 1) / 4;
      int first = 4 * site + 1;
      sites.put(String.valueOf(id), "s" + site);
      if (id > first) {
        edges.add(first + "-" + id + ":1");
      } else if (site > 0) {
        // Each member of the first site leads to another site, and two sites are behind the last.
        edges.add((site <= 4 ? site : first - 4) + "-" + id + ":40");
      }
    }
    agent.says("/tree.json", tree("1", "1", 1, edges, sites));

    open(390, 900);

    JsonNode rightmost =
        browser()
            .evaluate(
                """
                [...document.querySelectorAll('.edge.middle')].filter(edge => edge.dataset.a <= 4)
                  .map(edge => edge.getBBox()).map(box => Math.round(box.x + box.width))
                """);
    assertThat(rightmost.valueStream().map(JsonNode::asInt)).hasSize(4).doesNotHaveDuplicates();
    assertThat(strings(browser().evaluate(CROSSINGS))).isEmpty();
    assertThat(browser().troubles()).isEmpty();
  }

  @Test
  void three_hundred_members_are_in_the_window_apart_and_in_letters_that_can_be_read()
      throws Exception {
    Random random = new Random(5);
    List<String> edges = new ArrayList<>();
    Map<String, String> sites = new TreeMap<>();
    for (int id = 0; id < 300; id++) {
      int site = id / 25;
      sites.put("h" + id, "site" + site);
      if (id > 0) {
        int parent =
            id % 25 == 0
                ? 25 * random.nextInt(site) + random.nextInt(25)
                : 25 * site + random.nextInt(Math.min(id % 25, 3));
        edges.add("h" + parent + "-h" + id + (id % 25 == 0 ? ":40" : ":0.5"));
      }
    }
    agent.says("/tree.json", tree("h0", "h17", 9, edges, sites));
    open(1920, 1080);
    assertThat(browser().evaluate("document.querySelectorAll('.members .member').length").asInt())
        .isEqualTo(300);
    assertThat(strings(browser().evaluate(CROSSINGS))).isEmpty();
    JsonNode outside =
        browser()
            .evaluate(
                """
                (() => {
                  const stage = document.querySelector('#stage').getBoundingClientRect();
                  return [...document.querySelectorAll('.members .member')].map(one => one.getBoundingClientRect())
                    .filter(box => box.left < stage.left || box.right > stage.right
                      || box.top < stage.top || box.bottom > stage.bottom).length;
                })()
                """);
    assertThat(outside.asInt()).isZero();
    double pixels =
        browser().evaluate("12 * document.querySelector('.members').getScreenCTM().a").asDouble();
    assertThat(pixels).as("height of letters").isGreaterThan(7);
    assertThat(browser().text("#figure-members b")).isEqualTo("300");
    assertThat(browser().troubles()).isEmpty();
  }

  @Test
  void a_cut_shows_the_new_tree_and_its_added_and_removed_edges() throws Exception {
    agent.says("/tree.json", tree("1", "1", 1, List.of("1-2:2", "2-3:40"), Map.of()));
    open(1200, 800);
    assertThat(strings(browser().evaluate(DRAWN_EDGES))).containsExactly("1-2", "2-3");

    agent.says("/tree.json", tree("1", "1", 2, List.of("1-2:2.5", "1-3:50"), Map.of()));
    agent.says(
        "/history.json",
        """
        {"history":[{"at":"2026-01-01T09:59:59Z","version":2,"versionBefore":1,"root":"1","edges":2,"weightMillis":52.5,
        "durationMillis":81.5,"messagesSent":7,"causes":["tree-link-lost"],"removed":[{"a":"2","b":"3","weightMillis":40}],
        "removedMore":0,"added":[{"a":"1","b":"3","weightMillis":50}],"addedMore":0}]}\
        """);
    // In one question, since the marks fade.
    browser()
        .awaitTrue(
            "document.querySelector('.edge.added[data-a=\"1\"][data-b=\"3\"]')"
                + " && document.querySelector('.ghost.removed text')?.textContent.includes('2–3')"
                + " && document.querySelector('.edge.reweighed[data-b=\"2\"]')");
    assertThat(strings(browser().evaluate(DRAWN_EDGES))).containsExactly("1-2", "1-3");
    browser().awaitTrue("document.querySelector('#history .cause')");
    assertThat(browser().text("#history button"))
        .contains("version 2", "− 2–3", "+ 1–3", "tree-link-lost");
    assertThat(browser().text("#figure-weight b")).isEqualTo("52.5");
    await().atMost(PATIENCE).until(() -> browser().text("#figure-changes b").equals("1"));
    assertThat(browser().troubles()).isEmpty();
  }

  @Test
  void a_click_on_a_member_or_an_edge_explains_it_and_says_what_is_not_known() throws Exception {
    agent.says(
        "/tree.json",
        tree("h1", "h2", 3, List.of("h1-h2:40", "h2-h3:50"), Map.of("h1", "north", "h2", "south")));
    agent.says(
        "/links.json",
        "{\"node\":\"h1\",\"links\":["
            + link(
                "h2",
                ",\"measuredMillis\":41.25,\"forecastMillis\":41.5,\"errorMillis\":0.75,\"jitterMillis\":1.125,"
                    + "\"lossPercent\":3,\"discardedPercent\":0,\"weightMillis\":42,\"treeEdge\":true")
            + "]}");
    agent.says(
        "/link.json?peer=h2",
        "{\"peer\":\"h2\",\"lines\":[\"It is an edge since it is the best.\"],\"weights\":[]}");
    open(1300, 900);

    browser().click(".member[data-id=h2] .id");
    browser()
        .awaitTrue(
            "document.querySelector('#why p')?.textContent.includes('since it is the best')");
    assertThat(browser().text("#details"))
        .contains("site south", "41.250 ms", "41.500 ms", "0.750 ms", "1.125 ms", "3 %");
    browser().awaitTrue("document.querySelector('#plot canvas')");

    browser()
        .evaluate(
            "document.querySelector('.edge[data-a=h1] .hit').dispatchEvent(new MouseEvent('click',"
                + " { bubbles: true }))");
    browser().awaitTrue("document.querySelector('#details h2').textContent === 'h1 – h2'");
    assertThat(browser().text("#details"))
        .contains("at the commit40.0 ms", "now42.0 ms", "+2.0 ms");

    browser()
        .evaluate(
            "document.querySelector('.edge[data-a=h2] .hit').dispatchEvent(new MouseEvent('click',"
                + " { bubbles: true }))");
    browser().awaitTrue("document.querySelector('#details h2').textContent === 'h2 – h3'");
    assertThat(browser().text("#details .unknown")).contains("treecast why h2 h3");
    browser().press("Escape");
    browser().awaitTrue("document.querySelector('#details').hidden");
    assertThat(browser().troubles()).allMatch(trouble -> trouble.contains("series.json"));
  }

  @Test
  void a_row_of_the_history_shows_the_tree_as_it_was_then() throws Exception {
    agent.says("/tree.json", tree("1", "1", 3, List.of("1-2", "1-3"), Map.of()));
    agent.says("/history.json", "{\"history\":[" + row(3) + "," + row(2) + "," + row(1) + "]}");
    agent.says(
        "/past-tree.json?version=2",
        "{\"version\":2,\"root\":\"3\",\"tree\":" + edges(List.of("1-2", "2-3")) + "}");
    open(1300, 900);
    browser().click("#history [data-version='2']");
    browser().awaitTrue("!document.querySelector('#then').hidden");
    assertThat(strings(browser().evaluate(DRAWN_EDGES))).containsExactly("1-2", "2-3");
    browser().click("#history [data-version='1']");
    browser().awaitTrue("document.querySelector('#then span').textContent.includes('no longer')");
    browser().click("#now");
    browser().awaitTrue("document.querySelector('#then').hidden");
    assertThat(strings(browser().evaluate(DRAWN_EDGES))).containsExactly("1-2", "1-3");
  }

  @Test
  void absent_members_are_drawn_apart_with_since_when_and_why_and_names_are_text()
      throws Exception {
    agent.says(
        "/tree.json", tree("1", "1", 1, List.of("1-2"), Map.of("1", "<b>north</b>"), "[\"9\"]"));
    agent.says(
        "/links.json",
        "{\"node\":\"1\",\"links\":["
            + link("9", "")
                .replace("\"state\":\"up\"", "\"state\":\"dialing\"")
                .replace("\"absentMillis\":0", "\"absentMillis\":754000")
                .replace("\"downReason\":\"\"", "\"downReason\":\"<i>it crashed</i>\"")
            + "]}");
    open(1200, 800);
    assertThat(browser().text("[data-absent='9']")).contains("for 12 min", "<i>it crashed</i>");
    assertThat(
            browser()
                .evaluate("document.querySelector('#figure-members span').dataset.more")
                .asString())
        .contains("1 absent");
    browser().click("[data-absent='9'] .id");
    browser().awaitTrue("document.querySelector('#details h2')?.textContent === '9'");
    assertThat(browser().text("#details"))
        .contains("not in this tree", "12 min ago", "<i>it crashed</i>");
    assertThat(browser().text(".region .name")).contains("<b>north</b>");
    assertThat(browser().evaluate("document.querySelectorAll('b > *, i').length").asInt()).isZero();
  }

  @Test
  void a_site_folds_into_one_box_and_a_search_finds_its_members() throws Exception {
    agent.says(
        "/tree.json",
        tree(
            "1",
            "1",
            1,
            List.of("1-2", "2-3:40", "3-4", "4-5:30"),
            Map.of("1", "a", "2", "a", "3", "b", "4", "b", "5", "c")));
    open(1200, 800);
    browser().click("[data-fold='b'] .name");
    browser().awaitTrue("document.querySelector('.region.folded')");
    assertThat(browser().evaluate("document.querySelectorAll('.members .member').length").asInt())
        .isEqualTo(3);
    assertThat(strings(browser().evaluate(DRAWN_EDGES))).containsExactly("1-2", "2-3", "4-5");
    browser().press("/");
    browser().press("4");
    browser().awaitTrue("document.querySelector('#found').textContent === '1'");
    browser().press("Enter");
    browser().awaitTrue("document.querySelector('.member.selected')?.dataset.id === '4'");
  }

  @Test
  void labels_are_in_the_panel_of_a_member_and_in_the_search() throws Exception {
    agent.says("/tree.json", tree("h1", "h1", 1, List.of("h1-h2", "h2-h3"), Map.of("h3", "east")));
    agent.says(
        "/labels.json",
        """
        {"labels":{"h1":{"gpu":"2"},"h2":{"gpu":"10","fw":"<b>2.1"},"h3":{"gpu":"8","site":"east"}}}\
        """);
    open(1200, 800);
    browser().click(".member[data-id=h2] .id");
    browser().awaitTrue("document.querySelector('#details')?.textContent.includes('gpu10')");
    assertThat(browser().text("#details")).contains("fw<b>2.1");
    search("gpu>=8");
    assertThat(strings(browser().evaluate(FOUND))).containsExactly("h2", "h3");
    assertThat(browser().text("#found")).isEqualTo("2");
    search("gpu>=8, site=east");
    assertThat(strings(browser().evaluate(FOUND))).containsExactly("h3");
    search("gpu>=8,");
    assertThat(browser().text("#found")).as("a term that is not complete").isEqualTo("none");
    agent.says("/labels.json", "{\"labels\":{\"h1\":{\"gpu\":\"9\"}}}");
    search("gpu>=8");
    browser().awaitTrue(FOUND + ".join() === 'h1'");
  }

  private static final String FOUND =
      "[...document.querySelectorAll('.member.found')].map(m => m.dataset.id).sort()";

  private static void search(String text) {
    browser()
        .evaluate(
            "(() => { const at = document.querySelector('#wanted'); at.value = '"
                + text
                + "'; at.dispatchEvent(new Event('input')); })()");
  }

  @Test
  void a_condition_in_the_search_has_the_meaning_of_a_selector_of_the_client() throws Exception {
    agent.says("/tree.json", tree("h1", "h1", 1, List.of("h1-h2"), Map.of()));
    open(1200, 800);
    Map<String, String> labels = Map.of("gpu", "8", "fw", "2.10", "name", "b b", "toString", "x");
    for (String selector :
        List.of(
            "gpu",
            "!gpu",
            "! gpu",
            "fpga",
            "!fpga",
            "gpu=8",
            "gpu = 8.0",
            "gpu!=8",
            "gpu!=9",
            "fpga!=1",
            "fpga=1",
            "gpu>=8",
            "gpu>8",
            "gpu<10",
            "gpu<=7",
            "fw>2.9",
            "fw<2.10.1",
            "name=b b",
            "name>a",
            "name<a",
            "id=h1",
            "id!=h1",
            "id>h0",
            "!id",
            "gpu=8,fw=2.10",
            "gpu=8,fpga",
            "valueOf",
            "!valueOf",
            "toString=x",
            "gpu==8",
            "gpu=>8",
            "g u=8",
            "gpu=",
            ",",
            "gpu,",
            "=8",
            "gpu=8=9",
            "00008=8",
            "gpu=00008")) {
      String expected;
      try {
        expected = String.valueOf(Selector.parse(selector).matches(new Member("h1", labels)));
      } catch (IllegalArgumentException notParsed) {
        expected = "no selector";
      }
      JsonNode found =
          browser()
              .evaluate(
                  "import('/live-page/selector.js').then(it => { const terms = it.parse('"
                      + selector
                      + "'); return terms === null ? 'no selector' : it.matches(terms, 'h1',"
                      + " {gpu: '8', fw: '2.10', name: 'b b', toString: 'x'}); })");
      assertThat(found.asString()).as(selector).isEqualTo(expected);
    }
  }

  @Test
  void a_click_on_a_group_marks_its_members() throws Exception {
    agent.says("/tree.json", tree("h1", "h1", 1, List.of("h1-h2", "h2-h3"), Map.of()));
    agent.says(
        "/groups.json",
        """
        {"groups":[{"path":"trainers","members":2},{"path":"trainers/west","members":1}],"more":false}\
        """);
    agent.says("/group.json?path=trainers", "{\"path\":\"trainers\",\"members\":[\"h1\",\"h3\"]}");
    agent.says(
        "/group.json?path=trainers%2Fwest", "{\"path\":\"trainers/west\",\"members\":[\"h3\"]}");
    open(1200, 800);
    browser().click("#tab-groups");
    browser().click("#groups [data-path='trainers']");
    browser().awaitTrue(FOUND + ".join() === 'h1,h3'");
    browser().click("#groups [data-path='trainers/west']");
    browser().awaitTrue(FOUND + ".join() === 'h3'");
    assertThat(browser().text("#groups [aria-pressed=true]")).isEqualTo("trainers/west 1 member");
    browser().press("Escape");
    browser().awaitTrue(FOUND + ".length === 0");
    assertThat(browser().text("#groups [aria-pressed=true]")).isEmpty();
    agent.says("/groups.json", "{\"groups\":[],\"more\":false}");
    browser()
        .awaitTrue(
            "document.querySelector('#groups-about').textContent.startsWith('No application')");
    assertThat(browser().troubles()).isEmpty();
  }

  @Test
  void the_keyboard_goes_along_the_tree_explains_and_folds() throws Exception {
    agent.says(
        "/tree.json",
        tree("1", "1", 1, List.of("1-2:40", "2-3"), Map.of("1", "a", "2", "b", "3", "b")));
    open(1200, 800);
    browser().evaluate("document.querySelector('.member[data-id=\"1\"]').focus()");
    browser().press("ArrowRight");
    browser().press("ArrowRight");
    assertThat(browser().evaluate("document.activeElement.dataset.id").asString()).isEqualTo("3");
    browser().press("ArrowLeft");
    browser().press("Enter");
    browser().awaitTrue("document.querySelector('#details h2')?.textContent === '2'");
    browser().evaluate("document.querySelector('[data-fold=b]').focus()");
    browser().press("Enter");
    browser().awaitTrue("document.querySelector('.region.folded')");
    browser().awaitTrue("document.activeElement.dataset.fold === 'b'");
    agent.says(
        "/tree.json",
        tree("1", "1", 2, List.of("1-2:40", "1-3"), Map.of("1", "a", "2", "b", "3", "b")));
    browser().awaitTrue("document.querySelector('#figure-ready span').textContent === 'version 2'");
    assertThat(browser().evaluate("document.activeElement.dataset.fold").asString()).isEqualTo("b");
  }

  @Test
  void own_broadcasts_run_along_the_whole_tree_and_others_along_the_own_edges() throws Exception {
    String activity =
        "{\"at\":\"2026-01-01T10:00:00Z\",\"publishedMessages\":%s,\"deliveredMessages\":%s,"
            + "\"missedMessages\":0,\"forwardedChunks\":%s,\"waitingBytes\":0,\"publishersWaiting\":0}";
    agent.says("/tree.json", tree("1", "1", 1, List.of("1-2:400", "2-3:400", "3-4:400"), Map.of()));
    open(1200, 800);
    browser()
        .evaluate(
            "window.most = 0; new MutationObserver(() => { window.most = Math.max(window.most,"
                + " document.querySelectorAll('.pulse').length); })"
                + ".observe(document.querySelector('.pulses'), { childList: true })");
    browser().awaitTrue("document.querySelector('#figure-messages b').textContent === '0'");
    agent.says("/activity.json", String.format(activity, 0, 0, 1));
    browser().awaitTrue("window.most === 1");
    browser().awaitTrue("document.querySelectorAll('.pulse').length === 0");
    agent.says("/activity.json", String.format(activity, 1, 5, 2));
    browser().awaitTrue("window.most === 3");
    browser().awaitTrue("Number(document.querySelector('#figure-messages b').textContent) > 0");
  }

  @Test
  void a_page_says_that_there_is_no_tree_that_an_agent_is_not_ready_and_that_it_does_not_answer()
      throws Exception {
    agent.says(
        "/tree.json",
        "{\"node\":\"1\",\"ready\":false,\"reason\":\"no tree yet: 0 links are"
            + " open\",\"absent\":[],\"siteMillis\":3,\"sites\":{},\"measuresThroughput\":false}");
    browser().open(agent.address(), 390, 780);
    browser().awaitTrue("document.querySelector('#instead strong')?.textContent === 'No tree yet'");
    assertThat(browser().text("#trouble")).contains("0 links are open");
    assertThat(browser().text("#figure-ready b")).isEqualTo("Not ready");
    agent.says("/tree.json", tree("1", "1", 1, List.of(), Map.of()));
    browser()
        .awaitTrue(
            "document.querySelector('#instead strong').textContent === 'This agent is alone'");
    assertThat(browser().evaluate("document.documentElement.scrollWidth <= 390").asBoolean())
        .isTrue();
    agent.close();
    browser().awaitTrue("document.body.classList.contains('lost')");
    assertThat(browser().text("#figure-ready b")).isEqualTo("No answer");
  }

  @Test
  void the_page_of_a_real_agent_follows_its_tree() throws Exception {
    try (TestAgents agents = new TestAgents()) {
      List<Agent> cluster = agents.startReadyCluster(3);
      browser().open("http://" + cluster.get(0).adminAddress() + "/", 1200, 800);
      browser().awaitTrue("document.querySelectorAll('.members .member').length === 3");
      browser().click(".member[data-id=h2] .id");
      browser().awaitTrue("document.querySelector('#why')?.textContent.includes('The link to h2')");
      cluster.get(2).close();
      browser().awaitTrue("document.querySelectorAll('.members .member').length === 2");
      browser().awaitTrue("document.querySelectorAll('#history li').length > 1");
      int rows = browser().evaluate("document.querySelectorAll('#history li').length").asInt();
      browser().click("#tab-history");
      browser().click("#history li:nth-child(2) button");
      browser().awaitTrue("document.querySelectorAll('.members .member').length === 3");
      assertThat(rows).isGreaterThan(1);
    }
  }
}
