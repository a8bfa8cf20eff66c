package io.treecast.it.repository;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.treecast.cli.Main;
import io.treecast.client.TreecastException;
import io.treecast.proto.v1.RefusalReason;
import java.io.ByteArrayInputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import javax.xml.parsers.DocumentBuilderFactory;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;
import picocli.CommandLine;

/** Links lead somewhere, commands parse, and examples are those that the build compiles. */
class DocumentsTest {
  private static final Path README = Path.of("README.md");
  private static final Path PAGES = Path.of("docs");
  private static final Path INDEX = PAGES.resolve("README.md");

  /** A package and its classes in the last column of the tables of steps. */
  private static final Pattern STEP_PART =
      Pattern.compile("(?<=[|;] )`([a-z.]+)`: ((?:`[A-Z]\\w+`(?:, )?)+)(?= \\||;)");

  private static final Path EXAMPLE =
      Path.of("example/src/main/java/org/example/prices/Greeting.java");
  private static final Path TOPIC_EXAMPLE =
      Path.of("example/src/main/java/org/example/prices/TopicExample.java");
  private static final Path TEST_KIT = Path.of("docs/test-kit.md");
  private static final Path CLUSTER_TEST =
      Path.of("simulations/src/test/java/io/treecast/testkit/example/ClusterExampleTest.java");
  private static final Path USER_POM = Path.of("example/pom.xml");
  private static final Path CLIENT = Path.of("docs/client.md");
  private static final Path CLIENT_EXAMPLES =
      Path.of("example/src/main/java/org/example/prices/ClientExamples.java");
  private static final Path COLLECTIVES = Path.of("docs/collectives.md");
  private static final Path JOBS = Path.of("docs/jobs.md");
  private static final Path QUEENS = Path.of("jobs/src/test/java/io/treecast/jobs/Queens.java");
  private static final Path KNAPSACK = Path.of("jobs/src/test/java/io/treecast/jobs/Knapsack.java");
  private static final Path JOBS_TEST =
      Path.of("jobs/src/test/java/io/treecast/jobs/JobsUnderFaultsTest.java");
  private static final Path COLLECTIVE_EXAMPLES =
      Path.of("example/src/main/java/org/example/prices/CollectiveExamples.java");
  private static final Path SERVICE_TEST =
      Path.of("example/src/test/java/org/example/prices/PriceBoardTest.java");
  private static final Path SUBSCRIPTIONS = Path.of("docs/subscriptions.md");
  private static final Path EXACTLY_ONCE =
      Path.of("client/src/test/java/io/treecast/client/ExactlyOnceExample.java");
  private static final Path EMBEDDING = Path.of("docs/embedding.md");
  private static final Path EMBEDDED_AGENT =
      Path.of("example/src/main/java/org/example/prices/EmbeddedAgent.java");
  private static final Path FAILURES = Path.of("docs/failures.md");
  private static final Path OTHER_LANGUAGES = Path.of("docs/other-languages.md");
  private static final Pattern TAGGED =
      Pattern.compile("(?s)\\R[ ]*// tag::example\\R(.*?)[ ]*// end::example");

  @ParameterizedTest
  @MethodSource("io.treecast.it.repository.Documents#relativeLinks")
  void each_relative_link_leads_to_a_file(Documents.Quote link) {
    Path target = Repository.root().resolve(link.file()).resolveSibling(link.text());

    assertThat(Files.exists(target)).as("%s exists", target.normalize()).isTrue();
  }

  @ParameterizedTest
  @MethodSource("io.treecast.it.repository.Documents#links")
  void each_link_to_a_heading_leads_to_one(Documents.Quote link) {
    String[] parts = link.text().split("#", 2);
    Path target =
        parts[0].isEmpty() ? link.file() : link.file().resolveSibling(parts[0]).normalize();

    assertThat(Documents.anchors(target)).as("headings of %s", target).contains(parts[1]);
  }

  @Test
  void the_index_of_the_documents_links_each_page() {
    Stream<String> pages =
        Repository.files(".md").stream()
            .filter(file -> PAGES.equals(file.getParent()) && !file.equals(INDEX))
            .map(file -> "(" + file.getFileName() + ")");

    assertThat(Repository.text(INDEX)).contains(pages.toList());
  }

  @ParameterizedTest
  @MethodSource("stepsThroughTheCode")
  void each_step_through_the_code_names_a_class_of_its_package(String source) {
    assertThat(Repository.files(".java"))
        .filteredOn(file -> file.toString().contains("/src/main/"))
        .anyMatch(file -> file.endsWith(source));
  }

