package io.treecast.agent.wire;

import com.google.protobuf.ByteString;
import io.treecast.agent.wire.value.Bounds;
import io.treecast.agent.wire.value.ValueCodec;
import io.treecast.agent.wire.value.WireViolation;
import io.treecast.collectives.values.Entry;
import io.treecast.collectives.values.Entry.Kind;
import io.treecast.collectives.values.MapName;
import io.treecast.collectives.values.Rule;
import io.treecast.collectives.values.Stamp;
import io.treecast.collectives.values.Values;
import io.treecast.collectives.values.ValuesLimits;
import io.treecast.collectives.values.ValuesMessage;
import io.treecast.collectives.values.ValuesMessage.Digest;
import io.treecast.collectives.values.ValuesMessage.Item;
import io.treecast.collectives.values.ValuesMessage.Summary;
import io.treecast.collectives.values.ValuesMessage.Update;
import io.treecast.proto.v1.DataFrame;
import io.treecast.proto.v1.ValueEntry;
import io.treecast.proto.v1.ValueHash;
import io.treecast.proto.v1.ValueKind;
import io.treecast.proto.v1.ValueMapHash;
import io.treecast.proto.v1.ValueMapName;
import io.treecast.proto.v1.ValueRule;
import io.treecast.proto.v1.ValuesAck;
import io.treecast.proto.v1.ValuesDigest;
import io.treecast.proto.v1.ValuesSummary;
import io.treecast.proto.v1.ValuesUpdate;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.SortedMap;
import java.util.TreeMap;

/** Codec of messages about shared values. */
public final class ValuesCodec {
  /** The maximum age of an entry: a century. */
  private static final long MAX_AGE_MILLIS = 100L * 366 * 24 * 3_600 * 1_000;

  private ValuesCodec() {}

  static void encode(ValuesMessage message, DataFrame.Builder frame) {
    if (message instanceof Summary summary) {
      ValuesSummary.Builder encoded = frame.getValuesSummaryBuilder();
      summary
          .hashes()
          .forEach(
              (map, hash) ->
                  encoded.addMaps(ValueMapHash.newBuilder().setMap(encode(map)).setHash(hash)));
    } else if (message instanceof Digest digest) {
      ValuesDigest.Builder encoded =
          frame
              .getValuesDigestBuilder()
              .setMap(encode(digest.map()))
              .setFrom(digest.from())
              .setReply(digest.isReply());
      if (digest.to() != null) {
        encoded.setTo(digest.to());
      }
      digest
          .hashes()
          .forEach(
              (key, hash) -> encoded.addEntries(ValueHash.newBuilder().setKey(key).setHash(hash)));
    } else if (message instanceof Update update) {
      ValuesUpdate.Builder encoded = frame.getValuesUpdateBuilder();
      update.items().forEach(item -> encoded.addEntries(encode(item)));
    } else {
      frame.setValuesAck(ValuesAck.getDefaultInstance());
    }
  }

  public static ValueMapName encode(MapName map) {
    return ValueMapName.newBuilder()
        .setName(map.name())
        .setRule(
            switch (map.rule()) {
              case LATEST -> ValueRule.VALUE_RULE_LATEST;
              case LEAST -> ValueRule.VALUE_RULE_LEAST;
              case GREATEST -> ValueRule.VALUE_RULE_GREATEST;
            })
        .build();
  }

  private static ValueEntry encode(Item item) {
    Entry entry = item.entry();
    return ValueEntry.newBuilder()
        .setMap(encode(item.map()))
        .setKey(entry.key())
        .setCount(entry.stamp().count())
        .setOrigin(entry.stamp().origin().toString())
        .setIncarnation(entry.stamp().incarnation())
        .setKind(
            switch (entry.kind()) {
              case LASTING -> ValueKind.VALUE_KIND_LASTING;
              case EPHEMERAL -> ValueKind.VALUE_KIND_EPHEMERAL;
              case DELETED -> ValueKind.VALUE_KIND_DELETED;
            })
        .setNumber(entry.number())
        .setContent(PayloadBytes.of(entry.content()))
        .setAgeMillis(item.ageMillis())
        .build();
  }

  /**
   * Returns a map's name.
   *
   * @throws WireViolation if it is not allowed
   */
  public static MapName decode(ValueMapName map) throws WireViolation {
    if (map.getName().isEmpty()) {
      throw new WireViolation("the map of values has no name");
    }
    Rule rule =
        switch (map.getRule()) {
          case VALUE_RULE_LATEST -> Rule.LATEST;
          case VALUE_RULE_LEAST -> Rule.LEAST;
          case VALUE_RULE_GREATEST -> Rule.GREATEST;
          case VALUE_RULE_UNSPECIFIED, UNRECOGNIZED ->
              throw new WireViolation("map '" + map.getName() + "' has an unknown rule");
        };
    return new MapName(rule, text("the name of a map", map.getName()));
  }

