package io.treecast.agent.config;

import io.treecast.agent.config.SettingTable.Bound;
import io.treecast.agent.config.SettingTable.Values;
import io.treecast.agent.core.settings.LinkLimits;
import io.treecast.agent.core.settings.OverlayLimits;
import io.treecast.collectives.broadcast.contract.BroadcastLimits;
import io.treecast.collectives.broadcast.message.StreamId;
import io.treecast.collectives.claim.ClaimLimits;
import io.treecast.collectives.operation.contract.CombiningLimits;
import io.treecast.collectives.values.ValuesLimits;
import io.treecast.monitor.probe.ProbePolicy;
import io.treecast.monitor.probe.SilencePolicy;
import io.treecast.monitor.throughput.ThroughputPolicy;
import io.treecast.monitor.weight.SignificancePolicy;
import io.treecast.monitor.weight.WeightGrid;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.ToLongFunction;
import org.jspecify.annotations.Nullable;

/**
 * The sections of a configuration file: the table of each section, and the settings that are
 * created from it.
 */
final class AgentConfigSections {
  /** The longest allowed time of a link setting. */
  private static final Duration MAX_LINK_TIME = Duration.ofHours(1);

  /** The shortest handshake timeout; a shorter one would prevent links between continents. */
  private static final Duration MIN_HANDSHAKE_TIMEOUT = Duration.ofMillis(100);

  /** The default ratio of the memory for data to the memory for collective operations. */
  private static final int MEMORY_PER_COLLECTIVES = 4;

  /** The limits of broadcasts, collective operations, claims and shared values. */
  private static final SettingTable LIMITS =
      new SettingTable("limits")
          .number(
              "memoryBytes",
              BroadcastLimits.MIN_MEMORY_BYTES,
              BroadcastLimits.MAX_BUFFER_BYTES,
              BroadcastLimits.DEFAULT_MEMORY_BYTES)
          .number(
              "payloadBytes",
              1,
              BroadcastLimits.MAX_PAYLOAD_BYTES,
              forMemory(BroadcastLimits::payloadBytes))
          .number(
              "publishBufferBytes",
              1,
              BroadcastLimits.MAX_BUFFER_BYTES,
              forMemory(BroadcastLimits::publishBufferBytes))
          .number(
              "logBytes", 1, BroadcastLimits.MAX_BUFFER_BYTES, forMemory(BroadcastLimits::logBytes))
          .number(
              "retainedBytes",
              above -> 0,
              above -> above.number("logBytes"),
              above ->
                  Math.min(
                      above.number("logBytes"),
                      forMemory(BroadcastLimits::retainedBytes).of(above)))
          .number(
              "edgeWindowBytes",
              1,
              BroadcastLimits.MAX_BUFFER_BYTES,
              forMemory(BroadcastLimits::edgeWindowBytes))
          .number(
              "subscriberWindowBytes",
              1,
              BroadcastLimits.MAX_BUFFER_BYTES,
              forMemory(BroadcastLimits::subscriberWindowBytes))
          .number(
              "chunkBytes",
              1,
              BroadcastLimits.MAX_CHUNK_BYTES,
              forMemory(BroadcastLimits::chunkBytes))
          .number(
              "subscribers", 1, BroadcastLimits.MAX_COUNT, forMemory(BroadcastLimits::subscribers))
          .number(
              "slowSubscriberMillis",
              0,
              BroadcastLimits.MAX_SLOW_SUBSCRIBER_MILLIS,
              forMemory(BroadcastLimits::slowSubscriberMillis))
          .number("topics", 1, BroadcastLimits.MAX_COUNT, forMemory(BroadcastLimits::topics))
          .number("origins", 1, BroadcastLimits.MAX_COUNT, forMemory(BroadcastLimits::origins))
          .number("uploads", 1, StreamId.MAX_LANE, forMemory(BroadcastLimits::uploads))
          .number(
              "uploadBytes",
              1,
              BroadcastLimits.MAX_BUFFER_BYTES,
              forMemory(BroadcastLimits::uploadBytes))
          .number(
              "collectives",
              1,
              CombiningLimits.MAX_OPERATIONS,
              CombiningLimits.defaults().operations())
          .number(
              "collectiveBytes",
              CombiningLimits.MIN_VALUE_BYTES,
              CombiningLimits.MAX_VALUE_BYTES,
              CombiningLimits.defaults().valueBytes())
          .number(
              "collectivesBytes",
              AgentConfigSections::leastCollectivesBytes,
              above -> CombiningLimits.MAX_TOTAL_BYTES,
              above ->
                  Math.max(
                      leastCollectivesBytes(above),
                      above.number("memoryBytes") / MEMORY_PER_COLLECTIVES))
          .number(
              "leaseMillis",
              TimeUnit.NANOSECONDS.toMillis(ClaimLimits.MIN_LEASE_NANOS),
              TimeUnit.NANOSECONDS.toMillis(ClaimLimits.MAX_LEASE_NANOS),
              TimeUnit.NANOSECONDS.toMillis(ClaimLimits.defaults().longestNanos()))
          .number("claims", 1, ClaimLimits.MAX_CLAIMS, ClaimLimits.defaults().claims())
          .number(
              "valuesBytes",
              ValuesLimits.MIN_BYTES,
              ValuesLimits.MAX_BYTES,
              ValuesLimits.defaults().totalBytes())
          .number(
              "valueMapBytes",
              ValuesLimits.MIN_BYTES,
              ValuesLimits.MAX_BYTES,
              ValuesLimits.defaults().mapBytes());

