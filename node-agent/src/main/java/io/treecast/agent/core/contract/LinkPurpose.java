package io.treecast.agent.core.contract;

/** Why an agent wants a link with a member. */
public enum LinkPurpose {
  /** The cluster is so small that all links exist, or the link is configured. */
  MESH,
  /** The member is among those of least round trip. */
  NEAREST,
  /** The hash of both names has chosen the link, which is as good as at random. */
  RANDOM,
  /** The member is in no tree with this agent. */
  STRANGER,
  /** A trial, to measure how near the member is. */
  TRIAL
}
