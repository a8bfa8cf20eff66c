package io.treecast.agent.wire.value;

import io.treecast.agent.core.message.AnnouncedMember;
import io.treecast.agent.core.message.Member;
import io.treecast.agent.core.message.Membership;
import io.treecast.agent.core.message.NetworkAddresses;
import io.treecast.agent.core.message.PeerMessage.Goodbye;
import io.treecast.collectives.broadcast.message.Confirmation;
import io.treecast.collectives.broadcast.message.MessageId;
import io.treecast.collectives.broadcast.message.StreamId;
import io.treecast.collectives.broadcast.message.Topic;
import io.treecast.ghs.LinkWeight;
import io.treecast.ghs.NodeId;
import io.treecast.mst.CommittedTree;
import io.treecast.proto.v1.NetworkAddress;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Codec of values that several frames share. Checks decoded values, so that the core receives only
 * valid ones.
 */
public final class ValueCodec {
  /** The maximum length of an address, in characters. */
  public static final int MAX_ADDRESS_LENGTH = 300;

  private ValueCodec() {}

  public static io.treecast.proto.v1.LinkWeight encode(LinkWeight weight) {
    return io.treecast.proto.v1.LinkWeight.newBuilder()
        .setCost(weight.cost())
        .setLow(weight.low().toString())
        .setHigh(weight.high().toString())
        .build();
  }

  public static LinkWeight decode(io.treecast.proto.v1.LinkWeight weight) throws WireViolation {
    return Bounds.checked(
        "link weight: ",
        () ->
            new LinkWeight(
                weight.getCost(), NodeId.of(weight.getLow()), NodeId.of(weight.getHigh())));
  }

  public static List<LinkWeight> decodeAll(List<io.treecast.proto.v1.LinkWeight> weights)
      throws WireViolation {
    return Bounds.all("edges", weights, Membership.MAX_MEMBERS - 1, ValueCodec::decode);
  }

  public static io.treecast.proto.v1.CommittedTree encode(CommittedTree tree) {
    io.treecast.proto.v1.CommittedTree.Builder encoded =
        io.treecast.proto.v1.CommittedTree.newBuilder()
            .setVersion(tree.version())
            .setRoot(tree.root().toString());
    tree.edges().forEach(edge -> encoded.addEdges(encode(edge)));
    return encoded.build();
  }

  public static CommittedTree decode(io.treecast.proto.v1.CommittedTree tree) throws WireViolation {
    return Bounds.checked(
        "committed tree: ",
        () ->
            new CommittedTree(
                tree.getVersion(), nodeId(tree.getRoot()), decodeAll(tree.getEdgesList())));
  }

  public static io.treecast.proto.v1.MessageId encode(MessageId id) {
    return io.treecast.proto.v1.MessageId.newBuilder()
        .setOrigin(id.origin().toString())
        .setIncarnation(id.incarnation())
        .setTopic(id.topic())
        .setSequence(id.sequence())
        .setLane(id.lane())
        .build();
  }

  public static io.treecast.proto.v1.Hop encode(Confirmation.Hop hop) {
    NodeId from = hop.from();
    return io.treecast.proto.v1.Hop.newBuilder()
        .setMember(hop.member().toString())
        .setFrom(from == null ? "" : from.toString())
        .setAfterNanos(hop.afterNanos())
        .setErrorNanos(hop.errorNanos())
        .setWithoutSubscriber(!hop.isHandedOver())
        .build();
  }

  public static MessageId decode(io.treecast.proto.v1.MessageId id) throws WireViolation {
    checkSequence(id.getSequence());
    return new MessageId(
        stream(id.getOrigin(), id.getIncarnation(), id.getTopic(), id.getLane()), id.getSequence());
  }

  static void checkSequence(long sequence) throws WireViolation {
    Bounds.within("message sequence %s", sequence, 1, MessageId.MAX_SEQUENCE);
  }

  public static StreamId stream(String origin, long incarnation, String topic, int lane)
      throws WireViolation {
    if (!StreamId.isLane(topic, lane)) {
      throw new WireViolation(
          "lane " + Integer.toUnsignedString(lane) + " of topic '" + topic + "'");
    }
    return new StreamId(nodeId(origin), incarnation, topic(topic), lane);
  }

