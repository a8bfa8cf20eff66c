package io.treecast.testkit.sim;

import io.treecast.agent.core.AgentCore;
import io.treecast.agent.core.AgentSnapshot;
import io.treecast.agent.core.contract.AgentEffects;
import io.treecast.agent.core.contract.Connection;
import io.treecast.agent.core.contract.MeasurementTotals;
import io.treecast.agent.core.contract.Notice;
import io.treecast.agent.core.contract.Transport;
import io.treecast.agent.core.contract.TreeChange;
import io.treecast.agent.core.contract.TreeStatus;
import io.treecast.agent.core.data.ClaimSetup;
import io.treecast.agent.core.data.Participation;
import io.treecast.agent.core.message.DataMessage;
import io.treecast.agent.core.message.PeerMessage;
import io.treecast.agent.core.publish.Publication;
import io.treecast.agent.core.publish.PublishOutcome;
import io.treecast.agent.core.settings.CoreConfig;
import io.treecast.collectives.broadcast.contract.BroadcastRefusedException;
import io.treecast.collectives.broadcast.contract.SubscribeOptions;
import io.treecast.collectives.broadcast.message.Chunk;
import io.treecast.collectives.broadcast.message.Confirmation;
import io.treecast.collectives.broadcast.message.Gap;
import io.treecast.collectives.broadcast.message.MessageId;
import io.treecast.collectives.broadcast.message.MissedReason;
import io.treecast.collectives.broadcast.message.OrderPosition;
import io.treecast.collectives.broadcast.message.Topic;
import io.treecast.collectives.claim.ClaimEnd;
import io.treecast.collectives.claim.ClaimEvents;
import io.treecast.collectives.claim.ClaimLimits;
import io.treecast.collectives.claim.ClaimMemory;
import io.treecast.collectives.claim.ClaimState;
import io.treecast.collectives.claim.Claims;
import io.treecast.collectives.clock.RootTime;
import io.treecast.collectives.group.Groups;
import io.treecast.collectives.operation.contract.Outcome;
import io.treecast.collectives.values.Values;
import io.treecast.collectives.values.ValuesLimits;
import io.treecast.ghs.NodeId;
import io.treecast.monitor.series.SeriesResource;
import io.treecast.mst.CommittedTree;
import io.treecast.testkit.cluster.Incarnation;
import io.treecast.testkit.cluster.NodeAgent;
import io.treecast.testkit.sim.network.SimHost;
import io.treecast.testkit.sim.network.SimNetwork;
import io.treecast.testkit.sim.network.SimStalls;
import io.treecast.testkit.sim.network.SimStream;
import io.treecast.testkit.sim.network.VirtualTime;
import java.nio.ByteBuffer;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.BiConsumer;
import java.util.function.BiFunction;
import java.util.function.Consumer;
import java.util.function.LongConsumer;
import org.jspecify.annotations.Nullable;

/**
 * One incarnation of a simulated agent: a real core driven by virtual time, in a {@linkplain
 * SimProcess process} that can be paused, with {@linkplain SimApplications applications} that
 * consume deliveries at once. Single-threaded.
 */
public final class SimAgent implements SimHost, NodeAgent {
  /** Receives the deliveries and notices of agents. */
  interface Observer {
    /** One of the agent's own subscribers has received a complete broadcast. */
    void delivered(Incarnation incarnation, MessageId message);

    /** A roaming or ordered subscriber has received a complete broadcast. */
    void deliveredToOther(Incarnation incarnation, MessageId message);

    /** A subscriber misses an upload after the notice that the upload was abandoned. */
    void missedAbandoned(Incarnation incarnation, MessageId message);

    /** The confirmation of a broadcast is settled. */
    void confirmed(Confirmation confirmation);

    /** A delivered broadcast carries its time of publication. */
    void datedPublication(MessageId message, long publishedNanos);

    void treeChanged(Incarnation incarnation, TreeChange change);

    void noticed(Incarnation incarnation, Notice notice);
  }

