package io.treecast.jobs.schedule;

/**
 * The identity of one loan of a task to a thief.
 *
 * @param incarnation the incarnation of the lending scheduler, so that a restarted program ignores
 *     the results of its predecessor's loans
 * @param number the number of the loan at that scheduler
 */
public record LoanId(long incarnation, long number) {}
