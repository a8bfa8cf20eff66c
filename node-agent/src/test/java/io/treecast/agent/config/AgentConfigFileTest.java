package io.treecast.agent.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.treecast.agent.core.settings.LinkLimits;
import io.treecast.agent.core.settings.OverlayLimits;
import io.treecast.collectives.broadcast.contract.BroadcastLimits;
import io.treecast.collectives.operation.contract.CombiningLimits;
import io.treecast.ghs.NodeId;
import io.treecast.monitor.probe.ProbePolicy;
import io.treecast.monitor.probe.SilencePolicy;
import io.treecast.monitor.throughput.ThroughputPolicy;
import io.treecast.monitor.weight.DampingPolicy;
import io.treecast.monitor.weight.SignificancePolicy;
import io.treecast.monitor.weight.WeightGrid;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class AgentConfigFileTest {

  private static final Path EXAMPLE = Path.of("../docs/agent.example.yaml");

  private static AgentSettings parse(String yaml) throws ConfigException {
    return AgentConfigFile.parse("a.yaml", yaml);
  }

  @Test
  void the_example_file_can_be_used_as_it_is() throws Exception {
    AgentConfig config = AgentConfigFile.read(EXAMPLE).toConfig();
    assertThat(config.id()).isEqualTo(NodeId.of("h3"));
    assertThat(config.listen()).isEqualTo(new HostPort("127.0.0.1", 7700));
    assertThat(config.advertise()).isNull();
    assertThat(config.admin()).isNull();
    assertThat(config.series()).isNull();
    assertThat(config.membership().seeds()).isEmpty();
    assertThat(config.insecure()).isFalse();
  }

  @Test
  void the_example_file_shows_the_defaults_and_what_is_optional_behind_a_number_sign()
      throws Exception {
    String optional =
        Files.readString(EXAMPLE)
            .replace("\nlisten: 127.0.0.1:7700", "\nlisten: 10.0.0.4:7700")
            .replaceAll("(?m)^# (?!listen)(?=[a-z]+: ?\\S*$|  - )", "");
    AgentConfig config = parse(optional).toConfig();
    assertThat(config.series()).isEqualTo(Path.of("/var/lib/treecast/h3"));
    assertThat(config.listen()).isEqualTo(new HostPort("10.0.0.4", 7700));
    assertThat(config.advertise())
        .isEqualTo(Advertised.of(new HostPort("agent3.example.org", 7700)));
    assertThat(config.admin()).isEqualTo(new HostPort("127.0.0.1", 9400));
    assertThat(config.membership().seeds()).containsExactly("10.0.0.1:7700", "10.0.0.2:7700");
    assertThat(config.tls()).isEqualTo(Path.of("/etc/treecast/tls"));
    assertThat(config.insecure()).isTrue();
    assertThat(config.allowFaults()).isFalse();
    assertThat(config.site()).isEqualTo("east");
    assertThat(config.cluster()).isEqualTo("production");
    assertThat(config.readyMembers()).isEqualTo(1);
    assertThat(config.broadcast()).isEqualTo(BroadcastLimits.defaults());
    assertThat(config.collectives()).isEqualTo(CombiningLimits.defaults());
    assertThat(config.probes()).isEqualTo(ProbePolicy.DEFAULT);
    assertThat(config.silence()).isEqualTo(SilencePolicy.DEFAULT);
    assertThat(config.significance()).isEqualTo(SignificancePolicy.DEFAULT);
    assertThat(config.throughput()).isEqualTo(ThroughputPolicy.DEFAULT);
    assertThat(config.overlay()).isEqualTo(OverlayLimits.DEFAULT);
    assertThat(config.links()).isEqualTo(LinkLimits.DEFAULT);
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "# only a comment\n", "---\n"})
  void an_empty_file_says_nothing(String yaml) throws Exception {
    assertThat(parse(yaml)).isEqualTo(AgentSettings.NONE);
  }

  private static List<String> seeds(AgentSettings settings) {
    return Objects.requireNonNull(settings.get(Setting.MEMBERSHIP)).seeds();
  }

  @Test
  void seeds_are_a_list_or_one_text() throws Exception {
    assertThat(seeds(parse("seeds: [a:1, 'b:2']"))).containsExactly("a:1", "b:2");
    assertThat(seeds(parse("seeds: a:1, b:2"))).containsExactly("a:1", "b:2");
    assertThat(seeds(parse("seeds: []"))).isEmpty();
    assertThat(seeds(parse("seeds: _treecast._tcp.example.org, a")))
        .containsExactly("_treecast._tcp.example.org", "a:7700");
  }

  @Test
  void an_absent_key_has_its_default() throws Exception {
    BroadcastLimits limits = parse("limits: {subscribers: 7}").get(Setting.LIMITS);
    assertThat(limits).isEqualTo(BroadcastLimits.defaults().toBuilder().subscribers(7).build());
  }

  @Test
  void the_other_limits_are_in_proportion_to_the_memory() throws Exception {
    assertThat(parse("limits: {memoryBytes: 67108864}").get(Setting.LIMITS))
        .isEqualTo(BroadcastLimits.forMemory(67_108_864));
    assertThat(parse("limits: {memoryBytes: 134217728}").get(Setting.COLLECTIVES))
        .isEqualTo(new CombiningLimits(1_000, 1 << 20, 32 << 20));
    String largeValues = "limits: {memoryBytes: 33554432, collectiveBytes: 4194304}";
    assertThat(parse(largeValues).get(Setting.COLLECTIVES))
        .isEqualTo(new CombiningLimits(1_000, 4 << 20, 16 << 20));
  }

  @Test
  void every_setting_arrives_where_it_belongs() throws Exception {
    AgentSettings settings =
        parse(
            """
            limits: {chunkBytes: 10, payloadBytes: 20, publishBufferBytes: 3000, logBytes: 3500, retainedBytes: 8,
              edgeWindowBytes: 4000, subscriberWindowBytes: 5000, subscribers: 6, topics: 9, origins: 7,
              memoryBytes: 67108864, uploads: 8, uploadBytes: 9000, slowSubscriberMillis: 1500, collectives: 11, collectiveBytes: 1200,
              collectivesBytes: 130000}
            probes: {initialProbes: 5, samplesRequired: 4, initialIntervalMillis: 3, steadyIntervalMillis: 20,
              replyTimeoutMillis: 10, windowSamples: 9, measurementMillis: 70, perSecond: 120}
            silence: {minThresholdMillis: 60, maxThresholdMillis: 700, memoryMillis: 800, stretchMillis: 9000}
            significance: {thresholdPercent: 15, floorMicros: 16, errorPercent: 170, changeCostPercent: 40,
              quantumMicros: 18, quantumBelowMicros: 190}
            throughput: {enabled: false, intervalMillis: 70000, budgetPermille: 5, siteMicros: 600}
            overlay: {fullMeshMembers: 21, nearest: 6, random: 3, maxLinks: 22, trialIntervalMillis: 7000, shortcuts: 5}
            links: {handshakeTimeoutMillis: 300, redialMinMillis: 4, redialMaxMillis: 50, suspendedMillis: 6,
              gatherQuietMillis: 7, gatherMillis: 8, batchMillis: 9,
              forgetMillis: 61000}
            """);
    assertThat(settings.get(Setting.LIMITS))
        .isEqualTo(
            BroadcastLimits.builder()
                .chunkBytes(10)
                .payloadBytes(20)
                .publishBufferBytes(3000)
                .logBytes(3500)
                .edgeWindowBytes(4000)
                .subscriberWindowBytes(5000)
                .subscribers(6)
                .topics(9)
                .origins(7)
                .retainedBytes(8)
                .memoryBytes(67_108_864)
                .uploads(8)
                .uploadBytes(9000)
                .slowSubscriberMillis(1500)
                .build());
    assertThat(settings.get(Setting.COLLECTIVES))
        .isEqualTo(new CombiningLimits(11, 1_200, 130_000));
    assertThat(settings.get(Setting.PROBES))
        .isEqualTo(
            new ProbePolicy(
                5,
                4,
                Duration.ofMillis(3),
                Duration.ofMillis(20),
                Duration.ofMillis(10),
                9,
                Duration.ofMillis(70),
                120));
    assertThat(settings.get(Setting.OVERLAY))
        .isEqualTo(new OverlayLimits(21, 6, 3, 22, Duration.ofSeconds(7), 5));
    assertThat(settings.get(Setting.LINKS))
        .isEqualTo(
            LinkLimits.builder()
                .handshakeTimeoutNanos(300_000_000)
                .redialMinNanos(4_000_000)
                .redialMaxNanos(50_000_000)
                .higherEndGraceNanos(LinkLimits.DEFAULT.higherEndGraceNanos())
                .handshakes(LinkLimits.DEFAULT.handshakes())
                .suspendedNanos(6_000_000)
                .gatherQuietNanos(7_000_000)
                .gatherNanos(8_000_000)
                .batchNanos(9_000_000)
                .forgetNanos(61_000_000_000L)
                .build());
    assertThat(settings.get(Setting.SILENCE))
        .isEqualTo(
            new SilencePolicy(
                Duration.ofMillis(20),
                Duration.ofMillis(60),
                Duration.ofMillis(700),
                Duration.ofMillis(800),
                Duration.ofSeconds(9)));
    assertThat(settings.get(Setting.SIGNIFICANCE))
        .isEqualTo(
            new SignificancePolicy(
                0.15, 16, 1.7, 0.4, new WeightGrid(18, 190), DampingPolicy.DEFAULT));
    assertThat(settings.get(Setting.THROUGHPUT))
        .isEqualTo(new ThroughputPolicy(false, Duration.ofSeconds(70), 5, 600));
  }

  @Test
  void silence_is_judged_by_the_interval_of_the_probes() throws Exception {
    Duration seldom = Duration.ofSeconds(10);
    assertThat(parse("probes: {steadyIntervalMillis: 10000}").get(Setting.SILENCE))
        .isEqualTo(SilencePolicy.forHeartbeat(seldom));
    assertThat(
            parse("probes: {steadyIntervalMillis: 10000}\nsilence: {stretchMillis: 0}")
                .get(Setting.SILENCE))
        .extracting(SilencePolicy::heartbeatInterval, SilencePolicy::stretch)
        .containsExactly(seldom, Duration.ZERO);
  }

  @Test
  void the_longest_silence_is_never_less_than_the_shortest() throws Exception {
    assertThat(parse("silence: {minThresholdMillis: 90000}").get(Setting.SILENCE))
        .extracting(SilencePolicy::maxThreshold)
        .isEqualTo(Duration.ofSeconds(90));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '~',
      value = {
        "id: 3 | id: '3'",
        "id: a b | id: 'a b'",
        "cluster: a b | cluster: 'a b'",
        "readyMembers: 0 | readyMembers: '0'",
        "readyMembers: two | readyMembers: 'two'",
        "labels: [gpu] | labels: '[\"gpu\"]'",
        "labels: {gpu: 8} | labels.gpu: '8'",
        "labels: {site: 'a'} | labels: 'site'",
        "labels: {gpu: 'a,b'} | labels.gpu: 'a,b'",
        "site: a b | site: 'a b'",
        "id: [a] | id: '[\"a\"]'",
        "id: | id:",
        "listen: 7700 | listen: '7700'",
        "listen: 127.0.0.1:99999 | listen: '127.0.0.1:99999'",
        "advertise: 'x:' | advertise: 'x:'",
        "advertise: {a: '10.0.0.1:1', b: '10.0.0.1:1'} | advertise.b: '10.0.0.1:1'",
        "advertise: {a_b: '10.0.0.1:1'} | advertise: 'a_b'",
        "advertise: {} | advertise: '0 networks'",
        "advertise: {a: 'h:1', b: 'h:2', c: 'h:3', d: 'h:4', e: 'h:5'} | advertise: '5 networks'",
        "advertise: {a: 'h_1:1'} | advertise.a: 'h_1:1'",
        "advertise: [a] | advertise: '[\"a\"]'",
        "advertise: a_b:1 | advertise: 'a_b:1'",
        "admin: 9400 | admin: '9400'",
        "adminHosts: h1:9400 | adminHosts: 'h1:9400'",
        "adminHosts: [a, 'b c'] | adminHosts: 'b c'",
        "seeds: 7700 | seeds: '7700'",
        "seeds: {a: 1} | seeds: '{\"a\":1}'",
        "seeds: [a:1, 2] | seeds[1]: '2'",
        "seeds: [a:1, 'b:'] | seeds: 'b:'",
        "seeds: 'a:1,' | seeds: ''",
        "seeds: _treecast._udp.a | seeds: '_treecast._udp.a'",
        "seeds: _treecast._tcp.a:1 | seeds: '_treecast._tcp.a:1'",
        "seeds: a:0 | seeds: 'a:0'",
        "insecure: yes | insecure: 'yes'",
        "allowFaults: on | allowFaults: 'on'",
        "insecure: \"true\" | insecure: 'true'",
        "limits: {subscribers: \"6\"} | limits.subscribers: '6'",
        "insecure: 1 | insecure: '1'",
        "limits: 5 | limits: '5'",
        "limits: | limits:",
        "limits: {payloadBytes: 4 MB} | limits.payloadBytes: '4 MB'",
        "limits: {payloadBytes: 0} | limits.payloadBytes: '0'",
        "limits: {payloadBytes: 99999999999999999999} | limits.payloadBytes: '99999999999999999999'",
        "limits: {payloadBytes: 67108864} | limits.publishBufferBytes is 16777216",
        "limits: {chunkBytes: 1048577} | limits.chunkBytes: '1048577'",
        "limits: {edgeWindowBytes: 1} | limits.edgeWindowBytes is 1",
        "limits: {subscriberWindowBytes: 1} | limits.subscriberWindowBytes is 1",
        "limits: {retainedBytes: 70000000} | limits.retainedBytes: '70000000'",
        "limits: {memoryBytes: 1000} | limits.memoryBytes: '1000'",
        "limits: {subscribers: 1024} | limits.memoryBytes is 268435456",
        "limits: {subscribers: 0} | limits.subscribers: '0'",
        "limits: {collectiveBytes: 1000} | limits.collectiveBytes: '1000'",
        "limits: {collectivesBytes: 4000000} | limits.collectivesBytes: '4000000'",
        "limits: {origins: -1} | limits.origins: '-1'",
        "probes: {initialProbes: 101} | probes.initialProbes: '101'",
        "probes: {samplesRequired: 11} | probes.samplesRequired: '11'",
        "probes: {initialProbes: 5} | probes.samplesRequired:",
        "probes: {initialIntervalMillis: 0} | probes.initialIntervalMillis: '0'",
        "probes: {steadyIntervalMillis: 99} | probes.steadyIntervalMillis: '99'",
        "probes: {replyTimeoutMillis: 3600001} | probes.replyTimeoutMillis: '3600001'",
        "probes: {windowSamples: 0} | probes.windowSamples: '0'",
        "probes: {measurementMillis: 499} | probes.measurementMillis: '499'",
        "links: {handshakeTimeoutMillis: 99} | links.handshakeTimeoutMillis: '99'",
        "links: {redialMinMillis: 0} | links.redialMinMillis: '0'",
        "links: {redialMaxMillis: 199} | links.redialMaxMillis: '199'",
        "links: {suspendedMillis: -1} | links.suspendedMillis: '-1'",
        "links: {forgetMillis: 59999} | links.forgetMillis: '59999'",
        "links: {gatherQuietMillis: -1} | links.gatherQuietMillis: '-1'",
        "links: {gatherMillis: 3600001} | links.gatherMillis: '3600001'",
        "links: {batchMillis: -1} | links.batchMillis: '-1'",
        "silence: {minThresholdMillis: 999} | silence.minThresholdMillis: '999'",
        "silence: {maxThresholdMillis: 2599} | silence.maxThresholdMillis: '2599'",
        "silence: {memoryMillis: 4999} | silence.memoryMillis: '4999'",
        "silence: {stretchMillis: -1} | silence.stretchMillis: '-1'",
        "significance: {thresholdPercent: 1001} | significance.thresholdPercent: '1001'",
        "significance: {floorMicros: -1} | significance.floorMicros: '-1'",
        "significance: {errorPercent: -1} | significance.errorPercent: '-1'",
        "significance: {changeCostPercent: 10001} | significance.changeCostPercent: '10001'",
        "significance: {quantumMicros: 0} | significance.quantumMicros: '0'",
        "significance: {quantumBelowMicros: -1} | significance.quantumBelowMicros: '-1'",
        "throughput: {intervalMillis: 999} | throughput.intervalMillis: '999'",
        "throughput: {budgetPermille: 101} | throughput.budgetPermille: '101'",
        "throughput: {siteMicros: -1} | throughput.siteMicros: '-1'",
        "throughput: {enabled: 1} | throughput.enabled: '1'",
        "overlay: {nearest: 0} | overlay.nearest: '0'",
        "overlay: {nearest: 30} | overlay.maxLinks: 40",
        "overlay: {fullMeshMembers: 50} | overlay.fullMeshMembers: 50",
        "ids: h1 | ids:",
        "colour: red | colour:",
        "limits: {payloadByte: 1} | limits.payloadByte:",
        "probes: {WindowSamples: 1} | probes.WindowSamples:",
      })
  void an_invalid_setting_is_named_with_file_path_and_value(String yaml, String message) {
    assertThatThrownBy(() -> parse(yaml))
        .isInstanceOf(ConfigException.class)
        .message()
        .matches("(?s)a\\.yaml(, line 1)?: " + Pattern.quote(message) + ".*");
  }

  @ParameterizedTest
  @CsvSource({
    "ids: h1, id?",
    "limits: {payloadByte: 1}, payloadBytes?",
    "probes: {WindowSamples: 1}, windowSamples?"
  })
  void the_error_about_an_unknown_key_names_the_nearest_one(String yaml, String nearest) {
    assertThatThrownBy(() -> parse(yaml)).hasMessageContaining(" " + nearest);
  }

  @ParameterizedTest
  @ValueSource(strings = {"- a", "just text"})
  void a_file_without_keys_is_refused_by_name(String yaml) {
    assertThatThrownBy(() -> parse(yaml))
        .isInstanceOf(ConfigException.class)
        .hasMessageStartingWith("a.yaml");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '~',
      value = {
        "id: h1\\n\\n# all\\nids: h2 | a.yaml, line 4: ids:",
        "limits:\\n  uploads: 3\\n  topics: x | a.yaml, line 3: limits.topics: 'x'",
        "seeds:\\n- a:1\\n- b:x\\nid: h1 | a.yaml, line 1: seeds: 'b:x'",
        "id: h1\\nlimits: {topics: 1,\\n uploads: x} | a.yaml, line 3: limits.uploads: 'x'",
        "overlay:\\n  nearest: 1\\nlisten: x: | a.yaml, line 3, column",
        "id: h1\\nsite:\\n| a.yaml, line 2: site:",
        "id: h1\\nprobes:\\n  x: {y: 1}\\n | a.yaml, line 3: probes.x:"
      })
  void a_key_that_cannot_be_used_is_named_with_its_line(String yaml, String message) {
    assertThatThrownBy(() -> parse(yaml.replace("\\n", "\n")))
        .isInstanceOf(ConfigException.class)
        .hasMessageStartingWith(message);
  }

  private static AgentSettings parseIn(Map<String, String> environment, String yaml)
      throws ConfigException {
    return AgentConfigFile.parse("a.yaml", yaml, environment::get);
  }

  @Test
  void values_come_from_the_environment() throws Exception {
    Map<String, String> environment =
        Map.of("POD", "7", "IP", "10.0.0.7", "MEMBERS", "3", "FAULTS", "true", "SEEDS", "a:1,b:2");

    AgentSettings settings =
        parseIn(
            environment,
            """
            id: ${POD}
            listen: ${IP}:${PORT:-7800}
            seeds: ["${SEEDS}", "c:${PORT:-3}"]
            readyMembers: ${MEMBERS}
            allowFaults: ${FAULTS}
            site: ${SITE:-east}
            series: /var/$${POD}
            limits:
              topics: ${TOPICS:-9}
            """);

    assertThat(settings.get(Setting.ID)).hasToString("7");
    assertThat(settings.get(Setting.LISTEN)).hasToString("10.0.0.7:7800");
    assertThat(seeds(settings)).containsExactly("a:1", "b:2", "c:3");
    assertThat(settings.get(Setting.READY_MEMBERS)).isEqualTo(3);
    assertThat(settings.get(Setting.ALLOW_FAULTS)).isTrue();
    assertThat(settings.get(Setting.SITE)).isEqualTo("east");
    assertThat(settings.get(Setting.SERIES)).hasToString("/var/${POD}");
    assertThat(settings.get(Setting.LIMITS)).extracting(BroadcastLimits::topics).isEqualTo(9);
  }

  @Test
  void the_default_of_a_variable_counts_also_where_the_variable_is_empty() throws Exception {
    assertThat(parseIn(Map.of("SITE", ""), "site: ${SITE:-east}").get(Setting.SITE))
        .isEqualTo("east");
    assertThat(parseIn(Map.of("SITE", "west"), "site: ${SITE:-east}").get(Setting.SITE))
        .isEqualTo("west");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '~',
      value = {
        "id: h1\\nsite: ${SITE} | a.yaml, line 2: site:",
        "limits:\\n  topics: ${X-3} | a.yaml, line 2: limits.topics: '${X-3}'",
        "site: ${ | a.yaml, line 1: site: '${'",
        "readyMembers: ${BIG} | a.yaml, line 1: readyMembers: '10001'",
        "readyMembers: ${WORD} | a.yaml, line 1: readyMembers: 'three'",
        "insecure: ${WORD} | a.yaml, line 1: insecure: 'three'"
      })
  void a_variable_that_cannot_be_used_is_named_with_its_line(String yaml, String message) {
    Map<String, String> environment = Map.of("BIG", "10001", "WORD", "three");
    assertThatThrownBy(() -> parseIn(environment, yaml.replace("\\n", "\n")))
        .isInstanceOf(ConfigException.class)
        .hasMessageStartingWith(message);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '~',
      value = {
        "id: [ | a.yaml, line 1, column ",
        "id: a\\n b: c | a.yaml, line 2, column ",
        "id: a\\nid: b | a.yaml, line 2, column "
      })
  void malformed_yaml_is_named_with_line_and_column(String yaml, String message) {
    assertThatThrownBy(() -> parse(yaml.replace("\\n", "\n")))
        .isInstanceOf(ConfigException.class)
        .hasMessageStartingWith(message)
        .hasMessageContaining("YAML");
  }

  @Test
  void a_tab_is_named() {
    assertThatThrownBy(() -> parse("limits:\n\tuploads: 3\n"))
        .isInstanceOf(ConfigException.class)
        .hasMessageContaining("YAML")
        .hasMessageContaining("(TAB)")
        .hasMessageNotContainingAny("\n", "\t");
  }

  @Test
  void a_second_document_is_refused() {
    assertThatThrownBy(() -> parse("id: a\n---\nid: b\n"))
        .isInstanceOf(ConfigException.class)
        .hasMessageStartingWith("a.yaml")
        .hasMessageContaining("YAML");
  }

  @Test
  void a_file_that_is_not_there_is_named() {
    assertThatThrownBy(() -> AgentConfigFile.read(Path.of("/no/such.yaml")))
        .isInstanceOf(ConfigException.class)
        .hasMessageContaining("/no/such.yaml");
  }

  @Test
  void a_directory_cannot_be_read(@TempDir Path directory) {
    assertThatThrownBy(() -> AgentConfigFile.read(directory))
        .isInstanceOf(ConfigException.class)
        .hasMessageContaining(directory.toString());
  }

  @Test
  void a_file_that_is_too_large_is_not_read(@TempDir Path directory) throws Exception {
    Path file =
        Files.writeString(
            directory.resolve("a.yaml"), "#".repeat(AgentConfigFile.MAX_FILE_BYTES + 1));
    assertThatThrownBy(() -> AgentConfigFile.read(file))
        .isInstanceOf(ConfigException.class)
        .hasMessageContaining(AgentConfigFile.MAX_FILE_BYTES + " bytes");
  }

  @Test
  void a_file_of_other_bytes_than_text_is_refused(@TempDir Path directory) throws Exception {
    Path file = Files.write(directory.resolve("a.yaml"), new byte[] {(byte) 0xff});
    assertThatThrownBy(() -> AgentConfigFile.read(file))
        .isInstanceOf(ConfigException.class)
        .hasMessageContaining("UTF-8");
  }

  @ParameterizedTest
  @CsvSource({"idd, id", "Lsiten, listen", "silent, silence", "limit, limits", "x, ", "colour, "})
  void the_nearest_key_is_what_a_slip_of_the_hand_meant(String mistyped, @Nullable String meant) {
    assertThat(NearestName.of(mistyped, List.of("id", "listen", "silence", "limits", "probes")))
        .isEqualTo(meant);
  }
}