  private static final SettingTable PROBES =
      new SettingTable("probes")
          .number(
              "initialProbes",
              1,
              ProbePolicy.MAX_INITIAL_PROBES,
              ProbePolicy.DEFAULT.initialProbes())
          .number(
              "samplesRequired",
              above -> 1,
              above -> above.number("initialProbes"),
              above -> ProbePolicy.DEFAULT.samplesRequired())
          .millis(
              "initialIntervalMillis",
              ProbePolicy.MIN_INTERVAL,
              ProbePolicy.MAX_INITIAL_INTERVAL,
              ProbePolicy.DEFAULT.initialInterval())
          .number(
              "steadyIntervalMillis",
              above ->
                  ProbePolicy.leastSteadyInterval(above.millis("initialIntervalMillis")).toMillis(),
              above -> ProbePolicy.MAX_STEADY_INTERVAL.toMillis(),
              above -> ProbePolicy.DEFAULT.steadyInterval().toMillis())
          .number(
              "perSecond",
              above -> ProbePolicy.leastPerSecond(above.millis("steadyIntervalMillis")),
              above -> ProbePolicy.MAX_PER_SECOND,
              above -> ProbePolicy.usualPerSecond(above.millis("steadyIntervalMillis")))
          .millis(
              "replyTimeoutMillis",
              ProbePolicy.MIN_INTERVAL,
              ProbePolicy.MAX_REPLY_TIMEOUT,
              ProbePolicy.DEFAULT.replyTimeout())
          .number(
              "windowSamples",
              1,
              ProbePolicy.MAX_WINDOW_SAMPLES,
              ProbePolicy.DEFAULT.windowSamples())
          .number(
              "measurementMillis",
              above -> above.number("steadyIntervalMillis"),
              above -> ProbePolicy.MAX_STEADY_INTERVAL.toMillis(),
              above ->
                  ProbePolicy.windowInterval(
                          above.millis("steadyIntervalMillis"), above.count("windowSamples"))
                      .toMillis());

  private static final SettingTable SIGNIFICANCE =
      new SettingTable("significance")
          .number(
              "thresholdPercent",
              0,
              percent(SignificancePolicy.MAX_RELATIVE_THRESHOLD),
              percent(SignificancePolicy.DEFAULT.relativeThreshold()))
          .number("floorMicros", 0, WeightGrid.MAX_MICROS, SignificancePolicy.DEFAULT.floorMicros())
          .number(
              "errorPercent",
              0,
              percent(SignificancePolicy.MAX_FACTOR),
              percent(SignificancePolicy.DEFAULT.errorFactor()))
          .number(
              "changeCostPercent",
              0,
              percent(SignificancePolicy.MAX_FACTOR),
              percent(SignificancePolicy.DEFAULT.changeCost()))
          .number(
              "quantumMicros",
              1,
              WeightGrid.MAX_MICROS,
              SignificancePolicy.DEFAULT.grid().quantumMicros())
          .number(
              "quantumBelowMicros",
              0,
              WeightGrid.MAX_MICROS,
              SignificancePolicy.DEFAULT.grid().belowMicros());

  private static final SettingTable THROUGHPUT =
      new SettingTable("throughput")
          .flag("enabled", ThroughputPolicy.DEFAULT.enabled())
          .millis(
              "intervalMillis",
              ThroughputPolicy.MIN_INTERVAL,
              ThroughputPolicy.MAX_INTERVAL,
              ThroughputPolicy.DEFAULT.interval())
          .number(
              "budgetPermille",
              1,
              ThroughputPolicy.MAX_BUDGET_PERMILLE,
              ThroughputPolicy.DEFAULT.budgetPermille())
          .number("siteMicros", 0, WeightGrid.MAX_MICROS, ThroughputPolicy.DEFAULT.siteMicros());

