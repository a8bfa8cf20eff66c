package io.treecast.agent.runtime;

import io.grpc.ForwardingServerCallListener.SimpleForwardingServerCallListener;
import io.grpc.Metadata;
import io.grpc.ServerCall;
import io.grpc.ServerCallHandler;
import io.grpc.ServerInterceptor;
import io.grpc.ServerInterceptors;
import io.grpc.ServerServiceDefinition;
import io.treecast.agent.core.AgentCore;
import io.treecast.agent.core.contract.AgentEffects;
import io.treecast.agent.core.contract.Connection;
import io.treecast.agent.core.contract.Notice;
import io.treecast.agent.core.contract.Transport;
import io.treecast.agent.core.contract.TreeChange;
import io.treecast.agent.core.message.DataMessage;
import io.treecast.agent.core.message.Membership;
import io.treecast.agent.core.message.PeerMessage;
import io.treecast.agent.core.settings.CoreConfig;
import io.treecast.agent.core.settings.LinkLimits;
import io.treecast.agent.core.settings.OverlayLimits;
import io.treecast.agent.runtime.application.Applications;
import io.treecast.agent.runtime.application.ClientEndpoint;
import io.treecast.agent.runtime.loop.EventLoop;
import io.treecast.agent.runtime.server.ClientConnections;
import io.treecast.collectives.broadcast.contract.BroadcastLimits;
import io.treecast.collectives.broadcast.contract.BroadcastRefusedException;
import io.treecast.collectives.broadcast.contract.SubscribeOptions;
import io.treecast.collectives.broadcast.message.Chunk;
import io.treecast.collectives.broadcast.message.Confirmation;
import io.treecast.collectives.broadcast.message.Gap;
import io.treecast.collectives.broadcast.message.MessageId;
import io.treecast.collectives.broadcast.message.MissedReason;
import io.treecast.collectives.broadcast.message.OrderPosition;
import io.treecast.collectives.claim.ClaimLimits;
import io.treecast.collectives.operation.contract.CombiningLimits;
import io.treecast.collectives.operation.contract.Outcome;
import io.treecast.ghs.NodeId;
import io.treecast.monitor.probe.ProbePolicy;
import io.treecast.monitor.probe.SilencePolicy;
import io.treecast.monitor.series.SeriesResource;
import io.treecast.monitor.throughput.ThroughputPolicy;
import io.treecast.monitor.weight.SignificancePolicy;
import io.treecast.proto.v1.BroadcastRequest;
import io.treecast.proto.v1.PublishRequest;
import io.treecast.proto.v1.TakePartRequest;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * One agent's core and what serves its applications, without network and threads: its loop goes on
 * when a test says so. The only member of its cluster, with a subscriber.
 */
final class SimulatedAgent implements AgentEffects {
  private static final NodeId SELF = NodeId.of("h1");
  private static final long SUBSCRIBER = 1_000_000;

  /** Little room, so that broadcasts have to wait for it. */
  private static final BroadcastLimits LIMITS =
      BroadcastLimits.builder()
          .chunkBytes(1_000)
          .payloadBytes(2_000)
          .publishBufferBytes(3_000)
          .logBytes(1 << 20)
          .edgeWindowBytes(10_000)
          .subscriberWindowBytes(2_000)
          .subscribers(10)
          .topics(10)
          .origins(10)
          .build();

  private final LongSupplier clock;
  private final EventLoop loop;
  private final AgentCore core;
  private final Applications applications;
  private final ServerServiceDefinition service;
  private final Map<MessageId, StringBuilder> begun = new HashMap<>();
  private final List<String> delivered = new ArrayList<>();
  private final Set<String> operationsAsked = new HashSet<>();
  private final Set<String> broadcastsAsked = new HashSet<>();
  private long unconsumedBytes;
  private boolean stalled;
  private boolean killed;

  SimulatedAgent(long incarnation, LongSupplier clock) {
    this.clock = clock;
    this.loop =
        new EventLoop("simulated", LIMITS.publishBufferBytes(), new Timers(), () -> {}, clock);
    this.core = new AgentCore(config(incarnation), new Alone(), this);
    this.applications =
        Applications.of(
            SELF,
            () -> core,
            loop,
            LIMITS,
            CombiningLimits.defaults(),
            ClaimLimits.defaults(),
            new LongAdder(),
            notice -> {});
    this.service =
        ServerInterceptors.intercept(
            new ClientEndpoint(SELF, () -> core, loop, applications, new LongAdder()).service(),
            new ClientConnections(),
            new Asked());
    loop.execute(this::start);
  }

  private static CoreConfig config(long incarnation) {
    return new CoreConfig(
        SELF,
        incarnation,
        "simulated:1",
        null,
        "",
        Membership.discovered(List.of()),
        OverlayLimits.DEFAULT,
        LinkLimits.DEFAULT,
        ProbePolicy.DEFAULT,
        SilencePolicy.DEFAULT,
        SignificancePolicy.DEFAULT,
        ThroughputPolicy.DISABLED,
        LIMITS,
        CombiningLimits.defaults(),
        1);
  }

