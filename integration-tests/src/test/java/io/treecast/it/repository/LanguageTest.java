package io.treecast.it.repository;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Text that people read avoids the patterns that CONTRIBUTING.md lists under Language. */
class LanguageTest {
  /** Files whose names end so are documents; the examples in them are checked as well. */
  private static final List<String> DOCUMENTS =
      List.of(".md", ".yaml", ".yml", ".proto", ".service", "Dockerfile", "grafana.json");

  /**
   * Joined from parts, so that this file does not match itself. Most places fail by their letter,
   * before the costly look at the boundary of a word.
   */
  private static final Pattern ANYWHERE =
      Pattern.compile(
          "(?i)(?=[aci])\\b(can[ _]"
              + "not|an"
              + "ew|(?<!there[\\s*/]{1,12})(?:is|are) n"
              + "(?:one|o (?!longer|more|later|earlier|better)[a-z]+))\\b");

  /** A sentence in running text that begins with a relative clause, or without a noun. */
  private static final Pattern OPENING =
      Pattern.compile(
          "(?:^|(?<=[.:;!?)] |[.:]\\*\\* ))(Who|Whom|Whose|What|The same,)(?=[ ,])[^.?!]*(.?)");

  private static final Pattern JAVADOC_OPENING =
      Pattern.compile("(?:^|(?<=[.!?] ))((?:Who|Whom|Whose|What|Of)(?= )|The same,)[^.?!]*(.?)");

  /** Marks before the text of a line: of lists, tables, headings and comments. */
  private static final Pattern MARK =
      Pattern.compile("^\\s*(?://|#+|/?\\*+|[-*+>|]|\\d+\\.)?\\s*(?:\\*\\*)?");

  /** The begin of a line of a comment, outside of Markdown. */
  private static final Pattern COMMENT = Pattern.compile("\\s*(?://|#|\\*)");

  private static final Pattern JAVADOC = Pattern.compile("(?s)/\\*\\*(.*?)\\*/");

  /** Headings, and quotations from sources, which are checked there. */
  private static final Pattern NOT_PROSE =
      Pattern.compile("(?ms)^ *```.*?^ *```$|^#[^\\n]*$|`[^`\\n]+`");

  static Stream<Path> documents() {
    return DOCUMENTS.stream().flatMap(ending -> Repository.files(ending).stream()).distinct();
  }

  @Test
  void documents_have_sentences_with_nouns_as_subjects() {
    assertThat(
            documents()
                .flatMap(document -> ofDocument(document, Repository.text(document)).stream()))
        .isEmpty();
  }

  @Test
  void comments_and_texts_of_java_have_sentences_with_nouns_as_subjects() {
    assertThat(
            Repository.files(".java").stream()
                .flatMap(source -> ofJava(source, Repository.text(source)).stream()))
        .isEmpty();
  }

  @Test
  void documents_and_java_files_are_found() {
    assertThat(documents())
        .hasSizeGreaterThan(50)
        .contains(Path.of("README.md"), Path.of("docs/agent.example.yaml"));
    assertThat(Repository.files(".java")).hasSizeGreaterThan(1_000);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "Who waits gets an error.",
        "It ends. What is left is dropped.",
        "- Whom an agent knows it dials.",
        "**Links.** Whose link it is decides.",
        "The same, which forgets.",
        "An agent can" + " not wait.",
        "It starts an" + "ew.",
        "There is" + " none, so a session is" + " none.",
        "Node 7 is" + " no node.",
      })
  void a_pattern_is_found_with_file_and_line(String line) {
    assertThat(ofDocument(Path.of("a.md"), "# Title\n\n" + line + "\n"))
        .hasSize(1)
        .allMatch(found -> found.startsWith("a.md:3: "));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "What is a gap?",
        "Agents that wait, and what they wait for.",
        "An agent cannot wait.",
        "| what | when |",
        "There is no link, and the link is no longer up.",
        "A new one, like those of before, whose links are up.",
        "## What it costs",
        "The line `it starts an" + "ew` is quoted from a source that is checked itself.",
      })
  void plain_text_passes(String line) {
    assertThat(ofDocument(Path.of("a.md"), line + "\n")).isEmpty();
  }

  @Test
  void a_sentence_over_two_lines_may_be_a_question() {
    assertThat(ofDocument(Path.of("a.md"), "It stops. What would\nhelp then?\n")).isEmpty();
  }

  @Test
  void javadoc_begins_with_a_noun_or_a_verb() {
    String source =
        "class A {\n  /" + "** Of each link. *" + "/\n  int a;\n  // Of this: nothing.\n}\n";
    assertThat(ofJava(Path.of("A.java"), source)).hasSize(1).first().asString().contains(":2: ");
  }

  /** Breaches in a document, each with its line; {@code #} comments and table cells included. */
  static List<String> ofDocument(Path file, String text) {
    List<String> found = new ArrayList<>();
    String prose = file.toString().endsWith(".md") ? blank(NOT_PROSE, text) : text;
    find(file, text, 0, prose, ANYWHERE, found);
    openings(file, text, 0, prose, OPENING, found);
    return found;
  }

  /** Breaches in the comments and texts of a Java file, each with its line. */
  static List<String> ofJava(Path file, String text) {
    List<String> found = new ArrayList<>();
    find(file, text, 0, text, ANYWHERE, found);
    Matcher javadoc = JAVADOC.matcher(text);
    while (javadoc.find()) {
      openings(file, text, javadoc.start(1), javadoc.group(1), JAVADOC_OPENING, found);
    }
    return found;
  }

  /** Finds sentences that open badly in paragraphs, which marks and empty lines separate. */
  private static void openings(
      Path file, String text, int offset, String prose, Pattern opening, List<String> found) {
    boolean isMarkdown = file.toString().endsWith(".md");
    StringBuilder paragraph = new StringBuilder();
    int begin = offset;
    int at = offset;
    for (String line : prose.split("\n", -1)) {
      Matcher mark = MARK.matcher(line);
      String rest = mark.find() ? line.substring(mark.end()) : line;
      boolean isComment = !isMarkdown && COMMENT.matcher(line).lookingAt();
      boolean continues = isComment || mark.group().isBlank();
      if (rest.isBlank() || !continues) {
        find(file, text, begin, paragraph.toString(), opening, found);
        paragraph.setLength(0);
      }
      if (paragraph.length() == 0) {
        begin = at + line.length() - rest.length();
      } else {
        // Marks become blanks, so that each place in the paragraph is one in the text.
        paragraph.append(
            " ".repeat(at + line.length() - rest.length() - begin - paragraph.length()));
      }
      paragraph.append(rest);
      at += line.length() + 1;
    }
    find(file, text, begin, paragraph.toString(), opening, found);
  }

  private static void find(
      Path file, String text, int offset, String part, Pattern pattern, List<String> found) {
    Matcher matcher = pattern.matcher(part);
    while (matcher.find()) {
      boolean isQuestion = matcher.groupCount() > 1 && "?".equals(matcher.group(2));
      if (!isQuestion) {
        int place = offset + matcher.start(1);
        long line = 1 + text.substring(0, place).chars().filter(c -> c == '\n').count();
        int end = Math.min(text.length(), place + 60);
        found.add(file + ":" + line + ": " + text.substring(place, end).split("\n", 2)[0]);
      }
    }
  }

  /** The text with blanks in place of what the pattern matches, and the same lines. */
  private static String blank(Pattern pattern, String text) {
    return pattern.matcher(text).replaceAll(match -> match.group().replaceAll("[^\n]", " "));
  }
}
