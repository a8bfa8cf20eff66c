package io.treecast.agent.core;

import com.code_intelligence.jazzer.junit.FuzzTest;
import java.util.stream.Stream;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Whatever a neighbour sends on control streams, it harms nobody but itself; see {@link Attack}.
 */
class ControlStreamFuzzTest {

  static Stream<byte[]> seeds() {
    return Stream.of(
            AttackSeeds.recorded(true).stream(),
            AttackSeeds.recorded(false).stream(),
            AttackSeeds.controlOfEachKind())
        .flatMap(seeds -> seeds);
  }

  @MethodSource("seeds")
  @FuzzTest
  void no_input_on_control_streams_harms_an_agent(byte[] script) {
    Attack.run(script);
  }
}
