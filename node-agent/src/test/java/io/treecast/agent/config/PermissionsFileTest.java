package io.treecast.agent.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.treecast.agent.permission.Action;
import io.treecast.agent.permission.Permissions;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** A file of permissions is valid as a whole, or the error names the line of its first problem. */
class PermissionsFileTest {
  private static final String SHA256 = "0".repeat(64);

  private static Permissions parse(String yaml) throws ConfigException {
    return PermissionsFile.parse("p.yaml", yaml);
  }

  @Test
  void a_rule_permits_single_values_and_lists() throws ConfigException {
    Permissions permissions =
        parse(
            """
            tokens:
              - name: ci
                sha256: %s
            rules:
              - identity: CN=shop,O=Example
                may: [publish, upload]
                names: ["prices.*", ""]
              - identity: token:ci
                may: administrate
            """
                .formatted(SHA256));

    List<String> shop = List.of("CN=shop,O=Example");
    assertThat(permissions.permitting(shop, Action.UPLOAD, "prices.eu")).isNotNull();
    assertThat(permissions.permitting(shop, Action.PUBLISH, "")).isNotNull();
    assertThat(permissions.permitting(shop, Action.PUBLISH, "orders")).isNull();
    assertThat(permissions.permitting(shop, Action.ADMINISTRATE, "")).isNull();
    assertThat(permissions.permitting(List.of("token:ci"), Action.ADMINISTRATE, "")).isNotNull();
  }

  @Test
  void a_file_without_rules_permits_nothing() throws ConfigException {
    assertThat(parse("rules: []").rules()).isEmpty();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '~',
      value = {
        "rules:\\n - identity: CN=a\\n   may: publish | p.yaml, line 2: rules[0]: names",
        "rules:\\n - may: publish\\n   names: a | p.yaml, line 2: rules[0]: identity",
        "rules:\\n - identity: CN=a\\n   names: a | p.yaml, line 2: rules[0]: may",
        "rules:\\n - identity: CN=a\\n   may: []\\n   names: a | p.yaml, line 2: rules[0]: may",
        "rules:\\n - identity: CN=a\\n   may: operate\\n - identity: shop\\n   may: operate"
            + " | p.yaml, line 4: rules[1].identity: 'shop'",
        "rules:\\n - identity: CN=a\\n   may: [publish, fly]\\n   names: a"
            + " | p.yaml, line 3: rules[0].may: 'fly'",
        "rules:\\n - identity: CN=a\\n   may: publish\\n   topics: a"
            + " | p.yaml, line 4: rules[0].topics:",
        "rules:\\n - identity: CN=a\\n   may: [operate, publish]\\n   names: a"
            + " | p.yaml, line 3: rules[0].may:",
        "rules:\\n - identity: CN=a\\n   may: operate\\n   names: a"
            + " | p.yaml, line 4: rules[0].names:",
        "rules:\\n - identity: CN=a\\n   may: publish\\n   names:\\n   - a\\n   - 1"
            + " | p.yaml, line 6: rules[0].names[1]: '1'",
        "rules:\\n - identity: token:x\\n   may: operate" + " | p.yaml, line 2: rules[0].identity:",
        "rules:\\n - CN=a | p.yaml, line 2: rules[0]: 'CN=a'",
        "rules: CN=a | p.yaml, line 1: rules: 'CN=a'",
        "rule: [] | p.yaml, line 1: rule:",
        "tokens:\\n - name: a\\n   sha256: secret | p.yaml, line 3: tokens[0].sha256:",
        "tokens:\\n - name: a b\\n   sha256: x | p.yaml, line 2: tokens[0].name: 'a b'",
        "rules: [ | p.yaml, line 1, column",
        "# nothing | p.yaml:"
      })
  void the_error_about_an_unusable_file_names_line_setting_and_value(String yaml, String place) {
    assertThatThrownBy(() -> parse(yaml.replace("\\n", "\n")))
        .isInstanceOf(ConfigException.class)
        .hasMessageStartingWith(place);
  }

  @Test
  void the_message_about_a_token_in_the_place_of_its_hash_does_not_show_it() {
    assertThatThrownBy(() -> parse("tokens:\n - name: a\n   sha256: s3cr3t"))
        .isInstanceOf(ConfigException.class)
        .message()
        .doesNotContain("s3cr3t");
  }

  @Test
  void two_tokens_of_one_name_are_an_error() {
    String token = " - name: a\n   sha256: " + SHA256 + "\n";
    assertThatThrownBy(() -> parse("tokens:\n" + token + token))
        .isInstanceOf(ConfigException.class)
        .hasMessageStartingWith("p.yaml, line 4: tokens[1].name: 'a'");
  }
}
