package io.treecast.collectives.values;

import static org.assertj.core.api.Assertions.assertThat;

import io.treecast.collectives.values.Entry.Kind;
import io.treecast.collectives.values.ValuesMessage.Ack;
import io.treecast.collectives.values.ValuesMessage.Item;
import io.treecast.collectives.values.ValuesMessage.Update;
import io.treecast.ghs.NodeId;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** The rules of one member about the life of entries and the space for them. */
class ValuesTest {
  private static final long SECOND = 1_000_000_000L;
  private static final NodeId SELF = NodeId.of("a");
  private static final NodeId OTHER = NodeId.of("b");
  private static final MapName ROUTES = new MapName(Rule.LATEST, "routes");

  private final List<ValuesMessage> sent = new ArrayList<>();
  private int reportedFull;
  private long unixMicros = 1;
  private final Values values =
      new Values(
          SELF,
          1,
          new ValuesLimits(ValuesLimits.MIN_BYTES, ValuesLimits.MIN_BYTES, 60 * SECOND, 5 * SECOND),
          new ValuesEffects() {
            @Override
            public void send(NodeId neighbour, ValuesMessage message) {
              sent.add(message);
            }

            @Override
            public long unixMicros() {
              return unixMicros;
            }

            @Override
            public void changed(MapName map, String key) {}

            @Override
            public void full(MapName map) {
              reportedFull++;
            }
          });

  private void connected() {
    values.treeCommitted(Set.of(SELF, OTHER), List.of(OTHER), 0);
    values.opened(OTHER, 0);
  }

  private static ByteBuffer bytes(int count) {
    return ByteBuffer.allocate(count);
  }

  private static Update update(Kind kind, String key, int bytes, long count, long ageMillis) {
    Entry entry = new Entry(key, new Stamp(count, OTHER, 1), kind, 0, bytes(bytes));
    return new Update(List.of(new Item(ROUTES, entry, ageMillis)));
  }

  @Test
  void changes_merge_while_an_update_is_under_way() {
    connected();
    values.put(ROUTES, "k", bytes(1), 0);
    values.put(ROUTES, "k", bytes(2), 0);
    values.put(ROUTES, "k", bytes(3), 0);
    assertThat(sent).hasSize(1);
    values.received(OTHER, new Ack(), 0);
    values.received(OTHER, new Ack(), 0);
    assertThat(sent).hasSize(2);
    assertThat(((Update) sent.get(1)).items())
        .singleElement()
        .satisfies(item -> assertThat(item.entry().content().remaining()).isEqualTo(3));
  }

  @Test
  void writes_are_ordered_by_the_time_of_the_machine_and_rise_though_it_steps_back() {
    unixMicros = 5_000;
    values.put(ROUTES, "k", bytes(1), 0);
    assertThat(count("k")).isEqualTo(5_000);
    unixMicros = 1_000;
    values.put(ROUTES, "k", bytes(2), 0);
    assertThat(count("k")).isEqualTo(5_001);
    unixMicros = 9_000;
    values.put(ROUTES, "other", bytes(1), 0);
    assertThat(count("other")).isEqualTo(9_000);
  }

  private long count(String key) {
    return Objects.requireNonNull(values.stored(ROUTES, key)).stamp().count();
  }

  @Test
  void a_tombstone_outlives_an_older_write_for_its_life_and_no_longer() {
    connected();
    values.put(ROUTES, "k", bytes(1), 0);
    values.delete(ROUTES, "k", 0);
    values.received(OTHER, update(Kind.LASTING, "k", 1, 1, 0), 59 * SECOND);
    assertThat(values.read(ROUTES, "k")).isNull();
    values.tick(values.nextDeadlineNanos());
    assertThat(values.counters().bytes()).isZero();
    values.received(OTHER, update(Kind.LASTING, "k", 1, 1, 0), 61 * SECOND);
    assertThat(values.read(ROUTES, "k")).isNotNull();
  }

  @Test
  void a_tombstone_that_is_older_than_its_life_is_not_taken() {
    connected();
    values.received(OTHER, update(Kind.DELETED, "k", 0, 5, 60_000), SECOND);
    assertThat(values.counters().bytes()).isZero();
  }

