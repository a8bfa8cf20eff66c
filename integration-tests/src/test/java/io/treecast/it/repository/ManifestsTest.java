package io.treecast.it.repository;

import static org.assertj.core.api.Assertions.assertThat;

import io.treecast.agent.config.AgentConfigFile;
import io.treecast.agent.config.AgentSettings;
import io.treecast.agent.config.HostPort;
import io.treecast.agent.config.Setting;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.TreeSet;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;
import tools.jackson.dataformat.yaml.YAMLMapper;

/**
 * The manifests for Kubernetes refer to existing objects, and contain valid settings of an agent.
 */
class ManifestsTest {
  private static final Path FOLDER = Path.of("dist/src/main/kubernetes");
  private static final YAMLMapper YAML = YAMLMapper.builder().build();
  private static final String NAMESPACE = "prod";

  @TempDir private Path directory;

  private static JsonNode manifest(String file) {
    return YAML.readTree(Repository.text(FOLDER.resolve(file)));
  }

  private static final JsonNode SET = manifest("statefulset.yaml");
  private static final JsonNode SERVICE = manifest("service.yaml");
  private static final JsonNode CONFIG = manifest("config.yaml");
  private static final JsonNode CERTIFICATE = manifest("certificate.yaml");
  private static final JsonNode POD = SET.at("/spec/template/spec");
  private static final JsonNode CONTAINER = POD.at("/containers/0");

  private static List<String> texts(JsonNode array, String pointer) {
    List<String> texts = new ArrayList<>();
    array.forEach(each -> texts.add(each.at(pointer).asString()));
    return texts;
  }

  private static List<String> allManifests() {
    return Repository.files(".yaml").stream()
        .filter(file -> file.startsWith(FOLDER))
        .map(file -> file.getFileName().toString())
        .toList();
  }

  @Test
  void every_manifest_has_version_kind_and_name() {
    assertThat(allManifests())
        .hasSize(6)
        .allSatisfy(
            file -> {
              assertThat(manifest(file).get("apiVersion").asString()).isNotEmpty();
              assertThat(manifest(file).get("kind").asString()).isNotEmpty();
              assertThat(manifest(file).at("/metadata/name").asString()).isEqualTo("treecast");
            });
  }

  @Test
  void selectors_match_the_labels_of_what_they_select() {
    JsonNode labels = SET.at("/spec/template/metadata/labels");
    assertThat(labels).isNotEmpty();
    assertThat(SET.at("/spec/selector/matchLabels")).isEqualTo(labels);
    assertThat(SERVICE.at("/spec/selector")).isEqualTo(labels);
    assertThat(manifest("disruption.yaml").at("/spec/selector/matchLabels")).isEqualTo(labels);
    assertThat(
            POD.at(
                "/affinity/podAntiAffinity/preferredDuringSchedulingIgnoredDuringExecution/0"
                    + "/podAffinityTerm/labelSelector/matchLabels"))
        .isEqualTo(labels);
    assertThat(manifest("monitor.yaml").at("/spec/selector/matchLabels"))
        .isEqualTo(SERVICE.at("/metadata/labels"));
  }

  @Test
  void the_service_gives_names_and_records_to_pods_that_are_not_ready() {
    assertThat(SET.at("/spec/serviceName")).isEqualTo(SERVICE.at("/metadata/name"));
    assertThat(SERVICE.at("/spec/clusterIP").asString()).isEqualTo("None");
    assertThat(SERVICE.at("/spec/publishNotReadyAddresses").asBoolean()).isTrue();
    assertThat(SET.at("/spec/podManagementPolicy").asString()).isEqualTo("Parallel");
  }

