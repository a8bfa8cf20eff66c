package io.treecast.it.repository;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests are named by the rules that they check, and compare values of errors, not sentences. */
class TestSourcesTest {
  /** Texts that are joined over several lines of a source. */
  private static final Pattern JOINT = Pattern.compile("\"\\s*\\+\\s*\"");

  /** The rest of a statement that asserts the message of an exception or an output of errors. */
  private static final Pattern OF_ERROR =
      Pattern.compile(
          "(?:(?:has|with)(?:RootCause)?Message\\w*\\(|\\.err\\(\\)\\)|getMessage\\(\\)\\))"
              + "(?:\"(?:[^\"\\\\\\n]|\\\\.)*+\"|[^;\"])*+");

  /** A text with three words of ordinary language in a row. */
  private static final Pattern SENTENCE =
      Pattern.compile(
          "\"(?:[^\"\\\\\\n]|\\\\.)*?\\b[a-z]{2,} [a-z]{2,} [a-z]{2,}\\b(?:[^\"\\\\\\n]|\\\\.)*\"");

  private static final Pattern TEST_METHOD =
      Pattern.compile(
          "@(?:Test|ParameterizedTest|RepeatedTest|ClusterTest|FuzzTest)\\b"
              + "(?:[^;{}\"]|\"(?:[^\"\\\\\\n]|\\\\.)*+\"|\\{[^{}]*})*?\\bvoid (\\w+)\\(");

  private static List<Path> tests() {
    return Repository.files(".java").stream()
        .filter(file -> file.toString().contains("src/test/"))
        .toList();
  }

  @Test
  void an_assertion_about_an_error_compares_no_sentence() {
    assertThat(tests())
        .hasSizeGreaterThan(500)
        .allSatisfy(file -> assertThat(sentences(Repository.text(file))).as("%s", file).isEmpty());
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        ".hasMessage(\"the WORDS\");",
        ".withMessageContaining(\n    \"2 is of \"\n        + \"all WORDS\");",
        "assertThat(run.err()).isEqualTo(\"treecast: is WORDS\\n\");"
      })
  void a_sentence_about_an_error_is_found(String assertion) {
    assertThat(sentences(withWords(assertion))).hasSize(1);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        ".hasMessageContainingAll(\"limits.topics = 3\", \"'a b'\");",
        "assertThat(run.err()).startsWith(\"treecast: --file: \"); // all WORDS",
        "assertThat(run.out()).isEqualTo(\"are WORDS\");"
      })
  void a_value_of_an_error_and_other_texts_pass(String assertion) {
    assertThat(sentences(withWords(assertion))).isEmpty();
  }

  /** The samples have no sentence themselves, since this file is searched as well. */
  private static String withWords(String assertion) {
    return assertion.replace("WORDS", "ordinary words");
  }

  @Test
  void the_name_of_a_test_is_a_sentence() {
    List<String> names = tests().stream().flatMap(file -> names(Repository.text(file))).toList();

    assertThat(names)
        .hasSizeGreaterThan(3_000)
        .allMatch(name -> name.matches("[a-z0-9]+(_[a-z0-9]+)+"));
  }

  @Test
  void a_class_with_tests_is_named_for_them() {
    assertThat(tests())
        .filteredOn(file -> names(Repository.text(file)).findAny().isPresent())
        .extracting(file -> String.valueOf(file.getFileName()))
        .allMatch(name -> name.matches("\\w+(Test|Contract)\\.java"));
  }

  private static List<String> sentences(String source) {
    return OF_ERROR
        .matcher(JOINT.matcher(source).replaceAll(""))
        .results()
        .flatMap(rest -> SENTENCE.matcher(rest.group()).results())
        .map(found -> found.group())
        .toList();
  }

  private static Stream<String> names(String source) {
    return TEST_METHOD.matcher(source).results().map(found -> found.group(1));
  }
}
