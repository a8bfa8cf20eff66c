package io.treecast.agent.wire;

import io.treecast.agent.core.message.DataMessage.SharedValue;
import io.treecast.collectives.values.Entry;
import io.treecast.collectives.values.Entry.Kind;
import io.treecast.collectives.values.MapName;
import io.treecast.collectives.values.Rule;
import io.treecast.collectives.values.Stamp;
import io.treecast.collectives.values.Values;
import io.treecast.collectives.values.ValuesMessage.Ack;
import io.treecast.collectives.values.ValuesMessage.Digest;
import io.treecast.collectives.values.ValuesMessage.Item;
import io.treecast.collectives.values.ValuesMessage.Summary;
import io.treecast.collectives.values.ValuesMessage.Update;
import io.treecast.ghs.NodeId;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.function.Supplier;
import java.util.stream.Stream;

/** Random messages about shared values, with all fields in their ranges. */
final class RandomValues {
  private static final List<Rule> RULES = List.of(Rule.values());
  private static final List<Kind> KINDS = List.of(Kind.values());

  private final Random random;
  private final Supplier<NodeId> node;

  RandomValues(Random random, Supplier<NodeId> node) {
    this.random = random;
    this.node = node;
  }

  List<SharedValue> oneOfEachKind() {
    MapName lasting = new MapName(Rule.LATEST, "map " + random.nextInt());
    return Stream.of(
            new Summary(new TreeMap<>(Map.of(map(), random.nextLong()))),
            new Digest(
                lasting,
                "",
                random.nextBoolean() ? null : "z",
                new TreeMap<>(Map.of("k" + random.nextInt(), random.nextLong())),
                random.nextBoolean()),
            new Update(Stream.generate(this::item).limit(1 + random.nextInt(5)).toList()),
            new Ack())
        .map(SharedValue::new)
        .toList();
  }

  private MapName map() {
    return new MapName(RULES.get(random.nextInt(RULES.size())), "map " + random.nextInt());
  }

  private Item item() {
    MapName map = map();
    boolean isBest = map.rule().isBest();
    byte[] content = new byte[random.nextInt(100)];
    random.nextBytes(content);
    return new Item(
        map,
        new Entry(
            isBest ? "" : "key " + random.nextInt(),
            new Stamp(random.nextLong(Values.MAX_COUNT), node.get(), random.nextLong()),
            isBest ? Kind.LASTING : KINDS.get(random.nextInt(KINDS.size())),
            isBest ? random.nextDouble() : 0,
            ByteBuffer.wrap(content)),
        random.nextInt(1_000_000));
  }
}
