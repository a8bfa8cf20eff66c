package io.treecast.client;

import static org.assertj.core.api.Assertions.assertThat;

import io.treecast.client.TreecastException.Reason;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import org.junit.jupiter.api.Test;

/** Warnings about a stream that is not in place. */
class AbsenceWarningsTest {
  private final List<String> told = new ArrayList<>();

  /** Actions to run at the end of a silent wait. */
  private final Queue<Runnable> later = new ArrayDeque<>();

  private String reason = "refused";

  private final AbsenceWarnings warnings =
      new AbsenceWarnings(
          since -> new TreecastException(Reason.AGENT_UNREACHABLE, since + reason),
          why -> told.add(String.valueOf(why.getMessage())),
          later::add);

  private void assertTold(String... afterMillisAndReason) {
    assertThat(told)
        .extracting(warning -> warning.replaceAll(".* (\\d+ ms: .*)", "$1"))
        .containsExactly(afterMillisAndReason);
  }

  private void letTimePass(int times) {
    for (int i = 0; i < times; i++) {
      List<Runnable> due = new ArrayList<>(later);
      later.clear();
      due.forEach(Runnable::run);
    }
  }

  @Test
  void an_absence_is_reported_once_and_after_a_while() {
    warnings.begin();
    assertThat(told).isEmpty();

    letTimePass(10);

    assertTold("5000 ms: refused");
  }

  @Test
  void another_reason_is_reported_too() {
    warnings.begin();
    letTimePass(3);
    reason = "expired";
    letTimePass(2);

    assertTold("5000 ms: refused", "20000 ms: expired");
  }

  @Test
  void a_stream_that_is_in_place_in_time_causes_no_warning() {
    warnings.begin();
    warnings.end();

    letTimePass(2);

    assertThat(told).isEmpty();
    assertThat(later).isEmpty();
  }

  @Test
  void each_interruption_is_reported_after_its_own_time() {
    warnings.begin();
    letTimePass(1);
    warnings.end();
    told.clear();
    warnings.begin();
    assertThat(told).isEmpty();

    letTimePass(3);

    assertTold("5000 ms: refused");
    assertThat(later).as("looks of the interruption before").hasSize(1);
  }
}
