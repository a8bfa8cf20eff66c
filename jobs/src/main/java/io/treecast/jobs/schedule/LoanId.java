package io.treecast.jobs.schedule;

/**
 * Names one handover of a task to a thief.
 *
 * @param incarnation of the scheduler that lent it: a restarted program does not take the results
 *     of its predecessor's loans for its own
 * @param number which loan of that scheduler
 */
public record LoanId(long incarnation, long number) {}
