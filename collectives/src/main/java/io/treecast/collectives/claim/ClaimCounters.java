package io.treecast.collectives.claim;

/**
 * The work of {@link Claims}.
 *
 * @param held claims that calls of this agent hold now
 * @param waiting calls of this agent that wait for a claim
 * @param granted how often a call of this agent got its claim
 * @param lost how often a lease ended before its holder released it
 * @param votes the votes of this member that last
 */
public record ClaimCounters(int held, int waiting, long granted, long lost, int votes) {}
