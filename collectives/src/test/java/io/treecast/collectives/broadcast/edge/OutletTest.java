package io.treecast.collectives.broadcast.edge;

import static io.treecast.collectives.broadcast.Examples.A;
import static io.treecast.collectives.broadcast.Examples.FIRST_START;
import static io.treecast.collectives.broadcast.Examples.SMALL;
import static io.treecast.collectives.broadcast.Examples.bytes;
import static org.assertj.core.api.Assertions.assertThat;

import io.treecast.collectives.broadcast.log.ReplicationLog;
import io.treecast.collectives.broadcast.log.StreamLog;
import io.treecast.collectives.broadcast.message.Channel;
import io.treecast.collectives.broadcast.message.Chunk;
import io.treecast.collectives.broadcast.message.LogItem;
import io.treecast.collectives.broadcast.message.MessageId;
import io.treecast.collectives.broadcast.message.StreamId;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** The place in the log where an outlet continues when its other side wants more. */
class OutletTest {
  private final ReplicationLog log = new ReplicationLog(SMALL, () -> Long.MAX_VALUE, entry -> {});
  private final List<LogItem> passed = new ArrayList<>();
  private final Outlet outlet =
      new Outlet(
          log,
          new NeighbourExit(stream -> false, passed::add),
          EnumSet.of(Channel.MESSAGES),
          Set.of());

  private Chunk logged(String topic, long sequence) {
    StreamId id = new StreamId(A, FIRST_START, topic);
    StreamLog known = log.find(id);
    StreamLog stream = known == null ? log.begin(id) : known;
    Chunk chunk = new Chunk(new MessageId(id, sequence), 0, true, 1, bytes("1234"));
    log.append(stream, chunk, bytes -> {}).release();
    return chunk;
  }

  @Test
  void an_outlet_goes_back_to_the_first_entry_of_a_newly_wanted_topic() {
    logged("t", 1);
    logged("t", 2);
    outlet.hold(true);
    Chunk first = logged("u", 1);

    outlet.addTopics(Set.of("u"), true);

    assertThat(outlet.isBehindHeld()).isFalse();
    outlet.addCredit(first.cost());
    outlet.open();
    assertThat(passed).containsExactly(first);
  }

  @Test
  void an_outlet_goes_back_further_for_older_entries() {
    Chunk older = logged("t", 1);
    Chunk first = logged("u", 1);
    outlet.addTopics(Set.of("u"), true);

    outlet.addTopics(Set.of("t"), true);

    outlet.addCredit(older.cost() + first.cost());
    outlet.open();
    assertThat(passed).containsExactly(older, first);
  }

  @Test
  void an_outlet_stays_where_it_is_when_no_topic_is_newly_wanted() {
    logged("t", 1);
    outlet.addTopics(Set.of("u"), true);
    outlet.hold(true);

    outlet.addTopics(Set.of("u"), true);
    outlet.addTopics(Set.of(), true);

    assertThat(outlet.isBehindHeld()).isFalse();
  }
}
