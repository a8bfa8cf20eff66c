package io.treecast.collectives.broadcast.stability;

import static io.treecast.collectives.broadcast.Examples.A;
import static io.treecast.collectives.broadcast.Examples.FIRST_START;
import static io.treecast.collectives.broadcast.Examples.SELF;
import static io.treecast.collectives.broadcast.Examples.star;
import static org.assertj.core.api.Assertions.assertThat;

import io.treecast.collectives.broadcast.log.StreamLog;
import io.treecast.collectives.broadcast.message.EdgeMessage;
import io.treecast.collectives.broadcast.message.EdgeMessage.Stable;
import io.treecast.collectives.broadcast.message.Position;
import io.treecast.collectives.broadcast.message.StreamId;
import io.treecast.collectives.broadcast.topic.Interests.InterestState;
import io.treecast.ghs.NodeId;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** The streams that are visited when the interest in topics changes. */
class StabilityOfTopicsTest implements Stability.StabilityContext {
  private final StreamLog wanted = new StreamLog(new StreamId(A, FIRST_START, "t"));
  private final StreamLog other = new StreamLog(new StreamId(A, FIRST_START, "u"));
  private final StreamLog ofAll = new StreamLog(new StreamId(A, FIRST_START));
  private final List<StreamId> lookedAt = new ArrayList<>();

  @Test
  void only_streams_of_the_changed_topics_are_visited() {
    Stability stability = new Stability(this, 10);
    stability.treeCommitted(SELF, star(A));
    lookedAt.clear();

    stability.interestChanged("t"::equals);

    assertThat(lookedAt).containsExactly(wanted.id());
  }

  @Override
  public List<StreamLog> counted() {
    return List.of(wanted, other, ofAll);
  }

  @Override
  public Position next(StreamId stream) {
    lookedAt.add(stream);
    return Position.START;
  }

  @Override
  public boolean isHere(StreamId stream) {
    return true;
  }

  @Override
  public boolean isWanted(String topic) {
    return true;
  }

  @Override
  public InterestState interest(NodeId child, String topic) {
    return InterestState.YES;
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
  public void send(NodeId neighbour, EdgeMessage message) {}

  @Override
  public void stable(Stable stable) {}

  @Override
  public void stable(StreamLog stream, Position end, long treeVersion) {}
}
