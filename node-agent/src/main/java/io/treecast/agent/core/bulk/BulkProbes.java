package io.treecast.agent.core.bulk;

import io.treecast.agent.core.contract.Connection;
import io.treecast.agent.core.contract.Transport;
import io.treecast.agent.core.link.Link;
import io.treecast.agent.core.link.Links;
import io.treecast.agent.core.measure.Measurement;
import io.treecast.agent.core.message.DataMessage;
import io.treecast.agent.core.message.DataMessage.AttachBulk;
import io.treecast.agent.core.message.DataMessage.BulkPiece;
import io.treecast.agent.core.message.DataMessage.BulkReady;
import io.treecast.agent.core.message.DataMessage.BulkTiming;
import io.treecast.agent.core.message.PeerMessage.PassToken;
import io.treecast.agent.core.settings.CoreConfig;
import io.treecast.ghs.NodeId;
import io.treecast.monitor.forecast.ForecasterBank;
import io.treecast.monitor.forecast.SharedExperience;
import io.treecast.monitor.series.SeriesResource;
import io.treecast.monitor.throughput.BulkBudget;
import io.treecast.monitor.throughput.BulkProbe;
import io.treecast.monitor.throughput.BulkTrain;
import io.treecast.monitor.throughput.CliqueToken;
import io.treecast.monitor.throughput.ThroughputForecast;
import io.treecast.monitor.throughput.ThroughputPolicy;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.OptionalLong;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * Measures the throughput of the links that this end owns, in the direction to the other end: from
 * transfers if these suffice, otherwise by bulk probes. A bulk probe uses a separate data stream,
 * which the owner dials, and closes afterwards. So neither control messages nor data wait for a
 * probe in a queue of an agent.
 *
 * <p>Agents of one site probe in turns ({@link CliqueTurns}). An agent takes part in one bulk probe
 * at a time: a busy agent closes the stream of another probe, which is retried later.
 */
public final class BulkProbes {
  /** The timeout after which both ends abort a probe. */
  static final long TIMEOUT_NANOS = CliqueToken.LONGEST_HOLD_NANOS;

  private static final ByteBuffer PIECE = ByteBuffer.allocate(BulkProbe.PIECE_BYTES);

  private final NodeId self;
  private final long incarnation;
  private final ThroughputPolicy policy;
  private final Links links;
  private final Transport transport;
  private final Measurement.Samples samples;
  private final Predicate<NodeId> isUrgent;
  private final CliqueTurns turns;
  private final LastThroughputs lastThroughputs = new LastThroughputs();
  private final SharedExperience experience = new SharedExperience();
  private @Nullable BulkBudget budget;
  private @Nullable Outgoing outgoing;
  private @Nullable Incoming incoming;
  private long nextLookNanos = Long.MAX_VALUE;

  /** A probe that this agent has begun. */
  private record Outgoing(
      Link link,
      ThroughputForecast forecast,
      Connection<DataMessage> connection,
      BulkProbe probe,
      long beganNanos) {}

  /** A probe that another agent has begun. */
  private record Incoming(
      Link link, Connection<DataMessage> connection, BulkTrain train, long beganNanos) {}

  /**
   * Creates an instance without measurements.
   *
   * @param isUrgent whether the link to a peer must be measured before others
   * @param samples receives each measurement
   */
  public BulkProbes(
      CoreConfig config,
      Links links,
      Transport transport,
      Predicate<NodeId> isUrgent,
      Measurement.Samples samples) {
    this.self = config.self();
    this.incarnation = config.incarnation();
    this.policy = config.throughput();
    this.links = links;
    this.transport = transport;
    this.turns = new CliqueTurns(self, config.site(), policy.siteMicros(), links);
    this.samples = samples;
    this.isUrgent = isUrgent;
  }

  public void start(long nowNanos) {
    if (policy.enabled()) {
      budget = new BulkBudget(policy, nowNanos);
      nextLookNanos = budget.nextNanos();
    }
  }

  public long nextDeadlineNanos() {
    long next = Math.min(nextLookNanos, turns.nextDeadlineNanos(outgoing != null));
    if (outgoing != null) {
      next = Math.min(next, outgoing.beganNanos + TIMEOUT_NANOS);
    }
    return incoming == null ? next : Math.min(next, incoming.beganNanos + TIMEOUT_NANOS);
  }

