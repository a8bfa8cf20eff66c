package io.treecast.agent.core.message;

import org.jspecify.annotations.Nullable;

/**
 * A member as one agent tells another of it.
 *
 * @param member who, and where
 * @param incarnation which of its lives it is that is there; the higher, the later
 * @param unheardMillis for how long nobody is known to have heard of it, milliseconds, at least 0;
 *     0 while the teller is linked with it or has it in its committed tree. An age and not a time,
 *     since clocks differ; on the way it does not grow, so the truth may be a little more
 * @param site the name of its site in that life; null if none is configured
 */
public record ToldMember(
    Member member, long incarnation, long unheardMillis, @Nullable String site) {
  /** One for which no site is configured. */
  public ToldMember(Member member, long incarnation, long unheardMillis) {
    this(member, incarnation, unheardMillis, null);
  }
}
