package io.treecast.agent.core.message;

import io.treecast.collectives.broadcast.message.Chunk;
import io.treecast.ghs.NodeId;
import io.treecast.ghs.TreeMessage;
import io.treecast.monitor.probe.ProbePolicy;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A message between agents on a link's control stream. Immutable. */
public sealed interface PeerMessage {
  /**
   * Returns the message to send in place of this one, which leaves later than at the time that its
   * sender had for it. Messages that carry times say when they leave; the others are the same.
   *
   * @param lateNanos at least 0
   */
  default PeerMessage leaving(long lateNanos) {
    return this;
  }

  /** The version of the protocol between agents; agents of different versions do not link. */
  long PROTOCOL_VERSION = 9;

  /**
   * The first message in both directions.
   *
   * @param node the sender
   * @param incarnation the sender's incarnation, higher than at every earlier start of its agent
   * @param address the address at which the sender accepts connections: HOST:PORT, or {@link
   *     NetworkAddresses} for several networks
   * @param site the name of the sender's site; null if none is configured
   * @param cluster the name of the sender's cluster; empty if none is configured
   * @param measuresThroughput whether the sender measures throughput, and takes its turns at it
   * @param chunkBytes the size of the chunks into which the sender divides payloads; 0 if unknown
   */
  record Hello(
      NodeId node,
      long incarnation,
      String address,
      @Nullable String site,
      String cluster,
      boolean measuresThroughput,
      int chunkBytes)
      implements PeerMessage {
    /**
     * Creates the Hello of an agent without a configured site or cluster, and with an unknown chunk
     * size.
     */
    public Hello(NodeId node, long incarnation, String address) {
      this(node, incarnation, address, null, "", true, 0);
    }
  }

  /**
   * A {@link Hello} with another version of the protocol. Only the fields common to all versions
   * are decoded.
   *
   * @param version the sender's version; 0 if unknown
   * @param node the sender's id, for people
   * @param address the address at which the sender claims to accept connections, for people
   */
  record OtherHello(long version, String node, String address) implements PeerMessage {}

  /**
   * Sent by the link's owner, its end with the lower id: this connection becomes the link. On an
   * open link it begins the next session, and the other end echoes it.
   *
   * @param session the number of the session of this link
   */
  record OpenLink(long session) implements PeerMessage {}

  /**
   * Refuses or ends the link. The sender closes the connection.
   *
   * @param cause the cause, for the receiver's agent
   * @param reason the reason, for people
   * @param holderIncarnation with {@link RefusalCause#DUPLICATE_ID}, the incarnation of the live
   *     agent that has the receiver's id; 0 if unknown
   */
  record RefuseLink(RefusalCause cause, String reason, long holderIncarnation)
      implements PeerMessage {
    /** Creates a refusal without the incarnation of another agent. */
    public RefuseLink(RefusalCause cause, String reason) {
      this(cause, reason, 0);
    }
  }

  /** The cause for which a connection does not become a link, or a link ends. */
  enum RefusalCause {
    ALREADY_LINKED,
    DUPLICATE_ID,
    UNEXPECTED_MEMBER,
    PROTOCOL_VIOLATION,
    /** The sender has its maximum number of links. */
    FULL,
    /** Neither end wants the link any longer. */
    NOT_NEEDED,
    /** The two agents belong to different clusters. */
    OTHER_CLUSTER,
    /** The sender is checking whether another agent with the receiver's id is still alive. */
    LIVENESS_CHECK,
    /** The two agents have different versions of the protocol. */
    OTHER_VERSION,
    /** The two agents differ in a setting that must be the same at all agents. */
    OTHER_SETTINGS,
    /** Control messages pass between the two agents, and data does not. */
    NO_DATA
  }

