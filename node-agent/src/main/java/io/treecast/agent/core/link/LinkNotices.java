package io.treecast.agent.core.link;

import io.treecast.agent.core.contract.Notice;
import io.treecast.agent.core.contract.Notice.Kind;

/** Notices about an agent's links, for operators. Stateless. */
public final class LinkNotices {
  private LinkNotices() {}

  public static Notice opened(Link link) {
    return Notice.info(Kind.LINK_OPENED, "linked with " + link.peer + " at " + link.address);
  }

  public static Notice lost(Link link, String reason) {
    if (link.withoutData) {
      return Notice.warning(
          Kind.LINK_WITHOUT_DATA, "the link to " + link.peer + " carries no data: " + reason);
    }
    return link.endedOnPurpose
        ? Notice.info(Kind.LINK_ENDED, "ended the link to " + link.peer + ": " + reason)
        : Notice.warning(Kind.LINK_LOST, "lost the link to " + link.peer + ": " + reason);
  }

  public static Notice suspended(Link link, String reason) {
    return Notice.warning(
        Kind.LINK_SUSPENDED, "suspended the link to " + link.peer + ": " + reason);
  }

  public static Notice resumed(Link link) {
    return Notice.info(
        Kind.LINK_OPENED, "resumed the link to " + link.peer + " with session " + link.session);
  }
}
