package io.treecast.agent.core.link;

import io.treecast.agent.core.contract.Connection;
import io.treecast.agent.core.message.DataMessage;
import io.treecast.agent.core.message.PeerMessage;
import io.treecast.ghs.LinkWeight;
import io.treecast.ghs.NodeId;
import io.treecast.monitor.ClockDifference;
import io.treecast.monitor.LinkProbe;
import io.treecast.monitor.LinkQualityMeter;
import io.treecast.monitor.OwnTraffic;
import io.treecast.monitor.RoundTripForecast;
import io.treecast.monitor.SignificantWeight;
import io.treecast.monitor.SilenceDetector;
import io.treecast.monitor.ThroughputExpectation;
import io.treecast.monitor.ThroughputForecast;
import io.treecast.monitor.TransferThroughput;
import java.util.ArrayDeque;
import org.jspecify.annotations.Nullable;

/**
 * The link to a neighbour, on one connection. Its session may end and another begin while the
 * connection lasts.
 */
public final class Link {
  /** The value of a weight, and since when both ends held it. */
  public record Agreed(long weight, long sinceNanos) {}

  /** Most weights of a link that are remembered. */
  static final int MAX_REMEMBERED_WEIGHTS = 8;

  public final NodeId peer;
  public final String address;
  public final long incarnation;

  /** The name of the other end's site; null if none is configured there. */
  public final @Nullable String site;

  /** Whether the other end measures throughput. */
  public final boolean peerMeasuresThroughput;

  public final Connection<PeerMessage> control;

  /** Present since somebody else came with the other end's name. */
  public @Nullable NameDoubt doubt;

  /** Where this end dialed the other; null if the other end dialed. */
  public final @Nullable String dialedAddress;

  /** Since when it is open. */
  long openedNanos;

  /** Whether anything has come on it, so that it is open at the other end, too. */
  boolean heard;

  /** The session that the connection began with. */
  public final long firstSession;

  /** The session that is open, or that ended last. */
  public long session;

  /** Whether the other end is silent: the session is over, and the connection may yet recover. */
  public boolean suspended;

  /** Why and since when, while it is. */
  public String suspendedReason = "";

  public long suspendedNanos;

  /** Whether it has not been heard from for almost as long as a silent one. */
  public boolean suspected;

  /** Until when the connection may recover, while it is suspended. */
  public long suspendedUntilNanos;

  public final SilenceDetector silence;

  /** At the owner: how the other end's clock and this one's differ. */
  public final ClockDifference clock = new ClockDifference();

  /** Present at the owner, the end with the lower id. */
  public @Nullable LinkProbe probe;

  /** At the owner: it is looked at closely until this probe. */
  public long closeLookUntil;

  /** At the owner: it is probed briskly until this probe, since it has carried an upload. */
  public long watchedUntil;

  /** At the other end: when a heartbeat is due; {@link Long#MAX_VALUE} if none is. */
  public long heartbeatDueNanos = Long.MAX_VALUE;

  /** At the other end: how many heartbeats were sent on the connection and have no reply yet. */
  public long heartbeatsAwaited;

  /**
   * At the other end: how many heartbeats it still sends since it is the one that tries the link.
   */
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

  /** What crosses the data stream, in both directions. */
  public final OwnTraffic traffic = new OwnTraffic();

  /** What goes ahead of the tree over it, in both directions. */
  public final AheadWindow ahead = new AheadWindow();

  /** What the data stream shows of the throughput. */
  public final TransferThroughput transfer = new TransferThroughput();

  /** Present at the owner once it has told the other end what the link weighs. */
  public @Nullable SignificantWeight significant;

  /** Present once both ends agree on it, in this session. */
  public @Nullable LinkWeight weight;

  /** The latest of them, the present one first; for whoever asks what became of the link. */
  public final ArrayDeque<Agreed> weights = new ArrayDeque<>();

  /** The same of the tree by bandwidth. */
  public final ArrayDeque<Agreed> bandwidthWeights = new ArrayDeque<>();

  /**
   * How many probes the owner sent in earlier sessions: probes are numbered across sessions, so
   * that a late reply is not taken for one to a probe of this session.
   */
  public long probesBefore;

  /** At the other end: what the round trip takes, as the owner says; 0 before it does. */
  public long toldRttMicros;

  /** Counts the weights that the owner told the other end. */
  public long weightVersion;

