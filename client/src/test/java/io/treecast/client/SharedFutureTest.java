package io.treecast.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(120)
class SharedFutureTest {
  private final CompletableFuture<String> own = new CompletableFuture<>();
  private final SharedFuture<String> shared = SharedFuture.of(own);

  @Test
  void only_the_owner_decides_the_result() throws Exception {
    CompletableFuture<String> chained = shared.given().thenApply(value -> value + "!");

    own.complete("h1");

    assertThat(chained.get(60, TimeUnit.SECONDS)).isEqualTo("h1!");
    assertThat(shared.given()).isCompletedWithValue("h1");
  }

  @Test
  void fails_with_the_exception_as_it_is() {
    IllegalStateException why = new IllegalStateException("why");

    own.completeExceptionally(why);

    assertThatThrownBy(() -> shared.get(60, TimeUnit.SECONDS)).hasCause(why);
  }

  @Test
  void callers_cannot_complete_it() {
    assertThat(shared.cancel(true)).isFalse();
    assertThat(shared.complete("other")).isFalse();
    assertThat(shared.completeExceptionally(new IllegalStateException())).isFalse();
    assertThatExceptionOfType(UnsupportedOperationException.class)
        .isThrownBy(() -> shared.obtrudeValue("other"));
    assertThatExceptionOfType(UnsupportedOperationException.class)
        .isThrownBy(() -> shared.obtrudeException(new IllegalStateException()));

    assertThat(shared).isNotDone();
    assertThat(own).isNotDone();
  }

  @Test
  void a_derived_future_can_end_before_it() throws Exception {
    CompletableFuture<String> inTime = shared.orTimeout(1, TimeUnit.HOURS);
    CompletableFuture<String> tooLate = shared.orTimeout(1, TimeUnit.NANOSECONDS);

    assertThatThrownBy(() -> tooLate.get(60, TimeUnit.SECONDS))
        .hasCauseInstanceOf(TimeoutException.class);
    assertThat(shared.completeOnTimeout("other", 1, TimeUnit.NANOSECONDS).get(60, TimeUnit.SECONDS))
        .isEqualTo("other");
    assertThat(shared.completeAsync(() -> "else").get(60, TimeUnit.SECONDS)).isEqualTo("else");
    assertThat(shared.completeAsync(() -> "else", Runnable::run)).isCompletedWithValue("else");

    assertThat(shared).isNotDone();
    own.complete("h1");
    assertThat(inTime.get(60, TimeUnit.SECONDS)).isEqualTo("h1");
  }
}
