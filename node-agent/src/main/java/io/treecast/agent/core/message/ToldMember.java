package io.treecast.agent.core.message;

import org.jspecify.annotations.Nullable;

/**
 * A member as one agent announces it to another.
 *
 * @param member its id and address
 * @param incarnation the one at that address; later ones are higher
 * @param unheardMillis how long ago it was last heard of by any member, milliseconds, at least 0; 0
 *     while the sender is linked with it or has it in its committed tree. An age and not a time,
 *     since clocks differ; it does not grow under way, so the true age may be a little more
 * @param site the name of its site in that incarnation; null if none is configured
 */
public record ToldMember(
    Member member, long incarnation, long unheardMillis, @Nullable String site) {
  /** Creates a member without a configured site. */
  public ToldMember(Member member, long incarnation, long unheardMillis) {
    this(member, incarnation, unheardMillis, null);
  }
}
