package io.treecast.agent.config;

import io.treecast.agent.core.settings.LinkLimits;
import io.treecast.agent.core.settings.OverlayLimits;
import io.treecast.collectives.broadcast.contract.BroadcastLimits;
import io.treecast.collectives.broadcast.message.StreamId;
import io.treecast.collectives.operation.CombiningLimits;
import io.treecast.monitor.probe.ProbePolicy;
import io.treecast.monitor.probe.SilencePolicy;
import io.treecast.monitor.throughput.ThroughputPolicy;
import io.treecast.monitor.weight.SignificancePolicy;
import io.treecast.monitor.weight.WeightGrid;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * The sections of a configuration file: their keys, the ranges of these, and the settings that they
 * make. An absent section is null; an absent key has its default.
 */
final class AgentConfigSections {
  /** Longest time of linking that may be set. */
  private static final Duration MAX_LINK_TIME = Duration.ofHours(1);

  /** Shortest handshake timeout: less would end links between continents. */
  private static final Duration MIN_HANDSHAKE_TIMEOUT = Duration.ofMillis(100);

  /** By default, the memory for data is this many times that of collective operations. */
  private static final int MEMORY_PER_COLLECTIVES = 16;

  private AgentConfigSections() {}

  /** Bounds of the data. */
  static @Nullable BroadcastLimits limits(ConfigSection root) throws ConfigException {
    ConfigSection section = limitsSection(root);
    if (section == null) {
      return null;
    }
    long maxBuffer = BroadcastLimits.MAX_BUFFER_BYTES;
    long memoryBytes =
        section.integer(
            "memoryBytes",
            BroadcastLimits.MIN_MEMORY_BYTES,
            maxBuffer,
            BroadcastLimits.DEFAULT_MEMORY_BYTES);
    BroadcastLimits defaults = BroadcastLimits.forMemory(memoryBytes);
    int maxCount = BroadcastLimits.MAX_COUNT;
    int chunkBytes =
        (int)
            section.integer(
                "chunkBytes", 1, BroadcastLimits.MAX_CHUNK_BYTES, defaults.chunkBytes());
    int payloadBytes =
        (int)
            section.integer(
                "payloadBytes", 1, BroadcastLimits.MAX_PAYLOAD_BYTES, defaults.payloadBytes());
    long publishBufferBytes =
        section.integer("publishBufferBytes", 1, maxBuffer, defaults.publishBufferBytes());
    long logBytes = section.integer("logBytes", 1, maxBuffer, defaults.logBytes());
    long retainedBytes =
        section.integer("retainedBytes", 0, logBytes, Math.min(logBytes, defaults.retainedBytes()));
    long edgeWindowBytes =
        section.integer("edgeWindowBytes", 1, maxBuffer, defaults.edgeWindowBytes());
    long subscriberWindowBytes =
        section.integer("subscriberWindowBytes", 1, maxBuffer, defaults.subscriberWindowBytes());
    int subscribers = (int) section.integer("subscribers", 1, maxCount, defaults.subscribers());
    int topics = (int) section.integer("topics", 1, maxCount, defaults.topics());
    int origins = (int) section.integer("origins", 1, maxCount, defaults.origins());
    int uploads = (int) section.integer("uploads", 1, StreamId.MAX_LANE, defaults.uploads());
    long uploadBytes = section.integer("uploadBytes", 1, maxBuffer, defaults.uploadBytes());
    long slowSubscriberMillis =
        section.integer(
            "slowSubscriberMillis",
            0,
            BroadcastLimits.MAX_SLOW_SUBSCRIBER_MILLIS,
            defaults.slowSubscriberMillis());
    try {
      return new BroadcastLimits(
          chunkBytes,
          payloadBytes,
          publishBufferBytes,
          logBytes,
          edgeWindowBytes,
          subscriberWindowBytes,
          subscribers,
          topics,
          origins,
          retainedBytes,
          memoryBytes,
          uploads,
          uploadBytes,
          slowSubscriberMillis);
    } catch (IllegalArgumentException e) {
      // Each value is in its range, but not together with the others; the message has path, value
      // and range.
      throw new ConfigException(section.file() + ": " + e.getMessage());
    }
  }

