package io.treecast.agent.core.message;

import io.treecast.collectives.broadcast.message.Chunk;
import io.treecast.ghs.NodeId;
import io.treecast.ghs.TreeMessage;
import io.treecast.monitor.probe.ProbePolicy;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A message between agents on a link's control stream. Immutable. */
public sealed interface PeerMessage {
  /** The version of the protocol between agents; agents of different versions do not link. */
  long PROTOCOL_VERSION = 8;

  /**
   * First in both directions.
   *
   * @param node the sender
   * @param incarnation higher than at every earlier start of the sender's agent
   * @param address where the sender accepts connections: HOST:PORT, or {@link NetworkAddresses} in
   *     several networks
   * @param site the name of the sender's site; null if none is configured
   * @param cluster the name of the sender's cluster; empty if none is configured
   * @param measuresThroughput whether the sender does, and so takes turns at it
   * @param chunkBytes the size of the chunks into which the sender cuts payloads; 0 if it does not
   *     say
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
     * Creates the Hello of an agent without configured site or cluster, and without a size of
     * chunks.
     */
    public Hello(NodeId node, long incarnation, String address) {
      this(node, incarnation, address, null, "", true, 0);
    }
  }

  /**
   * A {@link Hello} of another version of the protocol, of which only the parts common to all
   * versions are read.
   *
   * @param version the sender's; 0 if it does not say
   * @param node the sender's id, for people
   * @param address where the sender claims to accept connections, for people
   */
  record OtherHello(long version, String node, String address) implements PeerMessage {}

  /**
   * From the link's owner, its end with the lower id: this connection is the link now. On a link
   * that is open: its next session begins here; the other end answers with the same.
   *
   * @param session counts the sessions of this link
   */
  record OpenLink(long session) implements PeerMessage {}

  /**
   * The connection ends here.
   *
   * @param cause why, for the receiver's agent
   * @param reason why, for people
   * @param holderIncarnation with {@link RefusalCause#DUPLICATE_ID} the incarnation of the live
   *     agent that has the receiver's id; 0 if the sender does not say
   */
  record RefuseLink(RefusalCause cause, String reason, long holderIncarnation)
      implements PeerMessage {
    /** Creates a refusal without the incarnation of another agent. */
    public RefuseLink(RefusalCause cause, String reason) {
      this(cause, reason, 0);
    }
  }

  /** The cause why a connection does not become a link. */
  enum RefusalCause {
    ALREADY_LINKED,
    DUPLICATE_ID,
    UNEXPECTED_MEMBER,
    PROTOCOL_VIOLATION,
    /** The sender has as many links as it may have. */
    FULL,
    /** Neither end wants the link any more. */
    NOT_NEEDED,
    /** The two agents are of different clusters. */
    OTHER_CLUSTER,
    /** The sender is checking whether the agent that had the receiver's name is still there. */
    NAME_IN_DOUBT,
    /** The two agents speak different versions of the protocol. */
    OTHER_VERSION,
    /** A setting that must be the same at all agents differs. */
    OTHER_SETTINGS,
    /** Control passes between the two agents and data does not. */
    NO_DATA
  }

  /**
   * Members that the sender knows.
   *
   * @param members all of them, or those that the receiver may lack
   * @param goodbyes of members that have left and that the sender does not know any more
   * @param digest of all that the sender knows and itself: the same for agents that know the same
   *     members
   */
  record Members(List<ToldMember> members, List<Goodbye> goodbyes, long digest)
      implements PeerMessage {
    public Members {
      members = List.copyOf(members);
      goodbyes = List.copyOf(goodbyes);
    }
  }

  /**
   * Whether the sender wants the link; at first it does. A link that neither end wants is ended
   * when its place is needed.
   *
   * @param wanted whether it does from now on
   */
  record LinkWanted(boolean wanted) implements PeerMessage {}

  /**
   * The members with which the sender is linked.
   *
   * @param members the nearest first, {@link #MAX_COUNT} at most
   */
  record LinkedMembers(List<Nearby> members) implements PeerMessage {
    /** The most members in a message. */
    public static final int MAX_COUNT = 64;

    public LinkedMembers {
      members = List.copyOf(members);
    }
  }

  /**
   * A member that has left on purpose, and said goodbye to some member.
   *
   * @param node which
   * @param incarnation which of its incarnations
   * @param agoMillis how long ago, milliseconds, at least 0
   */
  record Goodbye(NodeId node, long incarnation, long agoMillis) {}

  /** The sender's agent is shutting down on purpose. */
  record Leave() implements PeerMessage {}

  /**
   * Asks for a {@link ProbeReply} at once.
   *
   * @param number distinguishes the probes of one link
   * @param nextMillis after how many milliseconds the next one follows
   * @param rttMicros the least recent round trip; 0 if that is not known yet
   * @param callsRoll whether the receiver is to ask all its neighbours, too, since an edge of the
   *     tree seems to be dead
   * @param weight the link's weight from now on, where that can wait for a probe; or null
   * @param dataHeard how far the sender has received on the data stream; null while none is
   *     attached
   * @param isBusy whether the sender lacks processor time, and therefore takes longer to announce
   *     the first weight of the link
   */
  record Probe(
      long number,
      long nextMillis,
      long rttMicros,
      boolean callsRoll,
      @Nullable WeightUpdate weight,
      @Nullable DataHeard dataHeard,
      boolean isBusy)
      implements PeerMessage {
    /** Creates a probe of a link without a data stream, by an agent with processor time. */
    public Probe(
        long number,
        long nextMillis,
        long rttMicros,
        boolean callsRoll,
        @Nullable WeightUpdate weight) {
      this(number, nextMillis, rttMicros, callsRoll, weight, null, false);
    }
  }

  /**
   * How far the sender has received on the data stream of a link.
   *
   * @param stream the stream's number, at least 1
   * @param messages how many came after AttachData, at least 0
   */
  record DataHeard(long stream, long messages) {}

  /**
   * Answers a {@link Probe}.
   *
   * @param number the probe's
   * @param clockNanos the sender's clock
   * @param heldNanos how long ago the probe arrived, at least 0
   * @param lateNanos the sender's greatest recent lateness, 0 to {@link #MAX_LATE_NANOS}
   * @param dataHeard as in a probe
   */
  record ProbeReply(
      long number, long clockNanos, long heldNanos, long lateNanos, @Nullable DataHeard dataHeard)
      implements PeerMessage {
    /** Creates the reply of a punctual sender without a data stream. */
    public ProbeReply(long number, long clockNanos) {
      this(number, clockNanos, 0, 0, null);
    }
  }

  /**
   * From the end that does not own the link: asks for a {@link HeartbeatReply} at once.
   *
   * @param nextMillis after how many milliseconds the next one follows; 0 if none does
   * @param callsRoll as in a {@link Probe}
   * @param clockNanos the sender's clock
   * @param echo the latest reply in this session; null before the first
   * @param lateNanos the sender's greatest recent lateness, 0 to {@link #MAX_LATE_NANOS}
   */
  record Heartbeat(
      long nextMillis, boolean callsRoll, long clockNanos, @Nullable ClockEcho echo, long lateNanos)
      implements PeerMessage {
    /** Creates the heartbeat of a punctual sender. */
    public Heartbeat(
        long nextMillis, boolean callsRoll, long clockNanos, @Nullable ClockEcho echo) {
      this(nextMillis, callsRoll, clockNanos, echo, 0);
    }
  }

  /**
   * The echo of a {@link HeartbeatReply}.
   *
   * @param clockNanos its sender's clock
   * @param heldNanos how long ago it arrived, at least 0
   */
  record ClockEcho(long clockNanos, long heldNanos) {}

  /**
   * Answers a {@link Heartbeat}.
   *
   * @param nextMillis as in the heartbeat
   * @param clockNanos the sender's clock
   */
  record HeartbeatReply(long nextMillis, long clockNanos) implements PeerMessage {}

  /** The greatest lateness that an agent reports: an hour. */
  long MAX_LATE_NANOS = 3_600_000_000_000L;

  /** Longest time, in milliseconds, after which a probe or a heartbeat follows. */
  long MAX_NEXT_MILLIS = ProbePolicy.MAX_STEADY_INTERVAL.toMillis();

  /**
   * From the link's owner: the link's weight.
   *
   * @param version counts the link's weights within a session, from 1
   * @param rttMicros the quantised round-trip time, microseconds
   */
  record WeightUpdate(long version, long rttMicros) implements PeerMessage {}

  /**
   * Hands the turn in its clique to the receiver.
   *
   * @param generation of the token, from 1
   * @param founder the agent that made it
   */
  record PassToken(long generation, NodeId founder) implements PeerMessage {}

  /** From the end that does not own the link: the owner is silent. */
  record SuspendLink() implements PeerMessage {}

  /**
   * From the link's owner: the link's throughput. The other end echoes the first of a session when
   * it takes the link into the tree by bandwidth.
   *
   * @param version counts them within a session, from 1
   * @param step of {@link io.treecast.monitor.throughput.BandwidthWeight}
   * @param rttMicros the round-trip time that decides between equally fast links, microseconds
   */
  record ThroughputUpdate(long version, int step, long rttMicros) implements PeerMessage {}

  /**
   * From child to parent in the committed tree: what uploads find in the sender's subtree, on the
   * ring of all members and on the tree. An offer takes the place of the one before.
   *
   * @param treeVersion of the committed tree
   * @param ringKbps the slowest link on the ring, in kilobits a second; 0 if the ring is broken
   *     here, or somebody cannot tell
   * @param rttMicros the round trips of all links on the ring, together; at most {@link
   *     #MAX_RTT_MICROS}
   * @param treeKbps what the member with the least share of its uplink for each neighbour passes
   *     on; 0 if that is not known
   * @param loan requested by a member of the subtree; null if none needs one
   */
  record RingOffer(
      long treeVersion, long ringKbps, long rttMicros, long treeKbps, @Nullable RingLoan loan)
      implements PeerMessage {
    /** More than any ring takes. */
    public static final long MAX_RTT_MICROS = 1L << 50;
  }

  /**
   * From parent to child in the committed tree: whether uploads go round the ring.
   *
   * @param treeVersion of the committed tree
   * @param loan granted to one member; null if no member has it
   */
  record RingVerdict(long treeVersion, boolean used, @Nullable RingLoan loan)
      implements PeerMessage {}

  /**
   * The right to have more uploads in the logs than the share of a member.
   *
   * @param member the borrower
   * @param number counts its requests, from 1
   */
  record RingLoan(NodeId member, long number) {}

  /**
   * A message that the sender has published, sent ahead of the tree: the receiver gets it along the
   * tree, too.
   *
   * @param message whole and {@linkplain io.treecast.collectives.broadcast.AheadOfTree#isSmall
   *     small}
   */
  record Ahead(Chunk message) implements PeerMessage {}

  /**
   * Acknowledges messages that were sent {@link Ahead}, and grants as many bytes more.
   *
   * @param bytes about their size on the wire, at least 1
   */
  record AheadHeard(long bytes) implements PeerMessage {}

  /**
   * A message of a tree automaton.
   *
   * @param message the automaton's
   * @param metric of which tree
   */
  record Tree(TreeMessage message, TreeMetric metric) implements PeerMessage {
    /** Creates a message of the tree that carries broadcasts. */
    public Tree(TreeMessage message) {
      this(message, TreeMetric.LATENCY);
    }
  }

  /**
   * A message between the ends of a control stream about the paths that carry it. The other
   * messages of the stream are counted at both ends, from 1, once both have sent {@link NamePaths}.
   */
  sealed interface OfPath extends PeerMessage {}

  /**
   * From the end that dialed the stream, when it has the other end's Hello: others of that end's
   * networks may carry the stream, too. The other end answers with the same.
   *
   * @param link a number that no other stream of the dialer's incarnation has
   * @param network the name of the network that the connection uses; empty if it has none
   */
  record NamePaths(long link, String network) implements OfPath {}

  /**
   * First on a further connection of a control stream, in both directions.
   *
   * @param node the sender
   * @param incarnation the sender's
   * @param link the number that the dialer has given to the stream
   * @param network as in {@link NamePaths}
   */
  record JoinPath(NodeId node, long incarnation, long link, String network) implements OfPath {}

  /**
   * Asks for a {@link PathReply} on the same connection.
   *
   * @param number of the probe
   * @param received how many of the stream's messages the sender has
   */
  record PathProbe(long number, long received) implements OfPath {}

  /**
   * Answers a {@link PathProbe}.
   *
   * @param number of the probe
   * @param received as in the probe
   */
  record PathReply(long number, long received) implements OfPath {}

  /**
   * From now on the sender's messages come on this connection.
   *
   * @param change counts the sender's changes, from 1, since connections overtake each other
   * @param from the number of the next one, which the receiver may have already
   * @param received how many of the stream's messages the sender has
   * @param follows whether the other end has chosen this connection
   */
  record UsePath(long change, long from, long received, boolean follows) implements OfPath {}

  /**
   * Confirms messages of the stream, so that the receiver need not keep them.
   *
   * @param received how many of the stream's messages the sender has
   */
  record PathHeard(long received) implements OfPath {}
}
