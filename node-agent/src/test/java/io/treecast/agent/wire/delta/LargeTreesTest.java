package io.treecast.agent.wire.delta;

import static org.assertj.core.api.Assertions.assertThat;

import io.treecast.agent.core.message.Membership;
import io.treecast.agent.transport.frame.PeerMethods;
import io.treecast.ghs.ConnectId;
import io.treecast.ghs.FragmentId;
import io.treecast.ghs.GhsMessage.Report;
import io.treecast.ghs.LinkWeight;
import io.treecast.ghs.NodeId;
import io.treecast.ghs.Rank;
import io.treecast.ghs.Round;
import io.treecast.ghs.Subtree;
import io.treecast.ghs.TreeMessage;
import io.treecast.mst.ChangeHistory;
import io.treecast.mst.CommittedTree;
import io.treecast.mst.CommittedView;
import io.treecast.mst.MstMessage.Commit;
import io.treecast.proto.v1.ControlFrame;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** A tree of as many members as are allowed, with the longest names, all in one line. */
class LargeTreesTest {
  private static final List<LinkWeight> LINE = line();
  private static final NodeId FIRST = LINE.get(0).low();
  private static final Round ROUND = new Round(new FragmentId(new Rank(1, 2), FIRST, 3, 4), 5);
  private static final Commit COMMIT =
      new Commit(
          new ConnectId(FIRST, 3, 6),
          new CommittedView(ROUND, new CommittedTree(7, FIRST, LINE), Set.of()),
          false);

  private static List<LinkWeight> line() {
    List<LinkWeight> edges = new ArrayList<>();
    for (int i = 1; i < Membership.MAX_MEMBERS; i++) {
      edges.add(LinkWeight.between(longName(i - 1), longName(i), Long.MAX_VALUE));
    }
    return edges;
  }

  private static NodeId longName(int number) {
    String digits = String.format("%05d", number);
    return NodeId.of("n".repeat(NodeId.MAX_LENGTH - digits.length()) + digits);
  }

  private static Report report() {
    Subtree echo = new Subtree(LINE.get(LINE.size() - 1).high(), last(), List.of());
    for (int i = LINE.size() - 2; i >= 0; i--) {
      echo = new Subtree(LINE.get(i).high(), LINE.get(i), List.of(echo));
    }
    return new Report(ROUND, null, echo, 8, false, new ChangeHistory(7, Set.of()));
  }

  private static LinkWeight last() {
    return LINE.get(LINE.size() - 1);
  }

  @Test
  void fit_into_a_frame_and_come_out_as_they_went_in() throws Exception {
    for (TreeMessage message : List.of(COMMIT, report())) {
      ControlFrame frame = new TreeCodec(TreeSharing.NONE).encode(message);
      assertThat(frame.getSerializedSize()).isLessThan(PeerMethods.MAX_FRAME_BYTES);
      assertThat(new TreeCodec(TreeSharing.NONE).decode(frame)).isEqualTo(message);
    }
  }

  @Test
  void take_next_to_nothing_where_the_other_end_has_them() throws Exception {
    TreeCodec near = new TreeCodec(TreeSharing.NONE);
    TreeCodec far = new TreeCodec(TreeSharing.NONE);
    far.decode(near.encode(COMMIT));
    ControlFrame up = far.encode(report());
    assertThat(up.getSerializedSize()).isLessThan(40);
    assertThat(near.decode(up)).isEqualTo(report());
    ControlFrame down = near.encode(COMMIT);
    assertThat(down.getSerializedSize()).isLessThan(30);
    assertThat(far.decode(down)).isEqualTo(COMMIT);
  }

  @Test
  void do_not_depend_on_the_order_in_which_they_were_made() {
    List<LinkWeight> reversed = new ArrayList<>(LINE);
    Collections.reverse(reversed);
    Commit same =
        new Commit(
            COMMIT.edge(),
            new CommittedView(ROUND, new CommittedTree(7, FIRST, reversed), Set.of()),
            false);
    assertThat(new TreeCodec(TreeSharing.NONE).encode(same))
        .isEqualTo(new TreeCodec(TreeSharing.NONE).encode(COMMIT));
  }
}