  private final Incarnation incarnation;
  private final VirtualTime time;
  private final long skewNanos;
  private final Observer observer;
  private final AgentCore core;
  private final ControlEnd controlEnd = new ControlEnd();
  private final DataEnd dataEnd = new DataEnd();
  private final SimProcess process = new SimProcess();

  /** The thread of the transport, through which all messages pass. */
  private final SimProcess transport = new SimProcess();

  /** The greatest lateness of a message that has left and was not reported to the core. */
  private long mostLateNanos;

  /** The stalls of the whole process that begin within the next timers, when they are due. */
  private @Nullable SimStalls dueWithinEvent;

  private final SimApplications applications;

  /** The unfinished uploads of its applications, by number. */
  private final Map<Long, SimUpload> uploads = new HashMap<>();

  /** Its applications' unfinished calls, by number. */
  private final Map<Long, SimCollectives.Call> collectives = new HashMap<>();

  /** The calls of its applications that have got a claim. */
  private final Set<Long> heldClaims = new TreeSet<>();

  private long tickAtNanos = Long.MAX_VALUE;

  /**
   * Creates an agent that has not started.
   *
   * @param skewNanos the offset of its clock from the virtual time
   */
  SimAgent(
      Incarnation incarnation,
      CoreConfig config,
      VirtualTime time,
      long skewNanos,
      SimNetwork network,
      Observer observer) {
    this.incarnation = incarnation;
    this.skewNanos = skewNanos;
    this.time = time;
    this.observer = observer;
    this.applications = new SimApplications(incarnation, observer);
    this.core =
        new AgentCore(
            config,
            new Dialing(network),
            new Effects(),
            new ClaimSetup(ClaimLimits.defaults(), null, new Claiming()),
            ValuesLimits.defaults());
  }

  @Override
  public int node() {
    return incarnation.node();
  }

  @Override
  public Incarnation incarnation() {
    return incarnation;
  }

  void start() {
    handle(
        () -> {
          core.start(clockNanos());
          subscribe(Topic.DEFAULT);
          scheduleTick();
        });
  }

  @Override
  public void handle(Runnable event) {
    if (transport.isFree()) {
      process.handle(event);
    } else {
      transport.handleInOrder(() -> process.handle(event));
    }
  }

  @Override
  public void passOn(LongConsumer sending) {
    if (transport.isFree()) {
      sending.accept(0);
      return;
    }
    long sentNanos = time.nowNanos();
    transport.handleInOrder(
        () -> {
          long lateNanos = time.nowNanos() - sentNanos;
          mostLateNanos = Math.max(mostLateNanos, lateNanos);
          sending.accept(lateNanos);
        });
  }

  @Override
  public void pause() {
    process.pause();
  }

  @Override
  public boolean isPaused() {
    return process.isPaused();
  }

  @Override
  public void resume() {
    process.resume();
    if (process.isRunning()) {
      scheduleTick();
    }
  }

  /** Starts random stalls of the process. */
  void stallAtRandom(SimStalls stalls) {
    time.after(
        stalls.nextGapNanos(),
        () -> {
          process.stall();
          time.after(stalls.nextStallNanos(), () -> goOn(stalls));
        });
  }

  /** Starts random stalls of the thread of the transport alone, which reports how late it sends. */
  void stallTransportAtRandom(SimStalls stalls) {
    time.after(
        stalls.nextGapNanos(),
        () -> {
          transport.stall();
          time.after(
              stalls.nextStallNanos(),
              () -> {
                continueTransport();
                if (!process.isGone() && !stalls.areOver()) {
                  stallTransportAtRandom(stalls);
                }
              });
        });
  }

  /**
   * Starts random stalls of the process that begin within an event: after the driver has read the
   * clock for it, and before its messages have left.
   */
  void stallWithinEventsAtRandom(SimStalls stalls) {
    time.after(stalls.nextGapNanos(), () -> dueWithinEvent = stalls);
  }

