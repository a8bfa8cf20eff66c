package io.treecast.agent.runtime.application;

import com.google.protobuf.UnsafeByteOperations;
import io.grpc.StatusException;
import io.grpc.stub.ServerCallStreamObserver;
import io.grpc.stub.StreamObserver;
import io.treecast.agent.config.Labels;
import io.treecast.agent.core.AgentCore;
import io.treecast.agent.permission.Action;
import io.treecast.agent.permission.Caller;
import io.treecast.agent.runtime.loop.EventLoop;
import io.treecast.agent.wire.ValuesCodec;
import io.treecast.collectives.values.Entry;
import io.treecast.collectives.values.MapName;
import io.treecast.collectives.values.Rule;
import io.treecast.collectives.values.Values;
import io.treecast.collectives.values.Written;
import io.treecast.ghs.NodeId;
import io.treecast.proto.v1.ListValuesResponse;
import io.treecast.proto.v1.ValueChange;
import io.treecast.proto.v1.ValueMapSize;
import io.treecast.proto.v1.WatchValuesResponse;
import io.treecast.proto.v1.WriteValueResponse;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.Iterator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.BiFunction;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The applications that write and watch shared values. Each watcher receives the present entries
 * and then the changes; a slow reader skips to the latest entry of each key. On the agent's loop.
 */
public final class ValueCalls {
  /** The limit of watchers, and of calls that hold an entry. */
  static final int MAX_CALLS = 1_024;

  private static final int RESPONSE_BYTES = 64 << 10;

  /** A write at a given time. */
  interface Write extends BiFunction<Values, Long, Written> {}

  private static final class Watcher {
    final Caller caller;
    final MapName map;
    final @Nullable String key;
    final boolean once;
    final Set<String> unsent = new LinkedHashSet<>();
    boolean isLive;

    Watcher(Caller caller, MapName map, @Nullable String key, boolean once) {
      this.caller = caller;
      this.map = map;
      this.key = key;
      this.once = once;
    }
  }

  /** A call that holds an entry, with its number. */
  private record Holder(Caller caller, MapName map, long call) {}

  private static final MapName LABELS = new MapName(Rule.LATEST, Labels.MAP);

  private final NodeId self;
  private final Map<String, String> ownLabels = new HashMap<>();
  private final Supplier<AgentCore> core;
  private final EventLoop loop;
  private final OpenCalls<WatchValuesResponse, Watcher> watchers =
      new OpenCalls<>("watches of values", MAX_CALLS);

  private final OpenCalls<WriteValueResponse, Holder> holders =
      new OpenCalls<>("ephemeral entries", MAX_CALLS);

  private long lastCall;
  private @Nullable StatusException ended;

  ValueCalls(NodeId self, Supplier<AgentCore> core, EventLoop loop) {
    this.self = self;
    this.core = core;
    this.loop = loop;
  }

  NodeId self() {
    return self;
  }

  /** Holds labels of the agent as long as the agent runs. */
  public void hold(Map<String, String> labels) {
    labels.forEach((name, value) -> ownLabels.put(Labels.key(self.toString(), name), value));
    ownLabels.keySet().forEach(this::holdOwn);
  }

  /** Holds a label of the agent unless an application holds one of the same name. */
  private void holdOwn(String key) {
    String value = ownLabels.get(key);
    if (ended == null && value != null && values(values -> values.read(LABELS, key)) == null) {
      long now = loop.nowNanos();
      long call = ++lastCall;
      ByteBuffer content = ByteBuffer.wrap(value.getBytes(StandardCharsets.UTF_8));
      var unused = values(values -> values.hold(call, LABELS, key, content, now));
    }
  }

  /** Returns the labels of all members, by member and name. */
  public SortedMap<String, SortedMap<String, String>> labels() {
    SortedMap<String, SortedMap<String, String>> labels = new TreeMap<>();
    for (Entry entry : values(values -> values.read(LABELS))) {
      int end = entry.key().indexOf('/');
      if (end > 0) {
        labels
            .computeIfAbsent(entry.key().substring(0, end), member -> new TreeMap<>())
            .put(
                entry.key().substring(end + 1),
                StandardCharsets.UTF_8.decode(entry.content().duplicate()).toString());
      }
    }
    return labels;
  }

  private <T> T values(Function<Values, T> event) {
    return core.get().values(event, loop.nowNanos());
  }

  /** Writes, and answers. Returns whether the call continues. */
  private boolean write(MapName map, Write write, StreamObserver<WriteValueResponse> out) {
    if (ended != null) {
      out.onError(ended);
      return false;
    }
    long now = loop.nowNanos();
    Written written = core.get().values(values -> write.apply(values, now), now);
    if (written == Written.FULL) {
      out.onError(
          Refusals.noRoom(
              "there is no space for the entry in map '"
                  + map.name()
                  + "': delete entries, or raise limits.valuesBytes and limits.valueMapBytes of all"
                  + " agents"));
      return false;
    }
    out.onNext(
        WriteValueResponse.newBuilder()
            .setChanged(written == Written.STORED)
            .setNodeId(self.toString())
            .build());
    return true;
  }

  /** Writes an entry, and ends the call. */
  void writeOnce(MapName map, Write write, StreamObserver<WriteValueResponse> out) {
    if (write(map, write, out)) {
      out.onCompleted();
    }
  }