  public void tick(long nowNanos) {
    if (outgoing != null && nowNanos - outgoing.beganNanos >= TIMEOUT_NANOS) {
      boolean isUp = outgoing.link.weight != null && outgoing.probe.sentBytes() > 0;
      failed(outgoing, isUp ? TIMEOUT_NANOS : 0, nowNanos);
    }
    if (incoming != null && nowNanos - incoming.beganNanos >= TIMEOUT_NANOS) {
      incoming.connection.close();
      incoming = null;
    }
    if (budget != null && nowNanos >= nextLookNanos) {
      nextLookNanos = nowNanos + BulkBudget.LEAST_PAUSE_NANOS;
      turns.look(nowNanos);
      Link due = look(nowNanos);
      boolean isBusy = outgoing != null || incoming != null;
      if (due != null && !isBusy && nowNanos >= budget.nextNanos() && turns.isTurn(nowNanos)) {
        begin(due, forecast(due, nowNanos), nowNanos);
      }
    }
    turns.tick(outgoing != null, nowNanos);
  }

  /** Begins this agent's turn in its clique. */
  public void received(PassToken pass, long nowNanos) {
    if (policy.enabled()) {
      turns.received(pass, nowNanos);
      nextLookNanos = nowNanos;
    }
  }

  /**
   * Evaluates transfers, and returns an urgent link without a measurement, or else the link whose
   * probe has been due longest; null if none is due.
   */
  private @Nullable Link look(long nowNanos) {
    Link due = null;
    long dueNanos = nowNanos;
    for (Link link : links.open()) {
      if (!link.isOwnedBy(self) || link.weight == null) {
        continue;
      }
      ThroughputForecast forecast = forecast(link, nowNanos);
      long kbps = link.transfer.takeKbps();
      if (forecast.transferred(kbps, nowNanos)) {
        samples.measured(link.peer, SeriesResource.THROUGHPUT, kbps);
      }
      long itsNanos = forecast.dueNanos();
      if (itsNanos <= nowNanos && forecast.expectation() == null && isUrgent.test(link.peer)) {
        itsNanos = Long.MIN_VALUE;
      }
      if (itsNanos < dueNanos || (due == null && itsNanos == nowNanos)) {
        due = link;
        dueNanos = itsNanos;
      }
    }
    return due;
  }

  private ThroughputForecast forecast(Link link, long nowNanos) {
    ThroughputForecast known = link.throughput;
    if (known == null) {
      known = newForecast(nowNanos);
      link.throughput = known;
    }
    return known;
  }

  private ThroughputForecast newForecast(long nowNanos) {
    return new ThroughputForecast(policy, new ForecasterBank(experience), nowNanos);
  }

  /**
   * Handles a link that has opened. Restores the measurements of an earlier link to the same peer.
   */
  public void opened(Link link, long nowNanos) {
    if (policy.enabled() && link.isOwnedBy(self)) {
      ThroughputForecast forecast = newForecast(nowNanos);
      if (lastThroughputs.recall(link, forecast, nowNanos)) {
        link.throughput = forecast;
      }
    }
  }

  /** Returns the address to probe: the path that the control stream uses. */
  private static String address(Link link) {
    List<String> paths = link.control.paths();
    return paths.isEmpty() ? link.address : paths.get(0);
  }

  private void begin(Link link, ThroughputForecast forecast, long nowNanos) {
    Connection<DataMessage> connection = transport.dialData(address(link));
    connection.identified(link.peer);
    connection.send(new AttachBulk(self, incarnation, link.firstSession));
    outgoing = new Outgoing(link, forecast, connection, new BulkProbe(), nowNanos);
  }

  /** Handles the first message of another agent's probe, on a new stream. */
  public void accepted(Connection<DataMessage> connection, AttachBulk attach, long nowNanos) {
    Link link = links.open(attach.node());
    boolean isOfLink =
        link != null
            && link.incarnation == attach.incarnation()
            && link.firstSession == attach.session();
    if (link == null || !isOfLink || outgoing != null || incoming != null) {
      connection.close();
      return;
    }
    connection.identified(link.peer);
    connection.send(new BulkReady());
    incoming = new Incoming(link, connection, new BulkTrain(), nowNanos);
  }

