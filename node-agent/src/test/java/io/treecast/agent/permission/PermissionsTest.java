package io.treecast.agent.permission;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Rules permit what they name, and nothing else. */
class PermissionsTest {
  private static Permissions of(Rule... rules) {
    return new Permissions(List.of(rules), Map.of());
  }

  @ParameterizedTest
  @CsvSource({
    "prices, prices, true",
    "prices, prices.eu, false",
    "prices, price, false",
    "prices.*, prices.eu, true",
    "prices.*, prices., true",
    "prices.*, prices, false",
    "*, prices, true",
    "*, '', true",
    "'', '', true",
    "'', prices, false",
    "*.eu, prices.eu, true",
    "*.eu, prices.eu.old, false",
    "a*b*c, axxbyyc, true",
    "a*b*c, abcbc, true",
    "a*b*c, acb, false",
    "a**c, ac, true",
    "a.c, abc, false",
    "[a], a, false",
    "Prices, prices, false"
  })
  void a_star_in_a_name_stands_for_any_characters(String glob, String topic, boolean permitted) {
    Permissions permissions = of(new Rule("CN=shop", Set.of(Action.PUBLISH), List.of(glob)));

    assertThat(permissions.permitting(List.of("CN=shop"), Action.PUBLISH, topic) != null)
        .isEqualTo(permitted);
  }

  @Test
  void many_stars_do_not_make_a_name_expensive() {
    Permissions permissions =
        of(new Rule("*", Set.of(Action.PUBLISH), List.of("*a".repeat(100) + "b")));

    assertThat(permissions.permitting(List.of(), Action.PUBLISH, "a".repeat(200))).isNull();
  }

  @ParameterizedTest
  @CsvSource({
    "CN=shop, CN=shop, true",
    "CN=shop, 'CN=shop,O=other', false",
    "spiffe://a/*, spiffe://a/shop, true",
    "spiffe://a/*, spiffe://b/shop, false",
    "*, CN=any, true",
    "token:ci, token:ci, true"
  })
  void a_rule_is_of_the_identities_that_match_it(String rule, String identity, boolean permitted) {
    Permissions permissions = of(new Rule(rule, Set.of(Action.ADMINISTRATE), List.of()));

    assertThat(permissions.permitting(List.of("x:y", identity), Action.ADMINISTRATE, "") != null)
        .isEqualTo(permitted);
  }

  @Test
  void a_rule_permits_its_actions_alone() {
    Permissions permissions =
        of(new Rule("CN=shop", Set.of(Action.PUBLISH, Action.UPLOAD), List.of("*")));

    assertThat(Action.values())
        .filteredOn(action -> permissions.permitting(List.of("CN=shop"), action, "prices") != null)
        .containsExactly(Action.PUBLISH, Action.UPLOAD);
  }

  @Test
  void a_caller_without_identity_has_the_rules_of_everybody_alone() {
    Rule everybody = new Rule("*", Set.of(Action.SUBSCRIBE), List.of("news"));
    Permissions permissions =
        of(new Rule("CN=*", Set.of(Action.SUBSCRIBE), List.of("*")), everybody);

    assertThat(permissions.permitting(List.of(), Action.SUBSCRIBE, "news")).isEqualTo(everybody);
    assertThat(permissions.permitting(List.of(), Action.SUBSCRIBE, "prices")).isNull();
  }

  @Test
  void a_token_is_known_by_its_hash() {
    String sha256 = HexFormat.of().formatHex(Permissions.sha256("secret"));
    assertThat(sha256)
        .isEqualTo("2bb80d537b1da3e38bd30361aa855686bde0eacd7162fef6a25fe97bf527a25b");
    Permissions permissions = new Permissions(List.of(), Map.of("ci", sha256));

    assertThat(permissions.bearer(Permissions.sha256("secret"))).isEqualTo("token:ci");
    assertThat(permissions.bearer(Permissions.sha256("secret "))).isNull();
  }

  @Test
  void a_refusal_names_identity_action_resource_and_the_missing_rule() {
    assertThat(Permissions.refusal(List.of("spiffe://a/b", "CN=shop"), Action.PUBLISH, "p\"q"))
        .contains("spiffe://a/b")
        .contains("CN=shop")
        .contains("publish (topic 'p\"q')")
        .contains("{identity: \"spiffe://a/b\", may: [publish], names: [\"p\\\"q\"]}");
    assertThat(Permissions.refusal(List.of("CN=ops"), Action.OPERATE, ""))
        .contains("{identity: \"CN=ops\", may: [operate]}");
  }
}
