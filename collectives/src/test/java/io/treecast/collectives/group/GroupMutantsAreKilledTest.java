package io.treecast.collectives.group;

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

/** A test of the tests: the sweep of groups must notice the likely mistakes. */
class GroupMutantsAreKilledTest {
  private static final int SEEDS = 1_000;

  /** A mistake. */
  enum Mutant {
    A_MEMBER_OF_A_PART_IS_NO_MEMBER_OF_THE_WHOLE(
        "LocalGroups",
        "path.withWholes().forEach(whole -> joined.merge(whole, 1, Integer::sum));",
        "joined.merge(path, 1, Integer::sum);"),
    ONE_LEAVE_ENDS_ALL_MEMBERSHIPS("LocalGroups", "count == 1 ? null : count - 1", "null"),
    THE_ROOT_DOES_NOT_WAIT_FOR_ALL(
        "Groups", "|| !children.stream().allMatch(this::hasReported)", ""),
    REPORTS_OF_ANOTHER_TREE_COUNT(
        "Groups", "return subtree != null && subtree.isFor(epoch);", "return subtree != null;"),
    VIEWS_OF_THE_TREE_BEFORE_STAY("Groups", "views.clear();", ""),
    WHAT_CHILDREN_SAW_IN_THE_TREE_BEFORE_COUNTS("Groups", "views.clear(); shown.clear();", ""),
    THE_REPORT_OF_THE_TREE_BEFORE_COUNTS(
        "Groups", "reported = null; isComplete = false;", "isComplete = false;"),
    NUMBERS_BEGIN_AGAIN("Groups", "lastNumber++;", "lastNumber = 1;"),
    A_NEW_STREAM_IS_TOLD_NOTHING("Groups", "wakeChildren(); reportToParent();", "wakeChildren();"),
    A_NEW_STREAM_WAKES_NOBODY("Groups", "wakeChildren(); reportToParent();", "reportToParent();"),
    A_TREE_WAKES_NOBODY(
        "Groups",
        "lastNumber = 0; if (isAwake) { wakeChildren();",
        "lastNumber = 0; if (isAwake) {"),
    A_MESSAGE_WAKES_NOBODY("Groups", "awakeNeighbours.add(from); wake();", ""),
    A_CLOSED_STREAM_KEEPS_WHAT_WAS_SHOWN("Groups", "shown.remove(neighbour);", ""),
    A_CLOSED_STREAM_KEEPS_WHAT_WAS_TOLD(
        "Groups", "if (neighbour.equals(parent)) {", "if (false) {"),
    A_NEIGHBOUR_OF_A_CLOSED_STREAM_STAYS_AWAKE("Groups", "awakeNeighbours.remove(neighbour);", ""),
    A_REPORT_ADDS_TO_THE_ONE_BEFORE(
        "Groups",
        "report.first() ? new Subtree(report.epoch())",
        "report.first() && before == null ? new Subtree(report.epoch())"),
    GROUPS_THAT_A_NEW_REPORT_LACKS_DO_NOT_CHANGE(
        "Groups", "paths.addAll(before == null ? List.of() : before.paths());", ""),
    A_CHILD_THAT_WANTS_A_KNOWN_VIEW_DOES_NOT_GET_IT(
        "Groups",
        "paths.stream().filter(path -> isUpToDate(path, from)).forEach(path -> showTo(from, path));",
        ""),
    VIEWS_OF_ANOTHER_TREE_COUNT("Groups", "!update.view().epoch().equals(epoch) ||", ""),
    A_DIFFERENCE_TO_ANOTHER_VIEW_COUNTS("Groups", "|| !isNext", ""),
    A_DIFFERENCE_REPLACES_THE_VIEW("Groups", "members.addAll(known.members());", ""),
    A_DIFFERENCE_REMOVES_NOBODY("Groups", "update.removed().forEach(members::remove);", ""),
    A_VIEW_THAT_NOBODY_WANTS_IS_KEPT("Groups", "|| below(path).isNothing()", ""),
    A_FORGOTTEN_GROUP_KEEPS_ITS_VIEW(
        "Groups", "} else if (below(path).isNothing()) { views.remove(path);", "} else {"),
    VIEWS_GO_TO_ALL_CHILDREN(
        "Groups", "if (below(path, child).isNothing()) { known.remove(path); return; }", ""),
    WHAT_HAD_NO_ROOM_IS_FORGOTTEN("Groups", "late.addAll(paths);", ""),
    A_VIEW_WITHOUT_ROOM_IS_FORGOTTEN("Groups", "late.add(path);", ""),
    A_CHILD_THAT_WANTS_A_GROUP_AGAIN_GETS_DIFFERENCES("Groups", "known.remove(path);", ""),
    WATCHERS_ARE_NOT_REPORTED("Groups", "below.isWatched = local.isWatched(path);", ""),
    WATCHERS_BELOW_ARE_NOT_REPORTED("Groups", "below.isWatched |= part.isWatched;", ""),
    REMOVED_MEMBERS_STAY_IN_A_REPORT(
        "Subtree", "part.removed().forEach(below.members::remove);", ""),
    A_MEMBER_THAT_LEFT_GOES_ON("Groups", "if (!local.isMember(view.path())) {", "if (false) {"),
    A_VIEW_IS_NEVER_OVER(
        "Groups",
        "return latest != null && latest.id().number() > view.number();",
        "return false;"),
    VIEWS_OF_EARLIER_TREES_ARE_NOT_OVER(
        "Groups",
        "return epoch != null && view.epoch().treeVersion() <= epoch.treeVersion();",
        "return false;");

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
                GroupRun.class, Stream.of(Mutant.values()).map(mutant -> mutant.change)))
        .isEmpty();
  }

  @Tag("nightly")
  @ParameterizedTest
  @EnumSource
  void the_sweep_notices_the_mutant(Mutant mutant) throws ReflectiveOperationException {
    LongFunction<String> run = MutatedClasses.sweep(GroupRun.class, mutant.change);
    assertThat(LongStream.range(0, SEEDS).anyMatch(seed -> !run.apply(seed).isEmpty())).isTrue();
  }
}
