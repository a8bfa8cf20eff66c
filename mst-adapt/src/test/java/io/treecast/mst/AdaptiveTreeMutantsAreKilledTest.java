package io.treecast.mst;

import static org.assertj.core.api.Assertions.assertThat;

import io.treecast.ghs.GhsNode;
import io.treecast.ghs.MutatedClasses;
import io.treecast.ghs.MutatedClasses.Change;
import io.treecast.ghs.MutatedClasses.SourcePackage;
import java.lang.reflect.Constructor;
import java.nio.file.Path;
import java.util.List;
import java.util.function.LongFunction;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * A test of the tests: the sweep must notice each rule that is left out. For rarely needed rules,
 * the seeds that notice are pinned. No schedule was found for two rules, so {@link
 * AdaptiveTreeTest} has their cases: a merge after which another search is requested, and a newer
 * Connect of a child.
 */
class AdaptiveTreeMutantsAreKilledTest {
  private static final int SEEDS = 1_200;

  private static final List<SourcePackage> PACKAGES =
      List.of(
          new SourcePackage(FaultSchedule.class, Path.of("")),
          new SourcePackage(GhsNode.class, Path.of("..", "ghs")));

  /** Rules left out, in the product's source. */
  enum Mutant {
    NO_CERTIFICATION_AT_THE_COMMIT(
        "Commitment", "node.certification.certifyAll(committed); }", "}"),
    NEITHER_END_CUTS_A_WORSENED_EDGE_AT_THE_COMMIT(
        "Commitment", "if (cutsWorsenedEdge(committed)) { return; }", ""),
    NO_CANCEL("Connecting", "fragment.send(request.peer(), new Cancel(request.id()));", ""),
    THE_LIST_OF_A_ROUND_IS_TRUSTED(
        "Connecting", " || !members.containsAll(node.search.members())", ""),
    THE_LISTS_IN_OFFERS_ARE_TRUSTED("Search", " || wasOfferedMoreThan(peer, answered)", ""),
    NO_WAKE_FOR_A_LIGHTER_LINK_DURING_A_MERGE(
        "LinkChanges",
        "if (isLighter && !peer.equals(ghs.connectingTo()) && ghs.isBetterThanReported(peer)) {"
            + " ghs.wake(); }",
        ""),
    NO_WAKE_FOR_A_NEW_LINK_DURING_A_MERGE(
        "LinkChanges", "} else if (ghs.isBetterThanReported(peer)) { ghs.wake(); }", "}"),
    NO_WAKE_FOR_A_CONNECT_OF_HIGHER_RANK(
        "Admission",
        "} fragment.keeper.nonMemberConnects(peer); return false; } private boolean isVoid",
        "} return false; } private boolean isVoid"),
    A_WAITING_CONNECT_KEEPS_ITS_WEIGHT(
        "Admission",
        "if (message != null && answer(peer, message)) {",
        "if (message != null && (message.fragment().equals(fragment.id())"
            + " || !isVoid(peer, message)) && answer(peer, message)) {"),
    A_SUSPECT_THAT_ASKS_IS_NOT_SEARCHED_FOR(
        "LinkChanges",
        "boolean wasSuspected = ghs.clearSuspicion(peer);",
        "ghs.clearSuspicion(peer); boolean wasSuspected = false;"),
    A_SUSPECT_IS_ONE_FOR_EVER("GhsNode", "fragment.suspects.clear();", ""),
    CHILDREN_ARE_NOT_COMPARED_AT_THE_COMMIT(
        "Commitment",
        "List<NodeId> children = committed.children(ghs.self());",
        "List<NodeId> children = List.copyOf(ghs.children().keySet());"),
    AN_ORDER_IS_REFUSED_SILENTLY(
        "Certification",
        "learned.put(refusal.lowerEnd(), refusal.present());"
            + " ordered.remove(refusal.lowerEnd()); certifyAll(committed);",
        ""),
    A_TREE_IS_KEPT_THAT_NOT_ALL_MEMBERS_HAVE(
        "ChangeHistory",
        "Objects.equals(common, its.common) ? common : null",
        "common != null && common.version() >= its.version ? common"
            + " : its.common != null && its.common.version() >= version ? its.common : null",
        3,
        12,
        331,
        1),
    THE_SAME_TREE_GETS_A_NEW_VERSION(
        "CommittedView",
        "if (last != null && last.tree.name()",
        "if (last != null && last == null && last.tree.name()"),
    A_TREE_IS_KEPT_WITH_OTHER_EDGES(
        "CommittedView",
        "&& last.consistsOf(map.edges())",
        "&& last.size() == map.members().size()"),
    THE_ROOT_OF_A_KEPT_TREE_REMAINS(
        "CommittedView",
        "return new CommittedView(round, root, last.tree,",
        "return new CommittedView(round, last.root, last.tree,"),
    THE_COMMITTED_WEIGHT_DECIDES_THE_CUT(
        "Certification", "toldParentWeight = present; }", "}", 10, 12, 18_500, 1),
    NO_WAKE_FOR_A_LINK_TO_A_NON_MEMBER_AT_THE_COMMIT(
        "Commitment", "!committed.hasMember(peer))", "false)", 14, 30, 9_665, 1),
    AN_OFFER_LEAVES_THE_OLDER_CONNECT_WAITING(
        "Admission",
        "void withdraw(NodeId peer) { waiting.remove(peer); }",
        "void withdraw(NodeId peer) {}",
        10,
        12,
        33_008,
        1),
    A_NODE_THAT_ANSWERS_TWICE_COUNTS_TWICE(
        "Connecting", "!answered.isSpanningTree()", "false", 14, 30, 517_435, 1);

