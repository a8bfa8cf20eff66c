package io.treecast.agent.wire;

import io.treecast.collectives.broadcast.tree.TreeEpoch;
import io.treecast.collectives.group.GroupView;
import io.treecast.collectives.operation.contract.CombiningMessage;
import io.treecast.collectives.operation.contract.ElementType;
import io.treecast.collectives.operation.contract.Operation;
import io.treecast.collectives.operation.contract.Operation.Kind;
import io.treecast.collectives.operation.contract.Operation.Step;
import io.treecast.collectives.operation.contract.Outcome;
import io.treecast.collectives.operation.contract.Reduction;
import io.treecast.collectives.operation.contract.Value;
import io.treecast.ghs.NodeId;
import java.nio.ByteBuffer;
import java.util.EnumSet;
import java.util.List;
import java.util.Random;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** Valid messages about collective operations with random values, often extreme ones. */
final class RandomCollectives {
  private static final List<Kind> KINDS = List.copyOf(EnumSet.allOf(Kind.class));
  private static final List<Reduction> REDUCTIONS = List.copyOf(EnumSet.allOf(Reduction.class));
  private static final List<Outcome.Reason> REASONS =
      List.copyOf(EnumSet.allOf(Outcome.Reason.class));
  private static final double[] EXTREMES = {
    0.0, -0.0, Double.NaN, Double.POSITIVE_INFINITY, Double.NEGATIVE_INFINITY, Double.MIN_VALUE
  };

  private final Random random;
  private final Supplier<NodeId> node;
  private final Supplier<String> name;
  private final LongSupplier positive;

  /**
   * Messages of parts that others draw.
   *
   * @param name of an operation
   * @param positive any number from 1 on
   */
  RandomCollectives(
      Random random, Supplier<NodeId> node, Supplier<String> name, LongSupplier positive) {
    this.random = random;
    this.node = node;
    this.name = name;
    this.positive = positive;
  }

  /** One of each kind. */
  List<CombiningMessage> oneOfEachKind() {
    return List.of(
        contribution(),
        new CombiningMessage.Answer(name.get(), random.nextLong(), outcome(), members()),
        new CombiningMessage.Question(operation(), epoch(), patienceMillis(), random.nextLong()),
        new CombiningMessage.Missing(name.get(), epoch(), members()),
        new CombiningMessage.ChainLeft(epoch().afterChain()),
        new CombiningMessage.Credit(random.nextLong(1L << 62)));
  }

  private CombiningMessage.Contribution contribution() {
    boolean complete = random.nextBoolean();
    Value value = complete ? value() : Value.NOTHING;
    boolean hasOutcome = value.equals(Value.NOTHING) && random.nextBoolean();
    return new CombiningMessage.Contribution(
        operation(),
        epoch(),
        complete,
        members(),
        members(),
        value,
        hasOutcome ? outcome() : null,
        random.nextBoolean(),
        random.nextBoolean(),
        patienceMillis(),
        random.nextLong());
  }

  private long patienceMillis() {
    return Math.min(positive.getAsLong() - 1, TakePartCodec.MAX_WAIT_MILLIS);
  }

  private TreeEpoch epoch() {
    return new TreeEpoch(positive.getAsLong(), node.get(), random.nextLong());
  }

  private Operation operation() {
    Kind kind = KINDS.get(random.nextInt(KINDS.size()));
    SortedSet<NodeId> participants = members();
    NodeId hub = hub(kind);
    if (hub != null && !participants.isEmpty()) {
      participants.add(hub);
    }
    Reduction reduction =
        kind == Kind.REDUCE ? REDUCTIONS.get(random.nextInt(REDUCTIONS.size())) : null;
    int minimum = 1 + random.nextInt(Math.max(1, participants.size()));
    Operation operation = new Operation(name.get(), kind, reduction, hub, participants);
    if (!participants.isEmpty() && random.nextInt(3) == 0) {
      GroupView.Id view = new RandomGroups(random, node).view();
      return operation.of(new GroupView(view, participants));
    }
    return withStep(operation.withMinimum(minimum));
  }

  private Operation withStep(Operation operation) {
    if (random.nextBoolean()) {
      return random.nextBoolean()
          ? operation
          : operation.withStep(Step.opening(positive.getAsLong()));
    }
    if (operation.participants().isEmpty()) {
      return operation;
    }
    long number = 1L + random.nextInt(1_000);
    return new Operation(
        "x~a/" + number,
        operation.kind(),
        operation.reduction(),
        operation.hub(),
        operation.participants(),
        operation.minimum(),
        new Step(0, number, 1_000, 1 + random.nextInt(Step.MAX_WINDOW), random.nextBoolean()));
  }

  private @Nullable NodeId hub(Kind kind) {
    boolean isWanted = kind == Kind.SCATTER || (kind != Kind.BARRIER && random.nextBoolean());
    return isWanted ? node.get() : null;
  }

  private SortedSet<NodeId> members() {
    TreeSet<NodeId> members = new TreeSet<>();
    for (int i = random.nextInt(20); i > 0; i--) {
      members.add(node.get());
    }
    return members;
  }

  private Outcome outcome() {
    return random.nextBoolean()
        ? new Outcome.Completed(positive.getAsLong(), members(), value(), choice())
        : new Outcome.Failed(REASONS.get(random.nextInt(REASONS.size())), name.get());
  }

  private Outcome.@Nullable Choice choice() {
    return random.nextBoolean() ? new Outcome.Choice(positive.getAsLong(), members()) : null;
  }

  private Value value() {
    return switch (random.nextInt(5)) {
      case 4 -> {
        ElementType type =
            List.of(ElementType.values()).get(random.nextInt(ElementType.values().length));
        byte[] packed = new byte[type.elementBytes() * random.nextInt(20)];
        random.nextBytes(packed);
        yield Value.Vector.of(type, packed);
      }
      case 0 -> Value.longs(random.longs(random.nextInt(20)).toArray());
      case 1 ->
          Value.doubles(
              random
                  .ints(random.nextInt(20), 0, 2 * EXTREMES.length)
                  .mapToDouble(i -> i < EXTREMES.length ? EXTREMES[i] : random.nextGaussian())
                  .toArray());
      case 2 -> parts();
      default -> Value.NOTHING;
    };
  }

  private Value parts() {
    TreeMap<NodeId, ByteBuffer> parts = new TreeMap<>();
    for (NodeId member : members()) {
      byte[] payload = new byte[random.nextInt(50)];
      random.nextBytes(payload);
      parts.put(member, ByteBuffer.wrap(payload));
    }
    return new Value.Parts(parts);
  }
}
