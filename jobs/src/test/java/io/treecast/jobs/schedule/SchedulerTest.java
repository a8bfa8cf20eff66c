package io.treecast.jobs.schedule;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;

/** Rules of one scheduler with one worker that no sweep can see, since results are right anyway. */
class SchedulerTest {
  private static final long SECOND = 1_000_000_000L;

  private final Recorded effects = new Recorded();
  private final Scheduler<Integer, Integer> scheduler = new Scheduler<>(1, 1, effects);

  SchedulerTest() {
    SortedMap<String, String> siteOf = new TreeMap<>(Map.of("a", "here", "b", "here"));
    scheduler.present("a", siteOf, 0);
  }

  /** Notes what a scheduler causes. */
  private static final class Recorded implements Effects<Integer> {
    private final List<Announcement> announced = new ArrayList<>();
    private final List<Request<Integer>> requests = new ArrayList<>();
    private final Map<JobId, Outcome<Integer>> outcomes = new HashMap<>();

    @Override
    public void announce(Announcement announcement) {
      announced.add(announcement);
    }

    @Override
    public void request(String member, Request<Integer> request) {
      requests.add(request);
    }

    @Override
    public void complete(JobId job, Outcome<Integer> outcome) {
      outcomes.put(job, outcome);
    }

    @Override
    public void wakeWorkers() {
      // The tests ask for work.
    }
  }

  private Work<Integer, Integer> next() {
    return Objects.requireNonNull(scheduler.next(0));
  }

  private Reply<Integer> stolen() {
    return scheduler.answer("b", new Request.Steal<>(), 0);
  }

  @Test
  void a_worker_takes_the_newest_task_and_a_thief_the_oldest() {
    scheduler.run(0, 0);
    scheduler.divided(next(), List.of(1, 2), 0);
    scheduler.divided(next(), List.of(11, 12), 0);

    assertThat(next().task()).isEqualTo(11);
    assertThat(stolen())
        .isInstanceOfSatisfying(Reply.Lent.class, lent -> assertThat(lent.task()).isEqualTo(2));
  }

  @Test
  void results_are_combined_in_the_order_of_the_tasks_whichever_comes_first() {
    JobId job = scheduler.run(0, 0);
    scheduler.divided(next(), List.of(1, 2), 0);
    Reply.Lent<Integer> lent = (Reply.Lent<Integer>) stolen();
    scheduler.answer("b", new Request.Deliver<>(lent.loan(), Outcome.of(20)), 0);
    scheduler.solved(next(), 10, 0);

    Work<Integer, Integer> combining = next();

    assertThat(combining.results()).containsExactly(10, 20);
    scheduler.solved(combining, 30, 0);
    assertThat(effects.outcomes).containsEntry(job, Outcome.of(30));
    assertThat(scheduler.isAtRest()).isTrue();
  }

  @Test
  void an_outcome_of_a_loan_before_a_restart_does_not_count() {
    scheduler.run(0, 0);
    scheduler.divided(next(), List.of(1, 2), 0);
    LoanId loan = ((Reply.Lent<Integer>) stolen()).loan();
    LoanId earlier = new LoanId(loan.incarnation() + 1, loan.number());

    scheduler.answer("b", new Request.Deliver<>(earlier, Outcome.of(99)), 0);
    scheduler.solved(next(), 10, 0);

    assertThat(scheduler.next(0)).isNull();
    assertThat(scheduler.counts().duplicates()).isEqualTo(1);
  }

  @Test
  void a_thief_drops_a_task_that_its_lender_no_longer_needs() {
    JobId job = new JobId(2, 1);
    LoanId loan = new LoanId(2, 1);
    scheduler.announced("b", new Announcement.Running(job, new TreeSet<>(Set.of("b")), 0), 0);
    scheduler.next(0);
    scheduler.answered("b", new Request.Steal<>(), new Reply.Lent<>(job, loan, 5, 1, 0), 0);
    scheduler.divided(next(), List.of(51, 52), 0);

    scheduler.answered(
        "b", new Request.Renew<>(List.of(loan)), new Reply.Acknowledged<>(List.of(loan)), SECOND);

    assertThat(scheduler.next(SECOND)).isNull();
  }

  @Test
  void a_better_value_is_announced_and_a_worse_one_is_not() {
    JobId job = scheduler.run(0, 0);

    scheduler.offer(job, 7, 0);
    scheduler.offer(job, 8, SECOND);
    scheduler.offer(job, 6, 2 * SECOND);

    assertThat(effects.announced)
        .filteredOn(each -> each instanceof Announcement.Improved)
        .containsExactly(new Announcement.Improved(job, 7), new Announcement.Improved(job, 6));
    assertThat(next().best().value()).isEqualTo(6);
  }

  @Test
  void a_task_that_is_divided_into_too_many_fails_its_job() {
    JobId job = scheduler.run(0, 0);
    List<Integer> many = new ArrayList<>();
    for (int i = 0; i <= Scheduler.MAX_CHILDREN; i++) {
      many.add(i);
    }

    scheduler.divided(next(), many, 0);

    assertThat(effects.outcomes.get(job)).extracting(Outcome::result).isNull();
    assertThat(scheduler.isAtRest()).isTrue();
  }

  @Test
  void the_end_of_a_job_is_announced_and_no_message_follows() {
    JobId job = scheduler.run(0, 0);
    scheduler.solved(next(), 1, 0);

    assertThat(effects.outcomes).containsKey(job);
    assertThat(effects.announced).last().isEqualTo(new Announcement.Ended(job));
    assertThat(scheduler.nextTickNanos()).isEqualTo(Long.MAX_VALUE);
  }
}
