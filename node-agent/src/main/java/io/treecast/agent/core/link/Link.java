package io.treecast.agent.core.link;

import io.treecast.agent.core.contract.Connection;
import io.treecast.agent.core.message.DataMessage;
import io.treecast.agent.core.message.PeerMessage;
import io.treecast.ghs.LinkWeight;
import io.treecast.ghs.NodeId;
import io.treecast.monitor.probe.ClockDifference;
import io.treecast.monitor.probe.LinkProbe;
import io.treecast.monitor.probe.LinkQualityMeter;
import io.treecast.monitor.probe.RoundTripForecast;
import io.treecast.monitor.probe.SilenceDetector;
import io.treecast.monitor.throughput.OwnTraffic;
import io.treecast.monitor.throughput.ThroughputExpectation;
import io.treecast.monitor.throughput.ThroughputForecast;
import io.treecast.monitor.throughput.TransferThroughput;
import io.treecast.monitor.weight.SignificantWeight;
import java.util.ArrayDeque;
import org.jspecify.annotations.Nullable;

/**
 * The link to a neighbour, on one connection. One connection may carry several successive sessions.
 */
public final class Link {
  /** An agreed weight, and the time of the agreement. */
  public record Agreed(long weight, long sinceNanos) {}

  /** The maximum number of remembered weights of a link. */
  static final int MAX_REMEMBERED_WEIGHTS = 8;

  public final NodeId peer;
  public final String address;
  public final long incarnation;

  /** The name of the other end's site; null if none is configured. */
  public final @Nullable String site;

  /** Whether the other end measures throughput. */
  public final boolean peerMeasuresThroughput;

  public final Connection<PeerMessage> control;

  /**
   * The check of the other end, since another agent has dialed with the same id; null without one.
   */
  public @Nullable LivenessCheck livenessCheck;

  /** The address at which this end dialed the other; null if the other end dialed. */
  public @Nullable String dialedAddress;

  /** When the link opened. */
  long openedNanos;

  /**
   * Whether a message has arrived on the link, which shows that it is open at the other end as
   * well.
   */
  boolean hasReceived;

  /** The first session of the connection. */
  public final long firstSession;

  /** The open session, or the last one. */
  public long session;

  /**
   * Whether the link is suspended because the other end is silent. The session has ended, and the
   * connection may recover.
   */
  public boolean suspended;

  /** The reason of the suspension; valid while suspended. */
  public String suspendedReason = "";

  /** The time of the suspension; valid while suspended. */
  public long suspendedNanos;

  /** Whether the other end has been silent for almost long enough to suspend the link. */
  public boolean suspected;

  /** The deadline for the recovery of the connection; valid while suspended. */
  public long suspendedUntilNanos;

  public final SilenceDetector silence;

  /** At the owner: the difference between the other end's clock and this one's. */
  public final ClockDifference clock = new ClockDifference();

  /** Present at the owner, the end with the lower id. */
  public @Nullable LinkProbe probe;

  /** At the owner: the last probe of a close look. */
  public long closeLookUntil;

  /** At the owner: the last probe of a brisk phase after an upload over the link. */
  public long watchedUntil;

  /** At the other end: when a heartbeat is due; {@link Long#MAX_VALUE} if none is scheduled. */
  public long heartbeatDueNanos = Long.MAX_VALUE;

  /** At the other end: the number of heartbeats sent on the connection without a reply yet. */
  public long heartbeatsAwaited;

  /** At the other end: the number of heartbeats still to send because the link is on trial. */
  public int trialHeartbeats;

  /** At the other end: the latest reply to a heartbeat in this session. */
  public PeerMessage.@Nullable HeartbeatReply heartbeatReply;

  /** At the other end: when that reply arrived. */
  public long heartbeatRepliedNanos;

  /**
   * The forecast of the round trip, at the owner after the first measurement. Outlives the session.
   */
  public @Nullable RoundTripForecast forecast;

  /** At the owner: jitter and loss. Outlives the session. */
  public final LinkQualityMeter quality = new LinkQualityMeter();

  /**
   * The forecast of the throughput, at the owner if throughput is measured. Outlives the session.
   */
  public @Nullable ThroughputForecast throughput;

  /** The agents' own traffic on the link, in both directions. */
  public final OwnTraffic traffic = new OwnTraffic();

  /** The window of messages sent ahead of the tree, in both directions. */
  public final ShortcutWindow shortcut = new ShortcutWindow();

  /** The throughput observed on the data stream. */
  public final TransferThroughput transfer = new TransferThroughput();

  /** The criteria for announcing weights, at the owner after its first announcement. */
  public @Nullable SignificantWeight significant;

  /** The weight that both ends have agreed on in this session; null before. */
  public @Nullable LinkWeight weight;

  /** The latest agreed weights, present one first, to explain the link. */
  public final ArrayDeque<Agreed> weights = new ArrayDeque<>();

  /** The latest agreed weights in the tree by throughput. */
  public final ArrayDeque<Agreed> bandwidthWeights = new ArrayDeque<>();

  /**
   * The number of probes that the owner sent in earlier sessions. Probes are numbered across
   * sessions, so that a late reply is not mistaken for a reply in this session.
   */
  public long probesBefore;

  /** At the other end: the round trip that the owner has announced; 0 before. */
  public long reportedRttMicros;

