package io.treecast.jobs.schedule;

/**
 * The counts of events at one member since it joined.
 *
 * @param solved tasks solved without being divided
 * @param divided tasks divided
 * @param attemptsInSite requests for tasks to members of this site
 * @param attemptsBetweenSites requests for tasks to members of other sites
 * @param stolenInSite tasks stolen from members of this site
 * @param stolenBetweenSites tasks stolen from members of other sites
 * @param lent tasks lent to other members
 * @param rerun lent tasks taken back because the thief was lost
 * @param duplicates outcomes received for a task that had one already, or was no longer needed
 * @param longestQueue the maximum number of waiting tasks
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
