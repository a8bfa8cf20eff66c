package io.treecast.cli.reproduce;

import static org.assertj.core.api.Assertions.assertThat;

import io.treecast.testkit.reproduce.Experiment;
import io.treecast.testkit.reproduce.Experiments;
import io.treecast.testkit.reproduce.Lab;
import io.treecast.testkit.reproduce.Measure;
import io.treecast.testkit.reproduce.Result;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The page of the documentation is the output of the command. */
class ReproductionPageTest {
  private static final Path DOCS = Path.of("..", "docs");
  private static final String HOW = "generate the page again as it says at its beginning";

  /** With the defaults of the command. It keeps runs that several experiments need. */
  private static final Lab LAB = new Lab(1, 3);

  private static void assertIsInDocuments(Page page) throws IOException {
    assertThat(Files.readString(DOCS.resolve("reproduction.md"))).as(HOW).contains(page.text());
    for (Map.Entry<String, String> drawing : page.drawings().entrySet()) {
      assertThat(Files.readString(DOCS.resolve("reproduction").resolve(drawing.getKey())))
          .as("%s: %s", drawing.getKey(), HOW)
          .isEqualTo(drawing.getValue());
    }
  }

  private Result result(String id) {
    return Objects.requireNonNull(Experiments.of(id)).run(LAB);
  }

  /** Only experiments that take seconds; the nightly build compares the others. */
  @ParameterizedTest
  @ValueSource(strings = {"chapter-2", "table-4.2", "table-4.3", "4.4"})
  void a_section_of_the_page_is_what_the_command_prints_of_the_experiment(String id)
      throws IOException {
    assertIsInDocuments(new Page(List.of(result(id)), false));
  }

  @Test
  void the_page_has_a_section_for_each_experiment_in_their_order() throws IOException {
    String page = Files.readString(DOCS.resolve("reproduction.md"));
    int at = 0;
    for (Experiment experiment : Experiments.all()) {
      int next = page.indexOf(experiment.id() + ": " + experiment.title() + "\n");
      assertThat(next).as(experiment.id()).isGreaterThan(at);
      at = next;
    }
  }

  @Tag("nightly")
  @Test
  void the_whole_page_is_what_the_command_prints() throws IOException {
    List<Result> results =
        Experiments.all().parallelStream().map(experiment -> experiment.run(LAB)).toList();
    Page page = new Page(results, true);

    assertThat(page.text()).isEqualTo(Files.readString(DOCS.resolve("reproduction.md")));
    assertIsInDocuments(page);
    for (Result result : results) {
      for (Result.Row row : result.rows()) {
        Double replaced = row.own().get(Measure.EDGES_REPLACED);
        if (replaced != null && !result.id().equals("table-4.4")) {
          Double published = row.published().get(Measure.EDGES_REPLACED);
          assertThat(replaced)
              .as("%s, %s", result.id(), row.name())
              .isEqualTo(published == null ? row.own().get(Measure.EDGES_BY_VALUES) : published);
        }
      }
    }
  }
}
