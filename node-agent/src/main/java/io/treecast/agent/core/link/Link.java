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
 * The link to a neighbour, on one connection. Its session may end and another begin while the
 * connection lasts.
 */
public final class Link {
  /** An agreed weight, and since when both ends hold it. */
  public record Agreed(long weight, long sinceNanos) {}

  /** The most weights of a link that are remembered. */
  static final int MAX_REMEMBERED_WEIGHTS = 8;

  public final NodeId peer;
  public final String address;
  public final long incarnation;

  /** The name of the other end's site; null if none is configured there. */
  public final @Nullable String site;

  /** Whether the other end measures throughput. */
  public final boolean peerMeasuresThroughput;

  public final Connection<PeerMessage> control;

  /** Present since another agent came with the other end's name. */
  public @Nullable NameDoubt doubt;

  /** The address at which this end dialed the other; null if the other end dialed. */
  public @Nullable String dialedAddress;

  /** Since when it is open. */
  long openedNanos;

  /** Whether a message has come on it, so that it is open at the other end, too. */
  boolean heard;

  /** The session that the connection began with. */
  public final long firstSession;

  /** The session that is open, or that ended last. */
  public long session;

  /**
   * Whether the link is suspended because the other end is silent: the session is over, and the
   * connection may recover.
   */
  public boolean suspended;

  /** Why and since when, while it is suspended. */
  public String suspendedReason = "";

  public long suspendedNanos;

  /** Whether it has not been heard from for almost as long as a silent one. */
  public boolean suspected;

  /** Until when the connection may recover, while it is suspended. */
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

  /** At the other end: when a heartbeat is due; {@link Long#MAX_VALUE} if none is. */
  public long heartbeatDueNanos = Long.MAX_VALUE;

  /** At the other end: how many heartbeats were sent on the connection and have no reply yet. */
  public long heartbeatsAwaited;

  /** At the other end: how many heartbeats are still to be sent because this end tries the link. */
  public int trialHeartbeats;

  /** At the other end: the latest reply to a heartbeat in this session, and when it arrived. */
  public PeerMessage.@Nullable HeartbeatReply heartbeatReply;

  public long heartbeatRepliedNanos;

  /** Present at the owner once it has been measured; outlives the session. */
  public @Nullable RoundTripForecast forecast;

  /** At the owner: jitter and loss; outlives the session. */
  public final LinkQualityMeter quality = new LinkQualityMeter();

  /** Present at the owner once its throughput is to be measured; outlives the session. */
  public @Nullable ThroughputForecast throughput;

  /** The bytes on the data stream, in both directions. */
  public final OwnTraffic traffic = new OwnTraffic();

  /** The messages that go ahead of the tree over it, in both directions. */
  public final AheadWindow ahead = new AheadWindow();

  /** The throughput shown by the data stream. */
  public final TransferThroughput transfer = new TransferThroughput();

  /** Present at the owner once it has announced the link's weight to the other end. */
  public @Nullable SignificantWeight significant;

  /** Present once both ends agree on it, in this session. */
  public @Nullable LinkWeight weight;

  /** The latest agreed weights, the present one first, to explain the link. */
  public final ArrayDeque<Agreed> weights = new ArrayDeque<>();

  /** The latest agreed weights in the tree by bandwidth. */
  public final ArrayDeque<Agreed> bandwidthWeights = new ArrayDeque<>();

  /**
   * How many probes the owner sent in earlier sessions: probes are numbered across sessions, so
   * that a late reply is not taken for one to a probe of this session.
   */
  public long probesBefore;

  /** At the other end: the round trip that the owner has announced; 0 before. */
  public long toldRttMicros;

  /** At the other end: whether the owner said last that it lacks processor time. */
  public boolean ownerIsBusy;

  /** Counts the weights that the owner announced to the other end. */
  public long weightVersion;

  /** At the owner: a weight for the next probe to carry; 0 for none. */
  public long ridingMicros;

  /** Whether the link was handed to the tree. */
  public boolean inTree;

  /** Whether the other end closed it, as the system of a dying process does. */
  public boolean closedByPeer;

  /** Whether one end ended it because it had no use or no room for it. */
  boolean endedOnPurpose;