    @SuppressWarnings("ImmutableEnumChecker") // A record of texts.
    private final Change change;

    @SuppressWarnings("ImmutableEnumChecker") // A record of numbers.
    private final Seeds seeds;

    /** Noticed by the first small schedules. */
    Mutant(String className, String original, String replacement) {
      this(className, original, replacement, 10, 12, 0, SEEDS);
    }

    /** Rare: noticed by the schedules of that size from the seed on. */
    Mutant(
        String className,
        String original,
        String replacement,
        int maxNodes,
        int maxEvents,
        long firstSeed,
        long seeds) {
      this.change = new Change(className, original, replacement);
      this.seeds = new Seeds(maxNodes, maxEvents, firstSeed, seeds);
    }
  }

  /** Schedules of one size. */
  record Seeds(int maxNodes, int maxEvents, long first, long count) {
    boolean notice(Class<?> schedules) throws ReflectiveOperationException {
      LongFunction<String> schedule = scheduleOf(schedules, maxNodes, maxEvents);
      return LongStream.range(first, first + count).anyMatch(s -> !schedule.apply(s).isEmpty());
    }
  }

  @Test
  void each_mutant_fits_the_present_source() {
    assertThat(
            MutatedClasses.outdated(
                PACKAGES, Stream.of(Mutant.values()).map(mutant -> mutant.change)))
        .isEmpty();
  }

  @Tag("nightly")
  @ParameterizedTest
  @EnumSource
  void the_sweep_notices_the_mutant(Mutant mutant) throws ReflectiveOperationException {
    assertThat(mutant.seeds.notice(schedulesWith(mutant.change))).isTrue();
  }

  /** This proves that those seeds notice the mutation. */
  @Tag("nightly")
  @Test
  void the_same_seeds_find_nothing_in_the_unchanged_source() throws ReflectiveOperationException {
    Class<?> unchanged = schedulesWith();
    for (Seeds seeds : Stream.of(Mutant.values()).map(mutant -> mutant.seeds).distinct().toList()) {
      assertThat(seeds.notice(unchanged)).as("%s", seeds).isFalse();
    }
  }

  private static Class<?> schedulesWith(Change... changes) throws ReflectiveOperationException {
    return MutatedClasses.with(PACKAGES, changes).loadClass(FaultSchedule.class.getName());
  }

  @SuppressWarnings("unchecked")
  private static LongFunction<String> scheduleOf(Class<?> schedules, int maxNodes, int maxEvents)
      throws ReflectiveOperationException {
    Constructor<?> constructor = schedules.getDeclaredConstructor(int.class, int.class);
    constructor.setAccessible(true);
    return (LongFunction<String>) constructor.newInstance(maxNodes, maxEvents);
  }
}
