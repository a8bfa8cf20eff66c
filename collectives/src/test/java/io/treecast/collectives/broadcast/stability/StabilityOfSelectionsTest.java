package io.treecast.collectives.broadcast.stability;

import static io.treecast.collectives.broadcast.Examples.A;
import static io.treecast.collectives.broadcast.Examples.B;
import static io.treecast.collectives.broadcast.Examples.FIRST_START;
import static io.treecast.collectives.broadcast.Examples.SELF;
import static io.treecast.collectives.broadcast.Examples.star;
import static org.assertj.core.api.Assertions.assertThat;

import io.treecast.collectives.broadcast.log.StreamLog;
import io.treecast.collectives.broadcast.message.EdgeMessage;
import io.treecast.collectives.broadcast.message.EdgeMessage.Have;
import io.treecast.collectives.broadcast.message.EdgeMessage.Stable;
import io.treecast.collectives.broadcast.message.Position;
import io.treecast.collectives.broadcast.message.StreamId;
import io.treecast.collectives.broadcast.message.StreamPosition;
import io.treecast.collectives.broadcast.topic.Interests.InterestState;
import io.treecast.ghs.NodeId;
import io.treecast.mst.CommittedTree;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** The root of a star, whose child A is the only receiver of a selection. */
class StabilityOfSelectionsTest implements Stability.StabilityContext {
  private static final StreamId SELECTION = new StreamId(SELF, FIRST_START, "to/a");
  private static final StreamId TOPIC = new StreamId(SELF, FIRST_START, "t");
  private static final CommittedTree STAR = star(A, B);

  private final Stability stability = new Stability(this, 10);
  private final List<String> sent = new ArrayList<>();
  private long nanos;

  @BeforeEach
  void commit() {
    stability.treeCommitted(SELF, STAR);
    has(A, TOPIC, 1);
    has(B, TOPIC, 1);
    assertThat(sent).containsExactly("a t:1", "b t:1");
    sent.clear();
  }

  @Test
  void a_member_apart_from_its_paths_receives_nothing_of_its_end() {
    has(A, SELECTION, 1);

    assertThat(sent).containsExactly("a to/a:1");
  }

  @Test
  void a_member_with_content_of_an_earlier_tree_receives_the_end() {
    has(B, SELECTION, 1);
    has(A, SELECTION, 1);

    assertThat(sent).containsExactly("a to/a:1", "b to/a:1");
  }

  @Test
  void a_late_report_of_stable_content_is_answered() {
    has(A, SELECTION, 2);
    sent.clear();

    has(B, SELECTION, 1);

    assertThat(sent).containsExactly("b to/a:2");
  }

  @Test
  void a_report_beyond_the_end_is_not_answered() {
    has(A, SELECTION, 1);
    sent.clear();

    has(B, SELECTION, 2);

    assertThat(sent).isEmpty();
  }

  @Test
  void a_change_of_absences_reaches_all() {
    stability.received(A, new Have(STAR.version(), List.of(), true, 3));
    tick();

    assertThat(sent).containsExactly("a", "b");
  }

  @Test
  void a_new_stream_of_a_neighbour_carries_the_end() {
    has(A, SELECTION, 1);
    sent.clear();
    stability.closed(B);

    stability.opened(B);

    assertThat(sent).containsExactly("b t:1 to/a:1");
  }

  @Test
  void a_new_stream_of_a_neighbour_carries_absences_without_ends() {
    Stability below = new Stability(this, 10);
    below.treeCommitted(SELF, new CommittedTree(STAR.version(), A, STAR.edges()));
    below.received(A, new Stable(STAR.version(), List.of(), true, 3));
    below.closed(B);
    sent.clear();

    below.opened(B);

    assertThat(sent).containsExactly("b");
  }

  private void has(NodeId member, StreamId stream, long sequence) {
    Position next = new Position(Position.START.sequence() + sequence, 0);
    stability.received(
        member, new Have(STAR.version(), List.of(new StreamPosition(stream, next)), false, 0));
    tick();
  }

  private void tick() {
    nanos += Stability.INTERVAL_NANOS;
    stability.tick(nanos);
  }

  @Override
  public List<StreamLog> counted() {
    return List.of(new StreamLog(SELECTION), new StreamLog(TOPIC));
  }

  @Override
  public Position next(StreamId stream) {
    return new Position(99, 0);
  }

  @Override
  public boolean isHere(StreamId stream) {
    return true;
  }

  @Override
  public boolean isWanted(String topic) {
    return false;
  }

  @Override
  public InterestState interest(NodeId child, String topic) {
    return child.equals(A) || topic.equals("t") ? InterestState.YES : InterestState.NO;
  }

  @Override
  public InterestState interest(String topic) {
    return InterestState.YES;
  }

  @Override
  public boolean isPressed(int members) {
    return false;
  }

  @Override
  public boolean isOpen(NodeId neighbour) {
    return true;
  }

  @Override
  public void send(NodeId neighbour, EdgeMessage message) {
    StringBuilder line = new StringBuilder(neighbour.toString());
    if (message instanceof Stable stable) {
      stable
          .positions()
          .forEach(
              end ->
                  line.append(' ')
                      .append(end.stream().topic())
                      .append(':')
                      .append(end.next().sequence() - Position.START.sequence()));
    }
    sent.add(line.toString());
  }

  @Override
  public void stable(Stable stable) {}

  @Override
  public void stable(StreamLog stream, Position end, long treeVersion) {}
}