  /** At the owner: a weight that the next probe is to tell; 0 for none. */
  public long ridingMicros;

  /** Whether the tree has been told of it. */
  public boolean inTree;

  /** Whether the other end closed it, as the system of a process that dies does. */
  public boolean closedByPeer;

  /** Whether one end had no use or no place for it any more, and ended it. */
  boolean endedOnPurpose;

  /**
   * Whether, since it is an edge of the tree, the other end was told who knows the same members.
   */
  public boolean digestTold;

  /** And whether it was told of all members, since it does not. */
  public boolean membersTold;

  /** Whether the other end wants it. */
  public boolean wantedThere = true;

  /** Whether the other end has been told that this end wants it. */
  public boolean toldWanted = true;

  /** Whether the owner has told this end how long it takes, without what a change costs. */
  public boolean rttTold;

  /** The {@linkplain Neighbourhood#linkedVersion version} that the other end was told. */
  public long linksTold;

  /** Present while a data stream is attached. */
  public @Nullable Connection<DataMessage> data;

  /** Number of the data stream that was dialed or attached last; 0 before the first. */
  public long dataStream;

  /** Whether both ends have named the session on the data stream. */
  public boolean dataAttached;

  /** How far the latest data stream has come. */
  public final DataProgress dataProgress = new DataProgress();

  /** Why and when the data stream ended; null if it has not, or another one is attached. */
  public @Nullable String dataFailure;

  public long dataFailedNanos;

  /**
   * Whether its data stream has to carry something there and back before the link is weighed, since
   * it carried no data before.
   */
  public boolean onProbation;

  /** When a data stream that broke was last dialed anew at once; 0 if none was. */
  public long dataRedialedNanos;

  /** Whether it was ended since control passes and data does not. */
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

  /** Both ends hold this weight from now on. */
  public void agreed(LinkWeight newWeight, long nowNanos) {
    weight = newWeight;
    remember(weights, newWeight, nowNanos);
  }

  /** Both ends hold this weight in the tree by bandwidth from now on. */
  public void agreedOnBandwidth(LinkWeight newWeight, long nowNanos) {
    remember(bandwidthWeights, newWeight, nowNanos);
  }

  /** For how long it was open; {@link Long#MAX_VALUE} if one end had no use for it any more. */
  long livedNanos(long nowNanos) {
    return endedOnPurpose ? Long.MAX_VALUE : nowNanos - openedNanos;
  }

  private static void remember(ArrayDeque<Agreed> weights, LinkWeight latest, long nowNanos) {
    if (weights.size() == MAX_REMEMBERED_WEIGHTS) {
      weights.removeLast();
    }
    weights.addFirst(new Agreed(latest.cost(), nowNanos));
  }

  /** What the other end is to know of the data stream; null while none is attached. */
  public PeerMessage.@Nullable DataHeard dataHeard() {
    return dataAttached ? dataProgress.tell(dataStream) : null;
  }

  /** The highest number of a probe so far. */
  long probesSent() {
    return probe == null ? probesBefore : probesBefore + probe.probesSent();
  }

  /** What the round trip takes at least, as far as it is known at this end. */
  public long rttMicros() {
    return probe == null ? toldRttMicros : probe.rttMinMicros();
  }

  /** At the owner: by how much longer a probe may take on account of what agents send over it. */
  public long mostOwnDelayMicros(long nowNanos) {
    ThroughputExpectation known = throughput == null ? null : throughput.expectation();
    return traffic.mostDelayMicros(known == null ? 0 : known.forecastKbps(), nowNanos);
  }

  /** Whether this end knows how long it takes, without what a change of the tree costs. */
  public boolean rttKnown(NodeId self) {
    return isOwnedBy(self) ? forecast != null : rttTold;
  }

  public boolean isOwnedBy(NodeId self) {
    return self.compareTo(peer) < 0;
  }

  /**
   * A number for the open session that both ends compute alike and no other session of the two
   * nodes has, whichever lives they are in.
   */
  public long sessionName(long ownIncarnation) {
    // Alike at both ends, so it must not matter which of the two is this one.
    return (ownIncarnation ^ incarnation) * 0x9e37_79b9_7f4a_7c15L
        + (ownIncarnation + incarnation) * 0xc2b2_ae3d_27d4_eb4fL
        + session;
  }
}
