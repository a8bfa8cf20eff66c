package io.treecast.mst;

import io.treecast.ghs.FragmentMap;
import io.treecast.ghs.GhsMessage;
import io.treecast.ghs.TreeMessage;

/**
 * A simple model of the length of messages, without differences: 4 bytes for the id of a member, 12
 * for an edge, and a fixed part for each kind.
 */
final class MessageBytes {
  private static final int ID = 4;
  private static final int EDGE = 12;
  private static final int FIXED = 24;
  private static final int FIXED_WITH_ROUND = 44;

  private MessageBytes() {}

  static int of(TreeMessage message) {
    if (message instanceof GhsMessage.Initiate initiate) {
      return FIXED_WITH_ROUND + ID * initiate.members().size();
    } else if (message instanceof GhsMessage.Report report) {
      return FIXED_WITH_ROUND + (ID + EDGE) * report.echo().size();
    } else if (message instanceof GhsMessage.ChangeRoot change) {
      return FIXED_WITH_ROUND + of(change.map());
    } else if (message instanceof GhsMessage.Connect connect) {
      return FIXED_WITH_ROUND + of(connect.map());
    } else if (message instanceof MstMessage.Commit commit) {
      return FIXED_WITH_ROUND + EDGE * commit.view().tree().edges().size();
    } else {
      return FIXED;
    }
  }

  private static int of(FragmentMap map) {
    return ID * map.members().size() + EDGE * map.edges().size();
  }
}
