package io.treecast.cli.console;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class WaitingNoteTest {
  /** Tasks that run once the wait takes long. */
  private final List<Runnable> later = new ArrayList<>();

  private final StringWriter printed = new StringWriter();
  private final Console console =
      new Console() {
        @Override
        public PrintWriter err() {
          return new PrintWriter(printed);
        }
      };

  private WaitingNote note(boolean shown) {
    return new WaitingNote(console, shown, later::add, () -> "waits");
  }

  @Test
  void a_long_wait_is_explained() {
    int answer =
        note(true)
            .during(
                () -> {
                  later.forEach(Runnable::run);
                  return 42;
                });
    assertThat(answer).isEqualTo(42);
    assertThat(printed.toString().lines()).containsExactly("waits");
  }

  @Test
  void a_short_wait_is_not_explained() {
    note(true).during(() -> 42);
    later.forEach(Runnable::run);
    assertThat(printed.toString()).isEmpty();
  }

  @Test
  void without_a_terminal_nothing_is_printed() {
    note(false)
        .during(
            () -> {
              later.forEach(Runnable::run);
              return 42;
            });
    assertThat(later).isEmpty();
    assertThat(printed.toString()).isEmpty();
  }
}
