package io.treecast.client;

import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.util.List;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;

class ValueKeyTest {
  private static final String NO_TEXT = "a\ud800";

  @Test
  void a_key_that_is_no_text_is_refused_and_does_not_become_another_key() {
    try (Treecast treecast = Treecast.connect("127.0.0.1:1")) {
      Values<String> values = treecast.values("m", Codec.utf8());
      for (ThrowingCallable call :
          List.<ThrowingCallable>of(
              () -> values.put(NO_TEXT, "x"),
              () -> values.putEphemeral(NO_TEXT, "x"),
              () -> values.delete(NO_TEXT),
              () -> values.get(NO_TEXT),
              () -> values.watch(NO_TEXT, entry -> {}))) {
        assertThatIllegalArgumentException().isThrownBy(call);
      }
    }
  }
}