  @Test
  void ports_are_called_by_names_that_the_container_gives() {
    List<String> names = texts(CONTAINER.get("ports"), "/name");
    assertThat(names).containsExactly("treecast", "admin");
    assertThat(texts(SERVICE.at("/spec/ports"), "/targetPort")).isEqualTo(names);
    assertThat(texts(SERVICE.at("/spec/ports"), "/port"))
        .isEqualTo(texts(CONTAINER.get("ports"), "/containerPort"));
    for (String probe : List.of("startupProbe", "livenessProbe", "readinessProbe")) {
      assertThat(CONTAINER.get(probe).at("/httpGet/port").asString()).isEqualTo("admin");
    }
    assertThat(CONTAINER.at("/readinessProbe/httpGet/path").asString()).isEqualTo("/readyz");
    assertThat(CONTAINER.at("/livenessProbe/httpGet/path").asString()).isEqualTo("/healthz");
    assertThat(texts(SERVICE.at("/spec/ports"), "/name"))
        .contains(manifest("monitor.yaml").at("/spec/endpoints/0/port").asString());
  }

  @Test
  void mounts_have_volumes_and_volumes_have_sources() {
    List<String> volumes = texts(POD.get("volumes"), "/name");
    volumes.addAll(texts(SET.at("/spec/volumeClaimTemplates"), "/metadata/name"));
    assertThat(texts(CONTAINER.get("volumeMounts"), "/name"))
        .containsExactlyInAnyOrderElementsOf(volumes);
    assertThat(POD.at("/volumes/0/configMap/name")).isEqualTo(CONFIG.at("/metadata/name"));
    assertThat(POD.at("/volumes/1/secret/secretName"))
        .isEqualTo(CERTIFICATE.at("/spec/secretName"));
    assertThat(CONFIG.get("data").has(CONTAINER.at("/volumeMounts/0/subPath").asString())).isTrue();
  }

  @Test
  void the_certificate_names_each_agent() {
    String set = SET.at("/metadata/name").asString();
    List<String> uris = new ArrayList<>();
    CERTIFICATE.at("/spec/uris").forEach(uri -> uris.add(uri.asString()));
    assertThat(uris)
        .isEqualTo(
            IntStream.range(0, SET.at("/spec/replicas").asInt())
                .mapToObj(i -> "treecast:node:" + set + "-" + i)
                .toList());
  }

  @Test
  void the_settings_are_those_of_an_agent_in_such_a_pod() throws Exception {
    String yaml = CONFIG.at("/data/agent.yaml").asString();
    TreeSet<String> variables = new TreeSet<>();
    Pattern.compile("\\$\\{(\\w+)")
        .matcher(yaml)
        .results()
        .map((MatchResult found) -> found.group(1))
        .forEach(variables::add);
    assertThat(texts(CONTAINER.get("env"), "/name")).containsExactlyInAnyOrderElementsOf(variables);
    String service = SERVICE.at("/metadata/name").asString();
    Path file =
        Files.writeString(
            directory.resolve("agent.yaml"),
            yaml.replace("${POD_NAME}", "treecast-0").replace("${POD_NAMESPACE}", NAMESPACE));

    AgentSettings settings = AgentConfigFile.read(file);

    assertThat(Objects.requireNonNull(settings.get(Setting.MEMBERSHIP)).seeds())
        .containsExactly(
            "_"
                + SERVICE.at("/spec/ports/0/name").asString()
                + "._tcp."
                + service
                + "."
                + NAMESPACE
                + ".svc.cluster.local");
    assertThat(settings.get(Setting.ADVERTISE))
        .hasToString("treecast-0." + service + "." + NAMESPACE + ".svc:7700");
    assertThat(List.of(port(settings.get(Setting.LISTEN)), port(settings.get(Setting.ADMIN))))
        .isEqualTo(texts(CONTAINER.get("ports"), "/containerPort"));
    assertThat(texts(CONTAINER.get("volumeMounts"), "/mountPath"))
        .contains(
            Objects.requireNonNull(settings.get(Setting.TLS)).toString(),
            Objects.requireNonNull(settings.get(Setting.SERIES)).toString());
    assertThat(settings.toConfig().id()).hasToString("treecast-0");
  }

  private static String port(@Nullable HostPort address) {
    return Integer.toString(Objects.requireNonNull(address).port());
  }
}
