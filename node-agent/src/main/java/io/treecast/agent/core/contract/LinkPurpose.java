package io.treecast.agent.core.contract;

/** Why an agent wants a link with a member. */
public enum LinkPurpose {
  /** The cluster is small enough for a full mesh, or the link is configured. */
  MESH,
  /** The member is among those with the least round trips. */
  NEAREST,
  /** The hash of both ids selects the link, as a substitute for a random choice. */
  RANDOM,
  /** The member is not in a tree with this agent. */
  NON_MEMBER,
  /** The link is a trial, to measure the round trip to the member. */
  TRIAL
}