  /**
   * Bounds of collective operations.
   *
   * @param limits of the same file: the default memory of operations depends on the memory for data
   */
  static @Nullable CombiningLimits collectives(ConfigSection root, @Nullable BroadcastLimits limits)
      throws ConfigException {
    ConfigSection section = limitsSection(root);
    if (section == null || limits == null) {
      return null;
    }
    CombiningLimits defaults = CombiningLimits.defaults();
    int operations =
        (int)
            section.integer(
                "collectives", 1, CombiningLimits.MAX_OPERATIONS, defaults.operations());
    int valueBytes =
        (int)
            section.integer(
                "collectiveBytes",
                CombiningLimits.MIN_VALUE_BYTES,
                CombiningLimits.MAX_VALUE_BYTES,
                defaults.valueBytes());
    long leastTotal = CombiningLimits.leastTotalBytes(valueBytes);
    return new CombiningLimits(
        operations,
        valueBytes,
        section.integer(
            "collectivesBytes",
            leastTotal,
            CombiningLimits.MAX_TOTAL_BYTES,
            Math.max(leastTotal, limits.memoryBytes() / MEMORY_PER_COLLECTIVES)));
  }

  /** Returns the bounds of the data, and of collective operations. */
  private static @Nullable ConfigSection limitsSection(ConfigSection root) throws ConfigException {
    return root.section(
        "limits",
        "payloadBytes",
        "publishBufferBytes",
        "logBytes",
        "retainedBytes",
        "memoryBytes",
        "edgeWindowBytes",
        "subscriberWindowBytes",
        "chunkBytes",
        "subscribers",
        "topics",
        "origins",
        "uploads",
        "uploadBytes",
        "slowSubscriberMillis",
        "collectives",
        "collectiveBytes",
        "collectivesBytes");
  }

  /** Returns when links are measured. */
  static @Nullable ProbePolicy probes(ConfigSection root) throws ConfigException {
    ConfigSection section =
        root.section(
            "probes",
            "initialProbes",
            "samplesRequired",
            "initialIntervalMillis",
            "steadyIntervalMillis",
            "replyTimeoutMillis",
            "windowSamples",
            "measurementMillis",
            "perSecond");
    if (section == null) {
      return null;
    }
    ProbePolicy defaults = ProbePolicy.DEFAULT;
    int initialProbes =
        (int)
            section.integer(
                "initialProbes", 1, ProbePolicy.MAX_INITIAL_PROBES, defaults.initialProbes());
    int samplesRequired =
        (int) section.integer("samplesRequired", 1, initialProbes, defaults.samplesRequired());
    Duration initialInterval =
        section.millis(
            "initialIntervalMillis",
            ProbePolicy.MIN_INTERVAL,
            ProbePolicy.MAX_INITIAL_INTERVAL,
            defaults.initialInterval());
    Duration steadyInterval =
        section.millis(
            "steadyIntervalMillis",
            ProbePolicy.leastSteadyInterval(initialInterval),
            ProbePolicy.MAX_STEADY_INTERVAL,
            defaults.steadyInterval());
    Duration replyTimeout =
        section.millis(
            "replyTimeoutMillis",
            ProbePolicy.MIN_INTERVAL,
            ProbePolicy.MAX_REPLY_TIMEOUT,
            defaults.replyTimeout());
    int windowSamples =
        (int)
            section.integer(
                "windowSamples", 1, ProbePolicy.MAX_WINDOW_SAMPLES, defaults.windowSamples());
    Duration measurementInterval =
        section.millis(
            "measurementMillis",
            steadyInterval,
            ProbePolicy.MAX_STEADY_INTERVAL,
            ProbePolicy.windowInterval(steadyInterval, windowSamples));
    return new ProbePolicy(
        initialProbes,
        samplesRequired,
        initialInterval,
        steadyInterval,
        replyTimeout,
        windowSamples,
        measurementInterval,
        (int)
            section.integer(
                "perSecond",
                ProbePolicy.leastPerSecond(steadyInterval),
                ProbePolicy.MAX_PER_SECOND,
                ProbePolicy.usualPerSecond(steadyInterval)));
  }

