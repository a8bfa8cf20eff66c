package io.treecast.agent.wire;

import io.treecast.agent.wire.value.Bounds;
import io.treecast.agent.wire.value.ValueCodec;
import io.treecast.agent.wire.value.WireViolation;
import io.treecast.collectives.broadcast.message.EdgeMessage.Replicated;
import io.treecast.collectives.broadcast.message.Replica;
import io.treecast.collectives.broadcast.message.WantedReplicas;

/**
 * Codec of messages about replicas: the members that have a broadcast, and the number that its
 * publisher waits for.
 */
final class ReplicaCodec {
  private ReplicaCodec() {}

  static void encode(Replicated replicated, io.treecast.proto.v1.Replicated.Builder encoded) {
    encoded
        .setMessageId(ValueCodec.encode(replicated.message()))
        .setReplicas(replicated.wanted().count())
        .setReplicaMillis(replicated.wanted().millis());
    for (Replica replica : replicated.replicas()) {
      encoded
          .addMembersBuilder()
          .setMember(replica.member().toString())
          .setIncarnation(replica.incarnation());
    }
  }

  static Replicated decode(io.treecast.proto.v1.Replicated replicated) throws WireViolation {
    WantedReplicas wanted = wanted(replicated.getReplicas(), replicated.getReplicaMillis());
    if (!wanted.any()) {
      throw new WireViolation("members report a broadcast that requests no replicas");
    }
    return new Replicated(
        ValueCodec.decode(replicated.getMessageId()),
        wanted,
        Bounds.all(
            "members that have a broadcast",
            replicated.getMembersList(),
            Replicated.MAX_REPLICAS,
            replica ->
                new Replica(ValueCodec.nodeId(replica.getMember()), replica.getIncarnation())));
  }

  static WantedReplicas wanted(int count, int millis) throws WireViolation {
    return count == 0 && millis == 0
        ? WantedReplicas.NONE
        : Bounds.checked("", () -> new WantedReplicas(count, millis));
  }
}