  private static final SettingTable OVERLAY =
      new SettingTable("overlay")
          .number(
              "fullMeshMembers",
              1,
              OverlayLimits.MAX_LINKS,
              OverlayLimits.DEFAULT.fullMeshMembers())
          .number("nearest", 1, OverlayLimits.MAX_WANTED, OverlayLimits.DEFAULT.nearest())
          .number("random", 1, OverlayLimits.MAX_WANTED, OverlayLimits.DEFAULT.random())
          .number("maxLinks", 1, OverlayLimits.MAX_LINKS, OverlayLimits.DEFAULT.maxLinks())
          .millis(
              "trialIntervalMillis",
              OverlayLimits.MIN_TRIAL_INTERVAL,
              OverlayLimits.MAX_TRIAL_INTERVAL,
              OverlayLimits.DEFAULT.trialInterval())
          .number("shortcuts", 0, OverlayLimits.MAX_SHORTCUTS, OverlayLimits.DEFAULT.shortcuts());

  private static final SettingTable LINKS =
      new SettingTable("links")
          .millis(
              "handshakeTimeoutMillis",
              MIN_HANDSHAKE_TIMEOUT,
              MAX_LINK_TIME,
              Duration.ofNanos(LinkLimits.DEFAULT.handshakeTimeoutNanos()))
          .millis(
              "redialMinMillis",
              Duration.ofMillis(1),
              MAX_LINK_TIME,
              Duration.ofNanos(LinkLimits.DEFAULT.redialMinNanos()))
          .number(
              "redialMaxMillis",
              above -> above.number("redialMinMillis"),
              above -> MAX_LINK_TIME.toMillis(),
              above -> Duration.ofNanos(LinkLimits.DEFAULT.redialMaxNanos()).toMillis())
          .millis(
              "suspendedMillis",
              Duration.ZERO,
              MAX_LINK_TIME,
              Duration.ofNanos(LinkLimits.DEFAULT.suspendedNanos()))
          .millis(
              "gatherQuietMillis",
              Duration.ZERO,
              MAX_LINK_TIME,
              Duration.ofNanos(LinkLimits.DEFAULT.gatherQuietNanos()))
          .millis(
              "gatherMillis",
              Duration.ZERO,
              MAX_LINK_TIME,
              Duration.ofNanos(LinkLimits.DEFAULT.gatherNanos()))
          .millis(
              "batchMillis",
              Duration.ZERO,
              MAX_LINK_TIME,
              Duration.ofNanos(LinkLimits.DEFAULT.batchNanos()))
          .millis(
              "forgetMillis",
              LinkLimits.MIN_FORGET,
              LinkLimits.MAX_FORGET,
              Duration.ofNanos(LinkLimits.DEFAULT.forgetNanos()));

  /** All sections. The section silence is that of the default interval of probes. */
  static final List<SettingTable> TABLES =
      List.of(
          LIMITS,
          PROBES,
          silenceTable(ProbePolicy.DEFAULT.steadyInterval()),
          SIGNIFICANCE,
          THROUGHPUT,
          OVERLAY,
          LINKS);

  private AgentConfigSections() {}

  /** Returns the default of a limit, which scales with the memory. */
  private static Bound forMemory(ToLongFunction<BroadcastLimits> limit) {
    return above -> limit.applyAsLong(BroadcastLimits.forMemory(above.number("memoryBytes")));
  }

  private static long leastCollectivesBytes(Values above) {
    return CombiningLimits.leastTotalBytes(above.count("collectiveBytes"));
  }

  private static long percent(double factor) {
    return Math.round(factor * 100);
  }

  static @Nullable BroadcastLimits limits(ConfigSection root) throws ConfigException {
    return LIMITS.read(
        root,
        values ->
            BroadcastLimits.builder()
                .chunkBytes(values.count("chunkBytes"))
                .payloadBytes(values.count("payloadBytes"))
                .publishBufferBytes(values.number("publishBufferBytes"))
                .logBytes(values.number("logBytes"))
                .edgeWindowBytes(values.number("edgeWindowBytes"))
                .subscriberWindowBytes(values.number("subscriberWindowBytes"))
                .subscribers(values.count("subscribers"))
                .topics(values.count("topics"))
                .origins(values.count("origins"))
                .retainedBytes(values.number("retainedBytes"))
                .memoryBytes(values.number("memoryBytes"))
                .uploads(values.count("uploads"))
                .uploadBytes(values.number("uploadBytes"))
                .slowSubscriberMillis(values.number("slowSubscriberMillis"))
                .build());
  }

  static @Nullable CombiningLimits collectives(ConfigSection root) throws ConfigException {
    return LIMITS.read(
        root,
        values ->
            new CombiningLimits(
                values.count("collectives"),
                values.count("collectiveBytes"),
                values.number("collectivesBytes")));
  }

  static @Nullable ClaimLimits claims(ConfigSection root) throws ConfigException {
    return LIMITS.read(
        root,
        values ->
            new ClaimLimits(
                values.millis("leaseMillis").toNanos(),
                values.count("claims"),
                values.count("claims")));
  }