  /**
   * Returns the silence policy.
   *
   * @param probes of the same file: each end of a link hears from the other at every probe, which
   *     serves as the heartbeat
   */
  static @Nullable SilencePolicy silence(ConfigSection root, @Nullable ProbePolicy probes)
      throws ConfigException {
    ConfigSection section =
        root.section(
            "silence", "minThresholdMillis", "maxThresholdMillis", "memoryMillis", "stretchMillis");
    if (section == null && probes == null) {
      return null;
    }
    Duration heartbeat = (probes == null ? ProbePolicy.DEFAULT : probes).steadyInterval();
    SilencePolicy defaults = SilencePolicy.forHeartbeat(heartbeat);
    if (section == null) {
      return defaults;
    }
    Duration longest = SilencePolicy.MAX_THRESHOLD;
    Duration min =
        section.millis(
            "minThresholdMillis",
            heartbeat.multipliedBy(SilencePolicy.MIN_THRESHOLD_HEARTBEATS),
            longest,
            defaults.minThreshold());
    return new SilencePolicy(
        heartbeat,
        min,
        section.millis("maxThresholdMillis", min, longest, longer(min, defaults.maxThreshold())),
        section.millis(
            "memoryMillis",
            heartbeat.multipliedBy(SilencePolicy.MIN_MEMORY_HEARTBEATS),
            SilencePolicy.MAX_MEMORY,
            defaults.memory()),
        section.millis("stretchMillis", Duration.ZERO, longest, defaults.stretch()));
  }

  private static Duration longer(Duration one, Duration other) {
    return one.compareTo(other) > 0 ? one : other;
  }

  /** Returns the policy for significant changes of a round trip. */
  static @Nullable SignificancePolicy significance(ConfigSection root) throws ConfigException {
    ConfigSection section =
        root.section(
            "significance",
            "thresholdPercent",
            "floorMicros",
            "errorPercent",
            "changeCostPercent",
            "quantumMicros",
            "quantumBelowMicros");
    if (section == null) {
      return null;
    }
    SignificancePolicy defaults = SignificancePolicy.DEFAULT;
    long mostPercent = Math.round(SignificancePolicy.MAX_FACTOR * 100);
    long mostMicros = WeightGrid.MAX_MICROS;
    WeightGrid grid = defaults.grid();
    return new SignificancePolicy(
        section.integer(
                "thresholdPercent",
                0,
                Math.round(SignificancePolicy.MAX_RELATIVE_THRESHOLD * 100),
                percent(defaults.relativeThreshold()))
            / 100.0,
        section.integer("floorMicros", 0, mostMicros, defaults.floorMicros()),
        section.integer("errorPercent", 0, mostPercent, percent(defaults.errorFactor())) / 100.0,
        section.integer("changeCostPercent", 0, mostPercent, percent(defaults.changeCost()))
            / 100.0,
        new WeightGrid(
            section.integer("quantumMicros", 1, mostMicros, grid.quantumMicros()),
            section.integer("quantumBelowMicros", 0, mostMicros, grid.belowMicros())),
        defaults.damping());
  }

  /** Returns when throughput is measured. */
  static @Nullable ThroughputPolicy throughput(ConfigSection root) throws ConfigException {
    ConfigSection section =
        root.section("throughput", "enabled", "intervalMillis", "budgetPermille", "siteMicros");
    if (section == null) {
      return null;
    }
    ThroughputPolicy defaults = ThroughputPolicy.DEFAULT;
    Boolean enabled = section.bool("enabled");
    return new ThroughputPolicy(
        enabled == null ? defaults.enabled() : enabled,
        section.millis(
            "intervalMillis",
            ThroughputPolicy.MIN_INTERVAL,
            ThroughputPolicy.MAX_INTERVAL,
            defaults.interval()),
        (int)
            section.integer(
                "budgetPermille",
                1,
                ThroughputPolicy.MAX_BUDGET_PERMILLE,
                defaults.budgetPermille()),
        section.integer("siteMicros", 0, WeightGrid.MAX_MICROS, defaults.siteMicros()));
  }