  @Test
  void an_ephemeral_entry_ends_when_its_owner_was_absent_for_the_given_time() {
    connected();
    values.received(OTHER, update(Kind.EPHEMERAL, "k", 1, 5, 0), 0);
    values.treeCommitted(Set.of(SELF), List.of(), SECOND);
    values.tick(5 * SECOND);
    assertThat(values.read(ROUTES, "k")).isNotNull();
    values.tick(6 * SECOND);
    assertThat(values.read(ROUTES, "k")).isNull();
  }

  @Test
  void an_entry_that_two_calls_hold_is_of_the_later_one_and_ends_with_it() {
    values.hold(1, ROUTES, "k", bytes(1), 0);
    values.hold(2, ROUTES, "k", bytes(2), 0);
    values.release(1, 0);
    assertThat(values.read(ROUTES, "k")).extracting(Entry::content).isEqualTo(bytes(2));

    values.hold(3, ROUTES, "k", bytes(3), 0);
    values.release(3, 0);
    assertThat(values.read(ROUTES, "k")).isNull();
  }

  @Test
  void an_entry_that_ended_does_not_return_to_an_earlier_call_that_is_open() {
    connected();
    values.hold(1, ROUTES, "k", bytes(1), 0);
    values.hold(2, ROUTES, "k", bytes(2), 0);
    Entry later = Objects.requireNonNull(values.read(ROUTES, "k"));
    values.release(2, 0);
    values.tick(61 * SECOND);
    assertThat(values.stored(ROUTES, "k")).isNull();

    // From a member that was away for longer than the tombstone has lasted.
    values.received(OTHER, new Update(List.of(new Item(ROUTES, later, 0))), 62 * SECOND);
    assertThat(values.read(ROUTES, "k")).isNull();
  }

  @Test
  void a_write_without_space_is_refused_and_leaves_what_there_is() {
    for (int i = 0; i < 4; i++) {
      values.put(ROUTES, "k" + i, bytes(60_000), 0);
    }
    assertThat(values.put(ROUTES, "k4", bytes(60_000), 0)).isEqualTo(Written.FULL);
    assertThat(values.put(ROUTES, "k3", bytes(1), 0)).isEqualTo(Written.STORED);
    assertThat(values.read(ROUTES)).hasSize(4);
  }

  @Test
  void entries_that_found_no_space_are_asked_for_again_when_there_is_some() {
    connected();
    for (int i = 0; i < 4; i++) {
      values.put(ROUTES, "k" + i, bytes(60_000), 0);
    }
    for (int i = 0; i < 2; i++) {
      values.received(OTHER, update(Kind.LASTING, "x" + i, 60_000, 5, 0), 0);
    }
    assertThat(reportedFull).isEqualTo(1);
    assertThat(values.counters().refusedEntries()).isEqualTo(2);
    assertThat(values.nextDeadlineNanos()).isEqualTo(Long.MAX_VALUE);
    for (int i = 0; i < 20; i++) {
      values.received(OTHER, new Ack(), 0);
    }
    values.delete(ROUTES, "k0", 0);
    values.received(OTHER, new Ack(), 0);
    sent.clear();
    values.tick(0);
    values.tick(values.nextDeadlineNanos());
    assertThat(sent).singleElement().isInstanceOf(ValuesMessage.Summary.class);
  }

  @Test
  void a_number_that_is_no_improvement_is_not_sent() {
    connected();
    MapName best = new MapName(Rule.LEAST, "best");
    assertThat(values.offer(best, 2, bytes(1), 0)).isEqualTo(Written.STORED);
    values.received(OTHER, new Ack(), 0);
    sent.clear();
    assertThat(values.offer(best, 2, bytes(2), 0)).isEqualTo(Written.UNCHANGED);
    assertThat(values.offer(best, 3, bytes(2), 0)).isEqualTo(Written.UNCHANGED);
    assertThat(sent).isEmpty();
    assertThat(values.offer(best, 1, bytes(2), 0)).isEqualTo(Written.STORED);
    assertThat(sent).hasSize(1);
  }
}