  /** Sources that the tables of steps name, each as {@code package/Class.java}. */
  static List<String> stepsThroughTheCode() {
    List<String> sources = new ArrayList<>();
    Matcher parts = STEP_PART.matcher(Repository.text(Path.of("ARCHITECTURE.md")));
    while (parts.find()) {
      String room = parts.group(1).replace('.', '/');
      Pattern.compile("`(\\w+)`")
          .matcher(parts.group(2))
          .results()
          .forEach(name -> sources.add(room + "/" + name.group(1) + ".java"));
    }
    return sources;
  }

  @ParameterizedTest
  @MethodSource("io.treecast.it.repository.Documents#commandLines")
  void each_command_parses(Documents.Quote command) {
    List<String> arguments = ShellWords.of(command.text());

    assertThatCode(() -> parse(arguments)).doesNotThrowAnyException();
  }

  @Test
  void a_command_that_there_is_not_does_not_parse() {
    assertThatThrownBy(() -> parse(ShellWords.of("tree draw")))
        .isInstanceOf(CommandLine.ParameterException.class);
    assertThatThrownBy(() -> parse(ShellWords.of("demo --colour blue # on the fly")))
        .isInstanceOf(CommandLine.ParameterException.class);
  }

  private static void parse(List<String> arguments) {
    String[] args = arguments.toArray(String[]::new);
    Main.commandLine(args).parseArgs(args);
  }

  @Test
  void the_readme_shows_the_example_that_is_compiled_and_run() {
    assertShows(README, "<!-- hello example -->", CLIENT_EXAMPLES, "hello");
  }

  @Test
  void the_readme_is_short() {
    assertThat(Repository.text(README).lines().count()).isLessThanOrEqualTo(180);
  }

  @Test
  void the_page_on_the_client_shows_a_first_program_that_is_compiled_and_run() {
    assertShows(CLIENT, "<!-- client example -->", EXAMPLE);
    assertShows(CLIENT, "<!-- topic example -->", TOPIC_EXAMPLE);
  }

  @Test
  void the_page_on_the_test_kit_shows_examples_that_are_compiled_and_run() {
    assertShows(TEST_KIT, "<!-- link test example -->", SERVICE_TEST, "link");
    assertShows(TEST_KIT, "<!-- service test example -->", SERVICE_TEST);
    assertShows(TEST_KIT, "<!-- cluster test example -->", CLUSTER_TEST);
  }

  @Test
  void the_page_on_the_test_kit_shows_the_imports_of_its_examples() {
    assertShowsImports(TEST_KIT, "<!-- service test imports -->", SERVICE_TEST);
    assertShowsImports(TEST_KIT, "<!-- cluster test imports -->", CLUSTER_TEST);
  }

  @Test
  void the_poms_of_the_documents_are_those_of_a_project_that_is_built() {
    assertShows(CLIENT, "<!-- client dependency -->", USER_POM, "client");
    assertShows(EMBEDDING, "<!-- agent dependency -->", USER_POM, "agent");
    assertShows(TEST_KIT, "<!-- test kit dependencies -->", USER_POM, "testkit");
    assertShows(TEST_KIT, "<!-- surefire plugin -->", USER_POM, "surefire");
  }

  @Test
  void the_whole_pom_has_the_dependency_and_the_compiler_of_a_project_that_is_built()
      throws Exception {
    String pom = Documents.blockAfter(CLIENT, "<!-- whole pom -->");
    DocumentBuilderFactory.newInstance()
        .newDocumentBuilder()
        .parse(new ByteArrayInputStream(pom.getBytes(UTF_8)));

    assertThat(lines(pom))
        .containsSubsequence(lines(Documents.blockAfter(CLIENT, "<!-- client dependency -->")));
    for (String artifact : List.of("treecast-client", "maven-compiler-plugin")) {
      assertThat(version(artifact, pom))
          .as("version of %s", artifact)
          .isEqualTo(version(artifact, Repository.text(USER_POM)));
    }
  }

  private static List<String> lines(String text) {
    return text.lines().map(String::strip).toList();
  }

  private static String version(String artifact, String pom) {
    Matcher version =
        Pattern.compile("<artifactId>" + artifact + "</artifactId>\\s*<version>([^<]+)<")
            .matcher(pom);
    assertThat(version.find()).as("a version of %s", artifact).isTrue();
    return version.group(1);
  }