  private void stallIfDue() {
    SimStalls stalls = dueWithinEvent;
    if (stalls == null) {
      return;
    }
    dueWithinEvent = null;
    transport.stall();
    process.stall();
    time.after(
        stalls.nextStallNanos(),
        () -> {
          process.goOn();
          continueTransport();
          scheduleTick();
          if (!process.isGone() && !stalls.areOver()) {
            stallWithinEventsAtRandom(stalls);
          }
        });
  }

  private void continueTransport() {
    transport.goOn();
    if (mostLateNanos > 0 && process.isRunning()) {
      core.late(mostLateNanos, clockNanos());
      mostLateNanos = 0;
    }
  }

  private void goOn(SimStalls stalls) {
    process.goOn();
    if (process.isRunning()) {
      scheduleTick();
    }
    if (!process.isGone() && !stalls.areOver()) {
      stallAtRandom(stalls);
    }
  }

  @Override
  public void leave() {
    core.leave();
    crash();
  }

  /** Ends the process; it receives no more events. */
  @Override
  public void crash() {
    process.end();
    transport.end();
  }

  /** Subscribes to a topic. Idempotent. */
  void subscribe(String topic) {
    if (applications.isThere(topic)) {
      return;
    }
    long number = applications.add(topic);
    try {
      core.subscribe(number, SubscribeOptions.defaults().withTopics(Set.of(topic)));
    } catch (BroadcastRefusedException e) {
      throw new IllegalStateException(
          "node " + incarnation + " refuses a subscriber: " + e.getMessage(), e);
    }
    scheduleTick();
  }

  void unsubscribe(String topic) {
    for (long number : applications.remove(topic)) {
      core.unsubscribe(number, clockNanos());
      scheduleTick();
    }
  }

  /** Returns whether a subscription is in place for messages published on a version of the tree. */
  boolean isSubscribed(String topic, long treeVersion) {
    return applications.isSubscribed(topic, treeVersion);
  }

  void publish(String topic, ByteBuffer payload, int receiptMillis, PublishOutcome outcome) {
    core.publish(
        Publication.of("", topic, payload, clockNanos()).withReceiptMillis(receiptMillis),
        outcome,
        clockNanos());
    scheduleTick();
  }

  /** Broadcasts, and waits for replicas up to a timeout. */
  void replicate(String topic, ByteBuffer payload, long waitNanos, SimReplication outcome) {
    core.publish(
        Publication.of("", topic, payload, clockNanos() + waitNanos)
            .withReplicas(outcome.wanted())
            .withAttempt(outcome.attempt(clockNanos())),
        outcome,
        clockNanos());
    scheduleTick();
  }

  /** Begins an upload, and after its end waits for replicas up to a timeout. */
  void begin(SimUpload upload, int receiptMillis, int replicas, long waitNanos) {
    ByteBuffer nothing = ByteBuffer.allocate(0);
    long deadlineNanos = clockNanos() + waitNanos;
    core.beginUpload(
        upload.number(),
        Publication.of("", Topic.DEFAULT, nothing, deadlineNanos)
            .withReceiptMillis(receiptMillis)
            .withReplicas(replicas),
        upload,
        clockNanos());
    scheduleTick();
  }

  void add(SimUpload upload, ByteBuffer piece) {
    uploads.put(upload.number(), upload);
    try {
      core.upload(upload.number(), piece, clockNanos());
    } catch (BroadcastRefusedException e) {
      throw new AssertionError("an upload within its limits is refused", e);
    }
    scheduleTick();
  }

  void end(SimUpload upload) {
    uploads.put(upload.number(), upload);
    core.endUpload(upload.number(), null, clockNanos());
    scheduleTick();
  }

  void abandon(SimUpload upload) {
    uploads.remove(upload.number());
    core.abandonUpload(upload.number(), clockNanos());
    scheduleTick();
  }

  boolean isUploading() {
    return !uploads.isEmpty();
  }