  /** At the other end: whether the owner's last probe reported a lack of processor time. */
  public boolean ownerIsBusy;

  /** The number of weights that the owner has announced to the other end. */
  public long weightVersion;

  /** At the owner: the weight that the next probe will carry; 0 for none. */
  public long piggybackMicros;

  /** Whether the link was handed over to the tree automaton. */
  public boolean inTree;

  /** Whether the other end closed the connection, which is a sign that its process has ended. */
  public boolean closedByPeer;

  /** Whether one end ended the link because it had no use or no room for it. */
  boolean endedOnPurpose;

  /** Whether the digest of members was sent to the other end since the link became a tree edge. */
  public boolean digestAnnounced;

  /** Whether all members were sent since then, because the digests differ. */
  public boolean membersAnnounced;

  /** Whether the other end wants the link. */
  public boolean wantedThere = true;

  /** The last announcement to the other end whether this end wants the link. */
  public boolean announcedWanted = true;

  /** Whether the owner has announced the round trip without the cost of a change of the tree. */
  public boolean rttReported;

  /** The {@linkplain Neighbourhood#linkedVersion version} that was sent to the other end. */
  public long announcedLinksVersion;

  /** The data stream; null if there is none. */
  public @Nullable Connection<DataMessage> data;

  /** The number of the last data stream; 0 before the first. */
  public long dataStream;

  /** Whether both ends have sent AttachData on the data stream. */
  public boolean dataAttached;

  /** The progress of the latest data stream. */
  public final DataProgress dataProgress = new DataProgress();

  /** Why the data stream ended; null if it has not, or if another one is attached. */
  public @Nullable String dataFailure;

  /** When the data stream failed; valid with a {@link #dataFailure}. */
  public long dataFailedNanos;

  /**
   * Whether the data stream must carry a message in both directions before a weight is announced,
   * since an earlier link carried no data.
   */
  public boolean onProbation;

  /** When a broken data stream was last redialed; 0 if never. */
  public long dataRedialedNanos;

  /** The number of such redials in a short time. */
  public int dataRedials;

  /** Whether the link was ended because control messages pass and data does not. */
  boolean withoutData;

  public Link(
      PeerMessage.Hello peer,
      long session,
      Connection<PeerMessage> control,
      @Nullable String dialedAddress,
      SilenceDetector silence) {
    this.peer = peer.node();
    this.address = peer.address();
    this.incarnation = peer.incarnation();
    this.site = peer.site();
    this.peerMeasuresThroughput = peer.measuresThroughput();
    this.firstSession = session;
    this.session = session;
    this.control = control;
    this.dialedAddress = dialedAddress;
    this.silence = silence;
  }

  /** Sets the weight that both ends have agreed on. */
  public void agreed(LinkWeight newWeight, long nowNanos) {
    weight = newWeight;
    remember(weights, newWeight, nowNanos);
  }

  /** Notes the weight in the tree by throughput that both ends have agreed on. */
  public void agreedOnBandwidth(LinkWeight newWeight, long nowNanos) {
    remember(bandwidthWeights, newWeight, nowNanos);
  }

  /** Returns how long the link was open; {@link Long#MAX_VALUE} if one end ended it on purpose. */
  long openNanos(long nowNanos) {
    return endedOnPurpose ? Long.MAX_VALUE : nowNanos - openedNanos;
  }

  private static void remember(ArrayDeque<Agreed> weights, LinkWeight latest, long nowNanos) {
    if (weights.size() == MAX_REMEMBERED_WEIGHTS) {
      weights.removeLast();
    }
    weights.addFirst(new Agreed(latest.cost(), nowNanos));
  }

  /** Returns this end's report on the data stream; null while none is attached. */
  public PeerMessage.@Nullable DataAck dataAck() {
    return dataAttached ? dataProgress.report(dataStream) : null;
  }

  /** Returns the highest number of a probe so far. */
  long probesSent() {
    return probe == null ? probesBefore : probesBefore + probe.probesSent();
  }

  /** Returns the least round trip known at this end; 0 if none is known. */
  public long rttMicros() {
    return probe == null ? reportedRttMicros : probe.rttMinMicros();
  }

  /** Returns whether the owner has yet to announce the first weight of this session. */
  public boolean isFirstWeightDue() {
    return weight == null && !suspended && !onProbation;
  }

  /** Returns the longest delay of a probe by the agents' own traffic. Called at the owner. */
  public long mostOwnDelayMicros(long nowNanos) {
    ThroughputExpectation known = throughput == null ? null : throughput.expectation();
    return traffic.mostDelayMicros(known == null ? 0 : known.forecastKbps(), nowNanos);
  }

  /** Returns whether this end knows the round trip without the cost of a change of the tree. */
  public boolean rttKnown(NodeId self) {
    return isOwnedBy(self) ? forecast != null : rttReported;
  }

  public boolean isOwnedBy(NodeId self) {
    return self.compareTo(peer) < 0;
  }

  /**
   * Returns the identity of the open session. Both ends compute the same number, and no other
   * session of the two nodes has it, in any of their incarnations.
   */
  public long sessionName(long ownIncarnation) {
    // The formula is symmetric in the two ends.
    return (ownIncarnation ^ incarnation) * 0x9e37_79b9_7f4a_7c15L
        + (ownIncarnation + incarnation) * 0xc2b2_ae3d_27d4_eb4fL
        + session;
  }
}
