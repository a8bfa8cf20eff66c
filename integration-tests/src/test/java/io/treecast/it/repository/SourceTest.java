package io.treecast.it.repository;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Conventions that the compiler and the formatter do not check. */
class SourceTest {
  private static final int MAX_LINES = 1_000;

  /** Put together here, since this file is searched as well. */
  @ParameterizedTest
  @ValueSource(strings = {"work", "root", "home"})
  void no_file_names_a_directory_of_the_machine_on_which_it_was_written(String directory) {
    String path = "/" + directory + "/";

    assertThat(Repository.files(""))
        .isNotEmpty()
        .allSatisfy(file -> assertThat(Repository.text(file)).as("%s", file).doesNotContain(path));
  }

  @ParameterizedTest
  @ValueSource(strings = {"TO" + "DO", "FIX" + "ME", "XX" + "X"})
  void nothing_is_left_for_later(String mark) {
    assertThat(Repository.files(".java"))
        .isNotEmpty()
        .allSatisfy(file -> assertThat(Repository.text(file)).as("%s", file).doesNotContain(mark));
  }

  @ParameterizedTest
  @ValueSource(strings = {".java", ".proto"})
  void files_are_short(String ending) {
    assertThat(Repository.files(ending))
        .isNotEmpty()
        .allSatisfy(
            file ->
                assertThat(Repository.text(file).lines().count())
                    .as("lines of %s", file)
                    .isLessThan(MAX_LINES));
  }

  /** Includes tests, unlike the architecture rules. */
  @ParameterizedTest
  @ValueSource(strings = {"Util", "Impl", "Manager", "Helper", "Common", "Misc"})
  void classes_are_named_for_what_they_are(String word) {
    assertThat(Repository.files(".java"))
        .isNotEmpty()
        .extracting(Path::getFileName)
        .noneMatch(name -> name.toString().matches(".*" + word + "s?(Test)?\\.java"));
  }
}
