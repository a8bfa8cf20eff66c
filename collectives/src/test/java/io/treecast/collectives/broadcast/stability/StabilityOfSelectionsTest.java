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
import io.treecast.collectives.broadcast.topic.Interests.Wants;
import io.treecast.ghs.NodeId;
import io.treecast.mst.CommittedTree;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** The root of a star, whose child A is the only receiver of a selection. */
public class StabilityOfSelectionsTest implements Stability.StabilityContext {
  private static final StreamId SELECTION = new StreamId(SELF, FIRST_START, "to/a");
  private static final StreamId TOPIC = new StreamId(SELF, FIRST_START, "t");
  private static final StreamId UNWANTED = new StreamId(SELF, FIRST_START, "unwanted");
  private static final CommittedTree STAR = star(A, B);
  private static final int LIMIT = 10;

  private final Stability stability = new Stability(this, LIMIT);
  private final List<String> sent = new ArrayList<>();
  private final Set<StreamId> notHere = new HashSet<>();
  private Wants ofB = Wants.NO;
  private Position next = new Position(99, 0);
  private long nanos;

  StabilityOfSelectionsTest() {
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
  void a_topic_that_a_member_does_not_want_may_be_wanted_again_there() {
    has(A, UNWANTED, 1);

    assertThat(sent).containsExactly("a unwanted:1", "b unwanted:1");
  }

  @Test
  void a_member_whose_interests_are_not_known_may_be_concerned() {
    Stability below = belowA();
    ofB = Wants.UNKNOWN;

    below.received(A, new Stable(STAR.version(), List.of(at(SELECTION, 1)), false, 0));

    assertThat(sent).containsExactly("b to/a:1");
  }

  @Test
  void a_member_that_has_reported_more_positions_than_are_kept_may_be_concerned() {
    hasMany(4 * LIMIT);

    has(A, SELECTION, 1);

    assertThat(sent).containsExactly("a to/a:1", "b to/a:1");
  }

  @Test
  void a_member_that_has_reported_as_many_positions_as_are_kept_is_not_concerned() {
    hasMany(4 * LIMIT - 1);

    has(A, SELECTION, 1);

    assertThat(sent).containsExactly("a to/a:1");
  }

  @Test
  void a_report_for_a_later_tree_does_not_count() {
    stability.received(B, new Have(STAR.version() + 1, List.of(at(SELECTION, 1)), false, 0));

    has(A, SELECTION, 1);

    assertThat(sent).containsExactly("a to/a:1");
  }

  @Test
  void an_end_that_cannot_be_remembered_reaches_all() {
    for (int i = 0; i < LIMIT - 1; i++) {
      has(A, new StreamId(SELF, FIRST_START, "to/a," + i), 1);
    }
    sent.clear();
    next = Position.START;

    has(A, SELECTION, 1);

    assertThat(sent).containsExactly("a to/a:1", "b to/a:1");
  }

  @Test
  void a_late_report_about_a_forgotten_selection_is_answered() {
    has(A, SELECTION, 1);
    forget(SELECTION);
    sent.clear();

    has(B, SELECTION, 1);

    assertThat(sent).containsExactly("b to/a:1");
  }

  @Test
  void the_end_of_a_forgotten_selection_is_that_of_the_present_tree() {
    has(A, SELECTION, 1);
    forget(SELECTION);
    stability.treeCommitted(SELF, STAR);
    sent.clear();

    has(B, SELECTION, 1);

    assertThat(sent).noneMatch(line -> line.contains("to/a"));
  }

  @Test
  void the_ends_of_the_selections_that_were_forgotten_last_are_kept() {
    for (int i = 0; i <= LIMIT; i++) {
      StreamId selection = new StreamId(SELF, FIRST_START, "to/a," + i);
      has(A, selection, 1);
      forget(selection);
    }
    sent.clear();

    has(B, new StreamId(SELF, FIRST_START, "to/a,0"), 1);
    has(B, new StreamId(SELF, FIRST_START, "to/a,1"), 1);

    assertThat(sent).containsExactly("b to/a,1:1");
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
    Stability below = belowA();
    below.received(A, new Stable(STAR.version(), List.of(), true, 3));
    below.closed(B);
    sent.clear();

    below.opened(B);

    assertThat(sent).containsExactly("b");
  }

  /** Returns the state of a member between a and b. */
  private Stability belowA() {
    Stability below = new Stability(this, LIMIT);
    below.treeCommitted(SELF, new CommittedTree(STAR.version(), A, STAR.edges()));
    return below;
  }

  private static StreamPosition at(StreamId stream, long sequence) {
    return new StreamPosition(stream, new Position(Position.START.sequence() + sequence, 0));
  }

  private void has(NodeId member, StreamId stream, long sequence) {
    stability.received(member, new Have(STAR.version(), List.of(at(stream, sequence)), false, 0));
    tick();
  }

  /** B reports positions of selections of others, up to this number in all. */
  private void hasMany(int positions) {
    List<StreamPosition> others = new ArrayList<>();
    for (int i = 1; i < positions; i++) {
      others.add(at(new StreamId(SELF, FIRST_START, "to/a," + i), 1));
    }
    stability.received(B, new Have(STAR.version(), others, false, 0));
    sent.clear();
  }

  private void forget(StreamId stream) {
    notHere.add(stream);
    stability.forget(stream);
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
    return next;
  }

  @Override
  public boolean isHere(StreamId stream) {
    return !notHere.contains(stream);
  }

  @Override
  public boolean isWanted(String topic) {
    return false;
  }

  @Override
  public Wants wants(NodeId child, String topic) {
    return child.equals(A) || topic.equals("t") ? Wants.YES : ofB;
  }

  @Override
  public Wants wants(String topic) {
    return Wants.YES;
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