  private void start() {
    core.start(clock.getAsLong());
    try {
      core.subscribe(SUBSCRIBER, SubscribeOptions.defaults());
    } catch (BroadcastRefusedException e) {
      throw new AssertionError(e);
    }
  }

  private final class Timers implements EventLoop.Timers {
    @Override
    public long nextDeadlineNanos() {
      return Math.min(core.nextDeadlineNanos(), applications.subscribers().nextDeadlineNanos());
    }

    @Override
    public void tick(long nowNanos) {
      applications.subscribers().tick(nowNanos);
      core.tick(nowNanos);
    }
  }

  /** Has nobody to dial. */
  private static final class Alone implements Transport {
    @Override
    public Connection<PeerMessage> dialControl(String address) {
      throw new AssertionError(address);
    }

    @Override
    public Connection<DataMessage> dialData(String address) {
      throw new AssertionError(address);
    }
  }

  /** Sees which operations and broadcasts it is asked to take part in. */
  private final class Asked implements ServerInterceptor {
    @Override
    public <Q, R> ServerCall.Listener<Q> interceptCall(
        ServerCall<Q, R> call, Metadata headers, ServerCallHandler<Q, R> next) {
      return new SimpleForwardingServerCallListener<>(next.startCall(call, headers)) {
        @Override
        public void onMessage(Q message) {
          if (message instanceof TakePartRequest request) {
            operationsAsked.add(request.getOperation().getName());
          }
          if (message instanceof PublishRequest request) {
            for (BroadcastRequest broadcast : request.getBroadcastsList()) {
              broadcastsAsked.add(broadcast.getPayload().toStringUtf8().strip());
            }
          }
          super.onMessage(message);
        }
      };
    }
  }

  ServerServiceDefinition service() {
    return service;
  }

  /** The texts that its subscriber has got, in their order. */
  List<String> delivered() {
    return delivered;
  }

  Set<String> operationsAsked() {
    return operationsAsked;
  }

  /** The payloads of the received broadcasts. */
  Set<String> broadcastsAsked() {
    return broadcastsAsked;
  }

  /** Does the next thing. False if there is nothing to do now. */
  boolean runNext() {
    if (killed || (!loop.hasTasks() && nextNanos() > clock.getAsLong())) {
      return false;
    }
    loop.runNext();
    return true;
  }

  /** Ends it without any further step. */
  void kill() {
    killed = true;
  }

  /** Returns when it has something to do though nothing happens. */
  long nextNanos() {
    return new Timers().nextDeadlineNanos();
  }

  /** Its subscriber reads nothing until it is told to. */
  void stall() {
    stalled = true;
  }

  void resume() {
    stalled = false;
    loop.execute(this::consume);
  }

  private void consume() {
    long bytes = unconsumedBytes;
    if (!stalled && bytes > 0) {
      unconsumedBytes = 0;
      core.consumed(SUBSCRIBER, bytes, clock.getAsLong());
    }
  }

  /** Leaves in the order in which {@link Agent} does. */
  void leave() {
    loop.execute(
        () -> {
          applications.uploads().endUnfinished();
          core.prepareToLeave(() -> {});
        });
    loop.execute(
        () -> {
          core.leave();
          applications.end();
        });
  }

  @Override
  public void deliver(long subscriber, Chunk chunk, @Nullable OrderPosition position) {
    StringBuilder text = begun.computeIfAbsent(chunk.messageId(), id -> new StringBuilder());
    text.append(StandardCharsets.UTF_8.decode(chunk.payload().duplicate()));
    if (chunk.last()) {
      begun.remove(chunk.messageId());
      if (!chunk.abandoned()) {
        delivered.add(text.toString());
      }
    }
    unconsumedBytes += chunk.cost();
    loop.execute(this::consume);
  }

  @Override
  public void uploadTaken(long upload, int pieces) {
    applications.uploads().taken(upload, pieces);
  }

  @Override
  public void uploadEnded(long upload, int replicas) {
    applications.uploads().ended(upload, replicas);
  }

  @Override
  public void collectiveEnded(long call, Outcome outcome) {
    applications.collectives().ended(call, outcome);
  }

  @Override
  public void confirmed(Confirmation confirmation) {
    applications.waiters().confirmed(confirmation);
  }

  @Override
  public void began(long subscriber, List<MessageId> after) {}

  @Override
  public void live(long subscriber) {}

  @Override
  public void fellBehind(long subscriber) {
    throw new AssertionError("nobody waits for subscriber " + subscriber);
  }

  @Override
  public void missed(long subscriber, Gap gap, MissedReason reason) {
    throw new AssertionError("missed " + gap);
  }

  @Override
  public void abandoned(long subscriber, MessageId message) {
    begun.remove(message);
  }

  @Override
  public void measured(NodeId neighbour, SeriesResource resource, long value) {}

  @Override
  public void treeChanged(TreeChange change) {}

  @Override
  public long unixNanos() {
    return 0;
  }

  @Override
  public void noticed(Notice notice) {}
}