  /** Whether the other end was sent the digest of members since the link is an edge of the tree. */
  public boolean digestTold;

  /** Whether it was sent all members since then, because its digest differs. */
  public boolean membersTold;

  /** Whether the other end wants it. */
  public boolean wantedThere = true;

  /** Whether the other end knows that this end wants it. */
  public boolean toldWanted = true;

  /** Whether the owner has announced the round trip without the cost of a change. */
  public boolean rttTold;

  /** The {@linkplain Neighbourhood#linkedVersion version} that was sent to the other end. */
  public long linksTold;

  /** Present while a data stream is attached. */
  public @Nullable Connection<DataMessage> data;

  /** Number of the data stream that was dialed or attached last; 0 before the first. */
  public long dataStream;

  /** Whether both ends have named the session on the data stream. */
  public boolean dataAttached;

  /** The progress of the latest data stream. */
  public final DataProgress dataProgress = new DataProgress();

  /** Why and when the data stream ended; null if it has not, or another one is attached. */
  public @Nullable String dataFailure;

  public long dataFailedNanos;

  /**
   * Whether its data stream has to carry something there and back before the link is weighed, since
   * it carried no data before.
   */
  public boolean onProbation;

  /** When a broken data stream was last dialed again at once; 0 if none was. */
  public long dataRedialedNanos;

  /** How often that has happened in a short time. */
  public int dataRedials;

  /** Whether it was ended because control passes and data does not. */
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

  /** Notes that both ends hold this weight from now on. */
  public void agreed(LinkWeight newWeight, long nowNanos) {
    weight = newWeight;
    remember(weights, newWeight, nowNanos);
  }

  /** Notes that both ends hold this weight in the tree by bandwidth from now on. */
  public void agreedOnBandwidth(LinkWeight newWeight, long nowNanos) {
    remember(bandwidthWeights, newWeight, nowNanos);
  }

  /**
   * Returns for how long it was open; {@link Long#MAX_VALUE} if one end had no use for it any more.
   */
  long livedNanos(long nowNanos) {
    return endedOnPurpose ? Long.MAX_VALUE : nowNanos - openedNanos;
  }

  private static void remember(ArrayDeque<Agreed> weights, LinkWeight latest, long nowNanos) {
    if (weights.size() == MAX_REMEMBERED_WEIGHTS) {
      weights.removeLast();
    }
    weights.addFirst(new Agreed(latest.cost(), nowNanos));
  }

  /** Returns the report on the data stream for the other end; null while none is attached. */
  public PeerMessage.@Nullable DataHeard dataHeard() {
    return dataAttached ? dataProgress.tell(dataStream) : null;
  }

  /** Returns the highest number of a probe so far. */
  long probesSent() {
    return probe == null ? probesBefore : probesBefore + probe.probesSent();
  }

  /** Returns the least round trip as far as it is known at this end. */
  public long rttMicros() {
    return probe == null ? toldRttMicros : probe.rttMinMicros();
  }

  /** Returns whether the owner is expected to announce its first weight in this session. */
  public boolean isFirstWeightDue() {
    return weight == null && !suspended && !onProbation;
  }

  /** At the owner: returns by how much a probe may be delayed by the agents' own traffic. */
  public long mostOwnDelayMicros(long nowNanos) {
    ThroughputExpectation known = throughput == null ? null : throughput.expectation();
    return traffic.mostDelayMicros(known == null ? 0 : known.forecastKbps(), nowNanos);
  }

  /** Returns whether this end knows the round trip without the cost of a change of the tree. */
  public boolean rttKnown(NodeId self) {
    return isOwnedBy(self) ? forecast != null : rttTold;
  }

  public boolean isOwnedBy(NodeId self) {
    return self.compareTo(peer) < 0;
  }

  /**
   * Returns a number for the open session that both ends compute alike and that no other session of
   * the two nodes has, in any of their incarnations.
   */
  public long sessionName(long ownIncarnation) {
    // Symmetric: it must not matter which of the two ends computes it.
    return (ownIncarnation ^ incarnation) * 0x9e37_79b9_7f4a_7c15L
        + (ownIncarnation + incarnation) * 0xc2b2_ae3d_27d4_eb4fL
        + session;
  }
}