  /**
   * Handles a message if it belongs to a bulk probe.
   *
   * @return whether the message was handled
   */
  public boolean received(Connection<DataMessage> connection, DataMessage message, long nowNanos) {
    if (outgoing != null && outgoing.connection == connection) {
      answered(outgoing, message, nowNanos);
      return true;
    }
    if (incoming != null && incoming.connection == connection) {
      arrived(incoming, message, nowNanos);
      return true;
    }
    return false;
  }

  private void answered(Outgoing sending, DataMessage message, long nowNanos) {
    boolean isAttached = sending.probe.sentBytes() > 0;
    if (message instanceof BulkReady && !isAttached) {
      sendTrain(sending);
    } else if (message instanceof BulkTiming timing && isAttached) {
      OptionalLong kbps = sending.probe.timed(timing.bytes(), timing.nanos());
      if (kbps.isPresent()) {
        measured(sending, kbps.getAsLong(), nowNanos);
      } else {
        sendTrain(sending);
      }
    } else {
      violated(sending.link, sending.connection, message, nowNanos);
    }
  }

  /**
   * Handles the result of a probe. The budget is charged for the time at the believed throughput. A
   * doubtful low result therefore costs little, and its repetition need not wait.
   */
  private void measured(Outgoing sending, long kbps, long nowNanos) {
    long believedKbps = sending.forecast.probed(kbps, nowNanos);
    ended(sending, sending.probe.sentBytes(), believedKbps, nowNanos);
    samples.measured(sending.link.peer, SeriesResource.THROUGHPUT, kbps);
  }

  private static void sendTrain(Outgoing sending) {
    for (int following = sending.probe.nextTrain() - 1; following >= 0; following--) {
      sending.connection.send(new BulkPiece(following, PIECE.duplicate()));
    }
  }

  private void arrived(Incoming receiving, DataMessage message, long nowNanos) {
    if (!(message instanceof BulkPiece piece)
        || !receiving.train.isNext(piece.following(), piece.payload().remaining())) {
      violated(receiving.link, receiving.connection, message, nowNanos);
      return;
    }
    if (receiving.train.arrived(piece.following(), nowNanos)) {
      receiving.connection.send(new BulkTiming(receiving.train.bytes(), receiving.train.nanos()));
    }
  }

  private void violated(
      Link link, Connection<DataMessage> connection, DataMessage message, long nowNanos) {
    connection.close();
    links.violated(
        link,
        message.getClass().getSimpleName() + " arrived out of order in a bulk probe",
        nowNanos);
  }

  /** Handles the end of a stream that may belong to a bulk probe. */
  public void closed(Connection<DataMessage> connection, long nowNanos) {
    if (outgoing != null && outgoing.connection == connection) {
      failed(outgoing, 0, nowNanos);
    } else if (incoming != null && incoming.connection == connection) {
      incoming = null;
    }
  }

  /** Handles the loss of a link. Keeps its measurements for the next link to the same peer. */
  public void lost(Link link, long nowNanos) {
    lastThroughputs.lost(link);
    if (outgoing != null && outgoing.link == link) {
      failed(outgoing, 0, nowNanos);
    }
    if (incoming != null && incoming.link == link) {
      incoming.connection.close();
      incoming = null;
    }
  }

  private void failed(Outgoing sending, long busyNanos, long nowNanos) {
    ended(sending, 0, 1, nowNanos);
    sending.forecast.failed(busyNanos, nowNanos);
  }

  private void ended(Outgoing sending, long bytes, long kbps, long nowNanos) {
    sending.connection.close();
    outgoing = null;
    turns.used(nowNanos);
    if (budget != null) {
      budget.spent(bytes, kbps, nowNanos);
    }
  }

  /** Aborts all probes. */
  public void leave() {
    if (outgoing != null) {
      outgoing.connection.close();
      outgoing = null;
    }
    if (incoming != null) {
      incoming.connection.close();
      incoming = null;
    }
    nextLookNanos = Long.MAX_VALUE;
  }
}
