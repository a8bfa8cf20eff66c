package io.treecast.jobs.schedule;

/**
 * The events at one member since it joined.
 *
 * @param solved tasks that were solved here without being divided
 * @param divided tasks that were divided here
 * @param attemptsInSite requests for tasks to members of this site
 * @param attemptsBetweenSites requests for tasks to members of other sites
 * @param stolenInSite tasks that came from members of this site
 * @param stolenBetweenSites tasks that came from members of other sites
 * @param lent tasks that went to other members
 * @param rerun lent tasks that were taken back, since their thief was lost
 * @param duplicates outcomes that came for a task that had one, or that was needless
 * @param longestQueue the most tasks that waited here at a time
 */
public record Counts(
    long solved,
    long divided,
    long attemptsInSite,
    long attemptsBetweenSites,
    long stolenInSite,
    long stolenBetweenSites,
    long lent,
    long rerun,
    long duplicates,
    long longestQueue) {}