  @ParameterizedTest
  @ValueSource(strings = {"failure", "retry", "upload", "receive", "order", "tree"})
  void the_page_on_the_client_shows_examples_that_are_compiled_and_run(String tag) {
    assertShows(CLIENT, "<!-- " + tag + " example -->", CLIENT_EXAMPLES, tag);
  }

  @ParameterizedTest
  @ValueSource(strings = {"reduce", "scatter", "wait"})
  void the_page_on_collective_operations_shows_examples_that_are_compiled_and_run(String tag) {
    assertShows(COLLECTIVES, "<!-- " + tag + " example -->", COLLECTIVE_EXAMPLES, tag);
  }

  @ParameterizedTest
  @CsvSource({
    "requests, request, Client",
    "members, selected, Client",
    "collectives, vectors, Collective",
    "groups, groups, Collective",
    "clock, clock, Collective",
    "values, values, State",
    "values, ephemeral, State",
    "values, best, State",
    "values, last, State",
    "ownership, claim, State"
  })
  void pages_for_programs_show_examples_that_are_compiled_and_run(
      String page, String tag, String source) {
    assertShows(
        Path.of("docs/" + page + ".md"),
        "<!-- " + tag + " example -->",
        Path.of("example/src/main/java/org/example/prices/" + source + "Examples.java"),
        tag);
  }

  @Test
  void the_page_on_jobs_shows_examples_that_are_compiled_and_run() {
    assertShows(JOBS, "<!-- problem example -->", QUEENS, "problem");
    assertShows(JOBS, "<!-- jobs example -->", QUEENS, "jobs");
    assertShows(JOBS, "<!-- bound example -->", KNAPSACK, "bound");
    assertShows(JOBS, "<!-- jobs test example -->", JOBS_TEST, "test");
  }

  @Test
  void the_page_on_subscriptions_shows_the_example_that_is_compiled() {
    assertShows(SUBSCRIPTIONS, "<!-- exactly once example -->", EXACTLY_ONCE);
  }

  @Test
  void the_page_on_embedding_shows_the_example_that_is_compiled_and_run() {
    assertShows(EMBEDDING, "<!-- embedded example -->", EMBEDDED_AGENT, "embedded");
  }

  @Test
  void the_page_on_failures_names_each_and_no_other() {
    assertThat(rows(Repository.text(FAILURES)))
        .isEqualTo(Stream.of(TreecastException.Reason.values()).map(Enum::name).toList());
  }

  @Test
  void the_page_on_other_languages_names_each_reason_of_a_refusal_and_no_other() {
    String page = Repository.text(OTHER_LANGUAGES);
    assertThat(
            rows(page.substring(page.indexOf("### Reasons"))).stream()
                .map(reason -> "REFUSAL_REASON_" + reason))
        .containsExactlyElementsOf(
            Stream.of(RefusalReason.values())
                .map(Enum::name)
                .filter(name -> !name.matches("REFUSAL_REASON_UNSPECIFIED|UNRECOGNIZED"))
                .toList());
  }

  /** Returns the first cells of the rows of tables that are a word in code style. */
  private static List<String> rows(String text) {
    return Pattern.compile("(?m)^\\| `(\\w+)` \\|")
        .matcher(text)
        .results()
        .map(found -> found.group(1))
        .toList();
  }

  private static void assertShows(Path document, String comment, Path source) {
    assertShows(document, comment, source, TAGGED);
  }

  /**
   * Asserts that a document shows the part of a source between two comments with the tag's name.
   */
  private static void assertShows(Path document, String comment, Path source, String tag) {
    Pattern tagged =
        Pattern.compile(
            "(?s)\\R[^\\n]* tag::" + tag + "\\b[^\\n]*\\n(.*?)[^\\n]* end::" + tag + "\\b");
    assertShows(document, comment, source, tagged);
  }

  private static void assertShows(Path document, String comment, Path source, Pattern shown) {
    Matcher tagged = shown.matcher(Repository.text(source));

    assertThat(tagged.find()).isTrue();
    assertThat(Documents.blockAfter(document, comment).strip())
        .isEqualTo(tagged.group(1).stripTrailing().stripIndent());
  }

  private static void assertShowsImports(Path document, String comment, Path source) {
    assertThat(Documents.blockAfter(document, comment).strip().lines())
        .filteredOn(line -> !line.isBlank())
        .isEqualTo(Repository.text(source).lines().filter(i -> i.startsWith("import ")).toList());
  }
}