  /** Holds an entry until the call ends. */
  void hold(
      Caller caller,
      String client,
      MapName map,
      String key,
      ByteBuffer content,
      ServerCallStreamObserver<WriteValueResponse> out) {
    StatusException refusal = holders.refusal(client);
    if (refusal != null) {
      out.onError(refusal);
      return;
    }
    long call = ++lastCall;
    if (write(map, (values, now) -> values.hold(call, map, key, content, now), out)) {
      holders.add(client, out, new Holder(caller, map, call));
    }
  }

  /** Removes the entry of a call that has ended. */
  void release(ServerCallStreamObserver<WriteValueResponse> out) {
    Holder holder = holders.remove(out);
    if (holder != null) {
      long now = loop.nowNanos();
      var unused =
          core.get()
              .values(
                  values -> {
                    values.release(holder.call, now);
                    return Written.STORED;
                  },
                  now);
    }
  }

  /** Adds a watcher, and sends it the present entries. */
  void watch(
      Caller caller,
      String client,
      MapName map,
      @Nullable String key,
      boolean once,
      ServerCallStreamObserver<WatchValuesResponse> out) {
    if (ended != null) {
      out.onError(ended);
      return;
    }
    StatusException refusal = watchers.refusal(client);
    if (refusal != null) {
      out.onError(refusal);
      return;
    }
    Watcher watcher = new Watcher(caller, map, key, once);
    for (Entry entry : values(values -> values.read(map))) {
      if (key == null || key.equals(entry.key())) {
        watcher.unsent.add(entry.key());
      }
    }
    watchers.add(client, out, watcher);
    ready(out);
  }

  void unwatch(ServerCallStreamObserver<WatchValuesResponse> out) {
    var unused = watchers.remove(out);
  }

  /** Notes that an entry has changed. */
  public void changed(MapName map, String key) {
    List<Watcher> informed =
        watchers
            .states()
            .filter(each -> each.map.equals(map) && (each.key == null || each.key.equals(key)))
            .toList();
    if (!informed.isEmpty()) {
      informed.forEach(watcher -> watcher.unsent.add(key));
      // Sent in a later task: the values must not be read while they change.
      loop.execute(() -> watchers.forEach((out, watcher) -> ready(out)));
    }
    if (map.equals(LABELS) && ownLabels.containsKey(key)) {
      loop.execute(() -> holdOwn(key));
    }
  }

  /** Notes that the stream may have room again. */
  void ready(ServerCallStreamObserver<WatchValuesResponse> out) {
    Watcher watcher = watchers.get(out);
    while (watcher != null && out.isReady() && (!watcher.isLive || !watcher.unsent.isEmpty())) {
      out.onNext(next(watcher));
      if (watcher.isLive && watcher.once) {
        unwatch(out);
        out.onCompleted();
        return;
      }
    }
  }

  private WatchValuesResponse next(Watcher watcher) {
    WatchValuesResponse.Builder response =
        WatchValuesResponse.newBuilder().setNodeId(self.toString());
    int bytes = 0;
    Iterator<String> unsent = watcher.unsent.iterator();
    while (unsent.hasNext() && bytes < RESPONSE_BYTES) {
      String key = unsent.next();
      unsent.remove();
      Entry entry = values(values -> values.read(watcher.map, key));
      ValueChange.Builder change = response.addChangesBuilder().setKey(key);
      if (entry == null) {
        change.setDeleted(true);
      } else {
        change
            .setContent(UnsafeByteOperations.unsafeWrap(entry.content()))
            .setNumber(entry.number())
            .setEphemeral(entry.kind() == Entry.Kind.EPHEMERAL)
            .setOrigin(entry.stamp().origin().toString());
        bytes += entry.cost();
      }
    }
    watcher.isLive |= watcher.unsent.isEmpty();
    return response.setLive(watcher.isLive).build();
  }

  /** Names the maps that a caller may read. */
  void list(Caller caller, StreamObserver<ListValuesResponse> out) {
    ListValuesResponse.Builder response = ListValuesResponse.newBuilder();
    for (MapName map : values(Values::names)) {
      List<Entry> entries = values(values -> values.read(map));
      if (!entries.isEmpty() && caller.refusal(Action.READ, List.of(map.name())) == null) {
        response.addMaps(
            ValueMapSize.newBuilder()
                .setMap(ValuesCodec.encode(map))
                .setEntries(entries.size())
                .setBytes(entries.stream().mapToLong(Entry::cost).sum()));
      }
    }
    out.onNext(response.build());
    out.onCompleted();
  }

  /** Ends the streams that are no longer permitted. */
  void permissionsChanged() {
    watchers.forEach(
        (out, watcher) -> {
          if (endedAsForbidden(watcher.caller, Action.READ, watcher.map, out)) {
            unwatch(out);
          }
        });
    holders.forEach(
        (out, holder) -> {
          if (endedAsForbidden(holder.caller, Action.WRITE, holder.map, out)) {
            release(out);
          }
        });
  }

  private static boolean endedAsForbidden(
      Caller caller, Action action, MapName map, StreamObserver<?> out) {
    try {
      Refusals.requirePermission(caller, action, List.of(map.name()));
      return false;
    } catch (StatusException refusal) {
      out.onError(refusal);
      return true;
    }
  }

  /** Ends all calls because the agent shuts down; later calls are refused. */
  void end() {
    ended = Refusals.shuttingDown();
    watchers.end(ended);
    holders.end(ended);
  }
}