  private static long percent(double factor) {
    return Math.round(factor * 100);
  }

  /** Returns the limits of the overlay. */
  static @Nullable OverlayLimits overlay(ConfigSection root) throws ConfigException {
    ConfigSection section =
        root.section(
            "overlay",
            "fullMeshMembers",
            "nearest",
            "random",
            "maxLinks",
            "trialIntervalMillis",
            "shortcuts");
    if (section == null) {
      return null;
    }
    OverlayLimits defaults = OverlayLimits.DEFAULT;
    int most = OverlayLimits.MAX_LINKS;
    try {
      return new OverlayLimits(
          (int) section.integer("fullMeshMembers", 1, most, defaults.fullMeshMembers()),
          (int) section.integer("nearest", 1, OverlayLimits.MAX_WANTED, defaults.nearest()),
          (int) section.integer("random", 1, OverlayLimits.MAX_WANTED, defaults.random()),
          (int) section.integer("maxLinks", 1, most, defaults.maxLinks()),
          section.millis(
              "trialIntervalMillis",
              OverlayLimits.MIN_TRIAL_INTERVAL,
              OverlayLimits.MAX_TRIAL_INTERVAL,
              defaults.trialInterval()),
          (int) section.integer("shortcuts", 0, OverlayLimits.MAX_SHORTCUTS, defaults.shortcuts()));
    } catch (IllegalArgumentException e) {
      // Each value is in its range, but not together with the others.
      throw new ConfigException(section.file() + ": " + e.getMessage());
    }
  }

  /** Times of linking. */
  static @Nullable LinkLimits links(ConfigSection root) throws ConfigException {
    ConfigSection section =
        root.section(
            "links",
            "handshakeTimeoutMillis",
            "redialMinMillis",
            "redialMaxMillis",
            "suspendedMillis",
            "gatherQuietMillis",
            "gatherMillis",
            "batchMillis",
            "forgetMillis");
    if (section == null) {
      return null;
    }
    LinkLimits defaults = LinkLimits.DEFAULT;
    Duration handshakeTimeout =
        section.millis(
            "handshakeTimeoutMillis",
            MIN_HANDSHAKE_TIMEOUT,
            MAX_LINK_TIME,
            Duration.ofNanos(defaults.handshakeTimeoutNanos()));
    Duration redialMin =
        section.millis(
            "redialMinMillis",
            Duration.ofMillis(1),
            MAX_LINK_TIME,
            Duration.ofNanos(defaults.redialMinNanos()));
    Duration redialMax =
        section.millis(
            "redialMaxMillis",
            redialMin,
            MAX_LINK_TIME,
            Duration.ofNanos(defaults.redialMaxNanos()));
    return new LinkLimits(
        handshakeTimeout.toNanos(),
        redialMin.toNanos(),
        redialMax.toNanos(),
        defaults.higherEndGraceNanos(),
        defaults.handshakes(),
        linkNanos(section, "suspendedMillis", defaults.suspendedNanos()),
        linkNanos(section, "gatherQuietMillis", defaults.gatherQuietNanos()),
        linkNanos(section, "gatherMillis", defaults.gatherNanos()),
        linkNanos(section, "batchMillis", defaults.batchNanos()),
        section
            .millis(
                "forgetMillis",
                LinkLimits.MIN_FORGET,
                LinkLimits.MAX_FORGET,
                Duration.ofNanos(defaults.forgetNanos()))
            .toNanos());
  }

  private static long linkNanos(ConfigSection section, String key, long defaultNanos)
      throws ConfigException {
    return section
        .millis(key, Duration.ZERO, MAX_LINK_TIME, Duration.ofNanos(defaultNanos))
        .toNanos();
  }
}
