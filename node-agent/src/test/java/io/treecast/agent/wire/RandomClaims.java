package io.treecast.agent.wire;

import io.treecast.agent.core.message.DataMessage.ClaimParcel;
import io.treecast.collectives.claim.ClaimKey;
import io.treecast.collectives.claim.ClaimMessage.Accepted;
import io.treecast.collectives.claim.ClaimMessage.Available;
import io.treecast.collectives.claim.ClaimMessage.Inquire;
import io.treecast.collectives.claim.ClaimMessage.Propose;
import io.treecast.collectives.claim.ClaimMessage.Refused;
import io.treecast.collectives.claim.ClaimMessage.Release;
import io.treecast.collectives.claim.ClaimMessage.Voted;
import io.treecast.collectives.claim.Owner;
import io.treecast.collectives.claim.RefusalCause;
import io.treecast.ghs.NodeId;
import java.util.List;
import java.util.Random;
import java.util.function.Supplier;
import java.util.stream.Stream;

/** Random messages about claims, with all fields in their ranges. */
final class RandomClaims {
  private final Random random;
  private final Supplier<NodeId> node;

  RandomClaims(Random random, Supplier<NodeId> node) {
    this.random = random;
    this.node = node;
  }

  List<ClaimParcel> oneOfEachKind() {
    return Stream.of(
            new Propose(
                key(),
                owner(),
                number(),
                number(),
                number(),
                number(),
                number(),
                random.nextBoolean()),
            new Release(key(), owner(), number(), number()),
            new Inquire(key(), number()),
            new Accepted(key(), owner(), number()),
            new Refused(
                key(),
                owner(),
                number(),
                List.of(RefusalCause.values()).get(random.nextInt(RefusalCause.values().length)),
                number(),
                number(),
                number()),
            new Available(key(), owner()),
            new Voted(
                key(),
                number(),
                random.nextBoolean() ? owner() : null,
                number(),
                number(),
                random.nextInt(100)))
        .map(
            message ->
                new ClaimParcel(
                    node.get(), node.get(), random.nextInt(ClaimParcel.MAX_HOPS + 1), message))
        .toList();
  }

  private ClaimKey key() {
    return ClaimKey.of(
        "claim " + random.nextInt(),
        Stream.generate(node).limit(1 + random.nextInt(ClaimKey.MAX_MEMBERS)).toList(),
        random.nextBoolean());
  }

  private Owner owner() {
    return new Owner(node.get(), number(), number());
  }

  private long number() {
    return random.nextInt(Integer.MAX_VALUE);
  }
}
