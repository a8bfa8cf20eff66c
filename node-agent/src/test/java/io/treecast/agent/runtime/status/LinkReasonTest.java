package io.treecast.agent.runtime.status;

import static org.assertj.core.api.Assertions.assertThat;

import io.treecast.proto.v1.ExplainLinkResponse;
import org.junit.jupiter.api.Test;

class LinkReasonTest {

  @Test
  void a_link_that_is_damped_says_for_how_long() {
    ExplainLinkResponse.Builder why = ExplainLinkResponse.newBuilder();
    why.getDecisionBuilder().setPenalty(4.7).setDamped(true).setDampedForMicros(133_200_000);
    assertThat(new LinkReason("h1-h2", why.build(), "").decision())
        .contains("penalty", "4.7", " 134 s ");

    why.getDecisionBuilder().clearDampedForMicros();
    assertThat(new LinkReason("h1-h2", why.build(), "").decision())
        .contains("4.7")
        .doesNotContain(" s ");
  }
}
