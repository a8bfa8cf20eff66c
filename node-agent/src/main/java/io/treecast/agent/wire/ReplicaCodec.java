package io.treecast.agent.wire;

import io.treecast.agent.wire.value.ValueCodec;
import io.treecast.agent.wire.value.WireViolation;
import io.treecast.collectives.broadcast.message.EdgeMessage.Replicated;
import io.treecast.collectives.broadcast.message.Replica;
import io.treecast.collectives.broadcast.message.WantedReplicas;
import java.util.ArrayList;
import java.util.List;

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
    if (replicated.getMembersCount() > Replicated.MAX_REPLICAS) {
      throw new WireViolation(
          replicated.getMembersCount()
              + " members that have a broadcast; allowed are "
              + Replicated.MAX_REPLICAS);
    }
    WantedReplicas wanted = wanted(replicated.getReplicas(), replicated.getReplicaMillis());
    if (!wanted.any()) {
      throw new WireViolation("members report a broadcast that requests no replicas");
    }
    List<Replica> replicas = new ArrayList<>(replicated.getMembersCount());
    for (io.treecast.proto.v1.Replica replica : replicated.getMembersList()) {
      replicas.add(new Replica(ValueCodec.nodeId(replica.getMember()), replica.getIncarnation()));
    }
    return new Replicated(ValueCodec.decode(replicated.getMessageId()), wanted, replicas);
  }

  static WantedReplicas wanted(int count, int millis) throws WireViolation {
    if (count == 0 && millis == 0) {
      return WantedReplicas.NONE;
    }
    try {
      return new WantedReplicas(count, millis);
    } catch (IllegalArgumentException e) {
      throw new WireViolation(String.valueOf(e.getMessage()));
    }
  }
}
