package io.treecast.agent.runtime.application;

import static org.assertj.core.api.Assertions.assertThat;

import io.grpc.Status;
import io.grpc.StatusException;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class OpenCallsTest {
  private final OpenCalls<String, Integer> calls = new OpenCalls<>("watches", 4);

  private Out add(String client, int state) {
    Out out = new Out();
    assertThat(calls.refusal(client)).isNull();
    calls.add(client, out, state);
    return out;
  }

  private void assertRefused(String client) {
    assertThat(calls.refusal(client))
        .isInstanceOfSatisfying(
            StatusException.class,
            refusal ->
                assertThat(refusal.getStatus().getCode())
                    .isEqualTo(Status.Code.RESOURCE_EXHAUSTED));
  }

  @Test
  void a_client_has_no_more_than_it_leaves_to_the_others() {
    Out first = add("a", 1);
    add("a", 2);
    assertRefused("a");
    assertThat(calls.refusal("b")).isNull();

    assertThat(calls.remove(first)).isEqualTo(1);

    assertThat(calls.refusal("a")).isNull();
  }

  @Test
  void all_clients_have_no_more_than_the_limit() {
    List.of("a", "b", "c", "d").forEach(client -> add(client, 0));

    assertRefused("e");
  }

  @Test
  void an_action_for_each_may_remove_it() {
    Out kept = add("a", 1);
    Out removed = add("b", 2);
    List<Integer> seen = new ArrayList<>();

    calls.forEach(
        (out, state) -> {
          seen.add(state);
          if (state == 2) {
            assertThat(calls.remove(out)).isEqualTo(2);
          }
        });

    assertThat(seen).containsExactly(1, 2);
    assertThat(calls.get(kept)).isEqualTo(1);
    assertThat(calls.get(removed)).isNull();
    assertThat(calls.remove(removed)).isNull();
    assertThat(calls.states()).containsExactly(1);
  }

  @Test
  void the_end_ends_all_of_them() {
    Out one = add("a", 1);
    Out other = add("b", 2);

    calls.end(Refusals.shuttingDown());

    assertThat(List.of(one, other)).allMatch(out -> out.end instanceof StatusException);
    assertThat(calls.states()).isEmpty();
  }

  /** A call whose client reads nothing. */
  private static final class Out extends UnheededResponses<String> {
    @Nullable Throwable end;

    @Override
    public void onError(Throwable error) {
      end = error;
    }
  }
}
