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
        .endsWith(
            ". Its damping penalty is 4.7: damped, so a lower weight waits until the link is stable,"
                + " in 134 s without further changes.");

    why.getDecisionBuilder().clearDampedForMicros();
    assertThat(new LinkReason("h1-h2", why.build(), "").decision())
        .endsWith("waits until the link is stable.");
  }
}
