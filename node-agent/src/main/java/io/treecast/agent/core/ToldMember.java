package io.treecast.agent.core;

/**
 * A member as one agent tells another of it.
 *
 * @param member who, and where
 * @param incarnation which of its lives it is that is there; the higher, the later
 * @param unheardMillis for how long nobody is known to have heard of it, milliseconds, at least 0;
 *     0 while the teller is linked with it or has it in its committed tree. An age and not a time,
 *     since clocks differ; on the way it does not grow, so the truth may be a little more
 */
public record ToldMember(Member member, long incarnation, long unheardMillis) {}
