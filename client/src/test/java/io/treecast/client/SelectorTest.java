package io.treecast.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class SelectorTest {
  private static final Member H7 =
      new Member("h7", Map.of("gpu", "8", "fw", "2.10", "site", "east", "zone", "b"));

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "gpu",
        "!draining",
        "gpu=8",
        "gpu = 8.0",
        "gpu!=9",
        "draining!=yes",
        "gpu>=8",
        "gpu<10",
        "fw>2.9",
        "fw<3",
        "fw<=2.10",
        "fw>2.9.7",
        "zone<c",
        "id=h7",
        "site=east, gpu>=4,!draining"
      })
  void members_that_fulfil_all_terms_match(String selector) {
    assertThat(Selector.parse(selector).matches(H7)).isTrue();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "draining",
        "!gpu",
        "gpu=80",
        "gpu!=8",
        "gpu>8",
        "gpu<8",
        "fw<2.9",
        "fw>=2.11",
        "draining=yes",
        "draining<9",
        "id!=h7",
        "site=east, gpu>8"
      })
  void members_that_fail_a_term_do_not_match(String selector) {
    assertThat(Selector.parse(selector).matches(H7)).isFalse();
  }

  @ParameterizedTest
  @ValueSource(strings = {",", "gpu=", "=8", "gpu==8", "gpu 8", "g pu=8", "gpu=8,", "!gpu=8", "<"})
  void a_text_of_another_form_is_refused(String selector) {
    assertThatThrownBy(() -> Selector.parse(selector)).isInstanceOf(IllegalArgumentException.class);
  }

  @Test
  void a_selector_of_too_many_terms_is_refused() {
    String most = "a" + ",a".repeat(Selector.MAX_TERMS - 1);
    assertThat(Selector.parse(most).matches(H7)).isFalse();
    assertThatThrownBy(() -> Selector.parse(most + ",a"))
        .isInstanceOf(IllegalArgumentException.class);
  }

  @Test
  void its_text_parses_to_an_equal_selector() {
    Selector selector = Selector.parse(" gpu >= 4,!draining , site!=east,fw");
    assertThat(selector).hasToString("gpu>=4, !draining, site!=east, fw");
    assertThat(Selector.parse(selector.toString())).isEqualTo(selector);
  }
}