  void takePart(long number, Participation participation, SimCollectives.Call call) {
    collectives.put(number, call);
    core.takePart(number, participation, clockNanos());
    scheduleTick();
  }

  /** Applies an application's event to the shared values. */
  public <T> T values(BiFunction<Values, Long, T> event) {
    long now = clockNanos();
    T result = core.values(values -> event.apply(values, now), now);
    scheduleTick();
    return result;
  }

  /** Applies an application's event to the groups. */
  public void group(Consumer<Groups> event) {
    core.group(event, clockNanos());
    scheduleTick();
  }

  /** Lets an application's event happen to its part in claims. */
  public void claim(BiConsumer<Claims, Long> event) {
    long now = clockNanos();
    core.claim(claims -> event.accept(claims, now), now);
    scheduleTick();
  }

  /** Returns whether a call of its applications has got its claim. */
  public boolean isHeld(long call) {
    return heldClaims.contains(call);
  }

  /** Returns how many messages it has sent about groups. */
  public long sentGroupMessages() {
    return core.sentGroupMessages();
  }

  /** Returns the messages that its own subscribers have received in part. */
  Set<MessageId> unfinished() {
    return applications.unfinished();
  }

  /** Adds a further subscriber until {@link #unsubscribe} or the end of this incarnation. */
  long subscribe(SubscribeOptions options, SimSubscriber subscriber)
      throws BroadcastRefusedException {
    long number = applications.add(subscriber);
    core.subscribe(number, options);
    scheduleTick();
    return number;
  }

  void unsubscribe(long number) {
    if (applications.remove(number)) {
      core.unsubscribe(number, clockNanos());
    }
  }

  boolean isGone() {
    return process.isGone();
  }

  /** Returns the confirmation of its own broadcast as known so far. */
  @Nullable Confirmation confirmation(MessageId message) {
    return core.confirmation(message);
  }

  private long clockNanos() {
    return time.nowNanos() + skewNanos;
  }

  /** Returns its estimate of the root's time, which is the virtual time; null if unknown. */
  public @Nullable RootTime rootTime() {
    return core.clock().now(clockNanos());
  }

  public AgentSnapshot snapshot() {
    return core.snapshot();
  }

  public TreeStatus treeStatus() {
    return core.treeStatus();
  }

  boolean hasUploadLoan() {
    return core.hasUploadLoan();
  }

  public MeasurementTotals measurementTotals() {
    return core.measurementTotals();
  }

  @Override
  public SimStream.End<PeerMessage> control() {
    return controlEnd;
  }

  @Override
  public SimStream.End<DataMessage> data() {
    return dataEnd;
  }

  /**
   * Schedules a tick at the core's next deadline. A deadline that was postponed costs one idle
   * tick.
   */
  private void scheduleTick() {
    long deadline = core.nextDeadlineNanos();
    if (deadline < tickAtNanos) {
      tickAtNanos = deadline;
      time.at(deadline - skewNanos, () -> tick(deadline));
    }
  }

  private void tick(long scheduledNanos) {
    if (scheduledNanos != tickAtNanos) {
      return;
    }
    tickAtNanos = Long.MAX_VALUE;
    if (process.isRunning()) {
      stallIfDue();
      core.tick(clockNanos());
      scheduleTick();
    }
  }

  /** Dials from this agent. */
  private final class Dialing implements Transport {
    private final SimNetwork network;

    Dialing(SimNetwork network) {
      this.network = network;
    }

    @Override
    public Connection<PeerMessage> dialControl(String address) {
      return network.dialControl(SimAgent.this, address);
    }

    @Override
    public Connection<DataMessage> dialData(String address) {
      return network.dialData(SimAgent.this, address);
    }
  }

  /** The applications that use claims, and a disk that is never slow and forgets with a crash. */
  private final class Claiming implements ClaimEvents {
    @Override
    public void store(ClaimMemory memory) {
      time.after(0, () -> handle(() -> claim((claims, now) -> claims.stored(memory, now))));
    }

