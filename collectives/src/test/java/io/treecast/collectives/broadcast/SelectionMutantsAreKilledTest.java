package io.treecast.collectives.broadcast;

import static org.assertj.core.api.Assertions.assertThat;

import io.treecast.ghs.MutatedClasses;
import io.treecast.ghs.MutatedClasses.Change;
import java.util.function.LongFunction;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** A test of the tests: the sweep of selections must notice the likely mistakes. */
class SelectionMutantsAreKilledTest {
  private static final int SEEDS = 300;

  /** A mistake. */
  enum Mutant {
    EACH_EDGE_CARRIES_A_SELECTION("Interests", "inTree ? isThere : ", ""),
    NO_EDGE_CARRIES_A_SELECTION("Interests", "inTree ? isThere :", "inTree ? false :"),
    EDGES_KEEP_THE_SELECTIONS_OF_THE_TREE_BEFORE(
        "TopicFlow",
        "interests.treeCommitted(committed); forgetSelections(); directSelections();",
        "interests.treeCommitted(committed); forgetSelections();"),
    A_NEW_STREAM_GETS_NO_SELECTION(
        "TopicFlow", "interests.update(); directSelections();", "interests.update();"),
    A_NEW_SELECTION_GOES_NOWHERE(
        "TopicFlow",
        "if (interests.interest(neighbour, topic) == InterestState.YES) {",
        "if (false) {"),
    SUBSCRIBERS_DO_NOT_GET_NEW_SELECTIONS("TopicFlow", "subscribers.selectionIs(topic);", ""),
    LATER_SUBSCRIBERS_DO_NOT_GET_SELECTIONS(
        "Subscriber", "setSelections(selections); outlet.addCredit", "outlet.addCredit"),
    EVERYBODY_GETS_A_SELECTION("Topic", "contains(\",\" + member + \",\")", "contains(\",\")"),
    ALL_MEMBERS_ARE_TO_CONFIRM(
        "Confirmations",
        "Topic.isSelection(message.topic()) ? Topic.receivers(message.topic()) : members",
        "members");

    @SuppressWarnings("ImmutableEnumChecker") // A record of texts.
    private final Change change;

    Mutant(String className, String original, String replacement) {
      this.change = new Change(className, original, replacement);
    }
  }

  @Test
  void each_mutant_fits_the_present_source() {
    assertThat(
            MutatedClasses.outdated(
                SelectedRun.class, Stream.of(Mutant.values()).map(mutant -> mutant.change)))
        .isEmpty();
  }

  @Tag("nightly")
  @ParameterizedTest
  @EnumSource
  void the_sweep_notices_the_mutant(Mutant mutant) throws ReflectiveOperationException {
    LongFunction<String> run = MutatedClasses.sweep(SelectedRun.class, mutant.change);
    assertThat(LongStream.range(0, SEEDS).anyMatch(seed -> !run.apply(seed).isEmpty())).isTrue();
  }
}