  public static String topic(String name) throws WireViolation {
    try {
      return Topic.checked(name);
    } catch (IllegalArgumentException e) {
      throw new WireViolation(String.valueOf(e.getMessage()));
    }
  }

  public static io.treecast.proto.v1.Member encode(Member member) {
    return io.treecast.proto.v1.Member.newBuilder()
        .setNodeId(member.id().toString())
        .setAddress(NetworkAddresses.primary(member.address()))
        .addAllNetworks(networks(member.address()))
        .build();
  }

  public static io.treecast.proto.v1.Member encode(AnnouncedMember announced) {
    String site = announced.site();
    return encode(announced.member()).toBuilder()
        .setAbsentMillis(announced.absentMillis())
        .setIncarnation(announced.incarnation())
        .setSite(site == null ? "" : site)
        .build();
  }

  public static AnnouncedMember decode(io.treecast.proto.v1.Member member) throws WireViolation {
    return new AnnouncedMember(
        new Member(
            nodeId(member.getNodeId()), address(member.getAddress(), member.getNetworksList())),
        member.getIncarnation(),
        Bounds.within(
            "a member without contact for %s ms", member.getAbsentMillis(), 0, Long.MAX_VALUE),
        member.getSite().isEmpty() ? null : name("site", member.getSite()));
  }

  public static io.treecast.proto.v1.Goodbye encode(Goodbye announced) {
    return io.treecast.proto.v1.Goodbye.newBuilder()
        .setNodeId(announced.node().toString())
        .setIncarnation(announced.incarnation())
        .setAgoMillis(announced.agoMillis())
        .build();
  }

  public static Goodbye decode(io.treecast.proto.v1.Goodbye goodbye) throws WireViolation {
    return new Goodbye(
        nodeId(goodbye.getNodeId()),
        goodbye.getIncarnation(),
        Bounds.within("a goodbye %s ms ago", goodbye.getAgoMillis(), 0, Long.MAX_VALUE));
  }

  public static NodeId nodeId(String name) throws WireViolation {
    try {
      return NodeId.of(name);
    } catch (IllegalArgumentException e) {
      throw new WireViolation("node id: " + e.getMessage());
    }
  }

  /** Returns the name of a site or cluster, which has the form of a node id. */
  public static String name(String of, String name) throws WireViolation {
    try {
      return NodeId.of(name).toString();
    } catch (IllegalArgumentException e) {
      throw new WireViolation(of + ": " + e.getMessage());
    }
  }

  /**
   * Returns the addresses in named networks; empty if the text is a single address without a name.
   */
  public static List<NetworkAddress> networks(String addresses) {
    List<NetworkAddress> networks = new ArrayList<>();
    if (addresses.indexOf('=') >= 0) {
      NetworkAddresses.byNetwork(addresses)
          .forEach(
              (network, address) ->
                  networks.add(
                      NetworkAddress.newBuilder().setNetwork(network).setAddress(address).build()));
    }
    return networks;
  }

  /** Returns the text of a primary address and the addresses in named networks. */
  public static String address(String primary, List<NetworkAddress> networks) throws WireViolation {
    if (networks.isEmpty()) {
      if (primary.indexOf('=') >= 0) {
        throw new WireViolation("address " + WireViolation.printable(primary) + " names a network");
      }
      return address(primary);
    }
    if (networks.size() > NetworkAddresses.MAX_NETWORKS) {
      throw new WireViolation(
          networks.size() + " networks; allowed are 0 to " + NetworkAddresses.MAX_NETWORKS);
    }
    Map<String, String> byNetwork = new LinkedHashMap<>();
    for (NetworkAddress one : networks) {
      byNetwork.put(one.getNetwork(), address(one.getAddress()));
    }
    String text = NetworkAddresses.text(byNetwork);
    boolean isFirst = networks.get(0).getAddress().equals(primary);
    if (byNetwork.size() < networks.size() || !isFirst || !NetworkAddresses.areDialable(text)) {
      throw new WireViolation("addresses in networks that contradict each other");
    }
    return text;
  }

  public static String address(String address) throws WireViolation {
    Bounds.within("address of %s characters", address.length(), 1, MAX_ADDRESS_LENGTH);
    if (WireViolation.hasControls(address)) {
      throw new WireViolation("address " + address + " has control characters");
    }
    return address;
  }
}
