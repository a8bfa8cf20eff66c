package io.treecast.agent.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.treecast.agent.core.settings.LinkLimits;
import io.treecast.collectives.broadcast.contract.BroadcastLimits;
import io.treecast.monitor.probe.ProbePolicy;
import io.treecast.monitor.probe.SilencePolicy;
import io.treecast.monitor.weight.SignificancePolicy;
import java.util.Collections;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** How settings of several sources become one configuration. */
class AgentSettingsTest {

  private static AgentSettings yaml(String yaml) throws ConfigException {
    return AgentConfigFile.parse("a.yaml", yaml);
  }

  @Test
  void the_stronger_source_counts() throws Exception {
    AgentSettings flags = yaml("id: flag\nseeds: [a:1]");
    AgentSettings file =
        yaml("id: file\nlisten: 127.0.0.1:7700\nseeds: [b:2, c:3]\ninsecure: true");
    AgentConfig config = flags.orElse(file).toConfig();
    assertThat(config.id()).hasToString("flag");
    assertThat(config.listen()).hasToString("127.0.0.1:7700");
    assertThat(config.membership().seeds()).containsExactly("a:1");
  }

  @Test
  void every_setting_passes_from_the_weaker_source() throws Exception {
    AgentSettings all =
        yaml(
            """
            id: a
            listen: a:1
            advertise: b:2
            seeds: [c:3]
            admin: d:4
            adminHosts: [g, h]
            http: true
            site: e
            cluster: f
            readyMembers: 3
            insecure: true
            limits: {subscribers: 6}
            probes: {windowSamples: 7}
            silence: {stretchMillis: 8}
            significance: {floorMicros: 9}
            links: {redialMaxMillis: 800}
            """);
    assertThat(AgentSettings.NONE.orElse(all)).isEqualTo(all);
    assertThat(all.orElse(AgentSettings.NONE)).isEqualTo(all);
  }

  @Test
  void an_absent_setting_has_a_default() throws Exception {
    AgentConfig config = yaml("id: a\nlisten: 127.0.0.1:7700").toConfig();
    assertThat(config.advertise()).isNull();
    assertThat(config.admin()).isNull();
    assertThat(config.http()).isFalse();
    assertThat(config.insecure()).isFalse();
    assertThat(config.cluster()).isEmpty();
    assertThat(config.readyMembers()).isEqualTo(1);
    assertThat(config.membership().seeds()).isEmpty();
    assertThat(config.broadcast()).isEqualTo(BroadcastLimits.defaults());
    assertThat(config.probes()).isEqualTo(ProbePolicy.DEFAULT);
    assertThat(config.silence()).isEqualTo(SilencePolicy.DEFAULT);
    assertThat(config.significance()).isEqualTo(SignificancePolicy.DEFAULT);
    assertThat(config.links()).isEqualTo(LinkLimits.DEFAULT);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          admin: 127.0.0.1:9400                                                  | true
          admin: 127.0.0.1:9400,  tls: /t                                        | true
          admin: 0.0.0.0:9400,    insecure: true                                 | true
          admin: 0.0.0.0:9400,    tls: /t, permissions: /p                       | true
          admin: 0.0.0.0:9400,    tls: /t, insecure: true                        | false
          insecure: true                                                         | false
          """)
  void http_clients_need_an_admin_address_that_admits_no_more_callers_than_gRPC(
      String others, boolean isAllowed) throws Exception {
    AgentSettings settings = yaml("{id: a, listen: 127.0.0.1:1, http: true, " + others + "}");

    if (isAllowed) {
      assertThat(settings.toConfig().http()).isTrue();
    } else {
      assertThatThrownBy(settings::toConfig)
          .isInstanceOf(ConfigException.class)
          .hasMessageStartingWith("http: ");
    }
  }

  @Test
  void all_that_is_missing_is_named_at_once() {
    assertThatThrownBy(AgentSettings.NONE::toConfig)
        .isInstanceOf(ConfigException.class)
        .hasMessage(
            "missing: the node id (--id NAME, or id: NAME in the file), "
                + "the address to listen on (--listen HOST:PORT, or listen: HOST:PORT)");
    assertThatThrownBy(() -> yaml("id: a").toConfig())
        .hasMessage("missing: the address to listen on (--listen HOST:PORT, or listen: HOST:PORT)");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "listen: 192.0.2.1:7700 | give it a certificate with --tls DIRECTORY (tls: DIRECTORY), add --insecure (insecure: true) if the network is trusted, or listen on 127.0.0.1",
        "listen: 192.0.2.1:7700\\nadmin: 192.0.2.1:9400\\ntls: here | admin: '192.0.2.1:9400' is reachable from other machines, and its pages are plain text",
        "listen: 127.0.0.1:7700\\nadmin: 0.0.0.0:9400 | admin: '0.0.0.0:9400' is reachable from other machines",
        "listen: 127.0.0.1:7700\\nadmin: 192.0.2.1:9400 | add --insecure (insecure: true) if the network is trusted, or serve them on 127.0.0.1",
        "listen: 127.0.0.1:7700\\nseeds: ['[::1]:7701', 192.0.2.1:7701] | seeds: '192.0.2.1:7701' is not known to be this machine",
        "listen: 0.0.0.0:7700\\ninsecure: true | add --advertise HOST:PORT (advertise: HOST:PORT)",
        "listen: 127.0.0.1:7700\\nadvertise: 0.0.0.0:7700 | advertise: '0.0.0.0:7700' is not the address of one machine",
        "listen: 127.0.0.1:7700\\nadvertise: '[::]:7700' | advertise: '[::]:7700' is not the address of one machine",
        "listen: 127.0.0.1:7700\\nadvertise: 224.0.0.1:7700 | advertise: '224.0.0.1:7700' is not the address of one machine",
        "listen: 127.0.0.1:7700\\nadvertise: 255.255.255.255:7700 | advertise: '255.255.255.255:7700' is not the address of one machine",
        "listen: no-host.invalid:7700 | listen: 'no-host.invalid:7700' names no host",
        "listen: 127.0.0.1:7700\\nadmin: no-host.invalid:1 | admin: 'no-host.invalid:1' names no host"
      })
  void settings_that_do_not_go_together_are_refused(String yaml, String message) throws Exception {
    AgentSettings settings = yaml("id: a\n" + yaml.replace("\\n", "\n"));
    assertThatThrownBy(settings::toConfig)
        .isInstanceOf(ConfigException.class)
        .hasMessageContaining(message);
  }

  @Test
  void there_are_not_more_seeds_than_anybody_needs() {
    List<String> many = Collections.nCopies(SettingSyntax.MAX_SEEDS + 1, "a:1");
    assertThatThrownBy(() -> SettingSyntax.seeds("--seeds", many))
        .isInstanceOf(ConfigException.class)
        .hasMessage("--seeds: '101 addresses' is not allowed; allowed is up to 100");
  }
}
