package io.treecast.agent.core.contract;

/** Why an agent wants a link with a member. */
public enum LinkPurpose {
  /** The cluster is so small that all links exist, or the link is configured. */
  MESH,
  /** The member is among those of least round trip. */
  NEAREST,
  /** The names of both ends have chosen each other: that is as good as at random. */
  RANDOM,
  /** The member is in no tree with this agent. */
  STRANGER,
  /** To see how near the member is. */
  TRIAL
}
