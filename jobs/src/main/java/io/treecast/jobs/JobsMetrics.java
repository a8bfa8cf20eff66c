package io.treecast.jobs;

import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tag;
import io.micrometer.core.instrument.Tags;
import io.micrometer.core.instrument.TimeGauge;
import io.micrometer.core.instrument.binder.MeterBinder;
import io.treecast.jobs.schedule.Counts;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import java.util.function.ToLongFunction;

/**
 * The meters of a member's jobs for Micrometer, which must be on the application's class path:
 *
 * <pre>{@code
 * new JobsMetrics(jobs).bindTo(registry);
 * }</pre>
 *
 * <p>{@code treecast.jobs.tasks} counts tasks by their {@code event}: {@code solved}, {@code
 * divided}, {@code lent}, {@code rerun}, {@code duplicate}. {@code treecast.jobs.steals} counts
 * stolen tasks, {@code treecast.jobs.attempts} requests for tasks, both with {@code site=own} or
 * {@code site=other}. {@code treecast.jobs.idle} is the time for which workers waited while a job
 * ran. The meters do not prevent garbage collection of the jobs.
 */
public final class JobsMetrics implements MeterBinder {
  private final Jobs<?, ?> jobs;
  private final Tags tags;

  /**
   * Creates the meters of a member's jobs, which are registered by {@link #bindTo}.
   *
   * @param tags of each meter, to distinguish jobs by their names
   */
  public JobsMetrics(Jobs<?, ?> jobs, Tag... tags) {
    this.jobs = Objects.requireNonNull(jobs, "jobs");
    this.tags = Tags.of(tags);
  }

  @Override
  public void bindTo(MeterRegistry registry) {
    counter(registry, "tasks", "event", "solved", Counts::solved);
    counter(registry, "tasks", "event", "divided", Counts::divided);
    counter(registry, "tasks", "event", "lent", Counts::lent);
    counter(registry, "tasks", "event", "rerun", Counts::rerun);
    counter(registry, "tasks", "event", "duplicate", Counts::duplicates);
    counter(registry, "steals", "site", "own", Counts::stolenInSite);
    counter(registry, "steals", "site", "other", Counts::stolenBetweenSites);
    counter(registry, "attempts", "site", "own", Counts::attemptsInSite);
    counter(registry, "attempts", "site", "other", Counts::attemptsBetweenSites);
    TimeGauge.builder("treecast.jobs.idle", jobs, TimeUnit.NANOSECONDS, Jobs::idleNanos)
        .description("Time for which workers waited for tasks while a job ran")
        .tags(tags)
        .register(registry);
  }

  private void counter(
      MeterRegistry registry, String name, String key, String value, ToLongFunction<Counts> count) {
    FunctionCounter.builder("treecast.jobs." + name, jobs, each -> count.applyAsLong(each.counts()))
        .description("Tasks of jobs at this member: " + name)
        .tags(tags.and(key, value))
        .register(registry);
  }
}
