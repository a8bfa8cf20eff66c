package io.treecast.jobs.schedule;

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

/** A test of the tests: the sweep of jobs must notice the likely mistakes. */
class JobMutantsAreKilledTest {
  private static final int SEEDS = 2_000;

  /** A mistake. */
  enum Mutant {
    A_SECOND_OUTCOME_COUNTS("Task", "if (task.hasOutcome) {", "if (false) {"),
    TASKS_OF_LOST_THIEVES_ARE_NOT_RUN_AGAIN("Scheduler", "queue.addOldest(loan.task);", ""),
    NO_LOAN_ENDS_BY_SILENCE("Scheduler", "nowNanos - loan.renewedNanos >= SILENCE_NANOS", "false"),
    TASKS_OF_LOST_LENDERS_ARE_KEPT(
        "Scheduler", "nowNanos - each.renewedNanos >= SILENCE_NANOS", "false"),
    LOANS_ARE_NOT_RENEWED(
        "Scheduler",
        "byLender.forEach((lender, all) -> effects.request(lender, new Request.Renew<>(all)));",
        ""),
    RENEWALS_DO_NOT_COUNT("Scheduler", "loan.renewedNanos = nowNanos;", ""),
    AN_OUTCOME_IS_DELIVERED_ONCE_ONLY("Scheduler", "each.nextDeliveryNanos = atNanos;", ""),
    MORE_THAN_ONE_STEAL_IS_UNDER_WAY("Victims", "attempts.victim != null ||", ""),
    AN_ENDED_JOB_IS_NOT_FORGOTTEN("Scheduler", "dropHeld(job);\n        jobs.remove(job.id);", ""),
    WORKERS_TAKE_THE_OLDEST("TaskQueue", "needed(waiting::pollLast)", "needed(waiting::pollFirst)"),
    RESULTS_ARE_COMBINED_BEFORE_ALL_ARE_THERE(
        "Task", "return missing == 0;", "return missing <= 1;"),
    A_TASK_WITHOUT_CHILDREN_HAS_NO_RESULT("Scheduler", "if (children.isEmpty()) {", "if (false) {"),
    THE_OWNER_DOES_NOT_REPEAT_ITSELF(
        "Scheduler", "if (nowNanos - job.announcedNanos >= BEAT_NANOS) {", "if (false) {");

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
                JobRun.class, Stream.of(Mutant.values()).map(mutant -> mutant.change)))
        .isEmpty();
  }

  @Tag("nightly")
  @ParameterizedTest
  @EnumSource
  void the_sweep_notices_the_mutant(Mutant mutant) throws ReflectiveOperationException {
    LongFunction<String> run = MutatedClasses.sweep(JobRun.class, mutant.change);

    assertThat(LongStream.range(0, SEEDS).mapToObj(run).anyMatch(text -> !text.isEmpty())).isTrue();
  }
}