  static @Nullable ValuesLimits values(ConfigSection root) throws ConfigException {
    return LIMITS.read(
        root,
        values -> ValuesLimits.of(values.number("valuesBytes"), values.number("valueMapBytes")));
  }

  static @Nullable ProbePolicy probes(ConfigSection root) throws ConfigException {
    return PROBES.read(
        root,
        values ->
            new ProbePolicy(
                values.count("initialProbes"),
                values.count("samplesRequired"),
                values.millis("initialIntervalMillis"),
                values.millis("steadyIntervalMillis"),
                values.millis("replyTimeoutMillis"),
                values.count("windowSamples"),
                values.millis("measurementMillis"),
                values.count("perSecond")));
  }

  /**
   * Returns the silence policy. It depends on the probes of the same file, since each end of a link
   * receives a message with every probe, which serves as the heartbeat.
   */
  static @Nullable SilencePolicy silence(ConfigSection root) throws ConfigException {
    ProbePolicy probes = probes(root);
    Duration heartbeat = (probes == null ? ProbePolicy.DEFAULT : probes).steadyInterval();
    SilencePolicy given =
        silenceTable(heartbeat)
            .read(
                root,
                values ->
                    new SilencePolicy(
                        heartbeat,
                        values.millis("minThresholdMillis"),
                        values.millis("maxThresholdMillis"),
                        values.millis("memoryMillis"),
                        values.millis("stretchMillis")));
    return given == null && probes != null ? SilencePolicy.forHeartbeat(heartbeat) : given;
  }

  private static SettingTable silenceTable(Duration heartbeat) {
    SilencePolicy defaults = SilencePolicy.forHeartbeat(heartbeat);
    return new SettingTable("silence")
        .millis(
            "minThresholdMillis",
            heartbeat.multipliedBy(SilencePolicy.MIN_THRESHOLD_HEARTBEATS),
            SilencePolicy.MAX_THRESHOLD,
            defaults.minThreshold())
        .number(
            "maxThresholdMillis",
            above -> above.number("minThresholdMillis"),
            above -> SilencePolicy.MAX_THRESHOLD.toMillis(),
            above ->
                Math.max(above.number("minThresholdMillis"), defaults.maxThreshold().toMillis()))
        .millis(
            "memoryMillis",
            heartbeat.multipliedBy(SilencePolicy.MIN_MEMORY_HEARTBEATS),
            SilencePolicy.MAX_MEMORY,
            defaults.memory())
        .millis("stretchMillis", Duration.ZERO, SilencePolicy.MAX_THRESHOLD, defaults.stretch());
  }

  /** Returns the policy for significant changes of a round trip. */
  static @Nullable SignificancePolicy significance(ConfigSection root) throws ConfigException {
    return SIGNIFICANCE.read(
        root,
        values ->
            new SignificancePolicy(
                values.percent("thresholdPercent"),
                values.number("floorMicros"),
                values.percent("errorPercent"),
                values.percent("changeCostPercent"),
                new WeightGrid(values.number("quantumMicros"), values.number("quantumBelowMicros")),
                SignificancePolicy.DEFAULT.damping()));
  }

  static @Nullable ThroughputPolicy throughput(ConfigSection root) throws ConfigException {
    return THROUGHPUT.read(
        root,
        values ->
            new ThroughputPolicy(
                values.flag("enabled"),
                values.millis("intervalMillis"),
                values.count("budgetPermille"),
                values.number("siteMicros")));
  }

  static @Nullable OverlayLimits overlay(ConfigSection root) throws ConfigException {
    return OVERLAY.read(
        root,
        values ->
            new OverlayLimits(
                values.count("fullMeshMembers"),
                values.count("nearest"),
                values.count("random"),
                values.count("maxLinks"),
                values.millis("trialIntervalMillis"),
                values.count("shortcuts")));
  }

  /** Returns the limits of links. */
  static @Nullable LinkLimits links(ConfigSection root) throws ConfigException {
    return LINKS.read(
        root,
        values ->
            LinkLimits.builder()
                .handshakeTimeoutNanos(values.nanos("handshakeTimeoutMillis"))
                .redialMinNanos(values.nanos("redialMinMillis"))
                .redialMaxNanos(values.nanos("redialMaxMillis"))
                .higherEndGraceNanos(LinkLimits.DEFAULT.higherEndGraceNanos())
                .handshakes(LinkLimits.DEFAULT.handshakes())
                .suspendedNanos(values.nanos("suspendedMillis"))
                .gatherQuietNanos(values.nanos("gatherQuietMillis"))
                .gatherNanos(values.nanos("gatherMillis"))
                .batchNanos(values.nanos("batchMillis"))
                .forgetNanos(values.nanos("forgetMillis"))
                .build());
  }
}