  /**
   * Members that the sender knows.
   *
   * @param members all known members, or those that the receiver may lack
   * @param goodbyes the goodbyes of members that have left, and that the sender has dropped
   * @param digest a digest of the sender and all members that it knows; equal at agents that know
   *     the same members
   */
  record Members(List<AnnouncedMember> members, List<Goodbye> goodbyes, long digest)
      implements PeerMessage {
    public Members {
      members = List.copyOf(members);
      goodbyes = List.copyOf(goodbyes);
    }
  }

  /**
   * Announces whether the sender wants the link. Without an announcement it does. A link that
   * neither end wants is ended when room is needed for others.
   *
   * @param wanted whether the sender wants the link from now on
   */
  record LinkWanted(boolean wanted) implements PeerMessage {}

  /**
   * The members with which the sender is linked.
   *
   * @param members the members, nearest first, at most {@link #MAX_COUNT}
   */
  record LinkedMembers(List<Nearby> members) implements PeerMessage {
    /** The maximum number of members in a message. */
    public static final int MAX_COUNT = 64;

    public LinkedMembers {
      members = List.copyOf(members);
    }
  }

  /**
   * The goodbye of a member that has shut down, and has sent Leave to another member.
   *
   * @param node the member's id
   * @param incarnation the incarnation that has left
   * @param agoMillis the time since it left, in milliseconds, at least 0
   */
  record Goodbye(NodeId node, long incarnation, long agoMillis) {}

  /** Announces that the sender's agent is shutting down. */
  record Leave() implements PeerMessage {}

  /**
   * Requests an immediate {@link ProbeReply}.
   *
   * @param number the probe's number, unique within the link
   * @param nextMillis the time until the next probe, in milliseconds
   * @param rttMicros the minimum of the recent round trips; 0 if none is known yet
   * @param probesAllLinks whether the receiver must probe all its neighbours as well, because an
   *     edge of the tree seems to be dead
   * @param weight the link's new weight, if its announcement could wait for a probe; or null
   * @param dataAck the data that the sender has received on the data stream; null while no stream
   *     is attached
   * @param isBusy whether the sender lacks processor time, and so announces the link's first weight
   *     later
   * @param delayedNanos the time from the beginning of the round trip until the probe left, 0 to
   *     {@link #MAX_LATE_NANOS}
   */
  record Probe(
      long number,
      long nextMillis,
      long rttMicros,
      boolean probesAllLinks,
      @Nullable WeightUpdate weight,
      @Nullable DataAck dataAck,
      boolean isBusy,
      long delayedNanos)
      implements PeerMessage {
    /** Creates a probe of a link without a data stream, sent by an agent that is not busy. */
    public Probe(
        long number,
        long nextMillis,
        long rttMicros,
        boolean probesAllLinks,
        @Nullable WeightUpdate weight) {
      this(number, nextMillis, rttMicros, probesAllLinks, weight, null, false, 0);
    }

    @Override
    public Probe leaving(long lateNanos) {
      return new Probe(
          number,
          nextMillis,
          rttMicros,
          probesAllLinks,
          weight,
          dataAck,
          isBusy,
          Math.min(lateNanos, MAX_LATE_NANOS));
    }
  }

  /**
   * The data that the sender has received on the data stream of a link.
   *
   * @param stream the stream's number, at least 1
   * @param messages the number of messages received after AttachData, at least 0
   */
  record DataAck(long stream, long messages) {}

  /**
   * Answers a {@link Probe}.
   *
   * @param number the probe's number
   * @param clockNanos the sender's clock
   * @param heldNanos the time since the probe arrived, and its own delay before it left, at least 0
   * @param lateNanos the sender's greatest recent lateness, 0 to {@link #MAX_LATE_NANOS}
   * @param dataAck as in a probe
   */
  record ProbeReply(
      long number, long clockNanos, long heldNanos, long lateNanos, @Nullable DataAck dataAck)
      implements PeerMessage {
    /** Creates the reply of a punctual sender without a data stream. */
    public ProbeReply(long number, long clockNanos) {
      this(number, clockNanos, 0, 0, null);
    }

    @Override
    public ProbeReply leaving(long lateNanos) {
      return new ProbeReply(
          number, clockNanos + lateNanos, heldNanos + lateNanos, this.lateNanos, dataAck);
    }
  }

