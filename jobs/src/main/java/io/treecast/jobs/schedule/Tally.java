package io.treecast.jobs.schedule;

/** Counts the events at one member. */
final class Tally {
  private long attemptsInSite;
  private long attemptsBetweenSites;
  private long stolenInSite;
  private long stolenBetweenSites;
  long solved;
  long divided;
  long lent;
  long rerun;
  long duplicates;

  void attempted(boolean isInSite) {
    if (isInSite) {
      attemptsInSite++;
    } else {
      attemptsBetweenSites++;
    }
  }

  void stolen(boolean isInSite) {
    if (isInSite) {
      stolenInSite++;
    } else {
      stolenBetweenSites++;
    }
  }

  Counts counts(long longestQueue) {
    return new Counts(
        solved,
        divided,
        attemptsInSite,
        attemptsBetweenSites,
        stolenInSite,
        stolenBetweenSites,
        lent,
        rerun,
        duplicates,
        longestQueue);
  }
}
