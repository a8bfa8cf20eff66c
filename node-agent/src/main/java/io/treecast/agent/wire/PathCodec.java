package io.treecast.agent.wire;

import io.treecast.agent.core.message.NetworkAddresses;
import io.treecast.agent.core.message.PeerMessage.JoinPath;
import io.treecast.agent.core.message.PeerMessage.NamePaths;
import io.treecast.agent.core.message.PeerMessage.PathAck;
import io.treecast.agent.core.message.PeerMessage.PathMessage;
import io.treecast.agent.core.message.PeerMessage.PathProbe;
import io.treecast.agent.core.message.PeerMessage.PathReply;
import io.treecast.agent.core.message.PeerMessage.UsePath;
import io.treecast.agent.wire.value.ValueCodec;
import io.treecast.agent.wire.value.WireViolation;
import io.treecast.proto.v1.PathFrame;

/** Codec of messages about the paths of a control stream. Stateless. */
final class PathCodec {
  private PathCodec() {}

  static PathFrame encode(PathMessage message) {
    PathFrame.Builder frame = PathFrame.newBuilder();
    if (message instanceof NamePaths names) {
      frame.getNamePathsBuilder().setLink(names.link()).setNetwork(names.network());
    } else if (message instanceof JoinPath join) {
      frame
          .getJoinPathBuilder()
          .setNodeId(join.node().toString())
          .setIncarnation(join.incarnation())
          .setLink(join.link())
          .setNetwork(join.network());
    } else if (message instanceof PathProbe probe) {
      frame.getProbeBuilder().setNumber(probe.number()).setReceived(probe.received());
    } else if (message instanceof PathReply reply) {
      frame.getReplyBuilder().setNumber(reply.number()).setReceived(reply.received());
    } else if (message instanceof UsePath use) {
      frame
          .getUsePathBuilder()
          .setChange(use.change())
          .setFrom(use.from())
          .setReceived(use.received())
          .setFollows(use.follows());
    } else if (message instanceof PathAck ack) {
      frame.getAckBuilder().setReceived(ack.received());
    }
    return frame.build();
  }

  static PathMessage decode(PathFrame frame) throws WireViolation {
    return switch (frame.getBodyCase()) {
      case NAME_PATHS ->
          new NamePaths(frame.getNamePaths().getLink(), network(frame.getNamePaths().getNetwork()));
      case JOIN_PATH ->
          new JoinPath(
              ValueCodec.nodeId(frame.getJoinPath().getNodeId()),
              frame.getJoinPath().getIncarnation(),
              frame.getJoinPath().getLink(),
              network(frame.getJoinPath().getNetwork()));
      case PROBE -> new PathProbe(frame.getProbe().getNumber(), frame.getProbe().getReceived());
      case REPLY -> new PathReply(frame.getReply().getNumber(), frame.getReply().getReceived());
      case USE_PATH ->
          new UsePath(
              frame.getUsePath().getChange(),
              frame.getUsePath().getFrom(),
              frame.getUsePath().getReceived(),
              frame.getUsePath().getFollows());
      case ACK -> new PathAck(frame.getAck().getReceived());
      case BODY_NOT_SET -> throw new WireViolation("path frame without a known body");
    };
  }

  private static String network(String name) throws WireViolation {
    if (!name.isEmpty() && !NetworkAddresses.isName(name)) {
      throw new WireViolation(
          "the name of a network has "
              + name.length()
              + " characters; allowed are "
              + NetworkAddresses.NAMES);
    }
    return name;
  }
}
