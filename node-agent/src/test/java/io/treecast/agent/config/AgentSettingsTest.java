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
  void http_clients_need_an_admin_address_that_admits_no_more_callers_than_grpc(
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
        .hasMessageContainingAll("--id NAME", "--listen HOST:PORT");
    assertThatThrownBy(() -> yaml("id: a").toConfig())
        .hasMessageContaining("--listen HOST:PORT")
        .hasMessageNotContaining("--id");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "listen: 192.0.2.1:7700 | --tls DIRECTORY",
        "listen: 192.0.2.1:7700 | --insecure",
        "listen: 192.0.2.1:7700\\nadmin: 192.0.2.1:9400\\ntls: here | admin: '192.0.2.1:9400'",
        "listen: 127.0.0.1:7700\\nadmin: 0.0.0.0:9400 | admin: '0.0.0.0:9400'",
        "listen: 127.0.0.1:7700\\nadmin: 192.0.2.1:9400 | --insecure",
        "listen: 127.0.0.1:7700\\nseeds: ['[::1]:7701', 192.0.2.1:7701] | seeds: '192.0.2.1:7701'",
        "listen: 0.0.0.0:7700\\ninsecure: true | --advertise HOST:PORT",
        "listen: 127.0.0.1:7700\\nadvertise: 0.0.0.0:7700 | advertise: '0.0.0.0:7700'",
        "listen: 127.0.0.1:7700\\nadvertise: '[::]:7700' | advertise: '[::]:7700'",
        "listen: 127.0.0.1:7700\\nadvertise: 224.0.0.1:7700 | advertise: '224.0.0.1:7700'",
        "listen: 127.0.0.1:7700\\nadvertise: 255.255.255.255:7700 | advertise: '255.255.255.255:7700'",
        "listen: no-host.invalid:7700 | listen: 'no-host.invalid:7700'",
        "listen: 127.0.0.1:7700\\nadmin: no-host.invalid:1 | admin: 'no-host.invalid:1'"
      })
  void settings_that_do_not_go_together_are_refused_by_name(String yaml, String named)
      throws Exception {
    AgentSettings settings = yaml("id: a\n" + yaml.replace("\\n", "\n"));
    assertThatThrownBy(settings::toConfig)
        .isInstanceOf(ConfigException.class)
        .hasMessageContaining(named);
  }

  @Test
  void there_are_not_more_seeds_than_anybody_needs() {
    List<String> many = Collections.nCopies(SettingSyntax.MAX_SEEDS + 1, "a:1");
    assertThatThrownBy(() -> SettingSyntax.seeds("--seeds", many))
        .isInstanceOf(ConfigException.class)
        .hasMessageContainingAll("--seeds: '101 addresses'", "100");
  }
}
