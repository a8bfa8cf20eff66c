package io.treecast.agent.wire;

import static org.assertj.core.api.Assertions.assertThat;

import io.treecast.agent.core.Membership;
import io.treecast.agent.transport.GrpcTransport;
import io.treecast.ghs.LinkWeight;
import io.treecast.ghs.NodeId;
import io.treecast.mst.CommittedTree;
import io.treecast.mst.CommittedView;
import io.treecast.mst.ConnectId;
import io.treecast.mst.FragmentId;
import io.treecast.mst.History;
import io.treecast.mst.Rank;
import io.treecast.mst.RankedMessage;
import io.treecast.mst.RankedMessage.Commit;
import io.treecast.mst.RankedMessage.Report;
import io.treecast.mst.Round;
import io.treecast.mst.Subtree;
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
    return new Report(ROUND, null, echo, 8, false, new History(7, Set.of()));
  }

  private static LinkWeight last() {
    return LINE.get(LINE.size() - 1);
  }

  @Test
  void fit_into_a_frame_and_come_out_as_they_went_in() throws Exception {
    for (RankedMessage message : List.of(COMMIT, report())) {
      ControlFrame frame = new RankedCodec(TreeSharing.NONE).encode(message);
      assertThat(frame.getSerializedSize()).isLessThan(GrpcTransport.MAX_FRAME_BYTES);
      assertThat(new RankedCodec(TreeSharing.NONE).decode(frame)).isEqualTo(message);
    }
  }

  @Test
  void take_next_to_nothing_where_the_other_end_has_them() throws Exception {
    RankedCodec near = new RankedCodec(TreeSharing.NONE);
    RankedCodec far = new RankedCodec(TreeSharing.NONE);
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
    assertThat(new RankedCodec(TreeSharing.NONE).encode(same))
        .isEqualTo(new RankedCodec(TreeSharing.NONE).encode(COMMIT));
  }
}