  /**
   * Sent by the end that does not own the link: requests an immediate {@link HeartbeatReply}.
   *
   * @param nextMillis the time until the next heartbeat, in milliseconds; 0 if none follows
   * @param probesAllLinks as in a {@link Probe}
   * @param clockNanos the sender's clock
   * @param echo the echo of the latest reply in this session; null before the first
   * @param lateNanos the sender's greatest recent lateness, 0 to {@link #MAX_LATE_NANOS}
   */
  record Heartbeat(
      long nextMillis,
      boolean probesAllLinks,
      long clockNanos,
      @Nullable ClockEcho echo,
      long lateNanos)
      implements PeerMessage {
    /** Creates the heartbeat of a punctual sender. */
    public Heartbeat(
        long nextMillis, boolean probesAllLinks, long clockNanos, @Nullable ClockEcho echo) {
      this(nextMillis, probesAllLinks, clockNanos, echo, 0);
    }

    @Override
    public Heartbeat leaving(long lateNanos) {
      ClockEcho later =
          echo == null ? null : new ClockEcho(echo.clockNanos(), echo.heldNanos() + lateNanos);
      return new Heartbeat(
          nextMillis, probesAllLinks, clockNanos + lateNanos, later, this.lateNanos);
    }
  }

  /**
   * The echo of a {@link HeartbeatReply}.
   *
   * @param clockNanos the clock of the reply's sender
   * @param heldNanos the time since the reply arrived, at least 0
   */
  record ClockEcho(long clockNanos, long heldNanos) {}

  /**
   * Answers a {@link Heartbeat}.
   *
   * @param nextMillis as in the heartbeat
   * @param clockNanos the sender's clock
   */
  record HeartbeatReply(long nextMillis, long clockNanos) implements PeerMessage {
    @Override
    public HeartbeatReply leaving(long lateNanos) {
      return new HeartbeatReply(nextMillis, clockNanos + lateNanos);
    }
  }

  /** The greatest lateness that an agent reports: an hour. */
  long MAX_LATE_NANOS = 3_600_000_000_000L;

  /** The longest time until the next probe or heartbeat, in milliseconds. */
  long MAX_NEXT_MILLIS = ProbePolicy.MAX_STEADY_INTERVAL.toMillis();

  /**
   * Sent by the link's owner: announces the link's weight.
   *
   * @param version the number of the weight within a session, from 1
   * @param rttMicros the quantised round-trip time, microseconds
   */
  record WeightUpdate(long version, long rttMicros) implements PeerMessage {}

  /**
   * Passes the token of a clique to the receiver, whose turn it is to measure throughput.
   *
   * @param generation the generation of the token, from 1
   * @param founder the agent that created the token
   */
  record PassToken(long generation, NodeId founder) implements PeerMessage {}

  /** Sent by the end that does not own the link: reports that the owner is silent. */
  record SuspendLink() implements PeerMessage {}

  /**
   * Sent by the link's owner: announces the link's throughput. The other end echoes the first
   * announcement of a session when it adds the link to the tree by throughput.
   *
   * @param version the number of the announcement within a session, from 1
   * @param step the step of {@link io.treecast.monitor.throughput.BandwidthWeight}
   * @param rttMicros the round-trip time, which decides between equally fast links, microseconds
   */
  record ThroughputUpdate(long version, int step, long rttMicros) implements PeerMessage {}