  /**
   * Returns a key that a map may have.
   *
   * @throws WireViolation if it is not allowed
   */
  public static String key(MapName map, String key) throws WireViolation {
    if (map.rule().isBest() && !key.isEmpty()) {
      throw new WireViolation("a best value has the key '" + key + "'; it has none");
    }
    return text("a key", key);
  }

  private static String text(String what, String text) throws WireViolation {
    int bytes = text.getBytes(StandardCharsets.UTF_8).length;
    if (bytes > Entry.MAX_KEY_BYTES) {
      throw new WireViolation(
          what + " has " + bytes + " bytes; allowed are " + Entry.MAX_KEY_BYTES + " of UTF-8");
    }
    if (text.codePoints().anyMatch(Character::isISOControl)) {
      throw new WireViolation(what + " has a control character; none is allowed");
    }
    return text;
  }

  /**
   * Returns the number of an offer; 0 for another map.
   *
   * @throws WireViolation if it is not a number
   */
  public static double number(MapName map, double number) throws WireViolation {
    if (Double.isNaN(number)) {
      throw new WireViolation("NaN is offered to '" + map.name() + "'; it is not a number");
    }
    return map.rule().isBest() ? number + 0.0 : 0; // Without negative zero.
  }

  /**
   * Returns a content, copied into its own memory.
   *
   * @throws WireViolation if it is too large
   */
  public static ByteBuffer content(ByteString content) throws WireViolation {
    if (content.size() > Entry.MAX_CONTENT_BYTES) {
      throw new WireViolation(
          "a value has %s bytes; allowed are %s: broadcast or upload it, and share its name"
              .formatted(content.size(), Entry.MAX_CONTENT_BYTES));
    }
    return PayloadBytes.alone(content);
  }

  static Summary decode(ValuesSummary summary) throws WireViolation {
    Bounds.within("%s maps of values", summary.getMapsCount(), 0, ValuesLimits.MAX_MAPS);
    SortedMap<MapName, Long> hashes = new TreeMap<>();
    for (ValueMapHash map : summary.getMapsList()) {
      hashes.put(decode(map.getMap()), map.getHash());
    }
    return new Summary(hashes);
  }

  static Digest decode(ValuesDigest digest) throws WireViolation {
    Bounds.within("%s entries", digest.getEntriesCount(), 0, ValuesMessage.MAX_ENTRIES);
    MapName map = decode(digest.getMap());
    String from = key(map, digest.getFrom());
    String to = digest.hasTo() ? key(map, digest.getTo()) : null;
    if (to != null && from.compareTo(to) >= 0) {
      throw new WireViolation("a digest of values from '" + from + "' to '" + to + "' is empty");
    }
    SortedMap<String, Long> hashes = new TreeMap<>();
    for (ValueHash entry : digest.getEntriesList()) {
      hashes.put(key(map, entry.getKey()), entry.getHash());
    }
    return new Digest(map, from, to, hashes, digest.getReply());
  }

  static Update decode(ValuesUpdate update) throws WireViolation {
    return new Update(
        Bounds.all(
            "entries", update.getEntriesList(), ValuesMessage.MAX_ENTRIES, ValuesCodec::decode));
  }

  private static Item decode(ValueEntry entry) throws WireViolation {
    MapName map = decode(entry.getMap());
    Kind kind =
        switch (entry.getKind()) {
          case VALUE_KIND_LASTING -> Kind.LASTING;
          case VALUE_KIND_EPHEMERAL -> Kind.EPHEMERAL;
          case VALUE_KIND_DELETED -> Kind.DELETED;
          case VALUE_KIND_UNSPECIFIED, UNRECOGNIZED ->
              throw new WireViolation("a value has an unknown kind");
        };
    if (map.rule().isBest() && kind != Kind.LASTING) {
      throw new WireViolation("a best value is " + kind);
    }

    return new Item(
        map,
        new Entry(
            key(map, entry.getKey()),
            new Stamp(
                Bounds.within("the count %s of a value", entry.getCount(), 0, Values.MAX_COUNT),
                ValueCodec.nodeId(entry.getOrigin()),
                entry.getIncarnation()),
            kind,
            number(map, entry.getNumber()),
            content(entry.getContent())),
        Bounds.within("the age %s ms of a value", entry.getAgeMillis(), 0, MAX_AGE_MILLIS));
  }
}
