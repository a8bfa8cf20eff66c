package io.treecast.agent.core.message;

import org.jspecify.annotations.Nullable;

/**
 * A member as one agent announces it to another.
 *
 * @param member its id and address
 * @param incarnation the incarnation at that address; later ones are higher
 * @param absentMillis the time since any member last had contact with it, in milliseconds; 0 while
 *     the sender is linked with it or has it in its committed tree. This is an age, since clocks
 *     differ. It excludes the time in transit, so the true age may be slightly higher
 * @param site the name of its site in that incarnation; null if none is configured
 */
public record AnnouncedMember(
    Member member, long incarnation, long absentMillis, @Nullable String site) {
  /** Creates a member without a configured site. */
  public AnnouncedMember(Member member, long incarnation, long absentMillis) {
    this(member, incarnation, absentMillis, null);
  }
}