  /**
   * Sent from child to parent in the committed tree: the capacity for uploads of the sender's
   * subtree, on the ring of all members and on the tree. An offer replaces the previous one.
   *
   * @param treeVersion the version of the committed tree
   * @param ringKbps the throughput of the slowest link on the ring, in kbit/s; 0 if the ring is
   *     broken in the subtree, or a member of it has no measurement
   * @param rttMicros the sum of the round trips of all links on the ring; at most {@link
   *     #MAX_RTT_MICROS}
   * @param treeKbps the least rate, in kbit/s, at which a member forwards uploads on the tree when
   *     it divides its uplink among its neighbours; 0 if unknown
   * @param loan the loan requested by a member of the subtree; null if none needs one
   */
  record RingOffer(
      long treeVersion, long ringKbps, long rttMicros, long treeKbps, @Nullable UploadLoan loan)
      implements PeerMessage {
    /** Longer than the sum on any ring. */
    public static final long MAX_RTT_MICROS = 1L << 50;
  }

  /**
   * Sent from parent to child in the committed tree: announces whether uploads use the ring.
   *
   * @param treeVersion the version of the committed tree
   * @param used whether uploads use the ring
   * @param loan the loan granted to one member; null if no member has it
   */
  record RingVerdict(long treeVersion, boolean used, @Nullable UploadLoan loan)
      implements PeerMessage {}

  /**
   * The right to fill more than a member's share of the logs with uploads.
   *
   * @param member the borrower
   * @param number the number of its request, from 1
   */
  record UploadLoan(NodeId member, long number) {}

  /**
   * A copy, sent ahead of the tree, of a message that the sender has published. The receiver gets
   * the message along the tree as well.
   *
   * @param message the whole message, which is {@linkplain
   *     io.treecast.collectives.broadcast.ShortcutReceiver#isSmall small}
   */
  record ShortcutCopy(Chunk message) implements PeerMessage {}

  /**
   * Acknowledges {@link ShortcutCopy} messages, and grants credit for as many further bytes.
   *
   * @param bytes their approximate size on the wire, at least 1
   */
  record ShortcutAck(long bytes) implements PeerMessage {}

  /**
   * A message of a tree automaton.
   *
   * @param message the automaton's message
   * @param metric the tree to which it belongs
   */
  record Tree(TreeMessage message, TreeMetric metric) implements PeerMessage {
    /** Creates a message of the tree that carries broadcasts. */
    public Tree(TreeMessage message) {
      this(message, TreeMetric.LATENCY);
    }
  }

  /**
   * A message between the ends of a control stream about its paths. Once both ends have sent {@link
   * NamePaths}, each end counts the other messages of the stream, from 1.
   */
  sealed interface PathMessage extends PeerMessage {}

  /**
   * Sent by the end that dialed the stream after it has received Hello: further networks of the
   * other end may carry the stream. The other end echoes it.
   *
   * @param link the stream's number, unique within the dialer's incarnation
   * @param network the name of the network that the connection uses; empty if it has none
   */
  record NamePaths(long link, String network) implements PathMessage {}

  /**
   * The first message, in both directions, on a further connection of a control stream.
   *
   * @param node the sender
   * @param incarnation the sender's incarnation
   * @param link the number that the dialer gave to the stream
   * @param network as in {@link NamePaths}
   */
  record JoinPath(NodeId node, long incarnation, long link, String network)
      implements PathMessage {}

  /**
   * Requests a {@link PathReply} on the same connection.
   *
   * @param number the probe's number
   * @param received the number of the stream's messages that the sender has received
   */
  record PathProbe(long number, long received) implements PathMessage {}

  /**
   * Answers a {@link PathProbe}.
   *
   * @param number the probe's number
   * @param received as in the probe
   */
  record PathReply(long number, long received) implements PathMessage {}

  /**
   * Announces that the sender's further messages come on this connection.
   *
   * @param change the number of the sender's change of connection, from 1; it orders changes, since
   *     connections overtake each other
   * @param from the number of the next message, which the receiver may already have
   * @param received the number of the stream's messages that the sender has received
   * @param follows whether the sender follows a choice of the other end
   */
  record UsePath(long change, long from, long received, boolean follows) implements PathMessage {}

  /**
   * Acknowledges messages of the stream, so that the receiver can drop them.
   *
   * @param received the number of the stream's messages that the sender has received
   */
  record PathAck(long received) implements PathMessage {}
}