    @Override
    public void held(long call, long number, long fence, long remainingNanos) {
      heldClaims.add(call);
    }

    @Override
    public void ended(long call, ClaimEnd end) {
      heldClaims.remove(call);
    }

    @Override
    public void answered(long inquiry, ClaimState state) {}
  }

  private final class ControlEnd implements SimStream.End<PeerMessage> {
    @Override
    public void accepted(SimStream<PeerMessage> stream) {
      core.controlAccepted(stream, clockNanos());
      scheduleTick();
    }

    @Override
    public void received(SimStream<PeerMessage> stream, PeerMessage message) {
      core.controlReceived(stream, message, clockNanos());
      scheduleTick();
    }

    @Override
    public void closed(SimStream<PeerMessage> stream, String reason) {
      core.controlClosed(stream, reason, clockNanos());
      scheduleTick();
    }
  }

  private final class DataEnd implements SimStream.End<DataMessage> {
    @Override
    public void accepted(SimStream<DataMessage> stream) {
      core.dataAccepted(stream, clockNanos());
      scheduleTick();
    }

    @Override
    public void received(SimStream<DataMessage> stream, DataMessage message) {
      core.dataReceived(stream, message, clockNanos());
      scheduleTick();
    }

    @Override
    public void closed(SimStream<DataMessage> stream, String reason) {
      core.dataClosed(stream, reason, clockNanos());
      scheduleTick();
    }
  }

  private final class Effects implements AgentEffects {
    @Override
    public void began(long subscriber, List<MessageId> after) {
      CommittedTree tree = core.treeStatus().tree();
      applications.began(subscriber, after, tree == null ? 0 : tree.version());
    }

    @Override
    public void live(long subscriber) {
      applications.live(subscriber);
    }

    @Override
    public void deliver(long subscriber, Chunk chunk, @Nullable OrderPosition position) {
      time.after(0, () -> handle(() -> consumed(subscriber, chunk.cost())));
      applications.delivered(subscriber, chunk);
      if (chunk.publishedNanos() != 0) {
        observer.datedPublication(chunk.messageId(), chunk.publishedNanos() - skewNanos);
      }
    }

    private void consumed(long subscriber, long bytes) {
      core.consumed(subscriber, bytes, clockNanos());
      scheduleTick();
    }

    @Override
    public void missed(long subscriber, Gap gap, MissedReason reason) {
      time.after(0, () -> handle(() -> consumed(subscriber, gap.cost())));
      applications.missed(subscriber, gap);
    }

    @Override
    public void abandoned(long subscriber, MessageId message) {
      applications.abandoned(subscriber, message);
    }

    @Override
    public void fellBehind(long subscriber) {} // Applications of simulations consume at once.

    @Override
    public void uploadTaken(long upload, int pieces) {
      SimUpload taken = uploads.get(upload);
      if (taken != null) {
        taken.taken(pieces);
      }
    }

    @Override
    public void uploadEnded(long upload, int replicas) {
      SimUpload ended = uploads.remove(upload);
      if (ended != null) {
        ended.ended(replicas);
      }
    }

    @Override
    public void confirmed(Confirmation confirmation) {
      observer.confirmed(confirmation);
    }

    @Override
    public void collectiveEnded(long number, Outcome outcome) {
      SimCollectives.Call call = collectives.remove(number);
      if (call == null) {
        throw new AssertionError(
            "node " + incarnation + " ends call " + number + ", which does not exist");
      }
      call.ended(outcome);
    }

    @Override
    public void measured(NodeId neighbour, SeriesResource resource, long value) {
      // Simulated agents keep no series.
    }

    @Override
    public void treeChanged(TreeChange change) {
      observer.treeChanged(incarnation, change);
    }

    @Override
    public long unixNanos() {
      return time.nowNanos();
    }

    @Override
    public void noticed(Notice notice) {
      observer.noticed(incarnation, notice);
    }
  }
}
