package io.treecast.mst;

import static org.assertj.core.api.Assertions.assertThat;

import io.treecast.ghs.GhsMessage;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

/** The stories in {@code src/test/resources/stories}, see {@link Story}. */
class StoriesTest {
  private static final Path STORIES = Path.of("src", "test", "resources", "stories");

  static List<Path> stories() throws IOException {
    try (Stream<Path> files = Files.list(STORIES)) {
      return files.sorted().toList();
    }
  }

  @ParameterizedTest
  @MethodSource("stories")
  void a_story_is_replayed_word_for_word(Path story) throws IOException {
    String told = Files.readString(story);
    String replayed = Story.replay(told);
    if (Boolean.getBoolean("stories.rewrite")) {
      Files.writeString(story, replayed);
      return;
    }
    assertThat(replayed)
        .as(
            "%s is another story now. If that is meant: mvn -pl mst-adapt -am test"
                + " -Dtest=StoriesTest -Dsurefire.failIfNoSpecifiedTests=false"
                + " -Dstories.rewrite=true, and read the diff",
            story)
        .isEqualTo(told);
  }

  @ParameterizedTest
  @CsvSource({
    "decline, OFFER_DECLINED",
    "cancel, CANCELLED_CONNECT_REFUSED",
    "crossing-connects-of-unequal-rank, CONNECTS_OF_UNEQUAL_RANK_CROSS",
    "lost-while-the-root-moves, ROOT_LOST_WHILE_IT_MOVES",
    "lost-while-searching, SESSION_LOST_WITH_AN_OFFER",
    "lost-while-connecting, SESSION_LOST_WITH_A_CONNECT",
    "refused-cut-order, CUT_ORDER_REFUSED",
    "worsened-edge-that-stays, PARENT_CUTS_ITS_CHILD",
  })
  void a_story_is_about_the_subject_of_its_name(String name, RareBranch branch) throws IOException {
    String story = Files.readString(STORIES.resolve(name + ".txt"));

    assertThat(Story.coverageOf(story).branches()).containsKey(branch);
  }

  @Test
  void every_kind_of_message_occurs() throws IOException {
    StringBuilder all = new StringBuilder();
    for (Path story : stories()) {
      all.append(Files.readString(story));
    }
    assertThat(
            Stream.of(GhsMessage.class, MstMessage.class)
                .flatMap(family -> Stream.of(family.getPermittedSubclasses()))
                .map(Class::getSimpleName))
        .hasSize(14)
        .allSatisfy(kind -> assertThat(all).contains(" " + kind));
  }
}
