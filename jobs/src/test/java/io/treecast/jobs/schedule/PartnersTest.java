package io.treecast.jobs.schedule;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayDeque;
import java.util.Map;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class PartnersTest {
  private static Map<String, SortedSet<String>> partners(int members) {
    SortedSet<String> all = new TreeSet<>();
    for (int i = 0; i < members; i++) {
      all.add("m" + i);
    }
    Map<String, SortedSet<String>> partners = new TreeMap<>();
    all.forEach(member -> partners.put(member, Partners.of(member, all, 24)));
    return partners;
  }

  @Test
  void all_members_of_a_small_group_are_partners() {
    assertThat(partners(25)).allSatisfy((member, others) -> assertThat(others).hasSize(24));
  }

  @ParameterizedTest
  @ValueSource(ints = {26, 27, 64, 100, 301})
  void members_of_a_larger_group_have_few_partners_and_agree_on_them(int members) {
    Map<String, SortedSet<String>> partners = partners(members);

    partners.forEach(
        (member, others) -> {
          assertThat(others).doesNotContain(member).hasSizeLessThanOrEqualTo(Partners.MOST);
          others.forEach(other -> assertThat(partners.get(other)).contains(member));
        });
  }

  @ParameterizedTest
  @ValueSource(ints = {26, 27, 64, 100, 301})
  void tasks_reach_all_members_over_partners(int members) {
    Map<String, SortedSet<String>> partners = partners(members);
    SortedSet<String> reached = new TreeSet<>();
    ArrayDeque<String> next = new ArrayDeque<>();
    next.add("m0");
    while (!next.isEmpty()) {
      String member = next.remove();
      if (reached.add(member)) {
        next.addAll(partners.get(member));
      }
    }

    assertThat(reached).hasSize(members);
  }
}
